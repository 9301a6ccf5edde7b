"""A toy model for tests of the machinery: what it answers is a function of what it is asked, item by item.

Its turns say what `ToyDistiller` reads in them, some of it with more participants, and move about the forest;
of a pair it says yes or no. Some turns and pairs it fails at for good, so that the rules stand in.
"""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from operators.answers import TurnSaid
from operators.distill.interface import Distilled, Link
from operators.forest.interface import Decider
from operators.forest.llm import AnsweredDecider, Hang, HangKind
from operators.llm.instead import RULES_INSTEAD
from operators.relate.llm import Pair
from operators.relate.rules import RULES as RELATER
from operators.revise import Rules
from state.identity import digest
from state.model import Edge, Event, Message
from state.records import Answered
from tests.operators.toy_rules import RULES, ToyDistiller


def chance(key: str) -> int:
    return zlib.crc32(key.encode())


def answer_about_turn(key: str, turn: Message, context: Sequence[Message]) -> str:
    number = chance(key)
    if number % 7 == 0:
        return RULES_INSTEAD
    hangs = ("", "", "new", "continue", "under")[number % 5]
    under = context[number % len(context)].id if context else ""
    return json.dumps({"shout": number % 2 == 0, "hangs": hangs, "under": under, "gist": turn.content[:5]})


def answer_about_pair(key: str) -> str:
    return RULES_INSTEAD if chance(key) % 7 == 0 else ("yes", "no")[chance(key) % 2]


class ToyReader:
    """The `AnswerReader` of these answers. Two models answer alike under other keys."""

    def __init__(self, model: str = "toy") -> None:
        self.model = model

    def turn_key(self, turn: Message, context: Sequence[Message]) -> str:
        said = [part for m in (*context, turn) for part in (m.id, m.sent_at.isoformat(), m.content)]
        return "turn:" + digest(self.model, *said)

    def turn(self, key: str, text: str, turn: Message, context: Sequence[Message]) -> TurnSaid:
        told = json.loads(text)
        said = ToyDistiller().distill(turn, context)
        if told["shout"]:
            said = Distilled(
                tuple(replace(e, participants=(*e.participants, "SHOUTED")) for e in said.events), said.links
            )
        return TurnSaid(said, Answered(key, told["gist"], told["hangs"], told["under"]))

    def pairs(self, event: Event, candidates: Sequence[Event]) -> Mapping[str, Pair]:
        return {
            "pair:" + digest(self.model, event.id, c.id, *event.participants, *c.participants): Pair(event, c)
            for c in candidates
            if c.place < event.place
        }

    def edges(
        self,
        event: Event,
        candidates: Sequence[Event],
        links: Sequence[Link],
        pairs: Mapping[str, Pair],
        texts: Mapping[str, str],
    ) -> tuple[Edge, ...]:
        said = ("yes", RULES_INSTEAD)
        agreed = {pair.earlier.id for key, pair in pairs.items() if texts.get(key) in said}
        return RELATER.relate(event, [c for c in candidates if c.id in agreed], links)

    def decider(self, rules: Decider, answered: Callable[[str], Answered | None]) -> Decider:
        def hang(turn: str) -> Hang | None:
            known = answered(turn)
            return Hang(HangKind(known.hang), known.under or None) if known and known.hang else None

        return AnsweredDecider(rules, hang)


ANSWERED = replace(RULES, answers=ToyReader())
"""The toy rules with the toy model before them."""
BY_RULES: Rules = RULES
