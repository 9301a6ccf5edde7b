"""Revises one subject's view for the messages of one flush: the incremental form of `operators.derive`.

A revision is a generator that yields the reads it needs next and returns the change to write; it does no I/O
itself. So a driver answers the reads of many subjects in one round trip, and a test drives it by hand.

    accept → window → distil → gate → relate → propagate

The work is bounded by what changes: a message reaches CONTEXT_TURNS later turns; an event that comes or goes
reaches the CANDIDATES next ones under each of its keys; an edge reaches the events whose validity it moves.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from operators.accept import Accepted, accept
from operators.distill.interface import CONTEXT_TURNS, Distilled, Distiller
from operators.distill.turn import distil
from operators.filing import Filing
from operators.forest.grow import Placement
from operators.forest.interface import Decider
from operators.forest.regrow import Regrown, regrow
from operators.forest.regrowth import Regrowth, regrowth
from operators.forest.rules import RULES as FOREST
from operators.propagate import propagate
from operators.relate.interface import Relater
from operators.relate.turn import Drawn, relate_turn
from operators.sessions import starts_session
from operators.steps import Steps, together
from operators.window import Reached, Window, window
from state.graph_change import IndexChange, SubjectChange
from state.graph_reads import ReadEvents, ReadMessages, ReadSaid, ReadStarts, ReadTurns, ReadVersion
from state.model import Edge, Event, Message, Subject
from state.ordering import AFTER_ALL, time_of
from state.records import EventRecord, TurnLink, TurnRecord

_NOTHING = TurnRecord()


A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Rules:
    """How turns become events, events become edges, and where turns hang in the forest."""

    distiller: Distiller
    relater: Relater
    decider: Decider = FOREST


@dataclass(frozen=True, slots=True)
class Revision:
    """What a flush did: the change to write, and the messages that came and went, for the note store."""

    change: SubjectChange
    upserted: tuple[Message, ...]
    deleted: tuple[str, ...]


def revise(
    subject: Subject, received: Sequence[tuple[Message, int]], rules: Rules, now: datetime
) -> Steps[Revision | None]:
    """The revision for `received` (message, log offset) pairs; None where they change nothing.

    `now` becomes the `recorded_at` of events that are new.
    """
    asked, version = ReadMessages(dict.fromkeys(message.id for message, _ in received)), ReadVersion()
    yield [asked, version]
    accepted = accept(asked.found, received)
    if not accepted.records:
        return None
    change = yield from _Reviser(subject, rules, accepted, now, version.found).run()
    # Also one that was never seen: a crash may have left its note without a graph entry, and after it the
    # message and its delete may come together.
    deleted = tuple(i for i in accepted.records if i not in accepted.after)
    return Revision(change, tuple(r.message for r in accepted.after.values()), deleted)


class _Reviser:
    """One revision under way: what it has read, and what it is about to change."""

    def __init__(
        self, subject: Subject, rules: Rules, accepted: Accepted, now: datetime, version: int
    ) -> None:
        self.subject, self.rules, self.accepted, self.now = subject, rules, accepted, now
        self.version = version
        self.messages: dict[str, Message] = {i: r.message for i, r in accepted.after.items()}
        self.turns: dict[str, TurnRecord] = {}
        self.events: dict[str, EventRecord] = {}
        self.absent: set[str] = set()
        self.starts: dict[str, frozenset[str]] = {}
        """By conversation, which of the places at hand start a session, as stored."""

    def run(self) -> Steps[SubjectChange]:
        # Side by side, so that the forest costs no round trip of its own where messages come in order.
        regrowing = regrow(_said(self.accepted), self.messages, self.rules.decider)
        (windows, distilled), regrown = yield from _both(self._turns(), regrowing)
        forest = yield from self._forest(regrown)
        filing = Filing(
            old=[self.events[i].event for turn in distilled for i in self._old(turn).events],
            new=[event for turn in distilled.values() for event in turn.events],
        )
        drawn = yield from self._relate(distilled, filing)
        starts = self._starts(windows)
        spread = yield from propagate(
            self._edges_of(drawn), drawn, filing, self.events, self.absent, self.now
        )
        return SubjectChange(
            subject=self.subject,
            version=self.version,
            messages=self.accepted.records,
            turns=self._turn_records(forest.hung, drawn),
            events=spread.records,
            said=_said(self.accepted),
            starts=starts,
            filed=filing.changes(),
            trees=forest.trees,
            marks=forest.marks,
            spoken=self._spoken(windows),
            recent=forest.recent,
            later=forest.later,
            counts=self._counts(starts, filing, drawn, forest.more_trees),
            new_events=filing.new_ids,
            gone_events=filing.gone_ids,
            shifted=spread.shifted,
            new_edges=spread.new_edges,
            gone_edges=spread.gone_edges,
            touched=spread.touched,
        )

    # -- reading what is not here yet ---------------------------------------------------------------------

    def _need_turns(self, ids: Iterable[str]) -> Steps[None]:
        wanted = [i for i in dict.fromkeys(ids) if i not in self.turns]
        if not wanted:
            return
        read = ReadTurns(wanted)
        yield [read]
        self.turns.update((i, read.found.get(i, TurnRecord())) for i in wanted)

    def _need_events(self, ids: Iterable[str]) -> Steps[None]:
        wanted = [i for i in dict.fromkeys(ids) if i not in self.events and i not in self.absent]
        if not wanted:
            return
        read = ReadEvents(wanted)
        yield [read]
        self.events.update(read.found)
        self.absent.update(i for i in wanted if i not in read.found)

    # -- messages and turns -------------------------------------------------------------------------------

    def _turns(self) -> Steps[tuple[dict[str, Window], dict[str, Distilled]]]:
        windows = yield from self._windows()
        distilled = yield from self._distil(windows)
        return windows, distilled

    def _forest(self, regrown: Mapping[str, Regrown]) -> Steps[Regrowth]:
        """What the forest's changes come to in the store."""
        hung = {i: placement for one in regrown.values() for i, placement in one.placements.items()}
        yield from self._need_turns(hung)
        gone = {i: record.place for i, record in self.accepted.before.items()}
        return (yield from regrowth(regrown, self.turns, gone))

    def _windows(self) -> Steps[dict[str, Window]]:
        """By conversation, the turns that the accepted messages reach."""
        changed = _said(self.accepted)
        reads = {
            conversation: [
                *(
                    ReadSaid(conversation, place, before=CONTEXT_TURNS, after=CONTEXT_TURNS)
                    for place in (*places.added, *places.removed)
                ),
                ReadSaid(conversation, AFTER_ALL, before=1, after=0),
            ]
            for conversation, places in changed.items()
        }
        yield [read for group in reads.values() for read in group]
        return {
            conversation: window(
                (place for read in reads[conversation] for place in read.found), places.added, places.removed
            )
            for conversation, places in changed.items()
        }

    def _distil(self, windows: Mapping[str, Window]) -> Steps[dict[str, Distilled]]:
        """The reached turns, distilled anew, and the turns that are gone, as empty."""
        reached = [turn for w in windows.values() for turn in w.reached]
        gone = [i for i in self.accepted.before if i not in self.accepted.after]
        asked = [i for turn in reached for i in (*turn.context, turn.message)]
        messages = ReadMessages(i for i in dict.fromkeys(asked) if i not in self.messages)
        turns = ReadTurns(dict.fromkeys([*(turn.message for turn in reached), *gone]))
        said = _said(self.accepted)
        starts = {
            c: ReadStarts(c, [*(turn.place for turn in w.reached), *said[c].removed])
            for c, w in windows.items()
        }
        yield [messages, turns, *starts.values()]
        self.starts = {c: read.found for c, read in starts.items()}
        self.messages.update((i, record.message) for i, record in messages.found.items())
        self.turns.update({i: TurnRecord() for i in gone} | turns.found)
        yield from self._need_events(i for turn in self.turns.values() for i in turn.events)
        distilled = {turn.message: self._distil_one(turn) for turn in reached}
        return distilled | {i: Distilled() for i in gone}

    def _distil_one(self, turn: Reached) -> Distilled:
        context = [self.messages[i] for i in turn.context]
        return distil(self.rules.distiller, self.messages[turn.message], context)

    def _old(self, turn: str) -> TurnRecord:
        """What the store has of a turn."""
        return self.turns.get(turn, _NOTHING)

    # -- edges --------------------------------------------------------------------------------------------

    def _relate(self, distilled: Mapping[str, Distilled], filing: Filing) -> Steps[dict[str, Drawn]]:
        """Every turn whose events, links or candidates changed, with the edges that it owns now."""
        yield filing.reads_around_changes()
        yield filing.reads_within_wide_spans()
        around = filing.turns_reached()
        yield from self._need_turns(turn for turn in around if turn not in distilled)
        yield from self._need_events(
            i for turn in around if turn not in distilled for i in self.turns[turn].events
        )
        turns = {i: _with_links(d) for i, d in distilled.items() if self._differs(i, d)}
        for turn in around:
            if turn not in turns:
                record = self.turns[turn]
                turns[turn] = (tuple(self._event(filing, i) for i in record.events), record.links)
        related = [event for events, _ in turns.values() for event in events]
        yield filing.reads_before(related)
        found = {event.id: filing.candidates_of(event) for event in related}
        yield from self._need_events(i for ids in found.values() for i in ids if i not in filing.current)
        return {
            turn: relate_turn(
                events,
                links,
                {e.id: [self._event(filing, i) for i in found[e.id]] for e in events},
                self.rules.relater,
            )
            for turn, (events, links) in turns.items()
        }

    def _differs(self, turn: str, distilled: Distilled) -> bool:
        """Whether a turn says other than it did, so that its own edges must be drawn again."""
        events, links = _with_links(distilled)
        old = self._old(turn)
        return links != old.links or [self.events[i].event for i in old.events] != list(events)

    def _event(self, filing: Filing, event: str) -> Event:
        return filing.current.get(event) or self.events[event].event

    def _edges_of(self, drawn: Mapping[str, Drawn]) -> tuple[Edge, ...]:
        """The edges that the turns under revision owned before."""
        return tuple(edge for turn in drawn for edge in self._old(turn).edges)

    # -- the rest of the change ---------------------------------------------------------------------------

    def _turn_records(
        self, hung: Mapping[str, Placement], drawn: Mapping[str, Drawn]
    ) -> dict[str, TurnRecord | None]:
        """Turns whose record is other than it was; None for those whose message is gone."""
        records: dict[str, TurnRecord | None] = {}
        for turn, made in drawn.items():
            ids = tuple(event.id for event in made.events)
            records[turn] = replace(self._old(turn), events=ids, links=made.links, edges=made.edges)
        for turn, at in hung.items():
            record = records.get(turn) or self._old(turn)
            records[turn] = replace(
                record, parent=at.parent, branch=at.branch, topic=at.topic, refers_to=at.mentions
            )
        records |= dict.fromkeys(i for i in self.accepted.before if i not in self.accepted.after)
        return {i: record for i, record in records.items() if record is None or record != self.turns.get(i)}

    def _starts(self, windows: Mapping[str, Window]) -> dict[str, IndexChange]:
        """Which messages start a session now: those that changed and their successors may differ."""
        changes = {}
        for conversation, reached in windows.items():
            held = self.starts[conversation]
            now = {turn.place for turn in reached.reached if self._starts_session(turn)}
            changes[conversation] = IndexChange(tuple(sorted(now - held)), tuple(sorted(held - now)))
        return changes

    def _starts_session(self, turn: Reached) -> bool:
        before = self.messages[turn.previous] if turn.previous else None
        return starts_session(before, self.messages[turn.message])

    def _counts(
        self, starts: Mapping[str, IndexChange], filing: Filing, drawn: Mapping[str, Drawn], trees: int
    ) -> dict[str, int]:
        """How many more of each thing there are."""
        counts = Counter(edge.type.value for made in drawn.values() for edge in made.edges)
        counts.subtract(edge.type.value for edge in self._edges_of(drawn))
        counts["messages"] = len(self.accepted.after) - len(self.accepted.before)
        counts["sessions"] = sum(len(c.added) - len(c.removed) for c in starts.values())
        counts["topics"] = trees
        counts["events"] = len(filing.new_ids) - len(filing.gone_ids)
        return dict(counts)

    def _spoken(self, windows: Mapping[str, Window]) -> dict[str, float | None]:
        return {c: time_of(w.last).timestamp() if w.last else None for c, w in windows.items()}


def _both(first: Steps[A], second: Steps[B]) -> Steps[tuple[A, B]]:
    both: Sequence[Steps[Any]] = (first, second)
    one, other = yield from together(both)
    return one, other


def _with_links(distilled: Distilled) -> tuple[tuple[Event, ...], tuple[TurnLink, ...]]:
    links = (TurnLink(x.type, x.source, x.target, x.confidence, x.reason) for x in distilled.links)
    return distilled.events, tuple(links)


def _said(accepted: Accepted) -> dict[str, IndexChange]:
    """By conversation, the places that come and go."""
    added: dict[str, list[str]] = {}
    removed: dict[str, list[str]] = {}
    for record in accepted.before.values():
        removed.setdefault(record.message.conversation, []).append(record.place)
    for record in accepted.after.values():
        added.setdefault(record.message.conversation, []).append(record.place)
    return {
        c: IndexChange(
            tuple(added.get(c, ())), tuple(p for p in removed.get(c, ()) if p not in added.get(c, ()))
        )
        for c in sorted({*added, *removed})
    }
