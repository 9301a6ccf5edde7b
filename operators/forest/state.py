"""The bounded state S_t of one conversation's forest: all that the next turn is decided on.

Nothing in it counts turns or says when: trees, branches, turns and terms lie in the order of their last use,
weights are capped, and `idle` is for how many spells a thing was not used, after a few of which it goes
(`operators.forest.forgetting`). So two histories that differ far back come to the same state again, which is
where a late message's effects end.
"""

from dataclasses import dataclass, field

TREES = 64
BRANCHES = 8
NODES = 6
TERMS = 24
NODE_TERMS = 6
THEME = 12
TURN_TERMS = 16
"""How many of a tree's terms one turn may bring: enough for a Chinese sentence, whose bigrams are many, and
never all, so that a long turn does not push out what came before."""
SPEAKERS = 8
OPENED = 8
WEIGHT = 6
"""A term's weight is how often it was said of late, up to here."""


@dataclass(frozen=True, slots=True)
class Node:
    """An earlier turn that a branch may leave from, with what it was about."""

    id: str
    terms: tuple[int, ...]
    idle: int = 0


@dataclass(frozen=True, slots=True)
class Term:
    """A term that was said in a tree, as its hash."""

    hash: int
    weight: int
    idle: int = 0


@dataclass(frozen=True, slots=True)
class Branch:
    """A path of turns: its id is its first turn's, `head` its newest turn."""

    id: str
    head: str
    idle: int = 0


@dataclass(frozen=True, slots=True)
class Tree:
    """One topic. `terms` are newest first; `branches` newest first, the one that was last
    spoken on at 0; `nodes` its newest turns, newest first. `opener` is who opened it,
    `theme` what its first turn with a matter was about. `named` tells whether
    it has a matter yet (a greeting has none); `closed` that the matter was dismissed as a whole."""

    id: str
    opener: int
    terms: tuple[Term, ...]
    branches: tuple[Branch, ...]
    nodes: tuple[Node, ...]
    theme: tuple[int, ...] = ()
    named: bool = False
    closed: bool = False

    def weights(self) -> dict[int, int]:
        """Its terms with their weights; what it opened with never weighs less than 2."""
        weights = {term.hash: term.weight for term in self.terms}
        return weights | {term: max(2, weights.get(term, 0)) for term in self.theme}

    @property
    def idle(self) -> int:
        """For how many spells it was not spoken of."""
        return self.branches[0].idle

    @property
    def head(self) -> str:
        """The newest turn of the branch that was last spoken on."""
        return self.branches[0].head

    def branch_at(self, turn: str) -> Branch | None:
        """The branch that `turn` is the head of."""
        return next((branch for branch in self.branches if branch.head == turn), None)

    def holds(self, turn: str) -> bool:
        """Whether a turn may still be hung under `turn`: it is a head or one of the newest turns."""
        return self.branch_at(turn) is not None or any(node.id == turn for node in self.nodes)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who spoke (a hash of role and name), whether they set topics, and their last turn."""

    who: int
    sets_topics: bool
    turn: str
    idle: int = 0


@dataclass(frozen=True, slots=True)
class Last:
    """What the newest turn leaves open: `asked` a question, `invited` another matter, `settled` by
    accepting, `refused` what was asked for."""

    turn: str
    who: int
    asked: bool
    invited: bool
    settled: bool
    refused: bool


@dataclass(frozen=True, slots=True)
class State:
    """`trees` by last use: the active one is at 0. `opened` are the first topics opened, in their order,
    while the conversation is young: `age` is how many spells it is old, up to where that ends."""

    trees: tuple[Tree, ...] = ()
    opened: tuple[str, ...] = ()
    speakers: tuple[Speaker, ...] = ()
    last: Last | None = field(default=None)
    age: int = 0

    @property
    def active(self) -> Tree | None:
        """The tree of the newest turn."""
        return self.trees[0] if self.trees else None

    @property
    def current(self) -> str | None:
        """The newest turn: the head of the active branch of the active tree."""
        return self.last.turn if self.last else None

    def tree(self, tree: str) -> Tree | None:
        """The tree of that id, while it is held."""
        return next((one for one in self.trees if one.id == tree), None)

    def tree_of(self, turn: str) -> Tree | None:
        """The tree that a turn can still be hung under, while it is held."""
        return next((one for one in self.trees if one.holds(turn)), None)


EMPTY = State()
