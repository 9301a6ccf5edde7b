"""The stage that asks a model: subjects wait here until it is their turn, are settled in threads of their own
(`pipeline.settle`), and what came of it is written by the one who writes these subjects.

Its state is a table of who waits; what waits is in the store. So a snapshot holds nothing, and after a crash
the subjects are found again by the store's index.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from typing import Protocol

from pipeline.applied import Applied
from pipeline.settle import GROUP, Interrupted, Settled
from pipeline.threads import Room
from state.model import Subject

TICK = 0.01
"""Seconds between two looks at the threads."""
_AWAY = 1.0
"""Seconds until a subject is tried again whose settle found a store away."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Of this subject so many more turns wait; none: the store's index says that some may, `unparked` of them
    without being parked."""

    subject: Subject
    turns: int = 0
    unparked: int = 0


class Settles(Protocol):
    """Settles a subject, in any thread (`pipeline.settle.Settler`)."""

    def settle(self, subject: Subject, last: bool = False) -> Settled:
        """See `Settler.settle`."""
        ...


class Writes(Protocol):
    """Writes what was settled (`pipeline.apply.Applier`)."""

    def write_settled(self, settled: Sequence[Settled]) -> Applied:
        """Writes the revisions; one that was overtaken is worked out again."""
        ...


def waits_of(applied: Applied) -> list[Waits]:
    """The subjects of which a batch found turns to lack an answer."""
    return [
        Waits(change.subject, len(change.waiting.added))
        for change in applied.changes
        if change.waiting is not None and change.waiting.added
    ]


@dataclass(slots=True)
class _Known:
    """A subject of which something waits: how many turns, by what is known here (none: all are `parked`);
    when it may be asked about; and the settle under way, with how many turns began to wait since."""

    turns: int = 0
    due: float = 0.0
    under_way: "Future[Settled] | None" = None
    since: int = 0
    parked: int = 0


@dataclass(slots=True)
class Asking:
    """The subjects of one shard. Its methods are called by the one thread that writes them.

    A subject is asked about when a group of its turns waits, or when none began to wait for `quiet` seconds.
    """

    settler: Settles
    writer: Writes
    room: Room
    quiet: float
    done: Callable[[Subject], None]
    """Is told when nothing of a subject waits any more."""
    is_away: Callable[[BaseException], bool] = lambda error: False
    """Whether an error says that a store is away, which passes."""
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    _known: dict[Subject, _Known] = field(default_factory=dict)
    _queue: list[tuple[float, str, str]] = field(default_factory=list)
    """A heap of when which subject is due, by tenant and name; of several of one, the one that it is due at
    counts."""
    _under_way: dict[Subject, _Known] = field(default_factory=dict)

    def heard(self, waits: Iterable[Waits]) -> None:
        """Takes note of who waits."""
        now = self.clock()
        for one in waits:
            known = self._known.get(one.subject)
            if known is None:
                known = self._known[one.subject] = _Known()
            elif not one.turns:
                self._looked_up(one, known)
                continue
            known.turns += one.turns
            known.since += one.turns
            at_once = known.turns >= GROUP or not one.turns
            self._due(one.subject, known, now if at_once else now + self.quiet)

    def _looked_up(self, one: Waits, known: _Known) -> None:
        """More may be asked about than is known here where another process let turns wait that had an answer,
        or were parked."""
        if known.under_way is None and one.unparked > known.turns:
            known.turns = one.unparked
            self._due(one.subject, known, self.clock())

    def _due(self, subject: Subject, known: _Known, at: float) -> None:
        known.due = at
        heappush(self._queue, (at, subject.tenant, subject.name))

    def hurry(self) -> None:
        """All that waits and is not parked is due now."""
        for subject, known in self._known.items():
            if known.turns and known.under_way is None:
                self._due(subject, known, self.clock())

    def begin(self, last: bool = False) -> None:
        """Begins to ask about the subjects that are due, as far as there is room."""
        now = self.clock()
        while self._queue and self._queue[0][0] <= now:
            due, tenant, name = self._queue[0]
            subject = Subject(tenant, name)
            known = self._known.get(subject)
            if known is not None and known.under_way is None and known.due == due:
                known.under_way = self.room.begin(partial(self.settler.settle, subject, last))
                if known.under_way is None:
                    return
                known.since = 0
                self._under_way[subject] = known
            heappop(self._queue)

    def reap(self) -> list[Applied]:
        """Writes what is settled by now. Raises what the writer raises, and a settle's fault."""
        ended = [s for s, known in self._under_way.items() if known.under_way and known.under_way.done()]
        settled = [one for one in map(self._ended, ended) if one is not None]
        written = [one for one in settled if one.revision is not None]
        applied = [self.writer.write_settled(written)] if written else []
        for one in settled:
            if one.subject not in self._known:
                self.done(one.subject)
        parked = {one.subject for one in settled if one.next_at is not None}
        for batch in applied:
            self.heard(waits for waits in waits_of(batch) if waits.subject not in parked)
        return applied

    def _ended(self, subject: Subject) -> Settled | None:
        known = self._under_way.pop(subject)
        future, known.under_way = known.under_way, None
        assert future is not None
        try:
            settled = future.result()
        except BaseException as error:
            if not isinstance(error, Interrupted) and not self.is_away(error):
                raise
            self._due(subject, known, self.clock() + _AWAY)
            return None
        known.turns, known.parked = settled.left + known.since, settled.parked
        if known.turns:
            quiet = known.since and known.turns < GROUP
            self._due(subject, known, max(self.clock(), known.due) if quiet else self.clock())
        elif settled.next_at is not None:
            self._due(subject, known, self.clock() + max(0.0, settled.next_at - self.wall()))
        else:
            del self._known[subject]
        return settled

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits here."""
        return not self._known

    @property
    def is_asking(self) -> bool:
        """Whether a settle is under way."""
        return bool(self._under_way)

    @property
    def turns(self) -> int:
        """How many turns wait that could be asked about, as far as is known here."""
        return sum(known.turns for known in list(self._known.values()))

    @property
    def parked(self) -> int:
        """How many turns wait that may not be asked about for a while."""
        return sum(known.parked for known in list(self._known.values()))

    def next_wake(self) -> float | None:
        """In how many seconds there may be something to do."""
        if self._under_way:
            return TICK
        return max(TICK, self._queue[0][0] - self.clock()) if self._queue else None
