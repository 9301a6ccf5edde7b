"""The `AnswerReader` of what a model was asked under the newest prompts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from operators.answers import TurnSaid
from operators.distill.interface import Link
from operators.distill.llm import distilled, gist_of, hang_of, turn_key
from operators.forest.interface import Decider
from operators.forest.llm import AnsweredDecider, Hang, HangKind
from operators.llm.purpose import Purpose
from operators.relate.llm import Pair, edges, keyed_pairs
from state.model import Edge, Event, Message
from state.records import Answered


def _uncounted(purpose: Purpose, reason: str) -> None:
    """For those who do not count."""


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Reads the answers of one model. `refused` is told the code of each part that is not taken over, each
    time that it is read."""

    model: str
    refused: Callable[[Purpose, str], None] = _uncounted

    def turn_key(self, turn: Message, context: Sequence[Message]) -> str:
        """See `AnswerReader`."""
        return turn_key(self.model, turn, context)

    def turn(self, key: str, text: str, turn: Message, context: Sequence[Message]) -> TurnSaid:
        """See `AnswerReader`."""
        hang = hang_of(text)
        answered = Answered(
            key=key,
            summary=gist_of(text) or "",
            hang=hang.kind.value if hang else "",
            under=(hang.turn or "") if hang else "",
        )
        return TurnSaid(distilled(text, turn, context, self._refused_turn), answered)

    def pairs(self, event: Event, candidates: Sequence[Event]) -> Mapping[str, Pair]:
        """See `AnswerReader`."""
        return keyed_pairs(self.model, event, candidates)

    def edges(
        self,
        event: Event,
        candidates: Sequence[Event],
        links: Sequence[Link],
        pairs: Mapping[str, Pair],
        texts: Mapping[str, str],
    ) -> tuple[Edge, ...]:
        """See `AnswerReader`."""
        return edges(event, candidates, texts, links, self._refused_pair, model=self.model, pairs=pairs)

    def decider(self, rules: Decider, answered: Callable[[str], Answered | None]) -> Decider:
        """See `AnswerReader`."""

        def hang(turn: str) -> Hang | None:
            known = answered(turn)
            return Hang(HangKind(known.hang), known.under or None) if known and known.hang else None

        return AnsweredDecider(rules, hang, self._refused_turn)

    def _refused_turn(self, reason: str) -> None:
        self.refused(Purpose.DISTILL, reason)

    def _refused_pair(self, reason: str) -> None:
        self.refused(Purpose.RELATE, reason)
