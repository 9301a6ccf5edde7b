"""The canonical form of a state, for checkpoints: equal states give equal bytes, which give it back."""

from typing import Any

import msgspec

from operators.forest.state import Branch, Last, Node, Speaker, State, Term, Tree

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
FORM = 2
"""Goes up when the form changes: a form that is not known is not read."""


def to_bytes(state: State) -> bytes:
    """The state as compact JSON arrays: ids, hashes and small integers, no text of a message."""
    last = state.last
    form = [
        FORM,
        [_tree(tree) for tree in state.trees],
        state.opened,
        [[s.who, int(s.sets_topics), s.turn, s.idle] for s in state.speakers],
        last and [last.turn, last.who, *map(int, (last.asked, last.invited, last.settled, last.refused))],
        state.age,
    ]
    return _encode(form)


def from_bytes(form: bytes) -> State:
    """The state of a form that `to_bytes` wrote. Raises ValueError for one of another version."""
    version, *parts = _decode(form)
    if version != FORM:
        raise ValueError(f"a forest state of form {version}; this one reads form {FORM}")
    trees, opened, speakers, last, age = parts
    return State(
        trees=tuple(map(_tree_of, trees)),
        opened=tuple(opened),
        speakers=tuple(Speaker(who, bool(sets), turn, idle) for who, sets, turn, idle in speakers),
        last=Last(last[0], last[1], *map(bool, last[2:])) if last else None,
        age=age,
    )


def _tree(tree: Tree) -> list[Any]:
    return [
        tree.id,
        tree.opener,
        [[term.hash, term.weight, term.idle] for term in tree.terms],
        [[branch.id, branch.head, branch.idle] for branch in tree.branches],
        [[node.id, node.terms, node.idle] for node in tree.nodes],
        tree.theme,
        int(tree.named),
        int(tree.closed),
    ]


def _tree_of(parts: list[Any]) -> Tree:
    tree, opener, terms, branches, nodes, theme, named, closed = parts
    return Tree(
        id=tree,
        opener=opener,
        terms=tuple(Term(*term) for term in terms),
        branches=tuple(Branch(*branch) for branch in branches),
        nodes=tuple(Node(turn, tuple(said), idle) for turn, said, idle in nodes),
        theme=tuple(theme),
        named=bool(named),
        closed=bool(closed),
    )
