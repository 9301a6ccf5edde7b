"""Distilling with a model: what is asked about turns, under which key, and what is taken over of the answer.

Nothing here calls a model. One question covers a batch of turns; the answer is cut into one text a turn,
which is remembered under `turn_key`; and `distilled` makes events of such a text, the same ones each time, so
the graph stays a function of the messages and the remembered answers. The key is of the turn and its context,
never of the batch: whichever batch a turn was asked in, its answer is found again.

Summaries, and where a turn hangs, come with the same answer (`gist_of`, `hang_of`).
"""

import json
from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import ValidationError

from operators.distill.admit import admitted, one_line
from operators.distill.answer import DistillAnswer, LinkTold, TurnTold
from operators.distill.interface import TOLD_IN, Distilled, Link
from operators.distill.listing import AskedTurn, Listing
from operators.distill.rules import RULES
from operators.distill.verbatim import says
from operators.forest.llm import CONTINUE, NEW, Hang, HangKind
from operators.llm.ask import Ask
from operators.llm.instead import RULES_INSTEAD
from operators.llm.prompt import prompt
from operators.llm.purpose import Purpose
from operators.llm.quoted import quoted
from operators.llm.refusal import Refusal, Refused, ignored
from operators.llm.shape import Shape
from operators.relate.words import words
from operators.summary import CHARACTERS, WORDS, shortened
from state.identity import digest
from state.model import EdgeType, Event, Message

__all__ = ["AskedTurn", "distill_ask", "distilled", "gist_of", "hang_of", "per_turn", "turn_key"]

S = TypeVar("S", bound=Shape)

_STATED, _IMPLIED = 0.9, 0.6
"""How sure a link is whose connective the turn says, and one that only follows from its meaning."""
_PER_TURN, _ROOM, _MOST_ROOM = 320, 400, 12_000
_MOST_KEPT = 100_000
"""Characters of one turn's events, and of its links, at most. One may quote all of the longest message."""
_UNDER = "under:"
_REASON = 80


def turn_key(model: str, turn: Message, context: Sequence[Message]) -> str:
    """The ledger's key of what `model` says of `turn`, under the newest prompt."""
    parts = [part for message in (*context, turn) for part in _identifying(message)]
    return f"{Purpose.DISTILL}:" + digest(prompt("distill").id, model, *parts)


def _identifying(message: Message) -> tuple[str, ...]:
    at = message.sent_at.isoformat()
    return message.id, message.role.value, message.speaker, at, message.content


def distill_ask(turns: Sequence[AskedTurn]) -> Ask[DistillAnswer]:
    """One question about all of `turns`, of one subject; they may be of several conversations."""
    listing = Listing(turns)
    return Ask(
        purpose=Purpose.DISTILL,
        prompt=prompt("distill"),
        content=quoted("messages", listing.records()),
        shape=DistillAnswer,
        most_tokens=min(_MOST_ROOM, _ROOM + _PER_TURN * len(turns)),
        check=lambda answer: _left_out(answer, listing),
    )


def _left_out(answer: DistillAnswer, listing: Listing) -> str | None:
    told = {turn.turn for turn in answer.turns}
    missing = [label for label in listing.labels if label not in told]
    return f"There is no item for {', '.join(missing)}." if missing else None


def per_turn(answer: DistillAnswer, turns: Sequence[AskedTurn], refused: Refused = ignored) -> dict[str, str]:
    """The answer cut into one canonical text a turn, by turn id, with message ids in the place of labels.

    A turn that the answer leaves out, although it was asked for it again, is not in the result: it still
    waits. What speaks of other turns is refused.
    """
    listing = Listing(turns)
    texts: dict[str, str] = {}
    for told in answer.turns:
        asked = listing.asked(told.turn)
        if asked is None or asked.turn.id in texts:
            refused(Refusal.UNASKED if asked is None else Refusal.REPEATED)
            continue
        texts[asked.turn.id] = _canonical(_resolved(told, asked, listing, refused))
    for asked in turns:
        if asked.turn.id not in texts:
            refused(Refusal.MISSING)
    return texts


def _resolved(told: TurnTold, asked: AskedTurn, listing: Listing, refused: Refused) -> TurnTold:
    """What was told of one turn, in ids; events and links at labels that nobody has are left out."""
    ids = listing.id_of
    events = []
    for event in _some(told.events, refused):
        also = [ids.get(label, "") for label in event.also]
        events.append(event.model_copy(update={"also": also}))
    links = []
    for link in _some(told.links, refused):
        reason = f"{TOLD_IN}{ids[link.reason]}" if link.reason in ids else link.reason
        links.append(link.model_copy(update={"reason": reason}))
    return TurnTold(
        turn=asked.turn.id,
        events=events,
        links=links,
        gist=_gist(told.gist, asked.turn, refused),
        hangs=_place(told.hangs, asked, listing, refused),
    )


def _some(told: Sequence[S], refused: Refused) -> list[S]:
    """The first of them, as many as are kept: what is remembered about one turn is read again with each turn
    near to it."""
    kept: list[S] = []
    room = _MOST_KEPT
    for one in told:
        room -= len(one.model_dump_json(exclude_defaults=True))
        if room < 0:
            refused(Refusal.TOO_MANY)
            break
        kept.append(one)
    return kept


def _gist(gist: str | None, turn: Message, refused: Refused) -> str | None:
    """A gist of at most the length of the rules' one; none that has a number which the turn does not say."""
    text = one_line(gist or "")
    if text and not words(text).numbers <= words(turn.content).numbers:
        refused(Refusal.UNSAID_GIST)
        return None
    return shortened(text, WORDS, CHARACTERS) or None


def _place(hangs: str | None, asked: AskedTurn, listing: Listing, refused: Refused) -> str | None:
    told = (hangs or "").strip()
    if not told or not asked.unsure:
        return None
    if told.casefold() in (CONTINUE, NEW):
        return told.casefold()
    turn = listing.id_of.get(told)
    if turn is None or turn not in {message.id for message in asked.earlier}:
        refused(Refusal.NO_PLACE)
        return None
    return f"{_UNDER}{turn}"


def _canonical(told: TurnTold) -> str:
    plain = told.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def distilled(text: str, turn: Message, context: Sequence[Message], refused: Refused = ignored) -> Distilled:
    """What `turn` says by the remembered answer `text`, as far as it is taken over
    (`operators.distill.admit`).

    The rules say it where the answer is `RULES_INSTEAD`. A text of another form says nothing. Never raises.
    """
    if text == RULES_INSTEAD:
        return RULES.distill(turn, context)
    told = _told(text)
    if told is None:
        refused(Refusal.UNREADABLE)
        return Distilled()
    events = admitted(told.events, turn, context, refused)
    return Distilled(tuple(events.values()), _links(told.links, events, turn, context, refused))


def _links(
    told: Sequence[LinkTold],
    events: Mapping[int, Event],
    turn: Message,
    context: Sequence[Message],
    refused: Refused,
) -> tuple[Link, ...]:
    """The links among `events`, or from a message of the context."""
    known = {f"e{number}": event.id for number, event in events.items()}
    known |= {f"{TOLD_IN}{message.id}": f"{TOLD_IN}{message.id}" for message in context}
    found: dict[tuple[str, str, str], Link] = {}
    for one in told:
        source, target = known.get(one.reason), known.get(one.result)
        if source is None or target is None or source == target or target.startswith(TOLD_IN):
            refused(Refusal.LOOSE_END)
            continue
        stated = bool(one.words.strip()) and says(turn.content, one.words)
        why = f"“{one_line(one.words)[:_REASON]}” says so" if stated else "a model reads it so"
        link = Link(EdgeType(one.type), source, target, _STATED if stated else _IMPLIED, why)
        if found.setdefault((one.type, source, target), link) is not link:
            refused(Refusal.REPEATED)
    return tuple(found.values())


def gist_of(text: str) -> str | None:
    """The summary that a remembered answer gives of its turn; None where the turn is its own, or the rules
    have to say."""
    told = _told(text)
    return told.gist if told is not None else None


def hang_of(text: str) -> Hang | None:
    """Where a remembered answer hangs its turn; None where it was not asked, or did not say."""
    told = _told(text)
    if told is None or told.hangs is None:
        return None
    if told.hangs.startswith(_UNDER):
        return Hang(HangKind.UNDER, told.hangs.removeprefix(_UNDER))
    return Hang(HangKind(told.hangs)) if told.hangs in (CONTINUE, NEW) else None


def _told(text: str) -> TurnTold | None:
    """The remembered answer; None where it is none, as `RULES_INSTEAD`."""
    try:
        return TurnTold.model_validate_json(text)
    except ValidationError:
        return None
