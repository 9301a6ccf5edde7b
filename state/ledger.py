"""The ledger of a model's answers: what was answered once is never asked again.

A subject's answers lie in one hash in the subject's own slot: field = a key that the purpose makes of prompt
version, model and input; value = the answer, as JSON. The graph is a function of the messages and of what
lies here, so an answer is stored before it is used.

An answer is stored only while the messages that it was given with in view are there: what a model was asked
about a message may come back after that was deleted. Beside the answers lies by message which of them had it
in view, so that a delete takes them along, whether or not they were used.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec

from state.graph_keys import SubjectKeys
from state.model import Subject

_CHUNK = 500
"""Answers of one command at most: Lua's stack takes about 8,000 texts, and a long command blocks others."""

# Gives the answers that were there before, by key, and the keys of those that are not stored since a message
# is gone. A record's own "op" is the first one in it: before it, quotes within texts are escaped.
_REMEMBER = """
local forgotten = redis.call('HGET', KEYS[3], 'version')
if forgotten and tonumber(ARGV[1]) < tonumber(forgotten) then return 0 end
if tonumber(redis.call('GET', KEYS[2]) or forgotten or '0') < tonumber(ARGV[1]) then return 0 end
local live = {}
local function is_live(message)
  if live[message] == nil then
    local record = redis.call('HGET', KEYS[4], message)
    live[message] = not (record and string.match(record, '"op":"(%a+)"') == 'delete')
  end
  return live[message]
end
local held, gone, shown_in = {}, {}, {}
for _, told in ipairs(cmsgpack.unpack(ARGV[2])) do
  local key, answer, shown = unpack(told)
  local whole = true
  for _, message in ipairs(shown) do whole = whole and is_live(message) end
  if not whole then
    gone[#gone + 1] = key
  elseif redis.call('HSETNX', KEYS[1], key, answer) == 0 then
    held[#held + 1] = key
    held[#held + 1] = redis.call('HGET', KEYS[1], key)
  else
    for _, message in ipairs(shown) do
      shown_in[message] = shown_in[message] or {}
      table.insert(shown_in[message], key)
    end
  end
end
for message, keys in pairs(shown_in) do
  local others = redis.call('HGET', KEYS[5], message)
  if others then table.insert(keys, 1, others) end
  redis.call('HSET', KEYS[5], message, table.concat(keys, ' '))
end
return {held, gone}
"""

_DROP = """
for i = 2, #ARGV do
  local held = redis.call('HGET', KEYS[1], ARGV[i])
  if held and cjson.decode(held).text == ARGV[1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end
return 1
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
_NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})
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
        self,
        subject: Subject,
        answers: Mapping[str, Remembered],
        version: int,
        shown: Mapping[str, Collection[str]] = _NOTHING,
    ) -> dict[str, Remembered]:
        """The same where the subject has had so many writes or more, and was not forgotten since. One that
        was has had fewer, or is marked as forgotten: nothing is remembered then, and nothing stands.

        `shown` are by key the ids of the messages that the answer was given with in view. Where one of them
        is gone the answer is not remembered and does not stand; it goes when one of them is deleted later.
        """
        keys, fields = SubjectKeys(subject), list(answers)
        if not fields:
            return {}
        names = (keys.answers, keys.version, keys.forgotten, keys.message, keys.shown)
        pipe = self._client.pipeline(transaction=False)
        for at in range(0, len(fields), _CHUNK):
            told = [
                (key, _encode(answers[key]).decode(), tuple(shown.get(key, ())))
                for key in fields[at : at + _CHUNK]
            ]
            packed = msgspec.msgpack.encode(told)
            pipe.execute_command("EVAL", _REMEMBER, len(names), *names, version, packed)
        standing = dict(answers)
        for reply in pipe.execute():
            if not isinstance(reply, list):
                return {}
            held, gone = reply
            standing |= {
                key.decode(): decode_remembered(answer)
                for key, answer in zip(held[::2], held[1::2], strict=True)
            }
            for key in gone:
                del standing[key.decode()]
        return standing

    def drop(self, subject: Subject, keys: Sequence[str], text: str) -> None:
        """Drops the answers under these keys that are `text`, so that the same is asked again; another one
        came since they were read, and stays."""
        for at in range(0, len(keys), _CHUNK):
            self._client.eval(_DROP, 1, SubjectKeys(subject).answers, text, *keys[at : at + _CHUNK])

    def drop_untold(self, subject: Subject) -> None:
        """Drops the answers of which it is not told what they were given in view of, as earlier versions left
        them. Nothing else may write the subject meanwhile."""
        keys = SubjectKeys(subject)
        told = {key for shown in self._client.hvals(keys.shown) for key in shown.split()}
        untold = [key for key in self._client.hkeys(keys.answers) if key not in told]
        for at in range(0, len(untold), _CHUNK):
            self._client.hdel(keys.answers, *untold[at : at + _CHUNK])

    def forget(self, subject: Subject) -> None:
        """Drops all answers about this subject."""
        keys = SubjectKeys(subject)
        self._client.delete(keys.answers, keys.shown)
