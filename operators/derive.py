"""The graph of one subject from scratch: the definition that the pipeline must equal (DESIGN §1, I1).

`derive` is a function of the *set* of live messages, and of a model's answers where it is told some. Its
steps are functions of their own, so that a pipeline which applies them to what a change touches gets the same
edges:

1. `distil_turn`  a message and the `CONTEXT_TURNS` before it in its conversation → events and links
2. `Filed`        events under `gate.keys`; the candidates of an event under a key are the K filed before it
3. `relate_turn`  a turn's events and links, and each event's candidates → the edges that the turn owns
4. `evaluate`     events and edges → timelines (`state.validity`)
"""

from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from operators import gate
from operators.answers import AnsweredRelater, Told
from operators.distill.interface import CONTEXT_TURNS, Distilled, Distiller
from operators.distill.turn import distil, sound
from operators.forest.grow import grow, turn_of
from operators.forest.interface import Decider
from operators.forest.rules import RULES as FOREST
from operators.llm.instead import RULES_INSTEAD
from operators.relate.interface import Relater
from operators.relate.turn import relate_turn
from operators.sessions import cut
from operators.summary import digest_of, label
from state.graph import SubjectView
from state.identity import session_id
from state.model import Edge, Event, Message, Session, Subject, Topic, Turn
from state.ordering import message_place
from state.records import Answered, TurnLink
from state.validity import evaluate


def in_place(messages: Iterable[Message]) -> list[Message]:
    """Messages in the order of saying. Raises ValueError if two that share an id differ."""
    unique: dict[str, Message] = {}
    for message in messages:
        if unique.setdefault(message.id, message) != message:
            raise ValueError(f"two messages have the id {message.id!r}: resolve revisions first")
    return sorted(unique.values(), key=lambda m: message_place(m.sent_at, m.id))


def distil_turn(distiller: Distiller, conversation: Sequence[Message], index: int) -> Distilled:
    """What the message at `index` of a conversation in place order says; the few before it are context."""
    return distil(distiller, conversation[index], conversation[max(0, index - CONTEXT_TURNS) : index])


def distil_told(
    told: Told, distiller: Distiller, turn: Message, context: Sequence[Message]
) -> tuple[Distilled, Answered | None]:
    """What a turn says by its answer, and what was answered; nothing yet where there is no answer. Where the
    answer is that the rules have to say, `distiller` does."""
    key = told.reader.turn_key(turn, context)
    text = told.texts.get(key)
    if text is None:
        return Distilled(), None
    if text == RULES_INSTEAD:
        return distil(distiller, turn, context), None
    said = told.reader.turn(key, text, turn, context)
    return sound(said.distilled), said.answered


class Filed:
    """The events of one subject under their gate keys, each key's in the order of ω."""

    def __init__(self, events: Iterable[Event]) -> None:
        """O(n log n): every event under each of its keys."""
        self._places: dict[str, list[str]] = {}
        self._events: dict[str, list[Event]] = {}
        for event in sorted(events, key=lambda e: e.place):
            for key in gate.keys(event):
                self._places.setdefault(key, []).append(event.place)
                self._events.setdefault(key, []).append(event)

    def before(self, event: Event) -> list[Event]:
        """Under each key of `event`, the `gate.CANDIDATES` events that were stated last before it."""
        found: list[Event] = []
        for key in gate.keys(event):
            at = bisect_left(self._places[key], event.place)
            found.extend(self._events[key][max(0, at - gate.CANDIDATES) : at])
        return found


def sessions_of(subject: Subject, conversation: Sequence[Message]) -> tuple[Session, ...]:
    """The sessions of one conversation in place order."""
    return tuple(
        Session(
            id=session_id(subject, run[0].conversation, run[0].id),
            conversation=run[0].conversation,
            messages=tuple(message.id for message in run),
            start=run[0].sent_at,
            end=run[-1].sent_at,
            summary=digest_of([message.content for message in run]),
        )
        for run in cut(conversation)
    )


def topics_of(
    turns: Sequence[Turn], content: Mapping[str, str], session_of: Mapping[str, str]
) -> tuple[Topic, ...]:
    """The trees of the forest, from its turns in place order. `content`: message texts by id."""
    trees: dict[str, list[Turn]] = {}
    for turn in turns:
        trees.setdefault(turn.topic, []).append(turn)
    return tuple(
        Topic(
            id=topic,
            label=label([content[m] for turn in members for m in turn.messages]),
            turns=tuple(turn.id for turn in members),
            sessions=tuple(dict.fromkeys(session_of[m] for turn in members for m in turn.messages)),
        )
        for topic, members in trees.items()
    )


def turns_of(conversation: Sequence[Message], decider: Decider) -> tuple[Turn, ...]:
    """The turns of one conversation in place order, where `decider` hangs them."""
    _, placements = grow(conversation, decider)
    return tuple(turn_of(message, at) for message, at in zip(conversation, placements, strict=True))


def derive(
    messages: Iterable[Message],
    distiller: Distiller,
    relater: Relater,
    decider: Decider = FOREST,
    told: Told | None = None,
) -> SubjectView:
    """All that is kept of one subject, from its live messages (deletions and revisions resolved).

    With `told`, from what a model answered; the others stand in where it failed for good. The messages may
    come in any order and more than once. Raises ValueError if there is none, if they are not of one subject,
    or if two that share an id differ. O(n log n) in messages and events, plus the distiller's time a turn and
    the relater's an event.
    """
    placed = in_place(messages)
    subjects = {message.subject for message in placed}
    if len(subjects) != 1:
        raise ValueError(f"a view is of one subject, and these messages are of {len(subjects)}")
    subject = placed[0].subject

    sessions: list[Session] = []
    turns: list[Turn] = []
    distilled: list[Distilled] = []
    answered: dict[str, Answered] = {}
    for _, group in groupby(sorted(placed, key=lambda m: m.conversation), key=lambda m: m.conversation):
        conversation = list(group)  # sorted() is stable: still in place order
        sessions.extend(sessions_of(subject, conversation))
        if told is None:
            turns.extend(turns_of(conversation, decider))
            distilled.extend(distil_turn(distiller, conversation, at) for at in range(len(conversation)))
            continue
        for at, message in enumerate(conversation):
            context = conversation[max(0, at - CONTEXT_TURNS) : at]
            said, answer = distil_told(told, distiller, message, context)
            distilled.append(said)
            answered |= {message.id: answer} if answer is not None else {}
        turns.extend(turns_of(conversation, told.reader.decider(decider, answered.get)))

    session_of = {message: session.id for session in sessions for message in session.messages}
    content = {message.id: message.content for message in placed}
    events = {event.id: event for turn in distilled for event in turn.events}
    edges = relate_all(relater, distilled, told, answered)
    if answered:
        turns = [replace(t, summary=_summary(answered.get(t.id))) for t in turns]
    return SubjectView(
        subject=subject,
        messages=tuple(sorted(placed, key=lambda m: m.id)),
        sessions=tuple(sorted(sessions, key=lambda s: s.id)),
        turns=tuple(sorted(turns, key=lambda t: t.id)),
        topics=tuple(sorted(topics_of(turns, content, session_of), key=lambda t: t.id)),
        events=tuple(events[key] for key in sorted(events)),
        edges=edges,
        timelines=evaluate(events.values(), edges),
        session_of=session_of,
        topic_of={message: turn.topic for turn in turns for message in turn.messages},
    )


def relate_all(
    relater: Relater,
    turns: Sequence[Distilled],
    told: Told | None = None,
    answered: Container[str] = (),
) -> tuple[Edge, ...]:
    """The edges among the events of all turns of a subject, sorted by id. `told` relates the events of turns
    that were `answered` (by message id), and `relater` the rest."""
    filed = Filed({event.id: event for turn in turns for event in turn.events}.values())
    edges: dict[str, Edge] = {}
    for turn in turns:
        links = [TurnLink(x.type, x.source, x.target, x.confidence, x.reason) for x in turn.links]
        candidates = {event.id: filed.before(event) for event in turn.events}
        by = relater
        if told is not None and any(event.sources[-1] in answered for event in turn.events):
            by = AnsweredRelater(told)
        edges.update((edge.id, edge) for edge in relate_turn(turn.events, links, candidates, by).edges)
    return tuple(edges[key] for key in sorted(edges))


def _summary(answered: Answered | None) -> str:
    return answered.summary if answered is not None else ""
