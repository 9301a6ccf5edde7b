"""One set, every kind of measurement that its labels allow."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evaluation.measures import causes, next_turn, retrieval, status, topics, updates
from evaluation.measures.part import Advance, Part
from evaluation.memory_notes import MemoryNotes, RememberingEncoder
from evaluation.questions import Asked, episodes_of, evidence_questions
from evaluation.sets import Kind, LabelledSet
from evaluation.systems.catalogue import systems
from evaluation.systems.interface import Ground
from state.model import Message


class Begin(Protocol):
    """Told of the name of each stretch of work, and how much it is where that is known; what it gives is told
    of how much of that is done. A stretch without a measure may lie within one that has one."""

    def __call__(self, name: str, total: int | None = None) -> Advance: ...


@dataclass(frozen=True, slots=True)
class Run:
    """What all sets are measured with. `limit`: only so many questions of a set, spread evenly over it."""

    encoder: RememberingEncoder
    encoder_name: str
    wanted: Collection[str]
    seed: int
    cache: Path | None = None
    limit: int | None = None

    def parts(self, one: LabelledSet, begin: Begin) -> Iterator[Part]:
        """The parts of a set, in the order of its kinds."""
        for kind in one.kinds:
            yield from self._of_kind(one, kind, begin)

    def _of_kind(self, one: LabelledSet, kind: Kind, begin: Begin) -> Iterator[Part]:
        match kind:
            case Kind.EVIDENCE:
                said = one.messages()
                asked = evidence_questions(one.gold, said[0].subject.tenant if said else "")
                yield self._evidence(one.name, said, _known(asked, said), begin)
            case Kind.EPISODES:
                said, asked = episodes_of(one.gold)
                yield self._evidence(one.name, said, asked, begin)
                yield status.measure(one.gold, self.seed, begin(f"{one.name}: status of facts"))
            case Kind.UPDATES:
                said_at = begin(f"{one.name}: updates by turn")
                yield updates.measure(one.messages_file(), one.gold, self.seed, said_at)
            case Kind.TOPICS:
                done = begin(f"{one.name}: topics")
                yield topics.measure(one.folder, self.cache, self.encoder_name, self.seed, done)
            case Kind.NEXT_TURN:
                done = begin(f"{one.name}: context of the next turn")
                yield next_turn.measure(one.messages_file(), one.gold, self.encoder, self.seed, done)
            case Kind.CAUSES:
                yield causes.measure(one.gold, self.seed, begin(f"{one.name}: causes"))

    def _evidence(self, name: str, said: list[Message], asked: list[Asked], begin: Begin) -> Part:
        begin(f"{name}: reading {len(said):,} messages")
        ground = Ground(said, self.encoder, MemoryNotes())
        chosen = asked if self.limit is None else asked[:: max(1, -(-len(asked) // self.limit))]
        work = sum(bool(one.evidence) for one in chosen) * len(self.wanted)
        done = begin(f"{name}: {len(chosen):,} questions to {len(self.wanted)} systems", work)

        def next_one(system: str) -> None:
            self.encoder.save()
            begin(f"{name}: {system}")

        found = retrieval.measure(systems(self.wanted, ground, next_one), ground, chosen, self.seed, done)
        self.encoder.save()
        return found


def _known(asked: list[Asked], said: list[Message]) -> list[Asked]:
    """The questions about subjects that the messages are of."""
    there = {one.subject for one in said}
    return [one for one in asked if one.subject in there]
