"""The standing run: what earlier statements of one attribute amount to, folded in the order of saying.

A *run* is one value with all who stated it ("18 eggs" and "18 eggs it is"). A *level* of the history holds
the run that stands there, and rival runs where two parties disagree. The levels are a stack: a change puts
one on top, a withdrawal takes it off again. The fold reads acts and values only, never validity, so it is a
function of the set of events.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from operators.relate.naming import STATE, attribute_words
from operators.relate.same_thing import same_value
from operators.relate.words import within, words
from state.identity import normalised
from state.model import Act, Event, EventType

TAKES_BACK = (Act.WITHDRAW, Act.REMOVE)
_CUES = (Act.CHANGE, Act.RESTORE, Act.ADOPT)


@dataclass(slots=True)
class Run:
    """One value and the events that state it, oldest first."""

    events: list[Event]

    def says(self, event: Event) -> bool:
        """Whether `event` gives the run's value, in any of its wordings: a later one may be shorter."""
        return any(same_value(event, stated) for stated in self.events)

    def spoken_by(self, speaker: str) -> bool:
        return any(stated.speaker == speaker for stated in self.events)

    def denied_by(self, event: Event) -> bool:
        """Whether `event` says that the run's value does not hold ("no treasurer now")."""
        if event.facet is None:
            return False
        said = words(event.facet.value)
        values = [words(stated.facet.value) for stated in self.events if stated.facet is not None]
        return any(said.denies and not value.denies and within(value, said) for value in values)

    @property
    def valid_from(self) -> datetime:
        return min(stated.valid_from for stated in self.events)


@dataclass(slots=True)
class History:
    """The levels of one attribute, the current one last, and what withdrawals took off it.

    `taken` pairs the message that withdrew with the run that it took. `withdrawer` is who took the last one
    off, as long as nothing has been said since.
    """

    levels: list[list[Run]] = field(default_factory=list)
    taken: list[tuple[str, Run]] = field(default_factory=list)
    withdrawer: Event | None = None

    def standing_for(self, event: Event) -> list[Run]:
        """The runs that `event` finds standing: the top level; below it too, as long as what lies above has
        not begun when `event` is said; and what its own message has just withdrawn: that it replaces."""
        found = [run for message, run in self.taken if message == event.sources[-1]]
        for level in reversed(self.levels):
            found.extend(level)
            if all(run.valid_from <= event.stated_at for run in level):
                break
        return found

    def said_away(self, event: Event) -> list[Run]:
        """The runs that a bare statement about a person does away with: what it denies, and what its own
        message has just taken back or denied ("I'm no treasurer now, I'm the chair")."""
        found = [run for message, run in self.taken if message == event.sources[-1]]
        return found + [run for level in self.levels for run in level if run.denied_by(event)]


def is_state(event: Event) -> bool:
    """Whether `event` gives no attribute but what something is ("X is Y")."""
    named = attribute_words(event.facet.attribute) if event.facet is not None else frozenset[str]()
    return bool(named) and named <= STATE


def bare_state(event: Event) -> bool:
    """Whether `event` says no more than what a thing is, or what a participant becomes ("I'm treasurer",
    "I'm fond of tea"): of that many things hold at once."""
    if event.facet is None or not is_state(event):
        return False
    if not changes(event):
        return True
    return normalised(event.facet.entity) in {normalised(name) for name in event.participants}


def changes(event: Event) -> bool:
    """Whether a statement says by itself that it is a change: by its act, its type or its effective date."""
    return event.act in _CUES or event.type is EventType.STATE_CHANGE or event.valid_from > event.stated_at


def disputes(event: Event, run: Run) -> bool:
    """Whether `event` says otherwise than `run` without a change: another party's plain statement."""
    return not changes(event) and not run.spoken_by(event.speaker)


def fold(events: Sequence[Event]) -> History:
    """The history that `events`, of one attribute of one thing and oldest first, leave. O(n²) of a few."""
    history = History()
    for event in events:
        if event.act in TAKES_BACK:
            _take_back(history, event)
            history.withdrawer = event
        else:
            _state(history, event)
            history.withdrawer = None
    return history


def _take_back(history: History, event: Event) -> None:
    message = event.sources[-1]
    first = history.withdrawer
    if first is not None and first.speaker != event.speaker and first.conversation == event.conversation:
        # The other party acknowledges a withdrawal ("removed"): it takes nothing further.
        history.taken.extend(
            (message, run) for taker, run in tuple(history.taken) if taker == first.sources[-1]
        )
        return
    value = event.facet.value if event.facet is not None else ""
    whole = event.facet is None or not event.facet.attribute.strip()
    for at in range(len(history.levels) - 1, -1, -1):
        level = history.levels[at]
        named = [run for run in level if not value or run.says(event)]
        if whole:
            named = level
        if named:
            history.taken.extend((message, run) for run in named)
            history.levels[at] = [run for run in level if all(run is not gone for gone in named)]
            if not whole:
                break
    if value and not whole and not any(taker == message for taker, _ in history.taken) and history.levels:
        # The value is the words of the withdrawal ("off", "taken out"), not what is withdrawn.
        history.taken.extend((message, run) for run in history.levels.pop())
    history.levels = [level for level in history.levels if level]


def _state(history: History, event: Event) -> None:
    top = history.levels[-1] if history.levels else []
    if event.many or event.act is Act.ADD:
        for run in [run for run in top if run.says(event)]:
            run.events.append(event)
        return
    if bare_state(event):
        _state_of_person(history, event)
        return
    for run in top:
        if run.says(event):
            run.events.append(event)
            # A party that comes round to a rival's value leaves its own behind.
            left = [other for other in top if other is not run and other.spoken_by(event.speaker)]
            if left:
                history.levels[-1:] = [left, [other for other in top if all(other is not x for x in left)]]
            return
    if echoes(history, event):
        return
    if top and all(disputes(event, run) for run in top):
        top.append(Run([event]))
        return
    history.levels.append([Run([event])])


def _state_of_person(history: History, event: Event) -> None:
    """All that is said of a person stands side by side on one level, until it is denied."""
    denied = [run for level in history.levels for run in level if run.denied_by(event)]
    if denied:
        history.taken.extend((event.sources[-1], run) for run in denied)
        kept = [[r for r in level if all(r is not gone for gone in denied)] for level in history.levels]
        history.levels = [level for level in kept if level]
        return
    for run in [run for level in history.levels for run in level if run.says(event)]:
        run.events.append(event)
        return
    if not history.levels:
        history.levels.append([])
    history.levels[0].append(Run([event]))


def echoes(history: History, event: Event) -> bool:
    """Whether `event` merely repeats a value that is over, without a cue that it is to hold again, and the
    one who repeats it is not the one who set the present value ("it was 12 before")."""
    if changes(event) or not history.levels or bare_state(event):
        return False
    if any(run.spoken_by(event.speaker) for run in history.levels[-1]):
        return False
    return any(run.says(event) for level in history.levels[:-1] for run in level)
