"""Messages and summaries as lines of a context, the same for all baselines, under a budget of tokens."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from evaluation.questions import Asked
from evaluation.systems.interface import Found, Ground
from query_service.context import LONGEST_NOTE
from query_service.quoting import excerpt, label, quoted
from state.lexicon import terms
from state.model import Message

HALF = 0.5
"""The share of a message's terms that a context must quote to tell it."""
AS_LONG_AS_IT_GETS = 0.75 * LONGEST_NOTE
"""Characters of a quotation that tell a message whatever its length: no system quotes much more."""
SUMMARY = "~ in short:"

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Item:
    """Something that a system would show: its lines, and the messages that they quote, in order."""

    lines: tuple[str, ...]
    quotes: tuple[str, ...]


def message_item(message: Message, wanted: frozenset[str]) -> Item:
    """A message as Stet's own context quotes it."""
    stamp = message.sent_at.astimezone(UTC).isoformat(" ", "minutes")[:16]
    text = quoted(excerpt(message.content, wanted, LONGEST_NOTE))
    return Item((f"[{label(message.id)}] {stamp} {label(message.speaker)}: {text}",), (message.id,))


def message_items(ground: Ground, asked: Asked, names: Iterable[str]) -> list[Item]:
    """Messages by id, in the order given."""
    wanted = frozenset(terms(asked.question))
    held = ground.messages[asked.subject]
    return [message_item(held[name], wanted) for name in names]


def in_time(ground: Ground, asked: Asked, items: Iterable[Item]) -> list[Item]:
    """The items that quote nothing from after `asked.as_of`."""
    until = asked.as_of
    held = ground.messages[asked.subject]
    return [i for i in items if until is None or all(held[name].sent_at <= until for name in i.quotes)]


def found(items: Sequence[Item], budgets: Sequence[int], count: Count) -> Found:
    """The messages as they are quoted first, and contexts of the first items that fit."""
    ranked = tuple(dict.fromkeys(name for item in items for name in item.quotes))
    return Found(ranked, {budget: filled(items, budget, count) for budget in budgets})


def filled(items: Iterable[Item], budget: int, count: Count) -> str:
    """The items in order until one does not fit; no line twice. Empty where the first does not fit."""
    lines: dict[str, None] = {}
    left = budget
    for item in items:
        fresh = [line for line in dict.fromkeys(item.lines) if line not in lines]
        left -= cost(fresh, count)
        if left < 0:
            break
        lines.update(dict.fromkeys(fresh))
    return "\n".join(lines)


def cost(lines: Iterable[str], count: Count) -> int:
    """The tokens of lines, with one for each line break, as Stet counts its own context."""
    return sum(count(line) + 1 for line in lines)


def told(context: str, wanted: Iterable[str], messages: Mapping[str, Message]) -> set[str]:
    """Those of the messages `wanted` that a context tells: its lines that begin with, or cite, the message's
    id have at least `HALF` of its terms between them, or quote it at length."""
    cited: dict[str, list[str]] = {}
    for line in context.splitlines():
        before, bracket, rest = line.partition("[")
        ids, closed, _ = rest.partition("]")
        if bracket and closed:
            for name in ids.split(", "):
                cited.setdefault(name, []).append(before + rest)
    return {name for name in wanted if _tells(cited.get(label(name), ()), messages[name].content)}


def _tells(lines: Sequence[str], content: str) -> bool:
    if not lines:
        return False
    if max(map(len, lines)) >= AS_LONG_AS_IT_GETS:
        return True
    said = frozenset(terms(content))
    quotes = frozenset(term for line in lines for term in terms(line))
    return len(said & quotes) >= HALF * len(said)
