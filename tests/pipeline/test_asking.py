"""Who is asked about when: by a clock that the test moves, and settles that it ends (`pipeline.asking`)."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from redis import Redis

from operators.revise import Revision
from pipeline.applied import Applied
from pipeline.asking import Asking, Waits
from pipeline.asking_stage import POLL, Stage, WaitingSource
from pipeline.settle import GROUP, Interrupted, Settled
from pipeline.threads import Room
from state.graph_change import GraphWriter, IndexChange, SubjectChange
from state.graph_keys import SubjectKeys
from state.model import Subject
from state.ordering import message_place
from state.waiting import Parked, Waiting

MAYA, BEN = Subject("acme", "maya"), Subject("acme", "ben")
QUIET = 10.0


@dataclass
class Scene:
    """An `Asking` with all that it needs; `answers` are what its settles come to, in order."""

    most: int = 8
    now: float = 100.0
    begun: list[Subject] = field(default_factory=list)
    written: list[Subject] = field(default_factory=list)
    done: list[Subject] = field(default_factory=list)
    answers: list[Settled | Exception] = field(default_factory=list)
    lacking: Callable[[Settled], tuple[str, ...]] = lambda settled: ()
    gate: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.gate.set()
        self.asking = Asking(
            settler=self,
            writer=self,
            room=Room(self.most),
            quiet=QUIET,
            done=self.done.append,
            is_away=lambda error: isinstance(error, ConnectionError),
            clock=lambda: self.now,
            wall=lambda: self.now,
        )

    def settle(self, subject: Subject, last: bool = False) -> Settled:
        self.begun.append(subject)
        answer = self.answers.pop(0) if self.answers else settled(subject)
        self.gate.wait()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def write_settled(self, settled: Sequence[Settled]) -> Applied:
        self.written += [one.subject for one in settled]
        changes = [
            SubjectChange(one.subject, 0, {}, waiting=IndexChange(self.lacking(one))) for one in settled
        ]
        return Applied(0, tuple(changes), ())

    def after(self, seconds: float) -> None:
        """Lets time pass, begins what is due, and takes in what has ended."""
        self.now += seconds
        self.asking.begin()
        self.taken_in()

    def taken_in(self) -> None:
        while self.gate.is_set() and self.asking.is_asking:
            self.asking.reap()


def settled(subject: Subject, left: int = 0, next_at: float | None = None, parked: int = 0) -> Settled:
    revision = Revision(SubjectChange(subject, 0, {}), (), ())
    return Settled(subject, ("m/1",), revision, left, next_at, parked)


def test_a_subject_is_asked_about_when_it_has_been_quiet() -> None:
    scene = Scene()
    scene.asking.heard([Waits(MAYA, 2)])
    scene.after(QUIET - 1)
    scene.asking.heard([Waits(MAYA, 1)])
    scene.after(2)
    assert scene.begun == []
    scene.after(QUIET)
    assert (scene.begun, scene.written, scene.done) == ([MAYA], [MAYA], [MAYA])
    assert scene.asking.is_empty


def test_a_whole_group_is_asked_about_at_once() -> None:
    scene = Scene()
    scene.asking.heard([Waits(MAYA, GROUP - 1), Waits(BEN, 1)])
    scene.after(0)
    assert scene.begun == []
    scene.asking.heard([Waits(MAYA, 1)])
    scene.after(0)
    assert scene.begun == [MAYA]


def test_what_is_left_beyond_a_group_is_asked_about_next() -> None:
    scene = Scene(answers=[settled(MAYA, left=25), settled(MAYA, left=5)])
    scene.asking.heard([Waits(MAYA, 45)])
    for _ in range(3):
        scene.after(0)
    assert scene.begun == [MAYA] * 3
    assert scene.done == [MAYA]


def test_one_settle_of_a_subject_at_a_time_and_as_many_as_there_is_room_for() -> None:
    scene = Scene(most=2)
    others = [Subject("acme", f"s{n}") for n in range(3)]
    scene.gate.clear()
    scene.asking.heard([Waits(subject, GROUP) for subject in others])
    scene.asking.begin()
    scene.asking.heard([Waits(others[0], GROUP)])
    scene.asking.begin()
    assert len(scene.begun) == 2
    scene.gate.set()
    scene.taken_in()
    scene.after(0)
    scene.after(QUIET)
    assert sorted(s.name for s in scene.begun) == ["s0", "s0", "s1", "s2"]


def test_a_subject_of_the_index_is_asked_about_at_once_and_once() -> None:
    scene = Scene()
    scene.asking.heard([Waits(MAYA), Waits(MAYA)])
    scene.after(0)
    assert scene.begun == [MAYA]


def test_a_parked_subject_is_asked_about_when_its_time_has_come() -> None:
    scene = Scene(answers=[settled(MAYA, next_at=160.0, parked=3)])
    scene.asking.heard([Waits(MAYA, GROUP)])
    scene.after(0)
    assert (scene.asking.turns, scene.asking.parked, scene.done) == (0, 3, [])
    scene.asking.hurry()
    scene.after(59)
    assert scene.begun == [MAYA]
    scene.after(1)
    assert scene.begun == [MAYA, MAYA]


def test_what_another_process_lets_wait_again_is_asked_about_when_the_index_is_next_looked_into() -> None:
    scene = Scene(answers=[settled(MAYA, next_at=900.0, parked=3)])
    scene.asking.heard([Waits(MAYA, GROUP)])
    scene.after(0)
    scene.asking.heard([Waits(MAYA, unparked=0)])
    scene.after(0)
    assert scene.begun == [MAYA]
    scene.asking.heard([Waits(MAYA, unparked=3)])
    scene.after(0)
    assert scene.begun == [MAYA, MAYA]


def test_the_index_hurries_no_turn_that_waits_for_quiet() -> None:
    scene = Scene()
    scene.asking.heard([Waits(MAYA, 2), Waits(MAYA, unparked=2)])
    scene.after(0)
    assert scene.begun == []


def test_the_index_is_looked_into_every_half_minute_for_what_waits_and_is_not_parked(redis: Redis) -> None:
    store, now = Waiting(redis), [100.0]
    places = [message_place(datetime(2026, 3, 2, tzinfo=UTC), f"m/{n}") for n in range(3)]
    change = SubjectChange(MAYA, 0, {}, waiting=IndexChange(tuple(places)))
    GraphWriter(redis, 1).write([change])
    store.park(MAYA, places[:2], Parked("auth", 1, 1e12))
    nobody: Any = None
    stage = Stage(nobody, nobody, store, lambda: False, lambda: False, clock=lambda: now[0])
    source = WaitingSource(stage).build_part("waiting", "index", None)
    assert source.next_batch() == [Waits(MAYA, unparked=1)]
    redis.delete(SubjectKeys(MAYA).parked)
    assert source.next_batch() == []
    now[0] += POLL
    assert source.next_batch() == [Waits(MAYA, unparked=3)]


@pytest.mark.parametrize("error", [Interrupted(), ConnectionError()])
def test_what_was_cut_off_is_begun_again(error: Exception) -> None:
    scene = Scene(answers=[error])
    scene.asking.heard([Waits(MAYA, GROUP)])
    scene.after(0)
    scene.after(0)
    assert (scene.begun, scene.written) == ([MAYA], [])
    scene.after(5)
    assert (scene.begun, scene.written) == ([MAYA, MAYA], [MAYA])


def test_a_fault_of_ours_is_raised() -> None:
    scene = Scene(answers=[KeyError("a fault")])
    scene.asking.heard([Waits(MAYA, GROUP)])
    with pytest.raises(KeyError):
        scene.after(0)


def test_a_turn_that_still_lacks_an_answer_after_the_write_is_asked_about_again() -> None:
    at = message_place(datetime(2026, 3, 2, tzinfo=UTC), "m/1")
    scene = Scene(lacking=lambda one: (at,) if len(scene.begun) == 1 else ())
    scene.asking.heard([Waits(MAYA, GROUP)])
    scene.after(0)
    assert not scene.asking.is_empty
    scene.after(QUIET)
    assert scene.begun == [MAYA, MAYA]
    assert scene.asking.is_empty
