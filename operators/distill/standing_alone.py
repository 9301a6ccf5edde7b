"""Hearing a turn without the messages before it.

To hear the few messages before a turn again costs several times what the turn itself does, and most turns do
not need it: they say nothing that is kept, or name all that they speak of. So a turn is first heard alone,
and after the others only where it turns out to refer to them.
"""

from collections.abc import Iterable
from typing import NoReturn

from operators.distill.clause import Claim, Reading
from operators.distill.dialogue import Dialogue, Offer
from state.model import Message


class UnheardError(LookupError):
    """What a turn says depends on messages before it that have not been heard."""


class Alone(Dialogue):
    """A `Dialogue` that knows of the earlier messages who spoke, and no more.

    One message can be heard: it says what it would say after the earlier ones, or `UnheardError` is raised.
    That holds by construction: whatever else a dialogue keeps is not there to be read.
    """

    def __init__(self, speakers: Iterable[str], unmet: bool = False) -> None:
        """`speakers` of the earlier messages, in order, and whether the last of these is `unmet`. The rest of
        a dialogue's state is left out."""
        self.speakers = []
        self.unmet = unmet
        for speaker in speakers:
            self.note(speaker)

    def __getattr__(self, name: str) -> NoReturn:
        raise UnheardError(name)

    def _open(self, message: Message) -> None:
        pass

    def keep(self, claim: Claim) -> None:
        pass

    def _close(self, message: Message, offer: Offer, asked: list[str], reading: Reading) -> None:
        self.note(message.speaker)
