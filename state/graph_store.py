"""Reads a subject's graph from Redis: the `GraphReader` of both modes, since both keep it in Redis."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from state.forest_reads import ForestReads
from state.graph import Around, Opening, Spot, StoredEvent, SubjectView, Told
from state.graph_keys import TENANTS, SubjectKeys, home_key
from state.graph_reads import Read, ReadEvents, ReadHung, ReadMessages, ReadStated, fetch
from state.identity import digest, session_id
from state.model import Message, Op, Session, Subject, Topic, Turn
from state.ordering import message_of, time_of
from state.place_reads import ReadAround, ReadFiledLast
from state.records import EventRecord, MessageRecord, TurnRecord, decode_event, decode_message, decode_turn
from state.stretch_reads import StretchReads
from state.subject_names import SubjectNames
from state.validity import Timeline

SESSION_SHOWN = 400
"""How many messages of a session, or turns of a topic, a bounded read gives at most."""

# A script, so that the whole is of one moment: a message may be deleted between two round trips.
_WHOLE = """
local spoken = {}
for i, name in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  local said, starts = ARGV[1] .. name, ARGV[2] .. name
  spoken[i] = {name, redis.call('ZRANGE', said, 0, -1), redis.call('ZRANGE', starts, 0, -1)}
end
local held = {}
for i = 1, 3 do held[i] = redis.call('HGETALL', KEYS[i]) end
return {held[1], held[2], held[3], spoken}
"""


class RedisGraph(ForestReads, StretchReads):
    """A `GraphReader`. `client` answers bytes (`decode_responses=False`); one server or a cluster."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self._whole = client.register_script(_WHOLE)
        self._names = SubjectNames(client)

    def _ask(self, subject: Subject, *reads: Read[Any]) -> None:
        fetch(self._client, [(subject, reads)])

    # -- by id --------------------------------------------------------------------------------------------

    def messages(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, Message]:
        read = ReadMessages(dict.fromkeys(ids))
        self._ask(subject, read)
        return {i: r.message for i, r in read.found.items() if r.message.op is Op.UPSERT}

    def events(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, StoredEvent]:
        read = ReadEvents(dict.fromkeys(ids))
        self._ask(subject, read)
        return {i: _stored(r) for i, r in read.found.items()}

    def events_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        read = ReadStated(dict.fromkeys(messages))
        self._ask(subject, read)
        return {i: r.events for i, r in read.found.items() if r.events}

    def filed_under(self, subject: Subject, keys: Iterable[str], limit: int) -> Mapping[str, tuple[str, ...]]:
        read = ReadFiledLast(keys, limit)
        self._ask(subject, read)
        return read.found

    def told(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, Told]:
        wanted = tuple(dict.fromkeys(ids))
        messages, stated = ReadMessages(wanted), ReadStated(wanted)
        self._ask(subject, messages, stated)
        return {
            i: Told(r.message, stated.found[i].events if i in stated.found else ())
            for i, r in messages.found.items()
            if r.message.op is Op.UPSERT
        }

    def opening(
        self, subject: Subject, keys: Iterable[str], limit: int, topics: int, turns: int
    ) -> Opening | None:
        here = SubjectKeys(subject)
        filed = ReadFiledLast(keys, limit)
        pipe = self._client.pipeline(transaction=False)
        pipe.zrange(here.places, -1, -1)
        pipe.zrevrange(here.recent, 0, topics - 1)
        for command in filed.commands(here):
            pipe.execute_command(*command)
        last, recent, *under = pipe.execute()
        if not last:
            return None
        filed.take(under)
        roots = [root.decode() for root in recent]
        pipe = self._client.pipeline(transaction=False)
        for root in roots:
            pipe.zrange(here.tree(root), -turns, -1)
        found = pipe.execute() if roots else []
        latest = {
            root: tuple(message_of(p.decode()) for p in tail)
            for root, tail in zip(roots, found, strict=True)
            if tail
        }
        return Opening(time_of(last[0].decode()), filed.found, latest)

    # -- hierarchy ----------------------------------------------------------------------------------------

    def around(self, subject: Subject, spots: Iterable[Spot], reach: int) -> Mapping[str, Around]:
        read = ReadAround(subject, spots, reach)
        self._ask(subject, read)
        return read.found

    def session_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, Session]:
        places = self._places(subject, messages)
        here = SubjectKeys(subject)
        pipe = self._client.pipeline(transaction=False)
        for conversation, place in places.values():
            pipe.zrevrangebylex(here.starts(conversation), f"[{place}", "-", 0, 1)
            pipe.zrangebylex(here.starts(conversation), f"({place}", "+", 0, 1)
        found = pipe.execute() if places else []
        bounds: dict[tuple[str, str], tuple[str, str]] = {}
        of: dict[str, tuple[str, str]] = {}
        for (message, (conversation, _)), first, after in zip(
            places.items(), found[::2], found[1::2], strict=True
        ):
            if first:
                start = first[0].decode()
                of[message] = (conversation, start)
                bounds[conversation, start] = (f"[{start}", f"({after[0].decode()}" if after else "+")
        sessions = self._sessions(subject, bounds)
        return {message: sessions[key] for message, key in of.items() if key in sessions}

    def _sessions(
        self, subject: Subject, bounds: Mapping[tuple[str, str], tuple[str, str]]
    ) -> dict[tuple[str, str], Session]:
        here = SubjectKeys(subject)
        pipe = self._client.pipeline(transaction=False)
        for (conversation, _), (low, high) in bounds.items():
            pipe.zrangebylex(here.said(conversation), low, high, 0, SESSION_SHOWN)
            pipe.zrevrangebylex(here.said(conversation), high, low, 0, 1)
        found = pipe.execute() if bounds else []
        sessions = {}
        for key, said, last in zip(bounds, found[::2], found[1::2], strict=True):
            places = [p.decode() for p in said]
            if places:  # none where they were deleted between the two round trips
                sessions[key] = _session(subject, key[0], places, last[0].decode())
        return sessions

    def topic_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, str]:
        read = ReadHung(dict.fromkeys(messages))
        self._ask(subject, read)
        return {message: hung.topic for message, hung in read.found.items()}

    def topics(self, subject: Subject, limit: int) -> Sequence[Topic]:
        if limit < 1:
            return ()
        here = SubjectKeys(subject)
        roots = [root.decode() for root in self._client.zrevrange(here.recent, 0, limit - 1)]
        turns = self._ends(here, [here.tree(root) for root in roots])
        places = self._places(subject, roots)
        conversations = list(dict.fromkeys(conversation for conversation, _ in places.values()))
        starts = self._ends(here, [here.starts(conversation) for conversation in conversations])
        starting = dict(zip(conversations, starts, strict=True))
        return [
            Topic(
                id=root,
                label="",
                turns=tuple(message_of(p) for p in said),
                sessions=_sessions_of(subject, places[root][0], said, starting[places[root][0]]),
            )
            for root, said in zip(roots, turns, strict=True)
            if said and root in places
        ]

    def _ends(self, here: SubjectKeys, indexes: Sequence[str]) -> list[list[str]]:
        """The last places of each ordered index."""
        pipe = self._client.pipeline(transaction=False)
        for index in indexes:
            pipe.zrange(index, -SESSION_SHOWN, -1)
        return [[place.decode() for place in found] for found in (pipe.execute() if indexes else [])]

    def _places(self, subject: Subject, messages: Iterable[str]) -> dict[str, tuple[str, str]]:
        """(conversation, place) of each live message."""
        read = ReadMessages(dict.fromkeys(messages))
        self._ask(subject, read)
        return {
            i: (r.message.conversation, r.place) for i, r in read.found.items() if r.message.op is Op.UPSERT
        }

    # -- whole subjects -----------------------------------------------------------------------------------

    def newest(self, subject: Subject) -> datetime | None:
        last = self._client.zrange(SubjectKeys(subject).places, -1, -1)
        return time_of(last[0].decode()) if last else None

    def written(self, subject: Subject) -> str | None:
        # Of one that was forgotten and speaks anew the version begins again: what it has tells these apart.
        here = SubjectKeys(subject)
        pipe = self._client.pipeline(transaction=False)
        pipe.get(here.version)
        pipe.hgetall(here.counts)
        pipe.zrevrange(here.spoken, 0, 0, withscores=True)
        version, counts, last = pipe.execute()
        return None if version is None else digest(version.decode(), repr(sorted(counts.items())), repr(last))

    def tenants(self) -> Sequence[str]:
        """All tenants, sorted: for choosing one, never for reading across them."""
        return sorted(t.decode() for t in self._client.smembers(TENANTS))

    def subjects(self, tenant: str) -> Sequence[Subject]:
        return [Subject(tenant, name) for name in self._names.every(tenant)]

    def subject_names(self, tenant: str, limit: int, starts_with: str = "", after: str = "") -> Sequence[str]:
        return self._names.page(tenant, limit, starts_with, after)

    def counts(self, subjects: Iterable[Subject]) -> Mapping[str, int]:
        """How many messages, sessions, events and edges by type the subjects have together (1)."""
        pipe = self._client.pipeline(transaction=False)
        for subject in subjects:
            pipe.hgetall(SubjectKeys(subject).counts)
        total: Counter[str] = Counter()
        for counts in pipe.execute():
            total.update({name.decode(): int(count) for name, count in counts.items()})
        return total

    def subject_of_event(self, tenant: str, event: str) -> Subject | None:
        name = self._client.hget(home_key(tenant, event), event)
        return None if name is None else Subject(tenant, name.decode())

    def everything(self, subject: Subject) -> SubjectView | None:
        here = SubjectKeys(subject)
        said, drawn, stated, spoken = self._whole(
            keys=[here.message, here.turn, here.event, here.spoken], args=[here.said(""), here.starts("")]
        )
        if not said:
            return None
        return _view(
            subject,
            {r.message.id: r for r in map(decode_message, said[1::2])},
            {i.decode(): decode_turn(raw) for i, raw in zip(drawn[::2], drawn[1::2], strict=True)},
            [decode_event(raw) for raw in stated[1::2]],
            {
                c.decode(): ([p.decode() for p in places], {p.decode() for p in starts})
                for c, places, starts in spoken
            },
        )


def _stored(record: EventRecord) -> StoredEvent:
    edges = {edge.id: edge for edge in (*record.outgoing, *record.incoming)}
    return StoredEvent(record.event, tuple(edges.values()), record.timeline, record.recorded_at)


def _turn(message: str, record: TurnRecord) -> Turn:
    """Its summary is what a model told in short, or empty where the turn's own words have to."""
    summary = record.answered.summary if record.answered is not None else ""
    return Turn(message, (message,), record.parent, record.branch, record.topic, summary, record.refers_to)


def _session(subject: Subject, conversation: str, places: Sequence[str], last: str) -> Session:
    messages = tuple(message_of(p) for p in places)
    return Session(
        session_id(subject, conversation, messages[0]),
        conversation,
        messages,
        time_of(places[0]),
        time_of(last),
        "",
    )


def _sessions_of(
    subject: Subject, conversation: str, places: Sequence[str], starts: Sequence[str]
) -> tuple[str, ...]:
    """The sessions that places of a conversation lie in, of those whose starts are given."""
    firsts = (bisect_right(starts, place) for place in places)
    return tuple(
        dict.fromkeys(session_id(subject, conversation, message_of(starts[at - 1])) for at in firsts if at)
    )


def _view(
    subject: Subject,
    messages: Mapping[str, MessageRecord],
    turns: Mapping[str, TurnRecord],
    events: Sequence[EventRecord],
    conversations: Mapping[str, tuple[list[str], set[str]]],
) -> SubjectView:
    """Puts one subject together from its records and its conversations' ordered indexes."""
    sessions: list[Session] = []
    said: list[str] = []
    for conversation, (places, starts) in conversations.items():
        runs: list[list[str]] = []
        for place in places:
            if place in starts or not runs:
                runs.append([])
            runs[-1].append(place)
        sessions.extend(_session(subject, conversation, run, run[-1]) for run in runs)
        said.extend(message_of(p) for p in places)
    session_of = {m: s.id for s in sessions for m in s.messages}
    topic_of = {i: turns[i].topic for i in said if i in turns}
    trees: dict[str, list[str]] = {}
    for turn, topic in topic_of.items():
        trees.setdefault(topic, []).append(turn)
    edges = {edge.id: edge for record in events for edge in record.outgoing}
    live = (r.message for r in messages.values() if r.message.op is Op.UPSERT)
    timelines: dict[str, Timeline] = {r.event.id: r.timeline for r in events}
    return SubjectView(
        subject=subject,
        messages=tuple(sorted(live, key=lambda m: m.id)),
        sessions=tuple(sorted(sessions, key=lambda s: s.id)),
        turns=tuple(_turn(i, turns[i]) for i in sorted(topic_of)),
        topics=tuple(
            Topic(root, "", tuple(ids), tuple(dict.fromkeys(session_of[i] for i in ids)))
            for root, ids in sorted(trees.items())
        ),
        events=tuple(sorted((r.event for r in events), key=lambda e: e.id)),
        edges=tuple(edges[i] for i in sorted(edges)),
        timelines=timelines,
        session_of=session_of,
        topic_of=topic_of,
    )
