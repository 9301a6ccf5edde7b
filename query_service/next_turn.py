"""The context of a turn that is about to be said: where it would hang, and what it needs (DESIGN §6).

The message is not stored. The forest's state after the last turn of its conversation is loaded, the forest's
own decider says where the message would hang, and what is told is selected around that place.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from operators.forest.checkpoint import readable
from operators.forest.interface import Decider, Decision
from operators.forest.rules import RULES
from operators.forest.state import EMPTY, State, Tree
from operators.summary import label
from query_service.context import Book
from query_service.forest_view import short_of
from query_service.reading import Reading
from query_service.selection import Material, select
from query_service.standing import Standings, missing_updaters
from query_service.token_counts import TokenCounts
from query_service.turn_units import Candidate, Where
from query_service.unknown_subject import UnknownSubject
from state.graph import GraphReader, Hanging, Opening, TreeEnds
from state.model import Message, Role, Subject
from state.notes import Encoder

PATH_TURNS = 200
"""Turns of the path that are read, the nearest ones."""
TREES = 8
"""Other topics of the conversation of which turns are read, those mentioned first, then by last use."""
TOPICS = 8
"""Topics of the subject that were spoken of last, whatever their conversation."""
TURNS = 3
"""Turns read of the end of each of those, and of the start of any topic for its label."""
TREE_TURNS = 6
"""Turns read of either end of a topic of the conversation."""
READ_EVENTS = 400
"""Events read of the turns at hand, the nearest turns' first."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the turn would hang: see `operators.forest.interface`. `topic` is None for a new one."""

    kind: str
    reason: str
    parent: str | None
    topic: str | None


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The contract of `context` (DESIGN §7). `path` are turn ids from the root to the head of the branch,
    the last `PATH_TURNS` of them; empty for a new topic."""

    qid: str | None
    decision: Place
    path: tuple[str, ...]
    context: str
    tokens: int
    timings_ms: Mapping[str, float]


class NextTurn:
    """Selects from the stores of one runtime. Holds no state of its own, so threads may share it."""

    def __init__(
        self,
        reader: GraphReader,
        encoder: Encoder,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        decider: Decider = RULES,
    ) -> None:
        self._reader = reader
        self._now = now
        self._decider = decider
        self._count = TokenCounts(encoder.count_tokens)

    def context(
        self,
        subject: Subject,
        message: str,
        budget: int | None = None,
        conversation: str | None = None,
        qid: str | None = None,
    ) -> TurnContext:
        """What `message` needs as the next turn of a conversation, by default of the one spoken in last.

        Within a budget the path is told whole as far as there is room; without one each thing is told once.

        At most 11 round trips of the graph and bounded work, however long the history is. A conversation
        that is not there yet begins with this turn, and has the subject's other topics beside it.

        Raises UnknownSubject, and ValueError for a budget below 1.
        """
        if budget is not None and budget < 1:
            raise ValueError("the budget is at least 1 token")
        begun = time.perf_counter()
        asked = self._asked(subject, message, conversation)
        decided = time.perf_counter()
        gathered = _Gathering(self._reader, asked)
        material = gathered.material()
        read = time.perf_counter()
        chosen = select(material, budget, self._count)
        ended = time.perf_counter()
        decision = asked.decision
        topic = gathered.tree.id if gathered.tree else None
        return TurnContext(
            qid=qid,
            decision=Place(decision.kind.value, decision.reason.value, decision.parent, topic),
            path=gathered.path,
            context=chosen.text,
            tokens=chosen.tokens,
            timings_ms={
                "decide": _milliseconds(begun, decided),
                "read": _milliseconds(decided, read),
                "select": _milliseconds(read, ended),
            },
        )

    def _asked(self, subject: Subject, message: str, conversation: str | None) -> "_Asked":
        """Decides on the message. Raises UnknownSubject."""
        opening = self._reader.opening(subject, (), 0, TOPICS, TURNS)
        if opening is None:
            raise UnknownSubject(subject.name)
        found = self._reader.forest_state(subject, conversation)
        state = (readable(found[1]) if found is not None else None) or EMPTY
        at = max(self._now(), opening.newest)
        reading = Reading(self._reader, self._reader, subject)
        turn = _next_message(reading, state, message, conversation or (found[0] if found else ""), at)
        return _Asked(reading, state, self._decider.decide(state, turn), opening, at)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A message that is about to be said, decided on: `at` is when, for what stands then."""

    reading: Reading
    state: State
    decision: Decision
    opening: Opening
    at: datetime


def _milliseconds(begun: float, ended: float) -> float:
    return round((ended - begun) * 1000, 3)


def _next_message(reading: Reading, state: State, text: str, conversation: str, at: datetime) -> Message:
    """The message as the next one by whoever set the topics last, for the decider to place."""
    turns = [speaker.turn for speaker in state.speakers if speaker.sets_topics]
    reading.read_messages(turns)
    by = next((reading.messages[turn] for turn in turns if turn in reading.messages), None)
    role, speaker = (by.role, by.speaker) if by else (Role.USER, reading.subject.name)
    return Message(reading.subject, conversation, "", role, speaker, text, at)


class _Gathering:
    """What lies around the place of the next turn."""

    def __init__(self, reader: GraphReader, asked: _Asked) -> None:
        self._reader, self._reading, self._state = reader, asked.reading, asked.state
        self._decision, self._opening, self._at = asked.decision, asked.opening, asked.at
        decision = asked.decision
        self.tree = self._state.tree_of(decision.parent) if decision.parent is not None else None
        self._line = self._line_of_path()
        self.path = tuple(reversed(list(self._line)))

    def _line_of_path(self) -> Mapping[str, Hanging]:
        """From the head of the parent's branch up, or from the parent where that does not lead past it."""
        parent = self._decision.parent
        if parent is None or self.tree is None:
            return {}
        subject = self._reading.subject
        heads = [branch.head for branch in self.tree.branches]
        if parent in heads:
            return self._reader.line(subject, parent, PATH_TURNS)
        branch = self._reader.hanging(subject, [parent]).get(parent)
        head = next((b.head for b in self.tree.branches if branch and b.id == branch.branch), parent)
        line = self._reader.line(subject, head, PATH_TURNS)
        return line if parent in line else self._reader.line(subject, parent, PATH_TURNS)

    def material(self) -> Material:
        """All that may be told, as it stands when the message is said."""
        at = self._at
        roots = self._topics()
        own = [self.tree.id] if self.tree is not None else []
        ends = self._reader.tree_ends(self._reading.subject, [*own, *roots], TREE_TURNS)
        begun = {root: ends[root].first[:TURNS] for root in roots if root in ends}
        places = self._places(ends)
        first = [turn for turns in begun.values() for turn in turns]
        self._reading.read_messages([*places, *first])
        self._reading.read_hanging(first)
        messages, stated = self._reading.messages, self._reading.stated
        turns = [
            Candidate(messages[turn], topic, where)
            for turn, (topic, where) in places.items()
            if turn in messages
        ]
        events = [name for turn in reversed(turns) for name in stated[turn.message.id]]
        self._reading.read_events(events[:READ_EVENTS])
        self._reading.read_events(missing_updaters(self._reading.known, at))
        labels = {
            root: label(
                [short_of(messages[turn], self._reading.hanging) for turn in opened if turn in messages]
            )
            for root, opened in begun.items()
        }
        known = self._reading.known
        book = Book(known, Standings(known, at), messages, stated)
        return Material(
            turns, {root: labels[root] for root in roots if labels.get(root)}, self._decision.parent, book
        )

    def _mentioned(self) -> tuple[str, ...]:
        """The trees that the turn refers to, then those that the turn it attaches to does."""
        beside = self._line.get(self._decision.parent or "")
        return tuple(dict.fromkeys([*self._decision.mentions, *(beside.refers_to if beside else ())]))

    def _others(self) -> list[Tree]:
        """The conversation's other trees, those mentioned first."""
        mentioned = self._mentioned()
        others = [tree for tree in self._state.trees if tree is not self.tree]
        return sorted(others, key=lambda tree: tree.id not in mentioned)[:TREES]

    def _topics(self) -> list[str]:
        """The other topics, in the order in which they are wanted."""
        own = self.tree.id if self.tree else None
        every = dict.fromkeys([*(tree.id for tree in self._others()), *self._opening.topics])
        return [root for root in every if root != own]

    def _places(self, ends: Mapping[str, TreeEnds]) -> dict[str, tuple[str, Where]]:
        """The turns at hand, with topic and place: the farthest first, so that the nearest ones are last."""
        places: dict[str, tuple[str, Where]] = {}
        for root, turns in reversed(list(self._opening.topics.items())):
            _put(places, turns, (root, Where.AWAY))
        mentioned = self._mentioned()
        for tree in reversed(self._others()):
            where = Where.MENTIONED if tree.id in mentioned else Where.BESIDE
            _put(places, _at_hand(tree, ends), (tree.id, where))
        if self.tree is not None:
            _put(places, _at_hand(self.tree, ends), (self.tree.id, Where.BRANCH))
            _put(places, self.path, (self.tree.id, Where.PATH))
        return places


def _at_hand(tree: Tree, ends: Mapping[str, TreeEnds]) -> list[str]:
    """The first and the last turns of a tree, its branches' heads, and its newest turns."""
    heads = [branch.head for branch in tree.branches]
    newest = [node.id for node in reversed(tree.nodes)]
    end = ends.get(tree.id)
    return [*(end.first + end.last if end else [tree.id]), *heads, *newest]


def _put(places: dict[str, tuple[str, Where]], turns: Iterable[str], at: tuple[str, Where]) -> None:
    """Puts turns last, with this place instead of one that they have."""
    for turn in turns:
        places.pop(turn, None)
        places[turn] = at
