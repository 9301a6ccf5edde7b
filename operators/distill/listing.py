"""How turns are shown to a model: the messages of a batch under short labels, as records to be quoted.

A model sees labels ("m7") and never an id, which may be long or may itself say something. A label it makes up
is nobody's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from operators.summary import CHARACTERS, WORDS, shortened
from state.model import Message
from state.ordering import message_place

SHOWN = 4_000
"""How many characters of a turn that is asked about are shown."""
SHOWN_IN_ALL = 32_000
"""Of all turns of a batch that are asked about, shared alike; so a batch of long ones fits a small model."""
SHOWN_BESIDE = 600
"""Of a message that is only context."""


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A turn to be asked about, with the context that it is distilled in (oldest first).

    `unsure`: the forest's rules do not know where it hangs; `earlier` are then turns it may go back to.
    """

    turn: Message
    context: tuple[Message, ...]
    unsure: bool = False
    earlier: tuple[Message, ...] = ()


class Listing:
    """The messages that a batch of turns shows, each under a label, conversation by conversation in the order
    of saying. A function of the turns alone, so that an answer is read by the labels that it was asked
    with."""

    def __init__(self, turns: Sequence[AskedTurn]) -> None:
        self._asked = {asked.turn.id: asked for asked in turns}
        self._room = min(SHOWN, SHOWN_IN_ALL // max(1, len(self._asked)))
        self._context = {m.id for asked in turns for m in asked.context}
        shown = {m.id: m for asked in turns for m in (*asked.earlier, *asked.context, asked.turn)}
        self._messages = sorted(
            shown.values(), key=lambda m: (m.conversation, message_place(m.sent_at, m.id))
        )

    @cached_property
    def label_of(self) -> Mapping[str, str]:
        """Labels by message id."""
        return {message.id: f"m{number}" for number, message in enumerate(self._messages, start=1)}

    @cached_property
    def id_of(self) -> Mapping[str, str]:
        """Message ids by label."""
        return {label: message for message, label in self.label_of.items()}

    def asked(self, label: str) -> AskedTurn | None:
        """The turn under that label, if it was asked about."""
        return self._asked.get(self.id_of.get(label, ""))

    @property
    def labels(self) -> list[str]:
        """The labels of the turns that are asked about, in the order shown."""
        return [self.label_of[m.id] for m in self._messages if m.id in self._asked]

    def records(self) -> list[dict[str, Any]]:
        """One record a message. Of a turn that is asked about, `read` says so, `gist` that it is long enough
        to need one, and `back` which turns it may go back to."""
        several = len({m.conversation for m in self._messages}) > 1
        talks = list(dict.fromkeys(m.conversation for m in self._messages))
        return [
            self._record(message, talks.index(message.conversation) + 1 if several else None)
            for message in self._messages
        ]

    def _record(self, message: Message, talk: int | None) -> dict[str, Any]:
        asked = self._asked.get(message.id)
        record: dict[str, Any] = {} if talk is None else {"talk": talk}
        record |= {
            "m": self.label_of[message.id],
            "role": message.role.value,
            "by": message.speaker,
            "at": message.sent_at.strftime("%a %Y-%m-%d %H:%M"),
        }
        if asked is not None:
            record["read"] = True
            if long(message.content):
                record["gist"] = True
            if asked.unsure:
                record["back"] = [self.label_of[m.id] for m in asked.earlier]
        return record | {"text": self._text(message, asked is not None)}

    def _text(self, message: Message, asked: bool) -> str:
        if asked or message.id in self._context:
            return message.content[: self._room if asked else SHOWN_BESIDE]
        return shortened(message.content, WORDS, CHARACTERS)


def long(text: str) -> bool:
    """Whether a text is longer than a gist: one that fits is its own gist."""
    return shortened(text, WORDS, CHARACTERS) != " ".join(text.split())
