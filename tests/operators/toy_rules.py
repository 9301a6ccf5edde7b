"""A tiny distiller for tests of the machinery: "a.x=1; b.y-" states facet (a, x, 1), then withdraws b's y.

Each follows from the one before it, and one alone from the turn before."""

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise

from operators.distill.interface import TOLD_IN, Distilled, Link
from operators.forest.interface import Decision, Kind, Reason
from operators.forest.state import State
from operators.relate.rules import RULES as RELATER
from operators.revise import Rules
from state.identity import event_id
from state.model import Act, EdgeType, Event, EventType, Facet, Message
from state.ordering import event_place, message_place

_CLAIM = re.compile(r"\s*(\w+)\.(\w+)([=-])(\w*)\s*")


class ToyDistiller:
    """Every event also carries its context's last words, so that a change before it shows."""

    name = "toy/1"

    def distill(self, turn: Message, context: Sequence[Message]) -> Distilled:
        seen = context[-1].content[:3] if context else ""
        events = []
        for clause, text in enumerate(turn.content.split(";")):
            claim = _CLAIM.fullmatch(text)
            if claim is None:
                continue
            entity, attribute, sign, value = claim.groups()
            description = f"{turn.speaker}: {text.strip()} ({seen})"
            identity = event_id(turn.subject, [turn.id], description)
            events.append(
                Event(
                    id=identity,
                    type=EventType.STATE_CHANGE,
                    participants=(turn.speaker,),
                    description=description,
                    facet=Facet(entity, attribute, value),
                    occurs=None,
                    stated_at=turn.sent_at,
                    valid_from=turn.sent_at,
                    sources=(turn.id,),
                    conversation=turn.conversation,
                    speaker=turn.speaker,
                    place=event_place(message_place(turn.sent_at, turn.id), clause, identity),
                    act=Act.WITHDRAW if sign == "-" else Act.CHANGE,
                )
            )
        links = [Link(EdgeType.CAUSES, a.id, b.id, 0.9, "so") for a, b in pairwise(events)]
        if context and len(events) == 1:
            links.append(Link(EdgeType.ENABLES, TOLD_IN + context[-1].id, events[-1].id, 0.9, "that is why"))
        return Distilled(tuple(events), tuple(links))


class ToyDecider:
    """Moves about the forest by the number that a text's hash gives: all kinds of decisions occur."""

    def decide(self, state: State, message: Message) -> Decision:
        number = zlib.crc32(message.content.encode())
        if state.active is None or state.current is None or number % 4 == 0:
            return Decision(Kind.NEW_TREE, None, Reason.NEW_TASK)
        mentions = tuple(sorted(tree.id for tree in state.trees[1:] if number % 3 == 0))
        if number % 4 == 1:
            return Decision(Kind.CONTINUE, state.current, Reason.DEFAULT, mentions)
        if number % 4 == 2:
            return Decision(Kind.RETURN, state.trees[-1].head, Reason.BACK_CUE)
        return Decision(Kind.BRANCH, state.active.nodes[-1].id, Reason.ALTERNATIVE, mentions)


RULES = Rules(ToyDistiller(), RELATER, ToyDecider())
