"""Forgetting what was long not used, so that a late message's effects end.

A spell ends at a turn whose id says so, one in `SPELL`, and not at a count of turns: a message that comes
late moves no other spell's end. After `SPELLS` spells without use a tree, a branch, a turn, a term or a
speaker is dropped, and topics are no longer counted from the first. So what a state holds was said of late or
used again since, and what one state has and another has not goes once both have decided alike for that long.
"""

from dataclasses import replace

from operators.forest.state import Speaker, State, Tree
from state.lexicon import term_hash
from state.model import Message

SPELL = 32
"""Turns of a spell, on average."""
SPELLS = 8
"""What was not used for so many spells is forgotten; at least 2, since what was just used must stay."""
_SALT = 5


def ends_spell(message: Message) -> bool:
    """Whether a spell ends before this turn. The turn's id alone decides."""
    return term_hash(message.id, _SALT) % SPELL == 0


def is_young(state: State) -> bool:
    """Whether nothing can have been forgotten yet, so that "the first" topic is known."""
    return state.age < SPELLS


def later(state: State, message: Message) -> tuple[State, tuple[Tree, ...]]:
    """The state that `message` is decided on after `state`, and the trees that it no longer holds."""
    if not ends_spell(message):
        return state, ()
    age = min(SPELLS, state.age + 1)
    grown = [_older(tree) for tree in state.trees]
    held = tuple(tree for tree in grown if tree.branches)
    aged = State(
        trees=held,
        opened=state.opened if age < SPELLS else (),
        speakers=_speakers(state),
        last=state.last,
        age=age,
    )
    kept = {tree.id for tree in held}
    return aged, tuple(tree for tree in state.trees if tree.id not in kept)


def _older(tree: Tree) -> Tree:
    """The tree a spell later; without branches where it is forgotten."""
    return replace(
        tree,
        terms=tuple(replace(term, idle=term.idle + 1) for term in tree.terms if term.idle + 1 < SPELLS),
        branches=tuple(replace(one, idle=one.idle + 1) for one in tree.branches if one.idle + 1 < SPELLS),
        nodes=tuple(replace(node, idle=node.idle + 1) for node in tree.nodes if node.idle + 1 < SPELLS),
    )


def _speakers(state: State) -> tuple[Speaker, ...]:
    older = (replace(one, idle=one.idle + 1) for one in state.speakers)
    return tuple(one for one in older if one.idle < SPELLS)
