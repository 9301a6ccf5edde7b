"""BM25 over messages: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond
(Foundations and Trends in Information Retrieval 3, 2009)."""

from collections.abc import Sequence

from evaluation.questions import Asked
from evaluation.systems.interface import SEARCHED, Found, Ground
from evaluation.systems.lines import found, message_items


class Bm25:
    """The notes' own sparse search: stems, CJK bigrams, statistics of the subject."""

    name = "BM25"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        names = self.names(asked)
        return found(message_items(self._ground, asked, names), budgets, self._ground.count)

    def names(self, asked: Asked) -> list[str]:
        """The hits, best first."""
        hits = self._ground.notes.lexical(asked.subject, asked.question, SEARCHED, asked.as_of)
        return [hit.message for hit in hits]
