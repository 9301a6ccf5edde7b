"""What each metric counts, as Prometheus reads it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from operators.llm.failure import Failure
from operators.llm.purpose import Purpose
from operators.llm.refusal import Refusal
from operators.parse import Reason, Rejected
from pipeline.applied import Applied
from pipeline.metrics import Metrics
from pipeline.open_sessions import GAP
from pipeline.received import Received, Refused
from state.graph_change import SubjectChange
from state.model import Message, Op, Role, Subject
from state.records import MessageRecord, Version

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
ANN = Subject("acme", "ann")


def said(at: datetime, identity: str = "m/1") -> Message:
    return Message(ANN, "order-5512", identity, Role.USER, "Ann", "Bring it to 4 Elm Road.", at)


MESSAGE = said(NOW)


def change(*times: datetime) -> SubjectChange:
    """One flush of one subject, in which messages of these times were new."""
    records = {
        f"m/{n}": MessageRecord(said(at, f"m/{n}"), Version(-1, n), f"{n}") for n, at in enumerate(times)
    }
    return SubjectChange(ANN, 0, records, counts={"updates": 2})


class Bench:
    """Metrics on a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.metrics = Metrics(CollectorRegistry(), lambda: self.now)

    def value(self, name: str, **labels: str) -> float | None:
        return self.metrics.registry.get_sample_value(name, labels)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_records_are_counted_as_they_are_read_and_published(bench: Bench) -> None:
    bench.metrics.stream.count_read(3)
    bench.metrics.stream.count_read(2)
    bench.metrics.stream.count_published(4)
    assert bench.value("stet_messages_read_total") == 5
    assert bench.value("stet_changes_published_total") == 4


def test_what_may_go_wrong_is_counted_from_zero_so_that_its_first_rise_is_seen(bench: Bench) -> None:
    for reason in Reason:
        assert bench.value("stet_messages_rejected_total", reason=reason.value) == 0
    for store in ("redis", "qdrant", "kafka"):
        assert bench.value("stet_store_retries_total", store=store) == 0


def test_refused_records_are_counted_by_reason(bench: Bench) -> None:
    refused = Refused(Received(0, b"{"), Rejected(Reason.MALFORMED_JSON, "the line is cut off"))
    bench.metrics.count_refused(refused)
    assert bench.value("stet_messages_rejected_total", reason="malformed_json") == 1


def test_open_sessions_fall_back_to_none_when_nothing_is_said(bench: Bench) -> None:
    bench.metrics.stream.saw(MESSAGE)
    assert bench.value("stet_open_sessions") == 1
    bench.now += GAP + 1
    assert bench.value("stet_open_sessions") == 0


def test_a_delete_opens_no_session(bench: Bench) -> None:
    bench.metrics.stream.saw(replace(MESSAGE, op=Op.DELETE))
    assert bench.value("stet_open_sessions") == 0


def test_the_lag_is_that_of_each_partition_as_last_told(bench: Bench) -> None:
    bench.metrics.stream.lag("conversation.messages", 0, 7)
    bench.metrics.stream.lag("conversation.messages", 1, 9)
    bench.metrics.stream.lag("conversation.messages", 0, 0)
    assert bench.value("stet_consumer_lag", topic="conversation.messages", partition="0") == 0
    assert bench.value("stet_consumer_lag", topic="conversation.messages", partition="1") == 9


def test_a_queue_is_told_of_or_asked_at_each_scrape(bench: Bench) -> None:
    waiting = [1, 2, 3]
    bench.metrics.stream.queue_depth("outbox", 2)
    bench.metrics.stream.watch_queue("producer", lambda: len(waiting))
    assert bench.value("stet_queue_depth", queue="outbox") == 2
    assert bench.value("stet_queue_depth", queue="producer") == 3
    waiting.clear()
    assert bench.value("stet_queue_depth", queue="producer") == 0


def fail_after_half_a_second(bench: Bench) -> None:
    with bench.metrics.stores.timed("redis", "write"):
        bench.now += 0.5
        raise ConnectionError


def test_a_call_to_a_store_is_measured_by_the_clock_also_when_it_fails(bench: Bench) -> None:
    with bench.metrics.stores.timed("redis", "write"):
        bench.now += 0.25
    with pytest.raises(ConnectionError):
        fail_after_half_a_second(bench)
    assert bench.value("stet_store_seconds_count", store="redis", operation="write") == 2
    assert bench.value("stet_store_seconds_sum", store="redis", operation="write") == 0.75


def test_a_store_is_up_or_down_and_says_nothing_before_it_was_called(bench: Bench) -> None:
    assert bench.value("stet_store_up", store="qdrant") is None
    bench.metrics.stores.up("qdrant", False)
    bench.metrics.stores.retried("qdrant")
    assert bench.value("stet_store_up", store="qdrant") == 0
    assert bench.value("stet_store_retries_total", store="qdrant") == 1
    bench.metrics.stores.up("qdrant", True)
    assert bench.value("stet_store_up", store="qdrant") == 1


def test_calls_of_a_model_are_zero_until_there_is_one(bench: Bench) -> None:
    assert bench.value("stet_model_calls_total", purpose="relate", outcome="failed") == 0
    bench.metrics.model.called(Purpose.RELATE, None, 0.2)
    bench.metrics.model.remembered(Purpose.RELATE, 3)
    assert bench.value("stet_model_calls_total", purpose="relate", outcome="answered") == 1
    assert bench.value("stet_model_calls_total", purpose="relate", outcome="remembered") == 3


def test_a_model_that_fails_is_counted_by_reason_and_its_question_once(bench: Bench) -> None:
    model = bench.metrics.model
    for _ in range(2):
        model.called(Purpose.ANSWER, Failure.SERVER, 0.5)
        model.asked_again(Purpose.ANSWER, Failure.SERVER)
    model.failed(Purpose.ANSWER, Failure.DEADLINE)
    assert bench.value("stet_model_calls_total", purpose="answer", outcome="answered") == 0
    assert bench.value("stet_model_calls_total", purpose="answer", outcome="failed") == 1
    assert bench.value("stet_model_failures_total", purpose="answer", reason="server") == 2
    assert bench.value("stet_model_failures_total", purpose="answer", reason="deadline") == 1
    assert bench.value("stet_model_request_seconds_count", purpose="answer") == 2


def test_tokens_waits_and_refusals_of_a_model_are_counted(bench: Bench) -> None:
    model = bench.metrics.model
    model.spent(Purpose.DISTILL, 900, 70)
    model.waited(0.3)
    model.refused(Purpose.DISTILL, Refusal.UNSAID.value)
    assert bench.value("stet_model_tokens_total", purpose="distill", direction="read") == 900
    assert bench.value("stet_model_tokens_total", purpose="distill", direction="written") == 70
    assert bench.value("stet_model_wait_seconds_sum") == 0.3
    assert bench.value("stet_model_refused_total", purpose="distill", reason="unsaid") == 1
    assert bench.value("stet_model_refused_total", purpose="relate", reason="unsaid") == 0


def test_freshness_is_the_age_of_the_newest_message_and_leaves_a_backfill_out(bench: Bench) -> None:
    fresh, old = NOW - timedelta(seconds=3), NOW - timedelta(hours=2)
    bench.metrics.count_applied(Applied(2, (change(old, fresh),), ()), NOW)
    bench.metrics.count_applied(Applied(1, (change(old),), ()), NOW)
    assert bench.value("stet_messages_applied_total") == 3
    assert bench.value("stet_freshness_seconds_count") == 1
    assert bench.value("stet_freshness_seconds_sum") == 3
    assert bench.value("stet_edges_change", type="updates") == 4


def test_each_process_has_its_own_metrics(bench: Bench) -> None:
    other = Bench()
    other.metrics.stream.count_read(1)
    assert bench.value("stet_messages_read_total") == 0


def test_every_metric_says_what_it_means_and_what_to_do(bench: Bench) -> None:
    told = {family.name: family.documentation for family in bench.metrics.registry.collect()}
    assert len(told) == 24
    for name, text in told.items():
        assert text.count(". ") >= 1, f"{name} says what it is and not what to do: {text}"
        assert text.endswith(".")


def test_what_is_scraped_holds_no_text_of_a_message(bench: Bench) -> None:
    bench.metrics.stream.saw(MESSAGE)
    scraped = generate_latest(bench.metrics.registry).decode()
    assert MESSAGE.conversation not in scraped
    assert MESSAGE.content not in scraped
