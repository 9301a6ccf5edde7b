"""BM25 and dense retrieval fused by reciprocal ranks: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion
Outperforms Condorcet and Individual Rank Learning Methods (SIGIR 2009)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from evaluation.questions import Asked
from evaluation.systems.bm25 import Bm25
from evaluation.systems.dense import Dense
from evaluation.systems.interface import Found, Ground
from evaluation.systems.lines import found, message_items

RANK_CONSTANT = 60
"""The paper's k."""


class Hybrid:
    """Both searches, fused."""

    name = "hybrid (RRF)"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._searches = (Bm25(ground), Dense(ground))

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        names = fused(search.names(asked) for search in self._searches)
        return found(message_items(self._ground, asked, names), budgets, self._ground.count)


def fused(rankings: Iterable[Sequence[str]]) -> list[str]:
    """By the sum of 1 / (k + rank), best first; ties by name."""
    scores: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for at, name in enumerate(ranking, 1):
            scores[name] += 1 / (RANK_CONSTANT + at)
    return sorted(scores, key=lambda name: (-scores[name], name))
