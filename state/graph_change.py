"""One subject's change, written as a whole or not at all, once, and by the newest writer only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from redis.cluster import RedisCluster

from state.graph_keys import TENANTS, SubjectKeys, home_key, names_key, waiting_key
from state.model import Edge, Op, Subject
from state.ordering import message_of
from state.records import EventRecord, Mark, MessageRecord, TurnRecord, encode

_CHUNK = 500
"""Arguments of one Redis command at most: Lua's stack takes about 8,000, and a long command blocks others."""

# Applies a list of commands if no newer writer has been here, and nothing was written since the change was
# worked out: a write whose answer got lost may have been made, and must not be made again. Commands come as
# one msgpack text, since a script's arguments are flat. A subject that was forgotten goes on from the fence
# and version that it had, so that what was worked out before is refused after it too. With a message that is
# deleted go the answers that were given with it in view (`state.ledger`), also those that came just now.
_SCRIPT = """
local fence = tonumber(redis.call('GET', KEYS[1]) or redis.call('HGET', KEYS[4], 'fence') or '0')
if tonumber(ARGV[1]) < fence then return redis.error_reply('FENCED ' .. fence) end
local version = tonumber(redis.call('GET', KEYS[2]) or redis.call('HGET', KEYS[4], 'version') or '0')
if tonumber(ARGV[2]) ~= version then return redis.error_reply('OVERTAKEN ' .. version) end
local after = string.format('%.0f', version + 1)
if tonumber(ARGV[1]) > fence then redis.call('SET', KEYS[1], ARGV[1]) end
redis.call('SET', KEYS[2], after)
for _, command in ipairs(cmsgpack.unpack(ARGV[3])) do redis.call(unpack(command)) end
for _, message in ipairs(cmsgpack.unpack(ARGV[5])) do
  for answer in string.gmatch(redis.call('HGET', KEYS[6], message) or '', '%S+') do
    redis.call('HDEL', KEYS[5], answer)
  end
  redis.call('HDEL', KEYS[6], message)
end
if ARGV[4] ~= '' then redis.call('RPUSH', KEYS[3], after .. ' ' .. ARGV[4]) end
return 1
"""

# Applies a list of commands: to pack each by itself, and to take its reply, costs more than all else of it.
_REGISTER = """
for _, command in ipairs(cmsgpack.unpack(ARGV[1])) do redis.call(unpack(command)) end
return 1
"""


class Fenced(RuntimeError):
    """A newer writer owns this subject: this process must stop writing it."""


class Overtaken(RuntimeError):
    """The subject was written since the change was worked out: work it out again from what is there now."""


@dataclass(frozen=True, slots=True)
class SubjectChange:
    """What one flush changes of one subject. `None` for a record removes it.

    `said`, `starts` and `filed` are ordered indexes: by conversation or key, the places that come and go.
    `trees` are the places of each topic's turns, `marks` the forest's states that a conversation keeps.
    `spoken` gives a conversation's last message time in seconds, or None where none of it is left; `recent` a
    topic's last turn's likewise; and `later` the same of a topic that only grew, where an earlier time than
    what is stored changes nothing.
    `counts` are differences by name: messages, sessions, events, and each edge type.
    `touched` counts the events whose validity was derived again; `shifted` are those that are new or hold at
    other times now. `version` is the subject's before the change: how many writes it has had.
    `waiting` are the places of turns that a model has to be asked about, and of those that lack no answer
    now; `forgotten` are the keys of answers about what was deleted.
    """

    subject: Subject
    version: int
    messages: Mapping[str, MessageRecord]
    turns: Mapping[str, TurnRecord | None] = field(default_factory=dict)
    events: Mapping[str, EventRecord | None] = field(default_factory=dict)
    said: Mapping[str, "IndexChange"] = field(default_factory=dict)
    starts: Mapping[str, "IndexChange"] = field(default_factory=dict)
    filed: Mapping[str, "IndexChange"] = field(default_factory=dict)
    trees: Mapping[str, "IndexChange"] = field(default_factory=dict)
    marks: Mapping[str, "MarkChange"] = field(default_factory=dict)
    spoken: Mapping[str, float | None] = field(default_factory=dict)
    recent: Mapping[str, float | None] = field(default_factory=dict)
    later: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    new_events: tuple[str, ...] = ()
    gone_events: tuple[str, ...] = ()
    shifted: tuple[str, ...] = ()
    new_edges: tuple[Edge, ...] = ()
    gone_edges: tuple[Edge, ...] = ()
    touched: int = 0
    waiting: "IndexChange | None" = None
    forgotten: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexChange:
    """Places that come into and leave one ordered index."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkChange:
    """Marks that come into one conversation, and the places of those that leave it."""

    added: tuple[Mark, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(slots=True)
class _Commands:
    keys: SubjectKeys
    queued: list[list[str]] = field(default_factory=list)

    def records(
        self, key: str, records: Mapping[str, MessageRecord | TurnRecord | EventRecord | None]
    ) -> None:
        fields = [part for i, record in records.items() if record for part in (i, encode(record))]
        self._chunked(["HSET", key], fields)
        self._chunked(["HDEL", key], [i for i, record in records.items() if record is None])

    def index(self, key: str, change: IndexChange) -> None:
        self._chunked(["ZREM", key], change.removed)
        self._chunked(["ZADD", key], [part for place in change.added for part in ("0", place)])

    def marks(self, key: str, change: MarkChange) -> None:
        for place in change.removed:  # by its place: a mark's text may be long
            low, high = Mark.span(place)
            self.queued.append(["ZREMRANGEBYLEX", key, low, high])
        self._chunked(["ZADD", key], [part for mark in change.added for part in ("0", mark.text)])

    def waiting(self, change: IndexChange) -> None:
        """A turn that lacks no answer is not parked for want of one either."""
        self.index(self.keys.waiting, change)
        self._chunked(["HDEL", self.keys.parked], [message_of(place) for place in change.removed])

    def forget(self, answers: Sequence[str]) -> None:
        self._chunked(["HDEL", self.keys.answers], answers)

    def scores(self, key: str, scored: Mapping[str, float | None]) -> None:
        for member, score in scored.items():
            self.queued.append(["ZREM", key, member] if score is None else ["ZADD", key, repr(score), member])

    def _chunked(self, head: list[str], arguments: Sequence[str]) -> None:
        for at in range(0, len(arguments), _CHUNK):
            self.queued.append([*head, *arguments[at : at + _CHUNK]])


def _commands(change: SubjectChange) -> list[list[str]]:
    out = _Commands(SubjectKeys(change.subject))
    keys = out.keys
    out.records(keys.message, change.messages)
    out.records(keys.turn, change.turns)
    out.records(keys.event, change.events)
    for conversation, places in change.said.items():
        out.index(keys.said(conversation), places)
        out.index(keys.places, places)
    for conversation, places in change.starts.items():
        out.index(keys.starts(conversation), places)
    for key, places in change.filed.items():
        out.index(keys.filed(key), places)
    for root, places in change.trees.items():
        out.index(keys.tree(root), places)
    for conversation, marks in change.marks.items():
        out.marks(keys.marks(conversation), marks)
    out.queued.extend(["HINCRBY", keys.counts, name, str(by)] for name, by in change.counts.items() if by)
    out.scores(keys.spoken, change.spoken)
    out.scores(keys.recent, change.recent)
    out.queued.extend(["ZADD", keys.recent, "GT", repr(at), root] for root, at in change.later.items())
    if change.waiting is not None:
        out.waiting(change.waiting)
    out.forget(change.forgotten)
    return out.queued


Outbox = Callable[[SubjectChange], str]
"""What a change puts into its subject's outbox; empty where there is nothing to publish."""


def _no_outbox(change: SubjectChange) -> str:
    return ""


class GraphWriter:
    """Writes changes under a fence: a number that every new owner of the store takes one higher."""

    def __init__(self, client: Any, fence: int, outbox: Outbox = _no_outbox) -> None:
        self._client, self.fence, self._outbox = client, fence, outbox
        self._one_server = not isinstance(client, RedisCluster)

    def write(self, changes: Sequence[SubjectChange]) -> None:
        """Writes each change atomically, all in one round trip (one a server of a cluster).

        Raises `Fenced`, `Overtaken`, and what Redis raises; others of `changes` may be written then.

        The indexes across subjects (tenants, subjects, homes of events) come first: an entry too many is
        harmless there, one too few would hide a subject. One pipeline is one sync of the AOF where each write
        is synced, which is most of what a small write costs.
        """
        if not changes:
            return
        pipe = self._client.pipeline(transaction=False)
        registered = _registered(changes)
        if self._one_server:
            pipe.execute_command("EVAL", _REGISTER, 1, TENANTS, msgspec.msgpack.encode(registered))
        else:  # their keys lie in many slots, and a script's must lie in one
            for command in registered:
                pipe.execute_command(*command)
        for change in changes:
            keys = SubjectKeys(change.subject)
            packed = msgspec.msgpack.encode(_commands(change))
            # The script's text each time: a cluster's pipeline takes no digests, and it is short.
            pipe.execute_command(
                "EVAL", _SCRIPT, 6,
                keys.fence, keys.version, keys.outbox, keys.forgotten, keys.answers, keys.shown,
                self.fence, change.version, packed, self._outbox(change), _deleted(change),
            )  # fmt: skip
        for reply in pipe.execute(raise_on_error=False):
            if isinstance(reply, Exception):
                raise meant(reply)


def _deleted(change: SubjectChange) -> bytes:
    """The ids of the messages that the change deletes, packed."""
    ids = [i for i, record in change.messages.items() if record.message.op is Op.DELETE]
    return msgspec.msgpack.encode(ids)


def meant(reply: Exception) -> Exception:
    """`Fenced` or `Overtaken` where a script refused with that word, else the error itself."""
    told = str(reply)
    for word, kind in (("FENCED", Fenced), ("OVERTAKEN", Overtaken)):
        if word in told:
            return kind(told)
    return reply


def _registered(changes: Sequence[SubjectChange]) -> list[Sequence[str]]:
    """The commands that enter the changes into the indexes across subjects."""
    names: dict[str, dict[str, None]] = {}
    commands: list[Sequence[str]] = []
    for change in changes:
        tenant, name = change.subject.tenant, change.subject.name
        names.setdefault(tenant, {})[name] = None
        commands += [("HSET", home_key(tenant, event), event, name) for event in change.new_events]
        commands += [("HDEL", home_key(tenant, event), event) for event in change.gone_events]
        if change.waiting is not None and change.waiting.added:
            commands.append(("SADD", waiting_key(tenant), name))
    commands += [("SADD", TENANTS, tenant) for tenant in names]
    for tenant, subjects in names.items():
        commands += [("ZADD", names_key(tenant), "0", subject) for subject in subjects]
    return commands
