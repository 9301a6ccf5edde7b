"""The model that the environment names, over the stores that are open."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from operators.llm.endpoint import endpoint_from
from operators.llm.purpose import Purpose
from pipeline.command_line.failures import Exit, fail
from pipeline.command_line.opening import Opened
from query_service.answer import Model
from state.ledger import Ledger

NO_MODEL = (
    "no model is named: set STET_LLM=https://host/v1#model-name (and STET_LLM_KEY, where one is needed)"
)


@contextmanager
def named_model(stet: Opened) -> Iterator[Model | None]:
    """The model that STET_LLM names, for questions to these stores, or None where none is named.

    Its calls end with the block. Raises EndpointInvalid.
    """
    endpoint = endpoint_from(os.environ)
    if endpoint is None:
        yield None
        return
    from operators.llm.asking import EndpointCaller  # its client takes a second to import

    metrics = stet.metrics.model
    caller = EndpointCaller(endpoint, stet.client, metrics)
    try:
        yield Model(
            caller,
            Ledger(stet.client),
            refused=lambda reason: metrics.refused(Purpose.ANSWER, reason),
            recalled=lambda: metrics.remembered(Purpose.ANSWER),
        )
    finally:
        caller.close()


@contextmanager
def needed_model(stet: Opened) -> Iterator[Model]:
    """As `named_model`; fails where none is named."""
    with named_model(stet) as model:
        if model is None:
            fail(f"{NO_MODEL}; stet ask gives the evidence without one", Exit.USAGE)
        yield model
