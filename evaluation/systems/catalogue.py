"""The systems of a run, by name, in the order of the table."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache

from evaluation.systems.bm25 import Bm25
from evaluation.systems.dense import Dense
from evaluation.systems.dh_rag import DhRag
from evaluation.systems.full_history import FullHistory
from evaluation.systems.hybrid import Hybrid
from evaluation.systems.interface import Ground, System
from evaluation.systems.memgpt import MemGpt
from evaluation.systems.memtree import MemTree
from evaluation.systems.raptor import Raptor
from evaluation.systems.stet import Stet, graph
from query_service.recipe import WHOLE, Recipe

BASELINES: Mapping[str, Callable[[Ground], System]] = {
    "full-history": FullHistory,
    "bm25": Bm25,
    "dense": Dense,
    "hybrid": Hybrid,
    "raptor": Raptor,
    "memtree": MemTree,
    "dh-rag": DhRag,
    "memgpt": MemGpt,
}
RECIPES: Mapping[str, tuple[str, Recipe]] = {
    "stet-no-hierarchy": ("Stet − hierarchy", Recipe(hierarchy=False)),
    "stet-no-updates": ("Stet − updates", Recipe(updates=False)),
    "stet-no-paths": ("Stet − paths", Recipe(paths=False)),
    "stet": ("Stet", WHOLE),
}
"""TRACE's ablations (arXiv 2607.00339), and Stet."""
NAMES = (*BASELINES, *RECIPES)


def systems(
    wanted: Collection[str], ground: Ground, begin: Callable[[str], object] = lambda _: None
) -> Iterator[System]:
    """The systems that are wanted, each made when its turn comes; `begin` is told its name before. Raises
    KeyError for an unknown name."""
    unknown = sorted(set(wanted) - set(NAMES))
    if unknown:
        raise KeyError(f"no such system: {', '.join(unknown)} (there are {', '.join(NAMES)})")
    reader = cache(lambda: graph(ground))
    for name, make in BASELINES.items():
        if name in wanted:
            begin(name)
            yield make(ground)
    for name, (title, recipe) in RECIPES.items():
        if name in wanted:
            begin(name)
            yield Stet(ground, reader(), title, recipe)
