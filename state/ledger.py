"""The ledger of a model's answers: what was answered once is never asked again.

A subject's answers lie in one hash in the subject's own slot: field = a key that the purpose makes of prompt
version, model and input; value = the answer, as JSON. The graph is a function of the messages and of what
lies here, so an answer is stored before it is used.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from state.graph_keys import SubjectKeys
from state.model import Subject


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a model answered about one item (a turn, a pair, a question).

    `prompt` is the prompt's name and version, `text` the canonical JSON of the item's part of the answer.
    """

    purpose: str
    model: str
    prompt: str
    text: str


_encode = msgspec.json.Encoder().encode
decode_remembered = msgspec.json.Decoder(Remembered).decode


class Ledger:
    """Reads and adds answers. `client` answers bytes; one server or a cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def read(self, subject: Subject, keys: Iterable[str]) -> dict[str, Remembered]:
        """What is remembered under these keys, in one round trip; a key without an answer is left out."""
        wanted = tuple(dict.fromkeys(keys))
        if not wanted:
            return {}
        found = self._client.hmget(SubjectKeys(subject).answers, wanted)
        answers = zip(wanted, found, strict=True)
        return {key: decode_remembered(value) for key, value in answers if value is not None}

    def remember(self, subject: Subject, answers: Mapping[str, Remembered]) -> None:
        """Stores the answers, in one round trip. Where there is one under a key already, that one stands: so
        two that asked at once agree on what was answered."""
        if not answers:
            return
        name = SubjectKeys(subject).answers
        pipe = self._client.pipeline(transaction=False)
        for key, answer in answers.items():
            pipe.hsetnx(name, key, _encode(answer))
        pipe.execute()

    def drop(self, subject: Subject, keys: Iterable[str]) -> None:
        """Drops the answers under these keys, so that the same is asked again."""
        dropped = tuple(keys)
        if dropped:
            self._client.hdel(SubjectKeys(subject).answers, *dropped)

    def forget(self, subject: Subject) -> None:
        """Drops all answers about this subject."""
        self._client.delete(SubjectKeys(subject).answers)
