"""Dense retrieval over messages: Karpukhin et al., Dense Passage Retrieval (arXiv 2004.04906), with the run's
encoder; what is commonly meant by RAG (Lewis et al., arXiv 2005.11401)."""

from collections.abc import Sequence

from evaluation.questions import Asked
from evaluation.systems.interface import SEARCHED, Found, Ground
from evaluation.systems.lines import found, message_items


class Dense:
    """The messages nearest to the question by cosine."""

    name = "dense RAG"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        names = self.names(asked)
        return found(message_items(self._ground, asked, names), budgets, self._ground.count)

    def names(self, asked: Asked) -> list[str]:
        """The hits, best first."""
        vector = self._ground.vector(asked.question)
        hits = self._ground.notes.dense(asked.subject, vector, SEARCHED, asked.as_of)
        return [hit.message for hit in hits]
