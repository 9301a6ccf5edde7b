"""Whether the stores answer is known at any time, and one that hangs hides none of the others."""

import threading
from collections.abc import Callable, Iterator, Mapping

import pytest

from pipeline.metrics import Store
from pipeline.store_pulse import Check, StorePulse

DEADLINE = 20.0


class Switch:
    """A store that answers, fails, or hangs until it is told otherwise."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self._may_answer = threading.Event()
        self._may_answer.set()
        self.hangs = threading.Event()

    def hang(self) -> None:
        self._may_answer.clear()

    def go_on(self) -> None:
        self._may_answer.set()

    def __call__(self) -> None:
        if not self._may_answer.is_set():
            self.hangs.set()
            self._may_answer.wait()
        if self.error is not None:
            raise self.error


class Seen:
    """What a pulse has told, by store."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._answers: dict[Store, list[bool]] = {}

    def __call__(self, store: Store, answered: bool) -> None:
        with self._changed:
            self._answers.setdefault(store, []).append(answered)
            self._changed.notify_all()

    def next(self, store: Store, answered: bool, count: int = 1) -> bool:
        """Waits until a store was so `count` times from now on; False where it never was."""
        with self._changed:
            begun = len(self._answers.get(store, ()))
            return self._changed.wait_for(
                lambda: self._answers.get(store, [])[begun:].count(answered) >= count, DEADLINE
            )


Begin = Callable[[Mapping[Store, Check]], StorePulse]


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch, seen: Seen) -> Iterator[Begin]:
    monkeypatch.setattr("pipeline.store_pulse._SECONDS", 0.005)
    begun: list[StorePulse] = []

    def start(checks: Mapping[Store, Check]) -> StorePulse:
        begun.append(StorePulse(checks, seen))
        return begun[-1]

    yield start
    for pulse in begun:
        pulse.close()


def test_a_store_that_goes_and_comes_back_is_seen_to(begin: Begin, seen: Seen) -> None:
    redis = Switch()
    pulse = begin({"redis": redis})
    assert seen.next("redis", True)
    for error, kind in ((TimeoutError("slow"), "TimeoutError"), (ConnectionError("gone"), "ConnectionError")):
        redis.error = error
        assert seen.next("redis", False, 2)
        assert pulse.faults() == {"redis": kind}
        redis.error = None
        assert seen.next("redis", True, 2)
        assert pulse.faults() == {}


def test_what_an_error_says_is_not_told(begin: Begin, seen: Seen) -> None:
    """/readyz is open to whoever reaches it, and an error may name an address or a user."""
    redis = Switch()
    redis.error = ValueError("user stet at 10.0.0.1")
    pulse = begin({"redis": redis})
    assert seen.next("redis", False)
    assert pulse.faults() == {"redis": "ValueError"}


def test_one_that_hangs_delays_no_other(begin: Begin, seen: Seen) -> None:
    redis, qdrant = Switch(), Switch()
    redis.hang()
    pulse = begin({"redis": redis, "qdrant": qdrant})
    assert redis.hangs.wait(DEADLINE)
    qdrant.error = ConnectionError("gone")
    assert seen.next("qdrant", False, 2)
    assert pulse.faults() == {"qdrant": "ConnectionError"}
    qdrant.error = None
    assert seen.next("qdrant", True, 2)
    assert pulse.faults() == {}
    redis.error = TimeoutError("after all")
    redis.go_on()
    assert seen.next("redis", False)


def test_a_pulse_that_is_closed_asks_no_more(begin: Begin, seen: Seen) -> None:
    redis = Switch()
    pulse = begin({"redis": redis})
    assert seen.next("redis", True)
    pulse.close()
    for thread in threading.enumerate():
        if thread.name == "pulse-redis":
            thread.join(DEADLINE)
    assert "pulse-redis" not in {thread.name for thread in threading.enumerate()}
