"""What Stet's rules of admission let stand of the updates that another system's model drew.

    python -m evaluation.recorded [--data FOLDER] [--json]

The set `recorded` holds graphs that a model drew of the `locomo` conversations: events are sentences about a
whole session, without message, attribute or value. Each of their `updates` and `contradicts` is put to the
rules as if a model had said it now, with full confidence. So that it has every chance, it is read in four
ways: each of its ends as the facts that the rules read in the sentence itself, and as those that they read in
the messages that the sentence seems to be about; and an update may replace or withdraw. It survives if one
reading is admitted. Else the reason is that of the reading that came furthest.

Beside it stands what the same rules do to the labelled updates of `episodes`, over labelled facts: rules that
refuse everything would refuse those too.
"""

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from evaluation.corpus import DATA, message, rows
from evaluation.episodes import Judge
from evaluation.gold_distiller import GoldDistiller
from operators import gate
from operators.derive import Filed, derive
from operators.distill.rules import RULES as DISTILLER
from operators.llm.refusal import Refusal
from operators.relate.admission import why_not
from operators.relate.answer import Told
from operators.relate.llm import pairs_of
from operators.relate.rules import RULES as RELATER
from operators.relate.words import words
from state.model import Event, Facet, Message, Role, Subject

JUDGED = ("updates", "contradicts")
MODES = ("replaces", "withdraws")
_TOLD_BY = 2
"""How many messages of a session a sentence is taken to be about, at most: those that share most of its
words, and more than half as many as the first."""
_TALK = re.compile(
    r"\b(?:goodbyes?|farewell|signed off|well wishes|wish(?:ed|ing)? (?:each other|\w+) well|caught up"
    r"|reconnected|had a conversation|conversation (?:ended|concluded)|ended (?:the conversation|on a)"
    r"|greeted|thanked|gratitude)\b"
)
"""A sentence that tells of greeting, thanks or farewell, which supersede nothing (DESIGN §3)."""
_FURTHEST = (
    Refusal.AGAINST_ORDER,
    Refusal.SOCIAL,
    Refusal.NO_FACET,
    Refusal.UNASKED,
    Refusal.OTHER_THING,
    Refusal.OTHER_ATTRIBUTE,
    Refusal.UNNAMED,
    Refusal.OTHER_COMPANY,
    Refusal.WRONG_MODE,
    Refusal.SAME_VALUE,
    Refusal.COEXISTS,
    Refusal.DISPUTE,
    Refusal.OTHER_KIND,
    Refusal.OTHER_PERIOD,
    Refusal.SAME_MESSAGE,
)
"""The reasons in the order in which the rules come to them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One recorded edge: its ends with their sessions, and why it falls; or, where it stands, the two facts
    that bear it."""

    conversation: str
    type: str
    source: str
    source_session: int
    target: str
    target_session: int
    why: str | None
    borne_by: tuple[Facet, Facet] | None


class Record:
    """One recorded graph beside its conversation."""

    def __init__(self, graph: Mapping[str, Any], messages: Sequence[Message]) -> None:
        self.graph = graph
        self.conversation: str = graph["locomo_sample_id"]
        self.sessions: dict[int, list[Message]] = {}
        for one in messages:
            if one.conversation == self.conversation:
                self.sessions.setdefault(_session_in(one.id), []).append(one)
        self.rows: dict[str, Mapping[str, Any]] = {row["id"]: row for row in graph["events"]}
        self.said = derive([m for group in self.sessions.values() for m in group], DISTILLER, RELATER).events
        self.reported = {key: self._reported(row) for key, row in self.rows.items()}

    @cached_property
    def filed(self) -> Filed:
        """The events of the messages, and those of the record, under the gate's keys."""
        return Filed([*self.said, *(event for told in self.reported.values() for event in told)])

    def verdicts(self) -> Iterator[Verdict]:
        """What becomes of each recorded update and contradiction."""
        for edge in self.graph["edges"]:
            if edge["type"] in JUDGED:
                source, target = self.rows[edge["source"]], self.rows[edge["target"]]
                judged = self._judged(edge["type"], source, target)
                yield Verdict(
                    self.conversation,
                    edge["type"],
                    source["state_change"],
                    _session_of(source),
                    target["state_change"],
                    _session_of(target),
                    judged if isinstance(judged, Refusal) else None,
                    None if isinstance(judged, Refusal) else judged,
                )

    def _judged(
        self, kind: str, source: Mapping[str, Any], target: Mapping[str, Any]
    ) -> Refusal | tuple[Facet, Facet]:
        """The reason of the reading that came furthest, or the facts of the first that is admitted."""
        if kind == "updates" and not self._later(source, target):
            return Refusal.AGAINST_ORDER
        if any(_TALK.search(row["state_change"].casefold()) for row in (source, target)):
            return Refusal.SOCIAL
        reasons = [Refusal.NO_FACET]
        for pair in product(self._readings(source), self._readings(target)):
            earlier, later = sorted(pair, key=lambda event: event.place)
            why = self._refused(kind, earlier, later)
            if why is None and later.facet is not None and earlier.facet is not None:
                return later.facet, earlier.facet
            reasons.append(why or Refusal.NO_FACET)
        return max(reasons, key=_FURTHEST.index)

    def _refused(self, kind: str, earlier: Event, event: Event) -> Refusal | None:
        """Why every way to say this of the two is refused."""
        modes = MODES if kind == "updates" else (None,)
        why = [
            why_not(Told.model_validate({"type": kind, "mode": mode, "confidence": 1.0}), event, earlier)
            for mode in modes
        ]
        if None not in why:
            return max((r for r in why if r is not None), key=_FURTHEST.index)
        gated = gate.latest_first(self.filed.before(event))
        asked = {pair.earlier.id for pair in pairs_of(event, gated)}
        return None if earlier.id in asked else Refusal.UNASKED

    def _later(self, source: Mapping[str, Any], target: Mapping[str, Any]) -> bool:
        order = list(self.rows)
        ends = [(_session_of(row), order.index(row["id"])) for row in (target, source)]
        return ends[0] < ends[1]

    def _readings(self, row: Mapping[str, Any]) -> list[Event]:
        """The facts that the sentence gives, and those of the messages that it seems to be about."""
        about = words(row["state_change"]).kinds
        session = self.sessions[_session_of(row)]
        shared = {m.id: len(about & words(f"{m.speaker} {m.content}").kinds) for m in session}
        ranked = sorted(shared, key=lambda m: -shared[m])[:_TOLD_BY]
        told_by = {m for m in ranked if 2 * shared[m] > shared[ranked[0]]}
        said = [event for event in self.said if event.sources[-1] in told_by]
        return [event for event in (*self.reported[row["id"]], *said) if event.facet is not None]

    def _reported(self, row: Mapping[str, Any]) -> tuple[Event, ...]:
        """The sentence read as if the first participant had said it when the session began."""
        first = self.sessions[_session_of(row)][0]
        people = row["participants"] or [first.speaker]
        order = list(self.rows).index(row["id"])
        told = Message(
            subject=Subject(first.subject.tenant, first.subject.name),
            conversation=self.conversation,
            id=f"{first.id}/{order}",
            role=Role.USER,
            speaker=people[0],
            content=row["state_change"],
            sent_at=first.sent_at,
        )
        return DISTILLER.distill(told, ()).events


def _session_of(row: Mapping[str, Any]) -> int:
    return int(row["session_id"].rpartition("_")[2])


def _session_in(message_id: str) -> int:
    return int(message_id.rpartition("/D")[2].partition(":")[0])


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the rules do to labelled pairs: the updates and contradictions that they admit, and the pairs that
    must not be updates and that they would let a model make one."""

    updates: int
    admitted: int
    contradictions: int
    contradictions_admitted: int
    forbidden: int
    forbidden_admitted: int


def labelled(path: Path) -> Labelled:
    """Puts the labelled pairs of `episodes` to the rules, over labelled facts."""
    distiller = GoldDistiller.read(path)
    counts: Counter[str] = Counter()
    for episode in rows(path):
        judge = Judge(episode, derive(map(message, episode["messages"]), distiller, RELATER))
        gold = episode["gold"]
        for update in gold["updates"]:
            pairs = product(judge.told[update["new"]], judge.told[update["old"]])
            counts["updates"] += 1
            counts["admitted"] += any(_admitted("updates", update["mode"], *pair) for pair in pairs)
        for one, another in gold["contradicts"]:
            pairs = product(judge.told[one], judge.told[another])
            counts["contradictions"] += 1
            counts["contradictions_admitted"] += any(_admitted("contradicts", None, *pair) for pair in pairs)
        for new, old in (pair[:2] for pair in gold["must_not_update"]):
            pairs = product(judge.stated.get(new, ()), judge.stated.get(old, ()))
            counts["forbidden"] += 1
            counts["forbidden_admitted"] += any(
                _admitted("updates", mode, *pair) for pair in pairs for mode in MODES
            )
    return Labelled(**{name: counts[name] for name in Labelled.__dataclass_fields__})


def _admitted(kind: str, mode: str | None, event: Event, earlier: Event) -> bool:
    if kind == "contradicts" and event.place < earlier.place:
        event, earlier = earlier, event
    told = Told.model_validate({"type": kind, "mode": mode, "confidence": 1.0})
    return why_not(told, event, earlier) is None


def replayed(folder: Path) -> list[Verdict]:
    """All verdicts, conversation by conversation. Raises FileNotFoundError where the sets are not there."""
    messages = list(map(message, rows(folder / "locomo" / "messages.jsonl.gz")))
    verdicts: list[Verdict] = []
    for path in sorted((folder / "recorded").glob("*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            verdicts.extend(Record(json.load(file), messages).verdicts())
    return verdicts


def main() -> None:
    """The list and the sums, on standard output."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.recorded")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    verdicts, gold = replayed(given.data), labelled(given.data / "episodes" / "gold.jsonl")
    if given.json:
        json.dump({"edges": [asdict(v) for v in verdicts], "labelled": asdict(gold)}, sys.stdout, indent=1)
        return
    for v in verdicts:
        print(f"{v.conversation}  {v.type:<11}  {v.why or 'STANDS':<15}  {v.source_session:>2}: {v.source}")
        print(f"{'':39}{v.target_session:>2}: {v.target}")
        if v.borne_by is not None:
            later, before = (f"{f.entity} · {f.attribute}: {f.value}" for f in v.borne_by)
            print(f"{'':43}by “{later}” after “{before}”")
    stands = sum(v.why is None for v in verdicts)
    print(f"\n{stands} of {len(verdicts)} stand. The others fall by:")
    for why, count in Counter(v.why for v in verdicts if v.why is not None).most_common():
        print(f"  {count:>3}  {why}")
    print(
        "\nOf the labelled episodes, over labelled facts, the same rules admit"
        f" {gold.admitted} of {gold.updates} updates"
        f" and {gold.contradictions_admitted} of {gold.contradictions} contradictions, and would let a model"
        f" make {gold.forbidden_admitted} of {gold.forbidden} updates that must not be."
    )


if __name__ == "__main__":
    main()
