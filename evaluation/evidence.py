"""How well questions find their evidence: `python -m evaluation.evidence [--data DIR] [--cache DIR] [SET …]`.

Everything runs in memory: `operators.derive`, notes by brute force, the default encoder. Each set's figures
stand beside BM25, the dense search and reciprocal rank fusion of both over the same notes in the same run.

* locomo, beam: the share of a question's evidence messages among the first 5, 10 and 20; adversarial and
  abstention questions are left out. beam also counts where the outdated message stands above the new one.
* episodes: a question is answered when every fact it must include is told by one of the first 10 messages,
  and no outdated message stands above the current one unless the context marks it as superseded.

`--first` tells instead what the first places hold, in all, by half, language and category: `topN` (the share
of the facts, or of the evidence, that could stand there and does), `mrr`, and how often an outdated message
stands above the current one.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.corpus import DATA, by_subject, message, rows
from evaluation.first_places import FirstPlaces, groups_of
from evaluation.memory_notes import RememberingEncoder, noted
from evaluation.questions import (
    TOP,
    Asked,
    episodes_of,
    evidence_questions,
    faults,
    outdated_of,
    recall,
    stale_above_new,
    wanted_facts,
)
from operators.derive import derive
from operators.distill.rules import RulesDistiller
from operators.gate import keys as gate_keys
from operators.relate.rules import RULES as RELATER
from query_service.ask import Answer, Asker
from state.encoder import encoder_named
from state.memory_reader import MemoryReader
from state.model import Event, Message
from state.names import name_keys
from state.notes import Encoder, Hit

SETS = ("locomo", "beam", "episodes")
DEPTHS = (5, 10, 20)
RANK_CONSTANT = 60
SEARCHED = 100
Ranking = Callable[["Asked"], Sequence[str]]


class Memory:
    """The stores of one set, in memory, and the rankings over them."""

    def __init__(self, messages: Iterable[Message], encoder: Encoder) -> None:
        self.encoder = encoder
        groups = by_subject(messages).values()
        self.notes = noted([one for group in groups for one in group], encoder)
        views = [derive(group, RulesDistiller(), RELATER) for group in groups]
        self.reader = MemoryReader(views, _keys)
        self.asker = Asker(self.reader, self.notes, encoder)

    def bm25(self, asked: Asked) -> list[str]:
        return _ids(self.notes.lexical(asked.subject, asked.question, SEARCHED, asked.as_of))

    def dense(self, asked: Asked) -> list[str]:
        vector = self.encoder.encode([asked.question])[0]
        return _ids(self.notes.dense(asked.subject, vector, SEARCHED, asked.as_of))

    def rrf(self, asked: Asked) -> list[str]:
        scores: dict[str, float] = defaultdict(float)
        for found in (self.bm25(asked), self.dense(asked)):
            for at, name in enumerate(found):
                scores[name] += 1 / (RANK_CONSTANT + at + 1)
        return sorted(scores, key=lambda name: (-scores[name], name))

    def stet(self, asked: Asked) -> Answer:
        return self.asker.ask(asked.subject, asked.question, as_of=asked.as_of)

    def rankings(self) -> dict[str, Ranking]:
        """The ways to rank a question's evidence, by name."""
        return {
            "bm25": self.bm25,
            "dense": self.dense,
            "rrf": self.rrf,
            "stet": lambda asked: self.stet(asked).evidence,
        }


def _keys(event: Event) -> tuple[str, ...]:
    return (*gate_keys(event), *name_keys(event))


def _ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.message for hit in hits]


def questions(data: Path, name: str) -> list[Asked]:
    """The evidence questions of locomo or beam."""
    return evidence_questions(data / name / "gold.json")


def measure_recall(memory: Memory, asked: Sequence[Asked]) -> dict[str, dict[str, Any]]:
    """By ranking: mean recall at each depth, recall@10 by category, and updates told upside down."""
    figures: dict[str, dict[str, Any]] = {}
    for name, ranking in memory.rankings().items():
        found: dict[str, list[float]] = defaultdict(list)
        stale = pairs = 0
        for one in asked:
            ranked = ranking(one)
            for depth in DEPTHS:
                found[f"recall@{depth}"].append(recall(ranked, one.evidence, depth))
            found[f"{one.category}@{TOP}"].append(recall(ranked, one.evidence, TOP))
            if one.new and not set(one.old) & set(one.new):
                pairs += 1
                stale += stale_above_new(ranked, one.old, one.new)
        figures[name] = {key: round(sum(v) / len(v), 3) for key, v in sorted(found.items())}
        if pairs:
            figures[name]["stale_above_new"] = f"{stale} of {pairs}"
    return figures


def episode_questions(data: Path) -> tuple[list[Message], list[Asked]]:
    """The messages and questions of the episodes."""
    return episodes_of(data / "episodes" / "gold.jsonl")


def measure_episodes(memory: Memory, asked: Sequence[Asked]) -> dict[str, dict[str, Any]]:
    """By ranking: the share of questions answered, in all and by task, with what is wrong with the rest."""
    figures: dict[str, dict[str, Any]] = {}
    with_facts = [one for one in asked if one.evidence]
    for name, ranking in memory.rankings().items():
        right: dict[str, list[bool]] = defaultdict(list)
        errors: list[str] = []
        for one in with_facts:
            answer = memory.stet(one) if name == "stet" else None
            ranked = answer.evidence if answer is not None else ranking(one)
            wrong = faults(one, ranked, answer.context if answer is not None else "")
            for key in ("answered", one.category):
                right[key].append(not wrong)
            if wrong:
                errors.append(f"{one.subject.name} {one.category}: {one.question} — {', '.join(wrong)}")
        figures[name] = {key: round(sum(v) / len(v), 3) for key, v in sorted(right.items())}
        if name == "stet":
            figures[name]["errors"] = errors
    return figures


def measure_first(memory: Memory, asked: Sequence[Asked]) -> dict[str, dict[str, Any]]:
    """By ranking: the figures of `FirstPlaces`, flat, under "group measure"."""
    figures: dict[str, dict[str, Any]] = {}
    for name, ranking in memory.rankings().items():
        first = FirstPlaces()
        for place, one in enumerate(asked):
            if not one.evidence:
                continue
            ranked = ranking(one)
            current = tuple(one.new) if one.new else tuple(one.evidence)
            outdated = tuple(outdated_of(one))
            stale = stale_above_new(ranked, outdated, current) if outdated else None
            first.add(groups_of(place, one.question, one.category), ranked, wanted_facts(one), stale)
        figures[name] = {
            f"{group}: {key}": value for group, held in first.means().items() for key, value in held.items()
        }
    return figures


def measure(
    name: str, data: Path, encoder: Encoder, limit: int | None, first: bool = False
) -> dict[str, dict[str, Any]]:
    """The figures of one set."""
    if name == "episodes":
        messages, asked = episode_questions(data)
        how = measure_first if first else measure_episodes
    else:
        messages = [message(row) for row in rows(data / name / "messages.jsonl.gz")]
        asked = questions(data, name)
        how = measure_first if first else measure_recall
    return how(Memory(messages, encoder), asked[:limit])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; default all")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with the sets")
    parser.add_argument("--cache", type=Path, help="a folder in which vectors are kept between runs")
    parser.add_argument("--encoder", default="minilm", help="minilm, hashing, or a model's folder or name")
    parser.add_argument("--limit", type=int, help="only the first so many questions of each set")
    parser.add_argument("--first", action="store_true", help="what the first places hold")
    parser.add_argument("--json", action="store_true", help="one JSON object a set")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.sets if name not in SETS]
    if unknown:
        parser.error(f"no such set: {', '.join(unknown)} (there are {', '.join(SETS)})")
    encoder = RememberingEncoder(encoder_named(chosen.encoder), chosen.cache)
    for name in chosen.sets or SETS:
        begun = time.perf_counter()
        figures = measure(name, chosen.data, encoder, chosen.limit, chosen.first)
        encoder.save()
        seconds = round(time.perf_counter() - begun, 1)
        if chosen.json:
            print(json.dumps({"set": name, "figures": figures, "seconds": seconds}, ensure_ascii=False))
        else:
            _print(name, figures, seconds)


def _print(name: str, figures: Mapping[str, Mapping[str, Any]], seconds: float) -> None:
    print(f"\n{name} ({seconds} s)")
    for key in dict.fromkeys(key for one in figures.values() for key in one if key != "errors"):
        print(f"  {key:32}" + "".join(f"{way} {one.get(key, '-')!s:12}" for way, one in figures.items()))
    for one in figures.values():
        for error in one.get("errors", ()):
            print(f"    {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
