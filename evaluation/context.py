"""What a context for the next turn keeps, and what it costs: `python -m evaluation.context [--data DIR]`.

The set is `ntm`: a user's turns, whose instructions keep changing, and the items that hold at the end. All
turns but the last are derived in memory; the context of the last one is asked for; and the items that it
shows are counted among those that the whole history shows.

An item counts as shown by a text where at least `SHARE` of its content words (`state.lexicon.terms`: stems,
without function words) are among the text's. The same measure serves for history and context. Words that lie
apart could make up an item that nothing says, so it is also counted how many are shown `together`: by no more
clauses of the context than turns of the history.

The history's tokens are those of "speaker: text" lines, one a turn, counted as the context's are, by the
encoder.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from itertools import combinations
from pathlib import Path

from evaluation.corpus import DATA, by_subject, message, rows
from evaluation.memory_notes import noted
from operators.derive import derive, in_place
from operators.distill.rules import RULES as DISTILLER
from operators.forest.checkpoint import packed
from operators.forest.grow import grow
from operators.forest.rules import RULES as DECIDER
from operators.relate.rules import RULES as RELATER
from query_service.next_turn import NextTurn
from query_service.standing import Standings
from query_service.state_view import Status
from state.encoder import encoder_named
from state.graph import SubjectView
from state.identity import normalised
from state.lexicon import terms
from state.memory_reader import MemoryReader
from state.model import Message, Subject
from state.notes import Encoder

SHARE = 0.75
KEPT, COST = 0.95, 0.45
"""What is aimed at: items kept, and tokens of the history's."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Counts over conversations: items of the gold, those that the history shows, those of them that the
    context shows too, those that it shows `together`, and those that the last turns alone show in as many
    tokens as the context may have; tokens; superseded values that the context quotes, and those of them that
    it marks."""

    conversations: int = 0
    items: int = 0
    shown: int = 0
    kept: int = 0
    together: int = 0
    recent: int = 0
    history_tokens: int = 0
    context_tokens: int = 0
    superseded: int = 0
    marked: int = 0

    def __add__(self, other: "Kept") -> "Kept":
        return Kept(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Kept)))

    @property
    def share_kept(self) -> float:
        return self.kept / self.shown if self.shown else 1.0

    @property
    def share_together(self) -> float:
        return self.together / self.shown if self.shown else 1.0

    @property
    def share_recent(self) -> float:
        return self.recent / self.shown if self.shown else 1.0

    @property
    def cost(self) -> float:
        return self.context_tokens / self.history_tokens if self.history_tokens else 0.0


def shows(text: Iterable[str], item: str, share: float = SHARE) -> bool:
    """Whether a text, as its terms, shows an item."""
    wanted = set(terms(item))
    return len(wanted & set(text)) >= share * len(wanted) > 0


def spread(parts: Sequence[Iterable[str]], item: str, share: float = SHARE) -> int | None:
    """The fewest of the parts, each as its terms, that show an item between them: 1, 2, or 3 for more; None
    where all of them do not."""
    wanted = set(terms(item))
    having = [frozenset(wanted.intersection(part)) for part in parts]

    def show(*some: frozenset[str]) -> bool:
        return len(frozenset().union(*some)) >= share * len(wanted) > 0

    distinct = set(having)
    if not show(*distinct):
        return None
    if any(map(show, distinct)):
        return 1
    return 2 if any(show(one, other) for one, other in combinations(distinct, 2)) else 3


def is_together(
    parts: Sequence[Iterable[str]], turns: Sequence[Iterable[str]], item: str, share: float = SHARE
) -> bool:
    """Whether no more of a context's parts are needed to show an item than of the history's turns."""
    needed, had = spread(parts, item, share), spread(turns, item, share)
    return needed is not None and had is not None and needed <= had


def parts_of(context: str) -> list[tuple[str, ...]]:
    """The parts that a context tells, as their terms: the clauses of its turns, and its facts."""
    quotes = [quote for quote, _ in _quoting(context)]
    return [terms(part) for part in (*quotes, *(x for x in context.splitlines() if x.startswith("= ")))]


def grown(said: Sequence[Message]) -> str:
    """The forest's state after these messages, as the store keeps it."""
    return packed(grow(said, DECIDER)[0])


def measure(
    said: Sequence[Message], items: Sequence[str], encoder: Encoder, budget: float | None, share: float
) -> Kept:
    """The counts of one conversation. `budget` is a share of the history's tokens; None asks for none."""
    *before, last = in_place(said)
    lines = [f"{m.speaker}: {m.content}" for m in before]
    history = sum(encoder.count_tokens(line) + 1 for line in lines)
    allowed = None if budget is None else int(budget * history)
    view = derive(before, DISTILLER, RELATER, DECIDER)
    asked = NextTurn(
        MemoryReader([view], grown=grown), noted(before, encoder), encoder, lambda: last.sent_at, DECIDER
    )
    found = asked.context(last.subject, last.content, allowed)
    whole, told = set(terms("\n".join(m.content for m in before))), set(terms(found.context))
    recent = set(terms("\n".join(_last(lines, found.tokens if allowed is None else allowed, encoder))))
    shown = [item for item in items if shows(whole, item, share)]
    parts, turns = parts_of(found.context), [terms(m.content) for m in before]
    quoted = superseded_quoted(view, found.context, last.sent_at)
    return Kept(
        conversations=1,
        items=len(items),
        shown=len(shown),
        kept=sum(shows(told, item, share) for item in shown),
        together=sum(is_together(parts, turns, item, share) for item in shown),
        recent=sum(shows(recent, item, share) for item in shown),
        history_tokens=history,
        context_tokens=found.tokens,
        superseded=len(quoted),
        marked=sum(quoted.values()),
    )


def _last(lines: Sequence[str], budget: int, encoder: Encoder) -> list[str]:
    """The last lines that fit, whole: what is left of a history that is simply cut."""
    kept: list[str] = []
    for line in reversed(lines):
        budget -= encoder.count_tokens(line) + 1
        if budget < 0:
            break
        kept.append(line)
    return kept


def superseded_quoted(view: SubjectView, context: str, at: datetime) -> dict[str, bool]:
    """By event that is out, of those whose value a turn's line quotes: whether a mark after the line says so.

    A line quotes it where it has all of the value's terms and at least half of those of the event's message.
    Values that another event states and that stands are left out: they hold.
    """
    known = MemoryReader([view]).events(view.subject, [event.id for event in view.events])
    standing = Standings(known, at)
    holding = {
        normalised(event.facet.value)
        for event in view.events
        if event.facet is not None and standing[event.id].status is not Status.SUPERSEDED
    }
    content = {message.id: set(terms(message.content)) for message in view.messages}
    found: dict[str, bool] = {}
    for event in view.events:
        if event.facet is None or standing[event.id].status is not Status.SUPERSEDED:
            continue
        value = event.facet.value or event.description
        if normalised(value) in holding:
            continue
        for line, marks in _quoting(context):
            said = set(terms(line))
            if said.issuperset(terms(value)) and 2 * len(said & content[event.sources[-1]]) >= len(
                content[event.sources[-1]]
            ):
                found[event.id] = any(set(terms(mark)) & set(terms(value)) for mark in marks)
    return found


def _quoting(context: str) -> list[tuple[str, list[str]]]:
    """What is quoted of each turn, with the marks after its line."""
    quotes: list[tuple[str, list[str]]] = []
    marks: list[str] = []
    for line in context.splitlines():
        if line.startswith("- "):
            marks = []
            quotes += [(part, marks) for part in line[2:].split("; ")]
        elif line.startswith("! ") and "SUPERSEDED" in line:
            marks.append(line)
    return quotes


def part_of(subjects: Sequence[Subject], part: str) -> list[Subject]:
    """The half for development (every other subject by name), the half for testing, or all."""
    ordered = sorted(subjects, key=lambda subject: subject.name)
    return {"dev": ordered[::2], "test": ordered[1::2], "all": ordered}[part]


def report(total: Kept) -> str:
    """The figures of one run, for people."""
    return (
        f"{total.conversations} conversations, {total.items} items, {total.shown} shown by the history\n"
        f"  kept {total.share_kept:.3f} (aim {KEPT})   tokens {total.cost:.3f} of the history (aim {COST})   "
        f"{total.context_tokens / max(1, total.conversations):.0f} a context\n"
        f"  kept in as few clauses as the history has turns for it {total.share_together:.3f}\n"
        f"  the last turns alone, in the same budget, keep {total.share_recent:.3f}\n"
        f"  superseded values quoted {total.superseded}, marked {total.marked}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures, or one JSON object with `--json`."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.context", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="the folder that holds the sets")
    parser.add_argument("--part", choices=("dev", "test", "all"), default="test", help="which half")
    parser.add_argument("--budget", type=float, default=COST, help="tokens, as a share of the history's")
    parser.add_argument("--default-budget", action="store_true", help="leave the budget as it is for users")
    parser.add_argument("--share", type=float, default=SHARE, help="content words that show an item")
    parser.add_argument("--encoder", default="minilm", help="whose tokenizer counts")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    given = parser.parse_args(arguments)
    gold = {row["subject"]: row["items"] for row in json.loads((given.data / "ntm/gold.json").read_text())}
    said = by_subject(message(row) for row in rows(given.data / "ntm/messages.jsonl.gz"))
    encoder = encoder_named(given.encoder)
    budget = None if given.default_budget else given.budget
    total = sum(
        (
            measure(said[subject], gold.get(subject.name, ()), encoder, budget, given.share)
            for subject in part_of(list(said), given.part)
        ),
        Kept(),
    )
    print(
        json.dumps(
            asdict(total)
            | {"share_kept": total.share_kept, "share_together": total.share_together}
            | {"share_recent": total.share_recent, "cost": total.cost}
        )
        if given.json
        else report(total)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
