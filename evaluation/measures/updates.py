"""Update detection by turn on slot-labelled dialogues, beside a detector that looks for cue words."""

from collections import Counter
from pathlib import Path

from evaluation.bootstrap import Figure, Sums, pooled
from evaluation.corpus import by_subject, message, rows
from evaluation.cue_words import has_cue
from evaluation.measures.part import Advance, Column, Part, Table, present
from evaluation.score import Counts
from evaluation.updates import Gold, Turn, turn_of, updating_turns
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER
from state.model import Message, Role

STET, CUES = "Stet", "cue words"
_CUSTOMERS = (Role.USER, Role.PEER)


def measure(messages_file: Path, gold_file: Path, seed: int, advance: Advance) -> Part:
    """A conversation is a unit. `advance` is told of messages."""
    gold = Gold.read(gold_file)
    labelled = Counter(subject for subject, _ in gold.said)
    counts: dict[str, list[Counts]] = {CUES: [], STET: []}
    for subject, messages in by_subject(map(message, rows(messages_file))).items():
        own = Counts(0, labelled[subject.name], 0, 0)
        found = updating_turns(derive(messages, DISTILLER, RELATER))
        counts[STET].append(own + gold.counts(found))
        counts[CUES].append(own + gold.counts(cued(messages)))
        advance(len(messages))
    return Part("updates", {name: figures(every, seed) for name, every in counts.items()}, (_TABLE,))


def cued(messages: list[Message]) -> set[Turn]:
    """The customers' turns, after the first, that say a cue word."""
    return {turn_of(one.id) for one in messages[1:] if one.role in _CUSTOMERS and has_cue(one.content)}


def figures(counts: list[Counts], seed: int) -> dict[str, Figure]:
    """Precision, recall and F1 of pooled counts, with intervals over their units."""
    units = [(one.predicted, one.gold, one.hit, one.recalled) for one in counts]
    return present(
        {
            "precision": pooled(units, lambda sums: _of(sums).precision or 0.0, seed),
            "recall": pooled(units, lambda sums: _of(sums).recall or 0.0, seed),
            "f1": pooled(units, lambda sums: _of(sums).f1 or 0.0, seed),
        }
    )


def _of(sums: Sums) -> Counts:
    predicted, gold, hit, recalled = (round(float(x)) for x in sums)
    return Counts(predicted, gold, hit, recalled)


_TABLE = Table(
    "turns that update a value",
    (Column("f1", "F1"), Column("precision", "precision"), Column("recall", "recall")),
)
