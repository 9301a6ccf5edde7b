"""The stage that asks the model which the environment names, if it names one."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from operators.llm.endpoint import endpoint_from
from operators.model_reader import ModelReader
from operators.revise import Rules
from pipeline.asking_stage import Stage
from pipeline.by_rules import ByRules
from pipeline.model_metrics import ModelMetrics
from pipeline.running import RULES, utc_now
from pipeline.settle import Asks, Settler
from state.waiting import Waiting


@contextmanager
def stage_of(
    environ: Mapping[str, str],
    client: Any,
    metrics: ModelMetrics,
    stopping: Callable[[], bool],
    bounded: Callable[[], bool],
    watched: Callable[[int], None] = lambda turns: None,
    is_away: Callable[[BaseException], bool] = lambda error: False,
    told: Callable[[str], None] = lambda line: None,
    by_rules: Counter[str] | None = None,
) -> Iterator[Stage | None]:
    """The stage, or None where STET_LLM is not set; its questions end with the block. `client` is the graph's
    Redis, and `stopping`, `bounded`, `watched` and `is_away` are as in `Stage`. Turns that the rules read in
    the model's place are added to `by_rules`, by reason, and `told` gets lines about them. Raises
    EndpointInvalid.
    """
    endpoint = endpoint_from(environ)
    if endpoint is None:
        yield None
        return
    from operators.llm.asking import EndpointCaller  # its client takes a second to import

    caller = EndpointCaller(endpoint, client, metrics)
    instead = ByRules(Counter() if by_rules is None else by_rules, metrics.read_by_rules, told)
    asks = Asks(
        caller,
        endpoint.in_flight,
        endpoint.quiet,
        endpoint.on_failure,
        metrics.refused,
        metrics.remembered,
        instead.add,
    )
    settler = Settler(client, asks, RULES, utc_now, stopping, is_away)
    stage = Stage(asks, settler, Waiting(client), stopping, bounded, is_away, watched=watched)
    metrics.watch_waiting(lambda: stage.turns, lambda: stage.parked)
    try:
        yield stage
    finally:
        caller.close()
        instead.rest()


def rules_with(stage: Stage | None) -> Rules:
    """The stream's rules, with the answers of the stage's model before them."""
    return RULES if stage is None else replace(RULES, answers=ModelReader(stage.asks.caller.model))
