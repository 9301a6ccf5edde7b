"""The dataflow that follows the log stands still when it is told to, and goes on afterwards."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from pipeline.follower import Follower, StillRunning
from pipeline.tally import Tally
from pipeline.threads import Room


@dataclass
class Flow:
    """A dataflow that only turns, and can be made to hang or to break."""

    runs: int = 0
    is_running: bool = False
    hangs: bool = False
    breaks: bool = False
    tallies: list[Tally] = field(default_factory=list)

    def run(self, until: Callable[[], int | None], tally: Tally) -> None:
        self.runs += 1
        self.tallies.append(tally)
        self.is_running = True
        try:
            while until() is None or self.hangs:
                if self.breaks:
                    raise ConnectionError("away")
                time.sleep(0.001)
        finally:
            self.is_running = False


def wait_for(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not reached():
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(0.001)


@pytest.fixture
def flow() -> Flow:
    return Flow()


@pytest.fixture
def follower(flow: Flow) -> Iterator[Follower]:
    follower = Follower(flow)
    follower.start()
    wait_for(lambda: flow.is_running or follower.fault is not None)
    yield follower
    flow.hangs = False
    follower.stop(30)


def test_nothing_runs_within_the_block_and_it_goes_on_after_it(flow: Flow, follower: Follower) -> None:
    with follower.standing_still(30):
        assert not flow.is_running
    wait_for(lambda: flow.is_running)
    assert flow.runs == 2


def test_counts_go_on_from_where_the_run_before_ended(flow: Flow, follower: Follower) -> None:
    flow.tallies[0].begun, flow.tallies[0].accepted = 7, 5
    with follower.standing_still(30):
        pass
    wait_for(lambda: flow.is_running)
    assert follower.tally.begun == 12


def test_one_that_does_not_come_to_rest_is_left_running(flow: Flow, follower: Follower) -> None:
    flow.hangs = True
    with pytest.raises(StillRunning), follower.standing_still(0.05):
        pytest.fail("it stood still")
    assert flow.is_running
    flow.hangs = False
    with follower.standing_still(30):
        assert not flow.is_running


def test_questions_that_are_under_way_are_waited_for(follower: Follower) -> None:
    answered = threading.Event()
    asked = Room(1).begin(answered.wait)
    assert asked is not None
    with pytest.raises(StillRunning), follower.standing_still(0.05):
        pytest.fail("a question was still under way")
    answered.set()
    with follower.standing_still(30):
        assert asked.done()


def test_two_blocks_do_not_overlap(follower: Follower) -> None:
    with (
        follower.standing_still(30),
        pytest.raises(StillRunning),
        follower.standing_still(0.05),
    ):
        pytest.fail("two at once")


def test_what_fails_within_the_block_breaks_it_for_good(flow: Flow, follower: Follower) -> None:
    def forget() -> None:
        with follower.standing_still(30):
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        forget()
    assert isinstance(follower.fault, OSError)
    with pytest.raises(StillRunning), follower.standing_still(30):
        pytest.fail("it stood still")
    assert follower.stop(30)
    assert flow.runs == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_one_that_is_broken_or_stopped_cannot_stand_still(flow: Flow, follower: Follower) -> None:
    flow.breaks = True
    wait_for(lambda: follower.fault is not None)
    with pytest.raises(StillRunning), follower.standing_still(30):
        pytest.fail("it stood still")


def test_a_stop_waits_for_the_block(flow: Flow, follower: Follower) -> None:
    with follower.standing_still(30):
        assert not follower.stop(0.05)
    assert follower.stop(30)
    assert not flow.is_running
