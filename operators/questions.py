"""The questions behind what a revision looked up in vain: items are asked about together, and each gets a
remembered text of its own. Pure: nothing here calls a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from operators.answers import AskPairs, AskTurns
from operators.distill.listing import AskedTurn
from operators.distill.llm import distill_ask, per_turn
from operators.forest.grow import grow
from operators.forest.interface import Decider
from operators.forest.llm import open_ends, unsure
from operators.llm.ask import Ask
from operators.llm.purpose import Purpose
from operators.llm.refusal import Refusal
from operators.relate.llm import PAIRS, Pair, per_pair, relate_ask
from state.model import Message, Role
from state.ordering import home_of, message_place

_ASK = (Role.USER, Role.PEER)


@dataclass(frozen=True, slots=True)
class Question:
    """One question about several items.

    `places` gives by the ledger's key of an item the place of the turn that waits for it, and `shown` the ids
    of the messages that the item shows. `read` makes of an
    answer the items' texts, by key; an item that is not among them got no answer.
    """

    ask: Ask[Any]
    places: Mapping[str, str]
    shown: Mapping[str, frozenset[str]]
    read: Callable[[Any, Callable[[str], None]], Mapping[str, str]]
    halves: Callable[[], Sequence["Question"]]
    """The same in two questions; itself where it is about one item."""

    @property
    def purpose(self) -> Purpose:
        return self.ask.purpose


def questions(lookup: AskTurns | AskPairs, model: str, decider: Decider) -> list[Question]:
    """What is to be asked of `model` where `lookup` found nothing. `decider`: the forest's rules."""
    if isinstance(lookup, AskTurns):
        turns = {
            key: asked_turn(turn, context, decider)
            for key, (turn, context) in lookup.questions.items()
            if key not in lookup.found
        }
        return [_about_turns(turns)] if turns else []
    pairs = [(key, pair) for key, pair in lookup.pairs.items() if key not in lookup.found]
    return [_about_pairs(model, dict(pairs[at : at + PAIRS])) for at in range(0, len(pairs), PAIRS)]


def asked_turn(turn: Message, context: Sequence[Message], decider: Decider) -> AskedTurn:
    """A turn as it is asked about. Whether its place is unsure, and where it may go back to, is seen from the
    context alone: what is asked may depend on no more than the key that the answer lies under. Who serves a
    user follows the user's topics, so of those turns no forest is grown."""
    if turn.role not in _ASK and any(message.role in _ASK for message in context):
        return AskedTurn(turn, tuple(context))
    state, _ = grow(context, decider)
    if not unsure(decider.decide(state, turn)):
        return AskedTurn(turn, tuple(context))
    shown = {message.id: message for message in context}
    earlier = tuple(shown[i] for i in open_ends(state) if i in shown)
    return AskedTurn(turn, tuple(context), True, earlier)


def _about_turns(turns: Mapping[str, AskedTurn]) -> Question:
    asked = list(turns.values())
    keys = {one.turn.id: key for key, one in turns.items()}

    def read(answer: Any, refused: Callable[[str], None]) -> Mapping[str, str]:
        return {keys[turn]: text for turn, text in per_turn(answer, asked, refused).items()}

    return Question(
        distill_ask(asked),
        {key: message_place(one.turn.sent_at, one.turn.id) for key, one in turns.items()},
        {key: frozenset(m.id for m in (one.turn, *one.context)) for key, one in turns.items()},
        read,
        lambda: [_about_turns(half) for half in _halved(turns)],
    )


def _about_pairs(model: str, pairs: Mapping[str, Pair]) -> Question:
    asked = list(pairs.values())
    return Question(
        relate_ask(asked),
        {key: home_of(pair.event.place) for key, pair in pairs.items()},
        {key: frozenset((*pair.event.sources, *pair.earlier.sources)) for key, pair in pairs.items()},
        lambda answer, refused: per_pair(model, answer, asked, refused),
        lambda: [_about_pairs(model, half) for half in _halved(pairs)],
    )


def _halved(items: Mapping[str, Any]) -> list[dict[str, Any]]:
    pairs = list(items.items())
    middle = (len(pairs) + 1) // 2
    return [dict(part) for part in (pairs[:middle], pairs[middle:]) if part]


MISSING = Refusal.MISSING.value
"""Why a turn that a model's answer left out is parked."""
