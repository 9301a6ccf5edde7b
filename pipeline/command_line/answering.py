"""The model that the environment names, over the stores that are open."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from operators.llm.call_metrics import CallMetrics
from operators.llm.endpoint import endpoint_from
from operators.llm.purpose import Purpose
from pipeline.command_line.failures import Exit, fail
from pipeline.command_line.opening import Opened
from query_service.answer import Model
from state.ledger import Ledger

NO_MODEL = (
    "no model is named: set STET_LLM=https://host/v1#model-name (and STET_LLM_KEY, where one is needed); "
    "stet ask gives the evidence without one"
)


@contextmanager
def named_model(stet: Opened, metrics: CallMetrics | None = None) -> Iterator[Model | None]:
    """The model that STET_LLM names, for questions to these stores, or None where none is named.

    Its calls end with the block. Raises EndpointInvalid.
    """
    endpoint = endpoint_from(os.environ)
    if endpoint is None:
        yield None
        return
    from operators.llm.asking import EndpointCaller  # its client takes a second to import

    caller = EndpointCaller(endpoint, stet.client, metrics)
    try:
        ledger = Ledger(stet.client)
        if metrics is None:
            yield Model(caller, ledger)
        else:
            yield Model(caller, ledger, lambda reason: metrics.refused(Purpose.ANSWER, reason))
    finally:
        caller.close()


@contextmanager
def needed_model(stet: Opened) -> Iterator[Model]:
    """As `named_model`; fails where none is named."""
    with named_model(stet) as model:
        if model is None:
            fail(NO_MODEL, Exit.USAGE)
        yield model
