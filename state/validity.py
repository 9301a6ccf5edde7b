"""The validity calculus (DESIGN §3), from scratch: the definition that everything else must equal.

Each event has a few sets of moments, and the whole calculus is algebra on them. With vf for `valid_from`,
over the admissible `updates` edges n→e (ω(n) > ω(e)):

    acts(n→e) = [vf(n), ∞) \\ void(n)
    void(e)   = ∪ acts(n→e) over n→e that withdraw
    out(e)    = void(e) ∪ ∪ acts(n→e) over n→e that replace

worked out down ω, so that void(n) is there before e needs it. Doubt then flows from each maximal span
[t, u) of out(s), over causes/enables edges, through events that were stated before t, and reaches an event
from the moment on at which all events on the way have begun. A plan that is cancelled ahead of its date is
out from its cancellation on, not from that date: nobody should act on it in between.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from state.intervals import Span, Spans, canonical, complement, difference, span_at, union
from state.model import Edge, EdgeType, UpdateMode

__all__ = [
    "DECAY",
    "HOPS",
    "Acting",
    "Doubt",
    "Span",
    "Stated",
    "Statement",
    "Timeline",
    "admissible",
    "carries_doubt",
    "doubts",
    "evaluate",
    "superseded",
]

HOPS = 4
"""L: how many causes/enables hops doubt travels."""
DECAY = 0.5
"""λ: what one hop leaves of the doubt."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Over [start, end) the event lies `hops` causes/enables hops from one that is out."""

    start: datetime
    end: datetime | None
    hops: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """The validity of one event over all time, as sorted, disjoint, maximal pieces.

    `void` ⊆ `out`: when it is void (withdrawn), and when it is out (void or replaced); both may begin before
    `valid_from`, where a plan is taken back ahead of its date. `doubt`: when it is not out and a cause is;
    pieces of unlike hops touch, pieces of equal hops never do.
    """

    valid_from: datetime
    void: tuple[Span, ...] = ()
    out: tuple[Span, ...] = ()
    doubt: tuple[Doubt, ...] = ()

    def value(self, at: datetime) -> float:
        """v(e) at `at`: 0 if out, 1 − λ^d if in doubt, 1 otherwise (also before `valid_from`)."""
        if span_at(self.out, at) is not None:
            return 0.0
        hops = self.hops(at)
        return 1.0 if hops is None else 1.0 - DECAY**hops

    def hops(self, at: datetime) -> int | None:
        """d(e) at `at`: hops to the nearest event that is out; None where the event is out or not doubted."""
        for piece in self.doubt:
            if piece.start <= at and (piece.end is None or at < piece.end):
                return piece.hops
        return None

    def holds(self) -> tuple[Span, ...]:
        """The complement of `out` in [valid_from, ∞)."""
        return complement(self.out, self.valid_from)

    def standing(self, at: datetime) -> bool:
        """Whether the event has begun and is not out at `at`."""
        return self.valid_from <= at and span_at(self.out, at) is None


class Statement(Protocol):
    """What the calculus reads of an event; `state.model.Event` is one."""

    @property
    def id(self) -> str:
        """The event's id."""
        ...

    @property
    def place(self) -> str:
        """ω(e), as a text that sorts."""
        ...

    @property
    def stated_at(self) -> datetime:
        """When it was said, in UTC."""
        ...

    @property
    def valid_from(self) -> datetime:
        """When it takes effect, in UTC."""
        ...


@dataclass(frozen=True, slots=True)
class Stated:
    """A `Statement` and nothing more."""

    id: str
    place: str
    stated_at: datetime
    valid_from: datetime


@dataclass(frozen=True, slots=True)
class Acting:
    """One `updates` edge at its target: how its source acts, from when, and when that source is void."""

    mode: UpdateMode | None
    valid_from: datetime
    void: Spans


def admissible(source: Statement, target: Statement) -> bool:
    """Whether an `updates` edge may act: only a later statement changes an earlier one."""
    return source.place > target.place


def carries_doubt(edge: Edge) -> bool:
    """Whether doubt passes from the edge's source to its target. What prevents an event does not carry it."""
    return edge.type in (EdgeType.CAUSES, EdgeType.ENABLES)


def superseded(acting: Iterable[Acting]) -> tuple[Spans, Spans]:
    """void(e) and out(e) of an event by its admissible `updates` edges.

    An edge without a mode replaces.
    """
    withdrawn: Spans = ()
    replaced: Spans = ()
    for act in acting:
        acts = complement(act.void, act.valid_from)
        if act.mode is UpdateMode.WITHDRAWS:
            withdrawn = union(withdrawn, acts)
        else:
            replaced = union(replaced, acts)
    return withdrawn, union(withdrawn, replaced) if withdrawn or replaced else ()


def _spread(
    source: str, span: Span, follows: Mapping[str, Sequence[str]], stated: Mapping[str, Statement]
) -> Iterator[tuple[str, int, datetime]]:
    """(event, hops, since): over [since, span.end) doubt from `source` reaches the event in `hops` hops.

    `source` is out over the maximal `span`. An event comes again, with more hops, where a longer way opens
    sooner than a shorter one. O(edges within HOPS hops · HOPS).
    """
    soonest = {source: span.start}
    frontier = {source: span.start}
    for hops in range(1, HOPS + 1):
        reached: dict[str, datetime] = {}
        for event, since in frontier.items():
            for after in follows.get(event, ()):
                if stated[after].stated_at >= span.start:
                    continue
                opens = max(since, stated[after].valid_from)
                if span.end is not None and opens >= span.end:
                    continue
                known = reached.get(after) or soonest.get(after)
                if known is None or opens < known:
                    reached[after] = opens
        for event, opens in reached.items():
            yield event, hops, opens
        soonest.update(reached)
        frontier = reached


def _pieces(by_hops: Sequence[Sequence[Span]], out: Spans) -> tuple[Doubt, ...]:
    """The doubt of one event: the fewest hops at each moment, outside `out`. `by_hops[i]`: spans at i + 1."""
    pieces: list[Doubt] = []
    covered = out
    for hops, spans in enumerate(by_hops, start=1):
        fresh = canonical(spans)
        pieces += (Doubt(s.start, s.end, hops) for s in difference(fresh, covered))
        covered = union(covered, fresh)
    return tuple(sorted(pieces, key=lambda p: p.start))


def doubts(
    out: Mapping[str, Spans],
    follows: Mapping[str, Sequence[str]],
    stated: Mapping[str, Statement],
    wanted: frozenset[str] | None = None,
) -> dict[str, tuple[Doubt, ...]]:
    """The doubt of each event that has any, or of those in `wanted`.

    `out`: out(s) by event. `follows`: the ends of each event's causes/enables edges, all of them in
    `stated`. An event's answer is right when everything within HOPS hops before it is there.
    """
    reached: dict[str, list[list[Span]]] = defaultdict(lambda: [[] for _ in range(HOPS)])
    for source, spans in out.items():
        if source not in follows:
            continue
        for span in spans:
            for event, hops, since in _spread(source, span, follows, stated):
                if wanted is None or event in wanted:
                    reached[event][hops - 1].append(Span(since, span.end))
    found = {event: _pieces(by_hops, out.get(event, ())) for event, by_hops in reached.items()}
    return {event: pieces for event, pieces in found.items() if pieces}


def _superseded_down(
    stated: Mapping[str, Statement], edges: Sequence[Edge]
) -> tuple[dict[str, Spans], dict[str, Spans]]:
    """void and out of every event, worked out from the last statement to the first."""
    into: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        if edge.type is EdgeType.UPDATES and admissible(stated[edge.source], stated[edge.target]):
            into[edge.target].append(edge)
    void: dict[str, Spans] = {}
    out: dict[str, Spans] = {}
    for event in sorted(stated.values(), key=lambda e: e.place, reverse=True):
        acting = (Acting(e.mode, stated[e.source].valid_from, void[e.source]) for e in into.get(event.id, ()))
        void[event.id], out[event.id] = superseded(acting)
    return void, out


def evaluate(
    events: Iterable[Statement],
    edges: Iterable[Edge],
    *,
    known_at: datetime | None = None,
    recorded: Mapping[str, datetime] | None = None,
) -> dict[str, Timeline]:
    """The timeline of every event, from scratch, by event id.

    Edges with an end that is not among `events`, and `updates` against ω, are ignored. With `known_at`, what
    `recorded` (event or edge id to the time it was recorded) puts after it is left out first; an id that
    `recorded` does not have counts as known all along, which for an edge means: as soon as both its ends are.

    O(n log n + edges + Σ over spans that are out of the edges within HOPS hops).
    """

    def known(identifier: str) -> bool:
        if known_at is None or recorded is None or identifier not in recorded:
            return True
        return recorded[identifier] <= known_at

    stated = {e.id: e for e in events if known(e.id)}
    live = [e for e in edges if e.source in stated and e.target in stated and known(e.id)]
    void, out = _superseded_down(stated, live)
    follows: dict[str, list[str]] = defaultdict(list)
    for edge in live:
        if carries_doubt(edge):
            follows[edge.source].append(edge.target)
    doubt = doubts({e: spans for e, spans in out.items() if spans}, follows, stated)
    return {e.id: Timeline(e.valid_from, void[e.id], out[e.id], doubt.get(e.id, ())) for e in stated.values()}
