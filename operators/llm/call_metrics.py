"""What is counted of calls to a model. `pipeline.metrics` implements it on Prometheus."""

from typing import Protocol

from operators.llm.failure import Failure
from operators.llm.purpose import Purpose


class CallMetrics(Protocol):
    """Counts calls to a model. Its methods may be called from several threads, and do not raise."""

    def called(self, purpose: Purpose, failure: Failure | None, seconds: float) -> None:
        """One request was sent and ended after `seconds`; `failure` is None where it brought an answer."""

    def failed(self, purpose: Purpose, failure: Failure) -> None:
        """A question got no answer, after all retries."""

    def asked_again(self, purpose: Purpose, failure: Failure) -> None:
        """A question is put once more: a request failed, or its answer could not be used."""

    def spent(self, purpose: Purpose, read: int, written: int) -> None:
        """The model read and wrote so many tokens."""

    def waited(self, seconds: float) -> None:
        """A call waited so long for its turn under the shared limit."""

    def refused(self, purpose: Purpose, reason: str) -> None:
        """One item of an answer was not admitted; `reason` is a code."""


class Uncounted:
    """`CallMetrics` of those who do not look."""

    def called(self, purpose: Purpose, failure: Failure | None, seconds: float) -> None:
        """Counts nothing."""

    def failed(self, purpose: Purpose, failure: Failure) -> None:
        """Counts nothing."""

    def asked_again(self, purpose: Purpose, failure: Failure) -> None:
        """Counts nothing."""

    def spent(self, purpose: Purpose, read: int, written: int) -> None:
        """Counts nothing."""

    def waited(self, seconds: float) -> None:
        """Counts nothing."""

    def refused(self, purpose: Purpose, reason: str) -> None:
        """Counts nothing."""
