"""One pattern for many words, which costs a step a letter rather than a step a word."""

import re
from collections.abc import Iterable
from typing import TypeAlias

_Tree: TypeAlias = dict[str, "_Tree"]


def any_of(words: Iterable[str]) -> str:
    """A pattern of any of `words`, the longest first, as a tree of their letters."""
    tree: _Tree = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _pattern(tree)


def _pattern(tree: _Tree) -> str:
    branches = [re.escape(letter) + _pattern(below) for letter, below in sorted(tree.items()) if letter]
    if not branches:
        return ""
    joined = branches[0] if len(branches) == 1 and "" not in tree else f"(?:{'|'.join(branches)})"
    return joined + "?" if "" in tree else joined
