"""When a request is made again."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.llm.failure import CallFailed, Failure
from operators.llm.retry import retried


class World:
    """A clock that pauses move on, and an action that fails as it is told to and then returns its tries."""

    def __init__(self, *failures: CallFailed) -> None:
        self.failures = list(failures)
        self.now, self.pauses, self.tries = 0.0, list[float](), 0
        self.told: list[CallFailed] = []

    def action(self) -> int:
        self.tries += 1
        if self.failures:
            raise self.failures.pop(0)
        return self.tries

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def run(self, patience: float = 1000.0) -> int:
        return retried(self.action, patience, self.pause, self.told.append, lambda: self.now)


def failing(reason: Failure, after: float | None = None) -> CallFailed:
    return CallFailed(reason, "told to", after)


def test_what_works_is_done_once() -> None:
    world = World()
    assert world.run() == 1
    assert not world.pauses


@pytest.mark.parametrize(
    "reason", [Failure.RATE_LIMITED, Failure.SERVER, Failure.CONNECTION, Failure.DEADLINE]
)
def test_what_may_pass_is_tried_again(reason: Failure) -> None:
    world = World(failing(reason), failing(reason))
    assert world.run() == 3
    assert [failed.reason for failed in world.told] == [reason, reason]


@pytest.mark.parametrize(
    "reason",
    sorted(set(Failure) - {Failure.RATE_LIMITED, Failure.SERVER, Failure.CONNECTION, Failure.DEADLINE}),
)
def test_what_stays_as_it_is_is_not(reason: Failure) -> None:
    world = World(failing(reason))
    with pytest.raises(CallFailed, match=reason.value):
        world.run()
    assert world.tries == 1


def test_it_gives_up_after_four_tries() -> None:
    world = World(*[failing(Failure.SERVER)] * 9)
    with pytest.raises(CallFailed):
        world.run()
    assert (world.tries, len(world.pauses)) == (4, 3)


@given(st.floats(0, 60))
def test_a_pause_is_never_shorter_than_the_server_asked_for(after: float) -> None:
    world = World(failing(Failure.RATE_LIMITED, after))
    assert world.run() == 2
    assert after <= world.pauses[0] <= after + 0.5


def test_the_bound_of_the_pauses_doubles_and_they_are_spread() -> None:
    pauses = []
    for _ in range(200):
        world = World(*[failing(Failure.SERVER)] * 3)
        world.run()
        pauses.append(world.pauses)
    longest = [max(column) for column in zip(*pauses, strict=True)]
    assert all(later > earlier for earlier, later in pairwise(longest))
    assert longest[0] <= 0.5
    assert longest[2] <= 2.0
    assert len({first for first, *_ in pauses}) > 100


def test_it_does_not_wait_longer_than_its_patience() -> None:
    world = World(failing(Failure.RATE_LIMITED, 61.0))
    with pytest.raises(CallFailed) as caught:
        world.run(patience=60.0)
    assert caught.value.retry_after == 61.0
    assert not world.pauses
