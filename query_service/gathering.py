"""What lies around the place of the next turn: its path, its topic, other topics, and what it calls back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from operators.forest.interface import Decision
from operators.forest.state import State, Tree
from operators.summary import label
from query_service.context import Book
from query_service.forest_view import short_of
from query_service.reading import Reading
from query_service.selection import Material
from query_service.standing import Standings, missing_updaters
from query_service.turn_units import Candidate, Where
from state.graph import GraphReader, Hanging, Opening, TreeEnds

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
class Asked:
    """A message that is about to be said, decided on: `at` is when, for what stands then; `wanted` are its
    terms."""

    reading: Reading
    state: State
    decision: Decision
    opening: Opening
    at: datetime
    wanted: frozenset[str]


class Gathering:
    """What lies around the place of the next turn."""

    def __init__(self, reader: GraphReader, asked: Asked, recalled: Sequence[str]) -> None:
        self._reader, self._reading, self._state = reader, asked.reading, asked.state
        self._recalled, self._wanted = recalled, asked.wanted
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
        self._reading.read_hanging(self._recalled)
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
            turns,
            {root: labels[root] for root in roots if labels.get(root)},
            self._decision.parent,
            book,
            self._wanted,
            self._recalled,
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
        trees = (tree.id for tree in self._others())
        every = dict.fromkeys([*self._recalled_topics().values(), *trees, *self._opening.topics])
        return [root for root in every if root != own]

    def _recalled_topics(self) -> dict[str, str]:
        """The topics of the turns that are called back, by turn."""
        hanging = self._reading.hanging
        return {turn: hanging[turn].topic for turn in self._recalled if turn in hanging}

    def _places(self, ends: Mapping[str, TreeEnds]) -> dict[str, tuple[str, Where]]:
        """The turns at hand, with topic and place: the farthest first, so that the nearest ones are last."""
        places: dict[str, tuple[str, Where]] = {}
        for root, turns in reversed(list(self._opening.topics.items())):
            _put(places, turns[-TURNS:], (root, Where.AWAY))
        for turn, root in reversed(self._recalled_topics().items()):
            _put(places, [turn], (root, Where.RECALLED))
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
