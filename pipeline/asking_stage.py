"""The asking stage in the dataflow: an `Asking` for each shard, and the source that finds who waits."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition
from bytewax.operators import StatefulBatchLogic

from pipeline.applied import Applied
from pipeline.asking import TICK, Asking, Settles, Waits, Writes
from pipeline.settle import Asks
from pipeline.threads import Room
from state.graph_change import SubjectChange
from state.model import Subject
from state.waiting import Waiting

T = TypeVar("T")
POLL = 30.0
"""Seconds between two looks into the store's index of who waits."""
DRAIN = 8.0
"""Seconds that questions under way have to be answered when the stream stops."""
_PAUSE = 0.005
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)


def _at_once(action: Callable[[], T]) -> T:
    return action()


@dataclass(slots=True)
class Stage:
    """The stage in one process.

    `stopping` says that the stream is to end in order; otherwise the end of its input is the end of all there
    is, and what waits is settled first. `patiently` calls the store, waiting where it is away, and `is_away`
    says whether an error means that. `watched` is told now and then how many turns are left to ask about.
    """

    asks: Asks
    settler: Settles
    waiting: Waiting
    stopping: Callable[[], bool]
    bounded: Callable[[], bool]
    is_away: Callable[[BaseException], bool] = lambda error: False
    patiently: Callable[[Callable[[], None]], None] = _at_once
    watched: Callable[[int], None] = lambda turns: None
    clock: Callable[[], float] = time.monotonic
    _room: Room | None = None
    _shards: dict[str, Asking] = field(default_factory=dict)

    def shard(self, key: str, writer: Writes) -> Asking:
        """The subjects under this key."""
        room = self._room = self._room or Room(self.asks.in_flight)
        if key not in self._shards:
            self._shards[key] = Asking(
                self.settler, writer, room, self.asks.quiet, self._done, self.is_away, self.clock
            )
        return self._shards[key]

    def _done(self, subject: Subject) -> None:
        self.patiently(lambda: self.waiting.settled(subject))

    @property
    def turns(self) -> int:
        """How many turns wait in this process and could be asked about."""
        return sum(shard.turns for shard in list(self._shards.values()))

    @property
    def parked(self) -> int:
        """How many turns wait in this process and may not be asked about for a while."""
        return sum(shard.parked for shard in list(self._shards.values()))

    def finish(self) -> list[Applied]:
        """Asks about all that waits and is not parked; on a stop, only takes in what is under way. Of what
        was done, no more is given than is counted of it: it may be as much as the whole input."""
        done: list[Applied] = []
        until: float | None = None
        while True:
            shards = list(self._shards.values())
            done += [_slim(applied) for shard in shards for applied in shard.reap()]
            if self.stopping():
                until = self.clock() + DRAIN if until is None else until
                if not any(shard.is_asking for shard in shards) or self.clock() > until:
                    return done
            else:
                for shard in shards:
                    shard.begin(last=True)
                if not any(shard.is_asking for shard in shards):
                    if not any(shard.turns for shard in shards):
                        return done
                    for shard in shards:
                        shard.hurry()
                self.watched(self.turns)
            time.sleep(TICK / 2)


def _slim(applied: Applied) -> Applied:
    """What is counted of a batch, without the records that were written."""
    return replace(applied, changes=tuple(_counted(change) for change in applied.changes))


def _counted(change: SubjectChange) -> SubjectChange:
    return SubjectChange(
        change.subject,
        change.version,
        {},
        counts=change.counts,
        new_events=change.new_events,
        gone_events=change.gone_events,
        touched=change.touched,
    )


class Asked(StatefulBatchLogic[Waits, Applied, None]):
    """One shard in the dataflow: gives what was written of it. `shard` finds it by one of its subjects."""

    def __init__(self, stage: Stage, shard: Callable[[Subject], Asking]) -> None:
        self._stage, self._shard = stage, shard
        self._asking: Asking | None = None

    def on_batch(self, values: list[Waits]) -> tuple[Iterable[Applied], bool]:
        if self._asking is None:
            self._asking = self._shard(values[0].subject)
        self._asking.heard(values)
        return self.on_notify()

    def on_notify(self) -> tuple[Iterable[Applied], bool]:
        if self._asking is None:
            return (), StatefulBatchLogic.DISCARD
        applied = self._asking.reap()
        if not self._stage.stopping():
            self._asking.begin()
        return applied, self._asking.is_empty

    def on_eof(self) -> tuple[Iterable[Applied], bool]:
        return self._stage.finish(), StatefulBatchLogic.DISCARD

    def notify_at(self) -> datetime | None:
        wake = self._asking.next_wake() if self._asking is not None else None
        return None if wake is None else datetime.now(UTC) + timedelta(seconds=wake)

    def snapshot(self) -> None:
        """Nothing: who waits is in the store."""


class WaitingSource(FixedPartitionedSource[Waits, None]):
    """Who waits by the store's index: all at the start, and again now and then while the input goes on."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def list_parts(self) -> list[str]:
        return ["index"]

    def build_part(self, step_id: str, for_part: str, resume_state: None) -> "_Index":
        return _Index(self._stage)


class _Index(StatefulSourcePartition[Waits, None]):
    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._at = float("-inf")

    def next_batch(self) -> list[Waits]:
        stage = self._stage
        is_first = self._at == float("-inf")
        if stage.stopping() or (stage.bounded() and not is_first):
            raise StopIteration
        if stage.clock() < self._at + POLL:
            time.sleep(_PAUSE)  # a worker that reads nothing else would turn without rest
            return []
        self._at = stage.clock()
        found: dict[Subject, int] = {}

        def look() -> None:
            subjects = stage.waiting.subjects()
            found.update(zip(subjects, stage.waiting.unparked(subjects), strict=True))

        stage.patiently(look)
        return [Waits(subject, unparked=turns) for subject, turns in found.items()]

    def next_awake(self) -> datetime | None:
        """A time that is past whatever the wall clock does (as in `pipeline.log_source`)."""
        return _AT_ONCE

    def snapshot(self) -> None:
        return None
