"""Lexical cohesion of a message with the trees that a state holds: shared terms, weighed by how few trees
have them. It reads hashes and small integers only, so it is the same everywhere."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from operators.forest.state import State, Tree

_PRIOR = 4
"""Trees that are thought of beside those held, so that the first few do not make every term common."""

_PLACES = 6
"""Decimal places that are kept of a logarithm and of a sum: the last bits may differ between machines."""


@dataclass(frozen=True, slots=True)
class Cohesion:
    """What a message shares with one tree: `strength` the weight of the shared terms, `share` that weight as
    a part of the whole message's, `shared` how many terms."""

    strength: float = 0.0
    share: float = 0.0
    shared: int = 0


NOTHING = Cohesion()


def cohesions(state: State, terms: tuple[int, ...]) -> dict[str, Cohesion]:
    """The cohesion with each tree, by its id. Work bounded by the state's size."""
    held = {tree.id: tree.weights() for tree in state.trees}
    weights = tuple(held.values())
    value = {term: _rarity(len(weights), len([1 for one in weights if term in one])) for term in terms}
    whole = math.fsum(value.values())
    return {tree.id: _cohesion(value, held[tree.id], whole) for tree in state.trees}


@lru_cache(maxsize=4_096)
def _rarity(held: int, having: int) -> float:
    """The weight of a term that `having` of the trees `held` have."""
    return round(math.log((held + _PRIOR) / (max(1, having) + 1)), _PLACES)


def _cohesion(value: Mapping[int, float], weights: Mapping[int, int], whole: float) -> Cohesion:
    shared = [term for term in value if term in weights]
    if not shared:
        return NOTHING
    strength = round(math.fsum(value[t] * weights[t] / (weights[t] + 1) for t in shared), _PLACES)
    return Cohesion(strength, round(strength / whole, _PLACES) if whole else 0.0, len(shared))


def departure(tree: Tree, terms: tuple[int, ...]) -> str | None:
    """The turn of the tree, not its head, that shares most terms with a message; the newest among equals.
    None where no earlier turn shares any."""
    best, most, said = None, 0, set(terms)
    for node in tree.nodes:
        shared = len(said.intersection(node.terms))
        if shared > most and node.id != tree.head:
            best, most = node.id, shared
    return best
