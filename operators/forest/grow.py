"""Grows the forest of one conversation by one turn at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from operators.forest.forgetting import is_young, later
from operators.forest.interface import Decider, Decision, Kind, Reason
from operators.forest.reading import Reading, read
from operators.forest.state import (
    BRANCHES,
    EMPTY,
    NODE_TERMS,
    NODES,
    OPENED,
    SPEAKERS,
    TERMS,
    THEME,
    TREES,
    TURN_TERMS,
    WEIGHT,
    Branch,
    Last,
    Node,
    Speaker,
    State,
    Term,
    Tree,
)
from state.lexicon import term_hash
from state.model import Message, Role, Turn

BARE = 2
"""An acceptance with so few terms names whom it answers, or echoes; it brings the topic nothing."""
_SETS_TOPICS = frozenset({Role.USER, Role.PEER})


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a turn hangs: its parent (None for a root), its branch's and its tree's ids; what it did and why;
    the other trees that it refers to. `dropped` are the trees that fell out of the state with this turn."""

    parent: str | None
    branch: str
    topic: str
    kind: Kind
    reason: Reason
    mentions: tuple[str, ...] = ()
    dropped: tuple[Tree, ...] = ()


def turn_of(message: Message, placement: Placement) -> Turn:
    """The turn that `message` alone makes at `placement`."""
    return Turn(
        id=message.id,
        messages=(message.id,),
        parent=placement.parent,
        branch=placement.branch,
        topic=placement.topic,
        summary="",
        refers_to=placement.mentions,
    )


def speaker_of(message: Message) -> int:
    """Who speaks, as a number that is the same in every process."""
    return term_hash(f"{message.role}\0{message.speaker}")


def sets_topics(state: State, message: Message) -> bool:
    """Whether the party that speaks may open a topic without saying so: users and peers; where none of them
    has spoken of late, whichever agent or tool spoke first."""
    if message.role in _SETS_TOPICS:
        return True
    return {speaker.who for speaker in state.speakers if speaker.sets_topics} <= {speaker_of(message)}


def step(state: State, message: Message, decider: Decider) -> tuple[State, Placement]:
    """The state after `message`, and where it hangs. The work is bounded by the state and the message.

    Raises ValueError where the decider names a parent that the state does not hold, or none for a turn that
    opens no tree.
    """
    state, forgotten = later(state, message)
    decision = decider.decide(state, message)
    reading = read(message.content)
    tree, branch = _place(state, message, decision)
    grown = _grown(tree, message, reading, sets_topics(state, message))
    others = [one for one in state.trees if one.id != tree.id]
    trees = (grown, *others)
    opened = state.opened
    if is_young(state) and grown.named and grown.id not in opened:
        opened = (*opened, grown.id)[:OPENED]
    return (
        State(trees[:TREES], opened, _speakers(state, message), _last(message, reading), state.age),
        Placement(
            decision.parent,
            branch,
            tree.id,
            decision.kind,
            decision.reason,
            decision.mentions,
            (*trees[TREES:], *forgotten),
        ),
    )


def grow(
    messages: Iterable[Message], decider: Decider, state: State = EMPTY
) -> tuple[State, Sequence[Placement]]:
    """`step` for each message in the order of their places."""
    placements = []
    for message in messages:
        state, placement = step(state, message, decider)
        placements.append(placement)
    return state, placements


def readmitted(state: State, tree: Tree) -> State:
    """The state with a tree that fell out of it, as the one that has been left for the shortest time; so a
    decider can return to it."""
    if state.tree(tree.id) is not None:
        return state
    return replace(state, trees=(*state.trees[:1], tree, *state.trees[1:])[:TREES])


def _place(state: State, message: Message, decision: Decision) -> tuple[Tree, str]:
    """The tree that the turn belongs to, with the branch it is on at the front, and that branch's id."""
    if decision.parent is None:
        if decision.kind is not Kind.NEW_TREE:
            raise ValueError(f"a turn that does not open a tree needs a parent ({decision.kind})")
        root = Branch(message.id, message.id)
        return Tree(message.id, speaker_of(message), (), (root,), ()), message.id
    tree = state.tree_of(decision.parent)
    if tree is None or decision.kind is Kind.NEW_TREE:
        raise ValueError(f"no turn {decision.parent!r} to hang a turn under ({decision.kind})")
    extended = tree.branch_at(decision.parent)
    branch = Branch(extended.id if extended else message.id, message.id)
    rest = tuple(one for one in tree.branches if one is not extended)
    return replace(tree, branches=(branch, *rest)[:BRANCHES]), branch.id


def _grown(tree: Tree, message: Message, reading: Reading, setter: bool) -> Tree:
    """The tree with the turn's terms and the turn itself."""
    bare = reading.acceptance and len(reading.terms) <= BARE
    said = () if reading.phatic or bare else reading.terms
    step_weight = 2 if setter else 1
    brought = said[:TURN_TERMS]
    said_now = frozenset(brought)
    weights = {term.hash: term.weight for term in tree.terms}
    fresh = tuple(Term(t, min(WEIGHT, weights.get(t, 0) + step_weight)) for t in brought)
    kept = tuple(term for term in tree.terms if term.hash not in said_now)
    return Tree(  # not `replace`, which takes three times as long
        id=tree.id,
        opener=tree.opener,
        terms=(fresh + kept)[:TERMS],
        branches=tree.branches,
        nodes=(Node(message.id, said[:NODE_TERMS]), *tree.nodes)[:NODES],
        theme=said[:THEME] if setter and said and not tree.named else tree.theme,
        named=tree.named or (setter and not reading.phatic),
        closed=(tree.closed and not setter) or (setter and reading.dismissal),
    )


def _speakers(state: State, message: Message) -> tuple[Speaker, ...]:
    who = speaker_of(message)
    mine = Speaker(who, sets_topics(state, message), message.id)
    return (mine, *(one for one in state.speakers if one.who != who))[:SPEAKERS]


def _last(message: Message, reading: Reading) -> Last:
    return Last(
        turn=message.id,
        who=speaker_of(message),
        asked=reading.asks_last and not reading.invitation,
        invited=reading.invitation,
        settled=reading.acceptance and not reading.asks_last,
        refused=reading.refusal,
    )
