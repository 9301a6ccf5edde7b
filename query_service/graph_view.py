"""A stretch of one subject's graph, to be looked at: what was said over a time, and what that stated."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from operators.summary import label
from query_service.forest_view import short_of
from state.graph import GraphReader, SessionSpan, StoredEvent
from state.model import Edge, Message, Subject
from state.ordering import AFTER_ALL, home_of, message_of, time_key, time_of

MOST_MESSAGES = 2_000
"""Messages of one page at most."""
_LABELLED_BY = 3
"""First turns that a topic's label is looked for in."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which messages are looked at: of those sent in [since, until) the `limit` next to `place`.

    Where `place` is None, the last ones. `earlier`: those before it; otherwise those after it. `around`: the
    place is in the middle and is looked at too.
    """

    limit: int
    since: datetime | None = None
    until: datetime | None = None
    place: str | None = None
    earlier: bool = True
    around: bool = False


@dataclass(frozen=True, slots=True)
class SaidView:
    """One message, in short. `topic` is empty where it hangs nowhere yet."""

    id: str
    conversation: str
    session: str
    topic: str
    speaker: str
    role: str
    sent_at: datetime
    gist: str


@dataclass(frozen=True, slots=True)
class SessionView:
    """One session with its ends, whether or not all its messages are on the page."""

    id: str
    conversation: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class LaneView:
    """One topic: its name, and how many turns it has in all."""

    id: str
    label: str
    size: int


@dataclass(frozen=True, slots=True)
class EventView:
    """An event and the message whose turn states it."""

    stored: StoredEvent
    message: str


@dataclass(frozen=True, slots=True)
class GraphView:
    """A page, in the order of saying. `edges` have at least one end on it. `before` and `after` are the
    places that the next pages either way go on from; None where the window has nothing more."""

    subject: str
    messages: tuple[SaidView, ...]
    sessions: tuple[SessionView, ...]
    topics: tuple[LaneView, ...]
    events: tuple[EventView, ...]
    edges: tuple[Edge, ...]
    before: str | None
    after: str | None


def view_graph(reader: GraphReader, subject: Subject, page: Page) -> GraphView | None:
    """The page's messages with their sessions and topics, the events that they state, and these' edges.

    None where nothing is kept of the subject. At most 12 round trips, and work bounded by the page's limit,
    however long the history is.
    """
    places, before, after = _places(reader, subject, page)
    if not places and reader.newest(subject) is None:
        return None
    ids = [message_of(place) for place in places]
    messages = reader.messages(subject, ids)
    hanging = reader.hanging(subject, ids)
    stated = {event: i for i in ids if i in hanging for event in hanging[i].events}
    found = reader.events(subject, stated)
    events = [EventView(found[event], message) for event, message in stated.items() if event in found]
    placed = [(place, messages[i]) for place, i in zip(places, ids, strict=True) if i in messages]
    sessions = _sessions(reader, subject, placed)
    session_of = _session_of(sessions, placed)
    topic_of = {i: hanging[i].topic for i in ids if i in hanging}
    edges = {edge.id: edge for event in events for edge in event.stored.edges}
    return GraphView(
        subject.name,
        tuple(
            _said(m, session_of.get(m.id, ""), topic_of.get(m.id, ""), short_of(m, hanging))
            for _, m in placed
        ),
        tuple(SessionView(s.id, s.conversation, time_of(s.first), time_of(s.last)) for s in sessions),
        _topics(reader, subject, topic_of.values()),
        tuple(events),
        tuple(edges[name] for name in sorted(edges)),
        before,
        after,
    )


def place_of_event(reader: GraphReader, subject: Subject, event: str) -> str | None:
    """Where the message stands that states an event; None where the subject has no such event (1)."""
    stored = reader.events(subject, [event]).get(event)
    return None if stored is None else home_of(stored.event.place)


def _places(
    reader: GraphReader, subject: Subject, page: Page
) -> tuple[Sequence[str], str | None, str | None]:
    """The page's places, and those that the pages before and after it go on from.

    One place more than is shown is read on each open side, to know whether there is another page.
    """
    low = time_key(page.since) if page.since is not None else ""
    high = time_key(page.until) if page.until is not None else AFTER_ALL
    if page.place is not None and page.around:
        back = page.limit // 2
        # No place lies between one and itself with the least sign behind it.
        earlier = reader.places(subject, low, min(high, f"{page.place}\0"), back + 2, latest=True)
        later = reader.places(subject, max(low, page.place), high, page.limit - back)
        shown = [*earlier[-(back + 1) :], *later[: page.limit - back - 1]]
        more_before, more_after = len(earlier) > back + 1, len(later) > page.limit - back - 1
    elif page.place is None or page.earlier:
        upper = high if page.place is None else min(high, page.place)
        found = reader.places(subject, low, upper, page.limit + 1, latest=True)
        shown = list(found[-page.limit :])
        more_before, more_after = len(found) > page.limit, upper != high
    else:
        found = reader.places(subject, max(low, page.place), high, page.limit + 1)
        shown = list(found[: page.limit])
        more_before, more_after = page.place > low, len(found) > page.limit
    if not shown:
        return (), None, None
    return shown, shown[0] if more_before else None, shown[-1] if more_after else None


def _sessions(
    reader: GraphReader, subject: Subject, placed: Sequence[tuple[str, Message]]
) -> Sequence[SessionSpan]:
    between: dict[str, tuple[str, str]] = {}
    for place, message in placed:
        first, _ = between.get(message.conversation, (place, place))
        between[message.conversation] = (first, place)
    return sorted(reader.session_spans(subject, between, len(placed)), key=lambda s: (s.first, s.id))


def _topics(reader: GraphReader, subject: Subject, roots: Iterable[str]) -> tuple[LaneView, ...]:
    wanted = [root for root in dict.fromkeys(roots) if root]
    ends = reader.tree_ends(subject, wanted, _LABELLED_BY)
    turns = [turn for one in ends.values() for turn in one.first]
    firsts, hung = reader.messages(subject, turns), reader.hanging(subject, turns)
    return tuple(
        LaneView(
            root,
            label([short_of(firsts[turn], hung) for turn in ends[root].first if turn in firsts]),
            ends[root].size,
        )
        for root in wanted
        if root in ends
    )


def _said(message: Message, session: str, topic: str, short: str) -> SaidView:
    return SaidView(
        message.id,
        message.conversation,
        session,
        topic,
        message.speaker,
        message.role.value,
        message.sent_at,
        short,
    )


def _session_of(sessions: Sequence[SessionSpan], placed: Sequence[tuple[str, Message]]) -> dict[str, str]:
    """Session id by message id."""
    by_conversation: dict[str, list[SessionSpan]] = {}
    for session in sessions:
        by_conversation.setdefault(session.conversation, []).append(session)
    found: dict[str, str] = {}
    for place, message in placed:
        spans = by_conversation.get(message.conversation, [])
        at = bisect_right(spans, place, key=lambda span: span.first)
        if at and place <= spans[at - 1].last:
            found[message.id] = spans[at - 1].id
    return found
