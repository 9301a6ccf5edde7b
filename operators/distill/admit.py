"""Which of the events that a model draws from a turn are taken over, and as what.

An event stands on words that the turn says, and its value on words that its messages say; so what a model
makes up makes no event. Otherwise it is an event like those of the rules: the same id for the same words, its
place in the order of saying, participants, cues and times, so that the gate, the calculus and questions need
not know who drew it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from operators.distill.answer import EventTold
from operators.distill.clause import Mood
from operators.distill.pronouns import spoken
from operators.distill.rules import MAX_DESCRIPTION, MAX_EVENTS, reading
from operators.distill.time_told import holds_from, occurs
from operators.distill.verbatim import says, says_value
from operators.llm.refusal import Refusal, Refused
from state.identity import event_id, normalised
from state.model import Act, Event, EventType, Facet, Message, Occurs
from state.ordering import event_place, message_place

_PART = 120
"""The most characters of a facet's entity, attribute or value."""
_TAKES_BACK = (Act.WITHDRAW, Act.REMOVE)
_SAY_NOTHING = {Mood.SOCIAL: Refusal.SOCIAL, Mood.QUESTION: Refusal.QUESTION}


def admitted(
    told: Sequence[EventTold], turn: Message, context: Sequence[Message], refused: Refused
) -> dict[int, Event]:
    """By their place in the answer (from 1), the events that `turn` is taken to say."""
    admission = _Admission(turn, context, refused)
    repeated = Counter(normalised(one.quote) for one in told)
    events: dict[int, Event] = {}
    for number, one in enumerate(told, start=1):
        event = admission.event(one, number, repeated[normalised(one.quote)] > 1)
        if event is None:
            continue
        if any(event.id == held.id for held in events.values()):
            refused(Refusal.REPEATED)
        elif len(events) == MAX_EVENTS:
            refused(Refusal.TOO_MANY)
        else:
            events[number] = event
    return events


class _Admission:
    """One turn's events under admission."""

    def __init__(self, turn: Message, context: Sequence[Message], refused: Refused) -> None:
        self.turn, self.refused = turn, refused
        self.context = {message.id: message for message in context}
        self.people = tuple(dict.fromkeys([turn.speaker, *(m.speaker for m in reversed(context))]))
        self.place = message_place(turn.sent_at, turn.id)

    def event(self, told: EventTold, number: int, crowded: bool) -> Event | None:
        """The event of `told`; None where it is refused. `crowded`: another one quotes the same words."""
        quote = one_line(told.quote)
        sources = self._sources(told.also)
        why = Refusal.CITES_OUTSIDE if sources is None else self._unfit(quote, told)
        if sources is None or why is not None:
            self.refused(why or Refusal.CITES_OUTSIDE)
            return None
        facet = self._facet(told, sources)
        if facet is None:
            self.refused(Refusal.UNSAID_VALUE)
            return None
        named = facet if facet != _NAMELESS else None
        ids = tuple(message.id for message in sources)
        description = _description(self.turn.speaker, quote, named if crowded or len(ids) > 1 else None)
        identity = event_id(self.turn.subject, ids, description)
        since = holds_from(told.since, sources, self.refused) if told.since.strip() else None
        return Event(
            id=identity,
            type=EventType(told.type),
            participants=self.people,
            description=description,
            facet=named,
            occurs=self._occurs(told, sources),
            stated_at=self.turn.sent_at,
            valid_from=since or self.turn.sent_at,
            sources=ids,
            conversation=self.turn.conversation,
            speaker=self.turn.speaker,
            place=event_place(self.place, number - 1, identity),
            act=Act(told.act),
            many=told.many,
            role=self.turn.role,
        )

    def _unfit(self, quote: str, told: EventTold) -> Refusal | None:
        if not quote:
            return Refusal.NOTHING
        if not says(self.turn.content, quote):
            return Refusal.UNSAID
        return None if one_line(told.value) and told.also else mute(quote)

    def _sources(self, also: Iterable[str]) -> list[Message] | None:
        """The messages that an event rests on, the turn last; None where one is not in the turn's context."""
        cited = {i for i in also if i != self.turn.id}
        if not cited <= self.context.keys():
            return None
        return [*(m for i, m in self.context.items() if i in cited), self.turn]

    def _facet(self, told: EventTold, sources: Sequence[Message]) -> Facet | None:
        """What the event is about; `_NAMELESS` where it names nothing, None where its value is made up.

        A withdrawal needs no value, so one that is made up ("cancelled") is left out there.
        """
        value = one_line(told.value)
        if value and not any(says_value(message, value) for message in reversed(sources)):
            if Act(told.act) not in _TAKES_BACK:
                return None
            value = ""
        other = self.people[1] if len(self.people) > 1 else ""
        entity = spoken(one_line(told.thing), self.turn.speaker, other)
        return Facet(entity[:_PART], one_line(told.attribute)[:_PART], value[:_PART])

    def _occurs(self, told: EventTold, sources: Sequence[Message]) -> Occurs | None:
        return occurs(told.when, sources, self.refused) if told.when is not None else None


_NAMELESS = Facet("", "", "")


def mute(quote: str) -> Refusal | None:
    """Why the words say nothing that could stand: they are a greeting or thanks, or merely ask."""
    moods = {clause.mood for clause in reading(quote).clauses}
    return _SAY_NOTHING.get(moods.pop()) if len(moods) == 1 else None


def one_line(text: str) -> str:
    """`text` on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _description(speaker: str, quote: str, facet: Facet | None) -> str:
    tail = f" ({facet.entity} · {facet.attribute}: {facet.value})" if facet is not None else ""
    tail = tail[: MAX_DESCRIPTION // 2]
    return f"{speaker}: {quote}"[: MAX_DESCRIPTION - len(tail)] + tail
