"""MemGPT's paging, small: Packer et al., MemGPT: Towards LLMs as Operating Systems (arXiv 2310.08560).

The context is a memory of limited size: a queue of the newest messages, a running summary of what was
evicted from it, and pages of earlier messages that are searched for and paged in. Other than there, no model
decides what to look for: the first page answers the question, and each next one the question together with
the best message of the page before, which stands for the chained calls of the paper.
"""

from collections.abc import Sequence

from evaluation.questions import Asked
from evaluation.systems.extract import summary
from evaluation.systems.interface import SEARCHED, Found, Ground
from evaluation.systems.lines import Item, cost, filled, message_items

PAGE = 10
"""Messages of a page."""
PAGES = 5
QUEUE = 0.25
"""The share of the budget that the queue may take."""
NEWEST = 200
"""Messages that the queue is filled from; a context holds fewer."""


class MemGpt:
    """Pages first in a ranking, then the queue, newest first."""

    name = "MemGPT paging"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        before = [one.id for one in self._ground.by_then(asked.subject, asked.as_of)]
        paged = self._pages(asked)
        newest = list(reversed(before))
        queue = message_items(self._ground, asked, newest[:NEWEST])
        pages = message_items(self._ground, asked, paged)
        contexts = {budget: self._context(asked, budget, queue, pages, before) for budget in budgets}
        return Found(tuple(dict.fromkeys([*paged, *newest])), contexts)

    def _pages(self, asked: Asked) -> list[str]:
        """The messages of the pages, in the order of paging, each once."""
        held = self._ground.messages[asked.subject]
        names: dict[str, None] = {}
        query = asked.question
        for _ in range(PAGES):
            vector = self._ground.vector(query)
            hits = self._ground.notes.dense(asked.subject, vector, SEARCHED, asked.as_of)
            page = [hit.message for hit in hits if hit.message not in names][:PAGE]
            if not page:
                break
            names.update(dict.fromkeys(page))
            query = f"{asked.question} {held[page[0]].content}"
        return list(names)

    def _context(
        self, asked: Asked, budget: int, queue: Sequence[Item], pages: Sequence[Item], before: Sequence[str]
    ) -> str:
        """Summary, queue (as said) and pages, in at most `budget` tokens."""
        count = self._ground.count
        kept: list[Item] = []
        room = int(QUEUE * budget)
        for item in queue:
            room -= cost(item.lines, count)
            if room < 0:
                break
            kept.append(item)
        evicted = before[: len(before) - len(kept)]
        held, vectors = self._ground.messages[asked.subject], self._ground.vectors[asked.subject]
        short = (
            [summary([held[name] for name in evicted], [vectors[name] for name in evicted], count)]
            if evicted
            else []
        )
        fits = [one for one in short if cost(one.lines, count) <= budget // 4]
        return filled([*fits, *reversed(kept), *pages], budget, count)
