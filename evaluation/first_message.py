"""What the context of a conversation's first message tells: `python -m evaluation.first_message [SET …]`.

A question of a set is taken as the first message of a new conversation, after all that its subject said.
Told is the share of its evidence of which the context quotes something, beside the same context with nothing
called back, which has only the ends of the topics spoken of last; and the tokens that both take.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.context import grown
from evaluation.corpus import DATA, by_subject, message, rows
from evaluation.memory_notes import MemoryNotes, RememberingEncoder, noted
from evaluation.questions import Asked, episodes_of, evidence_questions, wanted_facts
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.forest.rules import RULES as DECIDER
from operators.relate.rules import RULES as RELATER
from query_service.next_turn import NextTurn
from state.encoder import encoder_named
from state.memory_reader import MemoryReader
from state.model import Message
from state.notes import Encoder, NoteStore

SETS = ("locomo", "beam", "episodes")
BUDGETS = (None, 500, 1_000, 2_000)
NEW = "a conversation that is not there yet"


@dataclass(frozen=True, slots=True)
class Told:
    """Means over questions: the share of the evidence that is told, and the tokens of a context."""

    share: float
    tokens: float


def measure(
    said: Iterable[Message], asked: Sequence[Asked], encoder: Encoder, budgets: Sequence[int | None] = BUDGETS
) -> dict[int | None, tuple[Told, Told]]:
    """By budget, what contexts tell, and what they would if nothing were called back."""
    groups = by_subject(said)
    reader = MemoryReader([derive(one, DISTILLER, RELATER, DECIDER) for one in groups.values()], grown=grown)
    notes = noted([one for group in groups.values() for one in group], encoder)
    newest = max(one.sent_at for group in groups.values() for one in group)

    def told(notes: NoteStore, budget: int | None) -> Told:
        turns = NextTurn(reader, notes, encoder, lambda: newest, DECIDER)
        shares, tokens = [], 0
        for one in asked:
            found, quoted = turns.selected(one.subject, one.question, budget, NEW)
            wanted = wanted_facts(one)
            shares.append(sum(not tellers.isdisjoint(quoted) for tellers in wanted) / len(wanted))
            tokens += found.tokens
        return Told(sum(shares) / len(asked), tokens / len(asked))

    return {budget: (told(notes, budget), told(MemoryNotes(), budget)) for budget in budgets}


def labelled(data: Path, name: str) -> tuple[list[Message], list[Asked]]:
    """The messages of a set, and its questions that have evidence and ask for what holds now."""
    if name == "episodes":
        said, asked = episodes_of(data / "episodes/gold.jsonl")
    else:
        said = [message(row) for row in rows(data / name / "messages.jsonl.gz")]
        asked = evidence_questions(data / name / "gold.json")
    return said, [one for one in asked if one.as_of is None and wanted_facts(one)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a table a set."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.first_message", description=__doc__.splitlines()[0]
    )
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--data", type=Path, default=DATA, help="the folder that holds the sets")
    parser.add_argument("--cache", type=Path, help="a folder to keep the messages' vectors in")
    parser.add_argument("--encoder", default="minilm", help="what the messages are encoded with")
    given = parser.parse_args(arguments)
    encoder = RememberingEncoder(encoder_named(given.encoder), given.cache)
    for name in given.sets:
        said, asked = labelled(given.data, name)
        print(f"{name}: {len(asked)} questions", flush=True)
        print("  budget  told  tokens   with nothing called back")
        for budget, (told, without) in measure(said, asked, encoder).items():
            print(
                f"  {budget or 'none':>6}  {told.share:.3f}  {told.tokens:5.0f}   "
                f"{without.share:.3f}  {without.tokens:5.0f}"
            )
        encoder.save()
    return 0


if __name__ == "__main__":
    sys.exit(main())
