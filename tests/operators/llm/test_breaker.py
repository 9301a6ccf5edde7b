"""The breaker leaves an endpoint alone that fails again and again."""

import contextlib
import threading

import pytest

from operators.llm.breaker import Breaker
from operators.llm.failure import CallFailed, Failure


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(failures=3, rest=30.0, clock=clock)


def fail(breaker: Breaker, reason: Failure = Failure.SERVER, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(CallFailed, match=reason.value), breaker.passing():
            raise CallFailed(reason, "told to")


def answer(breaker: Breaker) -> None:
    with breaker.passing():
        pass


def is_open(breaker: Breaker) -> bool:
    try:
        breaker.check()
    except CallFailed as failed:
        return failed.reason is Failure.BREAKER_OPEN
    return False


@pytest.mark.parametrize(
    "reason", [Failure.SERVER, Failure.CONNECTION, Failure.DEADLINE, Failure.AUTH, Failure.UNKNOWN_MODEL]
)
def test_it_opens_after_so_many_failures_in_a_row(breaker: Breaker, reason: Failure) -> None:
    fail(breaker, reason, times=2)
    assert not is_open(breaker)
    fail(breaker, reason)
    assert is_open(breaker)
    with pytest.raises(CallFailed, match="breaker_open") as caught, breaker.passing():
        raise AssertionError("a request was let through")
    assert caught.value.retry_after == 30.0
    assert not caught.value.lasting


def test_an_answer_between_starts_the_count_again(breaker: Breaker) -> None:
    fail(breaker, times=2)
    answer(breaker)
    fail(breaker, times=2)
    assert not is_open(breaker)


@pytest.mark.parametrize("reason", [Failure.RATE_LIMITED, Failure.REJECTED, Failure.DECLINED])
def test_a_refusal_of_one_request_is_an_answer(breaker: Breaker, reason: Failure) -> None:
    fail(breaker, times=2)
    fail(breaker, reason)
    fail(breaker, times=2)
    assert not is_open(breaker)


@pytest.mark.parametrize("answered", [True, False])
def test_after_the_rest_one_request_decides_and_the_others_wait_for_it(
    breaker: Breaker, clock: Clock, answered: bool
) -> None:
    fail(breaker, times=3)
    clock.now = 30.0
    ended: list[str] = []

    def another() -> None:
        try:
            answer(breaker)
        except CallFailed as failed:
            ended.append(f"refused for {failed.retry_after:g} s")
        else:
            ended.append("let through")

    others = [threading.Thread(target=another) for _ in range(3)]
    with pytest.raises(CallFailed) if not answered else contextlib.nullcontext(), breaker.passing():
        for one in others:
            one.start()
        ended.append("decided")
        if not answered:
            raise CallFailed(Failure.SERVER, "told to")
    for one in others:
        one.join(10)
    assert ended == ["decided", *["let through" if answered else "refused for 30 s"] * 3]


def test_when_the_one_that_decides_is_answered_the_count_begins_again(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, times=3)
    clock.now = 30.0
    answer(breaker)
    fail(breaker, times=2)
    assert not is_open(breaker)


def test_a_failure_after_the_rest_opens_it_again_at_once(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, times=3)
    clock.now = 30.0
    fail(breaker)
    clock.now = 59.0
    assert is_open(breaker)
    clock.now = 60.0
    answer(breaker)
    assert not is_open(breaker)


def test_a_trial_that_says_nothing_lets_another_decide(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, times=3)
    clock.now = 30.0
    with pytest.raises(KeyboardInterrupt), breaker.passing():
        raise KeyboardInterrupt
    answer(breaker)
    assert not is_open(breaker)


def test_what_was_sent_before_it_opened_does_not_close_it(breaker: Breaker) -> None:
    with breaker.passing():
        fail(breaker, times=3)
    assert is_open(breaker)


def test_requests_are_not_held_up_by_each_other(breaker: Breaker) -> None:
    both = threading.Barrier(2, timeout=10)

    def request() -> None:
        with breaker.passing():
            both.wait()

    threads = [threading.Thread(target=request) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not both.broken
