"""Revises one subject's view for the messages of one flush: the incremental form of `operators.derive`.

A revision is a generator that yields the reads it needs next and returns the change to write; it does no I/O
itself. So a driver answers the reads of many subjects in one round trip, and a test drives it by hand.

    accept → window → distil → gate → relate → propagate

Where a model distils and relates, its remembered answers are looked up (`operators.looked_up`), and `again`
names turns whose answers may have come since.

The work is bounded by what changes: a message reaches CONTEXT_TURNS later turns; an event that comes or goes
reaches the CANDIDATES next ones under each of its keys; an edge reaches the events whose validity it moves.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from operators.accept import Accepted, accept
from operators.answers import AnswerReader
from operators.distill.interface import Distilled, Distiller
from operators.distill.turn import distil
from operators.filing import Filing
from operators.forest.grow import Placement
from operators.forest.interface import Decider
from operators.forest.regrow import Regrown, regrow
from operators.forest.regrowth import Regrowth, regrowth
from operators.forest.rules import RULES as FOREST
from operators.held import Held
from operators.looked_up import LookedUp
from operators.propagate import propagate
from operators.reach import bereft, left, reach, said_of
from operators.relate.interface import Relater
from operators.relate.turn import Drawn
from operators.relating import Relating
from operators.sessions import starts_session
from operators.steps import Steps, together
from operators.window import Reached, Window
from state.graph_change import IndexChange, SubjectChange
from state.graph_reads import ReadMessages, ReadTurns, ReadVersion
from state.model import Edge, Message, Op, Subject
from state.ordering import time_of
from state.place_reads import ReadStarts
from state.records import Answered, MessageRecord, TurnRecord

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Rules:
    """How turns become events, events become edges, and where turns hang in the forest.

    With `answers` a model says so, and the others stand in where it failed for good.
    """

    distiller: Distiller
    relater: Relater
    decider: Decider = FOREST
    answers: AnswerReader | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    """What a flush did: the change to write, and the messages that came and went, for the note store."""

    change: SubjectChange
    upserted: tuple[Message, ...]
    deleted: tuple[str, ...]


def revise(
    subject: Subject,
    received: Sequence[tuple[Message, int]],
    rules: Rules,
    now: datetime,
    again: Sequence[str] = (),
) -> Steps[Revision | None]:
    """The revision for `received` (message, log offset) pairs; None where they change nothing.

    `now` becomes the `recorded_at` of events that are new. `again` are ids of messages whose turns are
    distilled and related again where they are live, changed or not.
    """
    ids = dict.fromkeys([*(message.id for message, _ in received), *again])
    asked, version = ReadMessages(ids), ReadVersion()
    yield [asked, version]
    accepted = accept(asked.found, received)
    live = {
        i: asked.found[i]
        for i in again
        if i in asked.found and asked.found[i].message.op is Op.UPSERT and i not in accepted.records
    }
    if not accepted.records and not live:
        return None
    change = yield from _Reviser(subject, rules, accepted, live, now, version.found).run()
    # Also one that was never seen: a crash may have left its note without a graph entry, and after it the
    # message and its delete may come together.
    deleted = tuple(i for i in accepted.records if i not in accepted.after)
    return Revision(change, tuple(r.message for r in accepted.after.values()), deleted)


class _Reviser:
    """One revision under way: what it has read, and what it is about to change."""

    def __init__(
        self,
        subject: Subject,
        rules: Rules,
        accepted: Accepted,
        again: Mapping[str, MessageRecord],
        now: datetime,
        version: int,
    ) -> None:
        self.subject, self.rules, self.accepted, self.now = subject, rules, accepted, now
        self.version = version
        self.again = again
        live = {**accepted.after, **again}
        self.held = Held({i: record.message for i, record in live.items()})
        self.starts: dict[str, frozenset[str]] = {}
        """By conversation, which of the places at hand start a session, as stored."""
        self.looked_up: LookedUp | None = None
        if rules.answers is not None:
            self.looked_up = LookedUp(rules.answers, rules.distiller, accepted, self.held)
        self.relating = Relating(self.held, rules.relater, self.looked_up)

    def run(self) -> Steps[SubjectChange]:
        windows, distilled, regrown = yield from self._turns_and_forest()
        forest = yield from self._forest(regrown)
        filing = Filing(
            old=[self.held.events[i].event for turn in distilled for i in self.held.turn(turn).events],
            new=[event for turn in distilled.values() for event in turn.events],
        )
        drawn = yield from self.relating.drawn(distilled, filing, self.again)
        starts = self._starts(windows)
        spread = yield from propagate(
            self._edges_of(drawn), drawn, filing, self.held.events, self.held.absent, self.now
        )
        return SubjectChange(
            subject=self.subject,
            version=self.version,
            messages=self.accepted.records,
            turns=self._turn_records(forest.hung, drawn),
            events=spread.records,
            said=said_of(self.accepted),
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
            waiting=self.looked_up.waiting() if self.looked_up else left(self.accepted),
            forgotten=self.looked_up.forgotten if self.looked_up else (),
        )

    # -- messages and turns -------------------------------------------------------------------------------

    def _turns_and_forest(self) -> Steps[tuple[dict[str, Window], dict[str, Distilled], dict[str, Regrown]]]:
        said = said_of(self.accepted)
        if self.looked_up is None:
            # Side by side, so that the forest costs no round trip of its own where messages come in order.
            regrowing = regrow(said, self.held.messages, self.rules.decider)
            (windows, distilled), regrown = yield from _both(self._turns(), regrowing)
            return windows, distilled, regrown
        windows, distilled = yield from self._turns()
        guide: dict[str, Answered | None] = dict(self.looked_up.answered)
        decider = self.looked_up.reader.decider(self.rules.decider, guide.get)
        for conversation, places in self.looked_up.regrown().items():
            change = said.get(conversation, IndexChange())
            said[conversation] = IndexChange((*change.added, *places), change.removed)
        regrown = yield from regrow(said, self.held.messages, decider, guide)
        return windows, distilled, regrown

    def _turns(self) -> Steps[tuple[dict[str, Window], dict[str, Distilled]]]:
        windows = yield from reach(self.accepted, self.again)
        distilled = yield from self._distil(windows)
        return windows, distilled

    def _forest(self, regrown: Mapping[str, Regrown]) -> Steps[Regrowth]:
        """What the forest's changes come to in the store."""
        hung = {i: placement for one in regrown.values() for i, placement in one.placements.items()}
        yield from self.held.need_turns(hung)
        gone = {i: record.place for i, record in self.accepted.before.items()}
        return (yield from regrowth(regrown, self.held.turns, gone))

    def _distil(self, windows: Mapping[str, Window]) -> Steps[dict[str, Distilled]]:
        """The reached turns, distilled anew, and the turns that are gone, as empty."""
        held = self.held
        reached = [turn for w in windows.values() for turn in w.reached]
        gone = [i for i in self.accepted.before if i not in self.accepted.after]
        asked = [i for turn in reached for i in (*turn.context, turn.message)]
        messages = ReadMessages(i for i in dict.fromkeys(asked) if i not in held.messages)
        turns = ReadTurns(dict.fromkeys([*(turn.message for turn in reached), *gone]))
        said = said_of(self.accepted)
        starts = {
            c: ReadStarts(c, [*(turn.place for turn in w.reached), *said.get(c, IndexChange()).removed])
            for c, w in windows.items()
        }
        yield [messages, turns, *starts.values()]
        self.starts = {c: read.found for c, read in starts.items()}
        held.messages.update((i, record.message) for i, record in messages.found.items())
        held.turns.update({i: TurnRecord() for i in gone} | turns.found)
        yield from held.need_events(i for turn in held.turns.values() for i in turn.events)
        if self.looked_up is None:
            distilled = {turn.message: self._distil_one(turn) for turn in reached}
        else:
            distilled = yield from self.looked_up.distilled(reached, bereft(windows, self.accepted))
        return distilled | {i: Distilled() for i in gone}

    def _distil_one(self, turn: Reached) -> Distilled:
        context = [self.held.messages[i] for i in turn.context]
        return distil(self.rules.distiller, self.held.messages[turn.message], context)

    # -- edges --------------------------------------------------------------------------------------------

    def _edges_of(self, drawn: Mapping[str, Drawn]) -> tuple[Edge, ...]:
        """The edges that the turns under revision owned before."""
        return tuple(edge for turn in drawn for edge in self.held.turn(turn).edges)

    # -- the rest of the change ---------------------------------------------------------------------------

    def _turn_records(
        self, hung: Mapping[str, Placement], drawn: Mapping[str, Drawn]
    ) -> dict[str, TurnRecord | None]:
        """Turns whose record is other than it was; None for those whose message is gone."""
        records: dict[str, TurnRecord | None] = {}
        for turn, made in drawn.items():
            ids = tuple(event.id for event in made.events)
            record = self.held.turn(turn)
            by = record.answered if self.looked_up else None
            records[turn] = replace(record, events=ids, links=made.links, edges=made.edges, answered=by)
        for turn, at in hung.items():
            record = records.get(turn) or self.held.turn(turn)
            records[turn] = replace(
                record, parent=at.parent, branch=at.branch, topic=at.topic, refers_to=at.mentions
            )
        for turn, answered in (self.looked_up.answered if self.looked_up else {}).items():
            records[turn] = replace(records.get(turn) or self.held.turn(turn), answered=answered)
        records |= dict.fromkeys(i for i in self.accepted.before if i not in self.accepted.after)
        before = self.held.turns
        return {i: record for i, record in records.items() if record is None or record != before.get(i)}

    def _starts(self, windows: Mapping[str, Window]) -> dict[str, IndexChange]:
        """Which messages start a session now: those that changed and their successors may differ."""
        changes = {}
        for conversation, reached in windows.items():
            held = self.starts[conversation]
            now = {turn.place for turn in reached.reached if self._starts_session(turn)}
            changes[conversation] = IndexChange(tuple(sorted(now - held)), tuple(sorted(held - now)))
        return changes

    def _starts_session(self, turn: Reached) -> bool:
        before = self.held.messages[turn.previous] if turn.previous else None
        return starts_session(before, self.held.messages[turn.message])

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
