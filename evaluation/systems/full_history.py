"""The whole history in the context, as a long-context model is given it: of what does not fit, the end."""

from collections.abc import Sequence

from evaluation.questions import Asked
from evaluation.systems.interface import Found, Ground
from evaluation.systems.lines import Item, cost, message_items


class FullHistory:
    """Newest first where a ranking is asked for; in a context, the last messages that fit, in order."""

    name = "full history"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        names = [one.id for one in self._ground.by_then(asked.subject, asked.as_of)]
        items = message_items(self._ground, asked, names)
        return Found(tuple(reversed(names)), {budget: self._last(items, budget) for budget in budgets})

    def _last(self, items: Sequence[Item], budget: int) -> str:
        kept: list[str] = []
        for item in reversed(items):
            budget -= cost(item.lines, self._ground.count)
            if budget < 0:
                break
            kept.extend(item.lines)
        return "\n".join(reversed(kept))
