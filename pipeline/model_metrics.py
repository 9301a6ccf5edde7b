"""The metrics of calls to a language model: all at zero where none is named.

Tenants are not told apart here, since every one would make a series of its own: `stet cost` does that.
"""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from operators.llm.failure import Failure
from operators.llm.purpose import Purpose
from operators.llm.refusal import Refusal

_REQUESTS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120)
_WAITS = (0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60)


class ModelMetrics:
    """`operators.llm.call_metrics.CallMetrics`, on Prometheus."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._calls = Counter(
            "stet_model_calls",
            "Answers that a language model was asked for, by purpose and outcome; remembered ones were asked "
            "for before, and cost nothing. Failed ones: look at stet_model_failures.",
            ["purpose", "outcome"],
            registry=registry,
        )
        self._failures = Counter(
            "stet_model_failures",
            "Requests to a model that brought no answer, and answers that could not be used, by reason code; "
            "most are made again. rate_limited: lower the limits of requests and tokens a minute; auth: the "
            "key is wrong; budget: a tenant has used its tokens of the day.",
            ["purpose", "reason"],
            registry=registry,
        )
        self._refused = Counter(
            "stet_model_refused",
            "Parts of a model's answers that were not taken over, by reason code. Many beside the calls: the "
            "model is too weak for this, or another version of it answers.",
            ["purpose", "reason"],
            registry=registry,
        )
        self._tokens = Counter(
            "stet_model_tokens",
            "Tokens that a model read and wrote. This is what it costs; by tenant: stet cost.",
            ["purpose", "direction"],
            registry=registry,
        )
        self._seconds = Histogram(
            "stet_model_request_seconds",
            "Time of one request to a model, failed ones included. A rise: the endpoint is overloaded.",
            ["purpose"],
            buckets=_REQUESTS,
            registry=registry,
        )
        self._waits = Histogram(
            "stet_model_wait_seconds",
            "Time that a request waited for its turn under the limits that all processes share. Long: raise "
            "the limits, where the endpoint allows more.",
            buckets=_WAITS,
            registry=registry,
        )
        self._waiting = Gauge(
            "stet_model_waiting_turns",
            "Turns that wait for a model's answer in this process: due ones are asked about soon, parked "
            "ones failed and are asked about again later. Due growing: raise STET_LLM_IN_FLIGHT or the "
            "limits. Parked: look at stet_model_failures, and at stet waiting for the reasons.",
            ["state"],
            registry=registry,
        )
        self._by_rules = Counter(
            "stet_model_turns_by_rules",
            "Turns that the rules read where the model gave no answer (STET_LLM_ON_FAILURE=rules). A rise: "
            "look at stet_model_failures, then have the model asked again by stet redistill.",
            registry=registry,
        )
        for state in ("due", "parked"):
            self._waiting.labels(state)
        for purpose in Purpose:
            for outcome in ("answered", "remembered", "failed"):
                self._calls.labels(purpose.value, outcome)
            for failure in Failure:
                self._failures.labels(purpose.value, failure.value)
            for refusal in Refusal:
                self._refused.labels(purpose.value, refusal.value)
            for direction in ("read", "written"):
                self._tokens.labels(purpose.value, direction)
            self._seconds.labels(purpose.value)

    def called(self, purpose: Purpose, failure: Failure | None, seconds: float) -> None:
        """One request was sent and ended."""
        self._seconds.labels(purpose.value).observe(seconds)
        if failure is None:
            self._calls.labels(purpose.value, "answered").inc()

    def failed(self, purpose: Purpose, failure: Failure) -> None:
        """A question got no answer, after all retries."""
        self._calls.labels(purpose.value, "failed").inc()
        self._failures.labels(purpose.value, failure.value).inc()

    def asked_again(self, purpose: Purpose, failure: Failure) -> None:
        """A question is put once more."""
        self._failures.labels(purpose.value, failure.value).inc()

    def spent(self, purpose: Purpose, read: int, written: int) -> None:
        """The model read and wrote so many tokens."""
        self._tokens.labels(purpose.value, "read").inc(read)
        self._tokens.labels(purpose.value, "written").inc(written)

    def waited(self, seconds: float) -> None:
        """A call waited so long for its turn."""
        self._waits.observe(seconds)

    def refused(self, purpose: Purpose, reason: str) -> None:
        """One item of an answer was not admitted."""
        self._refused.labels(purpose.value, reason).inc()

    def read_by_rules(self, turns: int) -> None:
        """So many turns were read by the rules in the model's place."""
        self._by_rules.inc(turns)

    def watch_waiting(self, due: Callable[[], float], parked: Callable[[], float]) -> None:
        """From now on these are asked at each scrape how many turns wait."""
        self._waiting.labels("due").set_function(due)
        self._waiting.labels("parked").set_function(parked)

    def remembered(self, purpose: Purpose, answers: int = 1) -> None:
        """So many answers were not asked for: the ledger had them."""
        self._calls.labels(purpose.value, "remembered").inc(answers)
