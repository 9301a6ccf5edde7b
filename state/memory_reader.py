"""A `GraphReader` over `SubjectView`s in memory: for evaluation and tests, and what the store must equal."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from state.forest_reads import along_branch, newest_by_branch
from state.graph import (
    Around,
    Hanging,
    Opening,
    SessionSpan,
    Spot,
    StoredEvent,
    SubjectView,
    Told,
    TreeEnds,
)
from state.identity import digest
from state.model import Edge, Event, Message, Session, Subject, Topic
from state.names import name_keys
from state.ordering import message_place

Keys = Callable[[Event], Iterable[str]]
Grown = Callable[[Sequence[Message]], str]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Indexed:
    """One view with its lookups."""

    def __init__(self, view: SubjectView, keys: Keys, recorded: Mapping[str, datetime]) -> None:
        self.view = view
        self.messages = {message.id: message for message in view.messages}
        self.sessions = {session.id: session for session in view.sessions}
        self.places = sorted(message_place(m.sent_at, m.id) for m in view.messages)
        self.spans = sorted(map(self._span, view.sessions), key=lambda span: span.first)
        edges: dict[str, list[Edge]] = defaultdict(list)
        for edge in view.edges:
            edges[edge.source].append(edge)
            if edge.target != edge.source:
                edges[edge.target].append(edge)
        self.events = {
            event.id: StoredEvent(
                event, tuple(edges[event.id]), view.timelines[event.id], recorded.get(event.id, EPOCH)
            )
            for event in view.events
        }
        self.stated: dict[str, list[str]] = defaultdict(list)
        self.filed: dict[str, list[str]] = defaultdict(list)
        for event in sorted(view.events, key=lambda e: e.place):
            self.stated[event.sources[-1]].append(event.id)
            for key in keys(event):
                self.filed[key].append(event.id)
        self.hung = {
            message: Hanging(
                None, "", view.topic_of.get(message, ""), (), tuple(self.stated.get(message, ()))
            )
            for message in self.messages
        } | {
            turn.id: Hanging(
                turn.parent,
                turn.branch,
                turn.topic,
                turn.refers_to,
                tuple(self.stated.get(turn.id, ())),
                turn.summary,
            )
            for turn in view.turns
        }
        self.trees = {topic.id: topic for topic in view.topics}
        self.topics = sorted(view.topics, key=self.spoken_of, reverse=True)

    def spoken_of(self, topic: Topic) -> tuple[datetime, str]:
        """When a topic was spoken of last, and its id."""
        return max((self.messages[turn].sent_at for turn in topic.turns), default=EPOCH), topic.id

    def _span(self, session: Session) -> SessionSpan:
        first, last = (self.messages[session.messages[at]] for at in (0, -1))
        return SessionSpan(
            session.id,
            session.conversation,
            message_place(first.sent_at, first.id),
            message_place(last.sent_at, last.id),
        )


class MemoryReader:
    """Answers from views alone. `keys` files events (`name_keys`, and the gate's where wanted); `recorded`
    gives `recorded_at` by event id, where it matters; `grown` the forest's state after a conversation's
    messages in order. `calls` counts the reads, by name."""

    def __init__(
        self,
        views: Iterable[SubjectView],
        keys: Keys = name_keys,
        recorded: Mapping[str, datetime] | None = None,
        grown: Grown | None = None,
    ) -> None:
        self._views = {view.subject: _Indexed(view, keys, recorded or {}) for view in views}
        self._grown = grown
        self.calls: dict[str, int] = defaultdict(int)

    def _of(self, subject: Subject, call: str) -> _Indexed | None:
        self.calls[call] += 1
        return self._views.get(subject)

    def messages(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, Message]:
        held = self._of(subject, "messages")
        return {i: held.messages[i] for i in ids if i in held.messages} if held else {}

    def events(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, StoredEvent]:
        held = self._of(subject, "events")
        return {i: held.events[i] for i in ids if i in held.events} if held else {}

    def events_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        held = self._of(subject, "events_of")
        return {m: tuple(held.stated[m]) for m in messages if m in held.stated} if held else {}

    def filed_under(self, subject: Subject, keys: Iterable[str], limit: int) -> Mapping[str, tuple[str, ...]]:
        held = self._of(subject, "filed_under")
        return {k: tuple(reversed(held.filed[k][-limit:])) for k in keys if k in held.filed} if held else {}

    def opening(
        self, subject: Subject, keys: Iterable[str], limit: int, topics: int, turns: int
    ) -> Opening | None:
        held = self._of(subject, "opening")
        if held is None or not held.messages:
            return None
        return Opening(
            max(message.sent_at for message in held.view.messages),
            {k: tuple(reversed(held.filed[k][-limit:])) for k in keys if k in held.filed},
            {topic.id: topic.turns[-turns:] for topic in held.topics[:topics]},
        )

    def told(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, Told]:
        held = self._of(subject, "told")
        if held is None:
            return {}
        found = {i: held.messages[i] for i in ids if i in held.messages}
        return {i: Told(message, tuple(held.stated.get(i, ()))) for i, message in found.items()}

    def around(self, subject: Subject, spots: Iterable[Spot], reach: int) -> Mapping[str, Around]:
        held = self._of(subject, "around")
        if held is None:
            return {}
        found: dict[str, Around] = {}
        for spot in spots:
            if spot.message not in held.messages:
                continue
            session = held.sessions[held.view.session_of[spot.message]]
            at = session.messages.index(spot.message)
            found[spot.message] = Around(
                session.id,
                held.view.topic_of.get(spot.message),
                tuple(reversed(session.messages[max(0, at - reach) : at])),
                session.messages[at + 1 : at + 1 + reach],
                held.hung[spot.message].parent if spot.message in held.hung else None,
            )
        return found

    def session_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, Session]:
        held = self._of(subject, "session_of")
        if held is None:
            return {}
        return {m: held.sessions[held.view.session_of[m]] for m in messages if m in held.view.session_of}

    def topic_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, str]:
        held = self._of(subject, "topic_of")
        return {m: held.view.topic_of[m] for m in messages if m in held.view.topic_of} if held else {}

    def places(
        self, subject: Subject, after: str, before: str, limit: int, latest: bool = False
    ) -> Sequence[str]:
        held = self._of(subject, "places")
        if held is None or limit < 1:
            return ()
        between = [place for place in held.places if after < place < before]
        return tuple(between[-limit:] if latest else between[:limit])

    def session_spans(
        self, subject: Subject, between: Mapping[str, tuple[str, str]], limit: int
    ) -> Sequence[SessionSpan]:
        held = self._of(subject, "session_spans")
        if held is None:
            return ()
        found: dict[str, list[SessionSpan]] = {conversation: [] for conversation in between}
        for span in held.spans:
            ends = between.get(span.conversation)
            if ends is not None and span.last >= ends[0] and span.first <= ends[1]:
                found[span.conversation].append(span)
        return tuple(span for spans in found.values() for span in spans[: max(0, limit)])

    def hanging(self, subject: Subject, turns: Iterable[str]) -> Mapping[str, Hanging]:
        held = self._of(subject, "hanging")
        return {turn: held.hung[turn] for turn in turns if turn in held.hung} if held else {}

    def line(self, subject: Subject, turn: str, limit: int) -> Mapping[str, Hanging]:
        held = self._of(subject, "line")
        found: dict[str, Hanging] = {}
        at: str | None = turn
        while held and at is not None and at in held.hung and len(found) < limit:
            found[at] = held.hung[at]
            at = held.hung[at].parent
        return found

    def heads(self, subject: Subject, roots: Iterable[str], among: int) -> Mapping[str, Mapping[str, str]]:
        held = self._of(subject, "heads")
        if held is None or among < 1:
            return {}
        last = {root: held.trees[root].turns[-among:] for root in roots if root in held.trees}
        return {
            root: newest_by_branch((turn, held.hung[turn]) for turn in reversed(turns) if turn in held.hung)
            for root, turns in last.items()
        }

    def branch_end(self, subject: Subject, head: str, limit: int) -> Sequence[str]:
        return along_branch(self.line(subject, head, limit))

    def tree_ends(self, subject: Subject, roots: Iterable[str], turns: int) -> Mapping[str, TreeEnds]:
        held = self._of(subject, "tree_ends")
        if held is None or turns < 1:
            return {}
        found = {root: held.trees[root].turns for root in roots if root in held.trees}
        return {root: TreeEnds(len(every), every[:turns], every[-turns:]) for root, every in found.items()}

    def recent_topics(
        self, subject: Subject, limit: int, before: tuple[datetime, str] | None = None
    ) -> Sequence[str]:
        held = self._of(subject, "recent_topics")
        if held is None:
            return ()
        found = [topic.id for topic in held.topics if before is None or held.spoken_of(topic) < before]
        return tuple(found[: max(0, limit)])

    def forest_state(self, subject: Subject, conversation: str | None = None) -> tuple[str, str] | None:
        held = self._of(subject, "forest_state")
        if held is None or not held.messages or self._grown is None:
            return None
        if conversation is None:
            conversation = max(held.view.messages, key=lambda m: (m.sent_at, m.conversation)).conversation
        said = [m for m in held.view.messages if m.conversation == conversation]
        said.sort(key=lambda m: message_place(m.sent_at, m.id))
        return (conversation, self._grown(said)) if said else None

    def topics(self, subject: Subject, limit: int) -> Sequence[Topic]:
        held = self._of(subject, "topics")
        return held.topics[:limit] if held else []

    def everything(self, subject: Subject) -> SubjectView | None:
        held = self._of(subject, "everything")
        return held.view if held else None

    def subjects(self, tenant: str) -> Sequence[Subject]:
        self.calls["subjects"] += 1
        return sorted((s for s in self._views if s.tenant == tenant), key=lambda s: s.name)

    def subject_names(self, tenant: str, limit: int, starts_with: str = "", after: str = "") -> Sequence[str]:
        self.calls["subject_names"] += 1
        names = sorted(s.name for s in self._views if s.tenant == tenant)
        return [name for name in names if name.startswith(starts_with) and name > after][: max(0, limit)]

    def subject_of_event(self, tenant: str, event: str) -> Subject | None:
        self.calls["subject_of_event"] += 1
        return next((s for s in self.subjects(tenant) if event in self._views[s].events), None)

    def written(self, subject: Subject) -> str | None:
        held = self._of(subject, "written")
        return digest(repr(held.view)) if held else None

    def newest(self, subject: Subject) -> datetime | None:
        held = self._of(subject, "newest")
        return max((m.sent_at for m in held.view.messages), default=None) if held else None
