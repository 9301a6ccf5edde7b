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

_CHUNK = 500
"""Answers of one command at most: Lua's stack takes about 8,000 texts, and a long command blocks others."""

# Gives the answers that were there before, by key.
_REMEMBER = """
local forgotten = redis.call('HGET', KEYS[3], 'version')
if forgotten and tonumber(ARGV[1]) < tonumber(forgotten) then return 0 end
if tonumber(redis.call('GET', KEYS[2]) or forgotten or '0') < tonumber(ARGV[1]) then return 0 end
local held = {}
for i = 2, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) == 0 then
    held[#held + 1] = ARGV[i]
    held[#held + 1] = redis.call('HGET', KEYS[1], ARGV[i])
  end
end
return held
"""


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

    def remember(self, subject: Subject, answers: Mapping[str, Remembered]) -> dict[str, Remembered]:
        """Stores the answers, in one round trip, and gives those that stand. Where there is one under a key
        already, that one does: so two that asked at once agree on what was answered."""
        return self.remember_since(subject, answers, 0)

    def remember_since(
        self, subject: Subject, answers: Mapping[str, Remembered], version: int
    ) -> dict[str, Remembered]:
        """The same where the subject has had so many writes or more, and was not forgotten since. One that
        was has had fewer, or is marked as forgotten: nothing is remembered then, and nothing stands."""
        keys, fields = SubjectKeys(subject), list(answers)
        if not fields:
            return {}
        pipe = self._client.pipeline(transaction=False)
        for at in range(0, len(fields), _CHUNK):
            told = [part for key in fields[at : at + _CHUNK] for part in (key, _encode(answers[key]))]
            pipe.execute_command(
                "EVAL", _REMEMBER, 3, keys.answers, keys.version, keys.forgotten, version, *told
            )
        standing = dict(answers)
        for reply in pipe.execute():
            if not isinstance(reply, list):
                return {}
            held = zip(reply[::2], reply[1::2], strict=True)
            standing |= {key.decode(): decode_remembered(answer) for key, answer in held}
        return standing

    def drop(self, subject: Subject, keys: Iterable[str]) -> None:
        """Drops the answers under these keys, so that the same is asked again."""
        dropped = tuple(keys)
        if dropped:
            self._client.hdel(SubjectKeys(subject).answers, *dropped)

    def forget(self, subject: Subject) -> None:
        """Drops all answers about this subject."""
        self._client.delete(SubjectKeys(subject).answers)
