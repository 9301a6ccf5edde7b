"""Whether what a customer asks of a service takes the place of what they asked before, in one errand.

Nothing says so where a search is made again with another town, or a day is tried after another was full. So
signs are weighed: those of the turn (`operators.distill.errand`), and what its value has in common with the
earlier one. The weights are whole numbers, so that no rounding decides.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from operators.distill.earlier_claims import GENERIC, families
from operators.distill.english_words import COMPASS
from operators.distill.interface import Link
from operators.distill.spans import ValueKind
from operators.relate.at_hand import SERVICE
from operators.relate.errand_weights import START, WEIGHTS
from operators.relate.fit import fit
from operators.relate.naming import attribute_head, identifies
from operators.relate.runs import TAKES_BACK
from operators.relate.same_thing import Match, same_attribute, same_value
from operators.relate.spoken import spoken
from operators.relate.typed import family, typed
from operators.relate.words import head, within, words
from state.identity import normalised
from state.model import Act, Edge, EdgeType, Event, EventType, Precision

_SORTS = frozenset(("day", "clock", "count", "duration", "money", "name", "titled", "direction"))
_CROSSED = frozenset(("unmet", "another", "changes", "short"))
"""Signs that mean more for a day than for a name, and the like."""
_NEAR, _FAR, _VERY_FAR = 1, 4, 7
_TITLED = re.compile(r"(?:dr|mr|mrs|ms|prof|mx)\b", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:to|till|until|through|thru|and)\b|[-–—至到]")


@dataclass(frozen=True, slots=True)
class Rival:
    """The earlier event whose value another event's may replace, and what is to be weighed of the two."""

    told: Event
    signs: tuple[str, ...]

    @property
    def gives_way(self) -> bool:
        """Whether the signs together say that it is replaced."""
        return START + sum(WEIGHTS.get(sign, 0) for sign in self.signs) >= 0


def signs_of(event: Event, links: Sequence[Link]) -> tuple[str, ...] | None:
    """The signs that the distiller noted for `event`; None where it noted none."""
    for link in links:
        if link.type is EdgeType.UPDATES and link.source == event.id:
            return tuple(link.reason.split(", "))
    return None


def replaced(
    event: Event, earlier: Sequence[Event], signs: Sequence[str], ruled: Sequence[Edge]
) -> list[Event]:
    """The events of `earlier` (oldest first) whose value `event` takes the place of: the most likely one, and
    those that said its value again since. `ruled` are the updates that the rules see."""
    alike = _alike(event, earlier)
    found = _rival(event, earlier, alike, signs, ruled)
    if found is None or not found.gives_way:
        return []
    again = [
        told
        for told in alike
        if told.place > found.told.place and same_value(told, found.told) and not same_value(told, event)
    ]
    return [found.told, *again]


def rival(
    event: Event, earlier: Sequence[Event], signs: Sequence[str], ruled: Sequence[Edge]
) -> Rival | None:
    """The most likely of `earlier` (oldest first) to give way to `event`; None if there is none. O(n)."""
    return _rival(event, earlier, _alike(event, earlier), signs, ruled)


def _rival(
    event: Event,
    earlier: Sequence[Event],
    alike: Sequence[Event],
    signs: Sequence[str],
    ruled: Sequence[Edge],
) -> Rival | None:
    sort = sort_of(event)
    targets = {edge.target for edge in ruled}
    others = [told for told in alike if not same_value(event, told)]
    unlike = not others
    others = others or [told for told in earlier if told.id in targets]
    if not others:
        return None
    best = max(others, key=lambda told: (told.id in targets, *_likeness(event, told), told.place))
    found = [*signs, *_of_pair(event, best, sort), *_of_place(event, best, earlier, alike)]
    found += ["ruled"] * bool(targets) + ["unlike"] * unlike
    found += [f"{sort}: {sign}" for sign in found if sign in _CROSSED]
    return Rival(best, (*found, f"sort {sort}"))


def sort_of(event: Event) -> str:
    """What sort of value an event gives: a day, a clock time, a count, a name …; empty for a vague time."""
    facet = event.facet
    return _sort(facet.attribute, facet.value, event.stated_at) if facet is not None else ""


@lru_cache(maxsize=16_384)
def _sort(attribute: str, text: str, stated_at: datetime) -> str:
    """`sort_of` a value of an attribute. Remembered: an event is looked at again for each one after it."""
    if not text.strip():
        return ""
    kinds, value = families(attribute), typed(text, stated_at)
    if value is not None:
        if value.occurs is not None and value.occurs.precision is Precision.VAGUE:
            return ""
        if value.kind is ValueKind.NUMBER and kinds & {"date", "end", "time"}:
            return "day" if "date" in kinds else "clock"
        return family(value)
    if kinds & {"date", "end"} and text[:1].isdigit():
        return "day"
    if _TITLED.match(text):
        return "titled"
    return "name" if COMPASS.isdisjoint(normalised(text).split()) else "direction"


def names_thing(event: Event) -> bool:
    """Whether the event's own words name its thing, or an attribute that is more than a kind of value."""
    if event.facet is None:
        return False
    said = words(spoken(event))
    if event.facet.entity.strip() and within(words(event.facet.entity), said):
        return True
    return event.facet.attribute not in GENERIC and within(words(event.facet.attribute), said)


def _alike(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """Those of the conversation's earlier messages that give a value of the same sort of the same thing."""
    sort = sort_of(event)
    if sort not in _SORTS:
        return []
    return [
        told
        for told in earlier
        if told.conversation == event.conversation
        and told.sources[-1] != event.sources[-1]
        and told.act not in TAKES_BACK
        and not told.many
        and sort_of(told) == sort
        and _may_give_way(event, told, sort)
    ]


def _may_give_way(event: Event, told: Event, sort: str) -> bool:
    """Whether two values of one sort may be values of one thing: a count of rooms is none of seats, an end no
    beginning, and what a party is called nothing that is looked for. Two accounts of what is so disagree."""
    if event.facet is None or told.facet is None:
        return False
    ours, theirs = event.facet.attribute, told.facet.attribute
    if same_attribute(ours, theirs) is Match.NO and GENERIC.isdisjoint((ours, theirs)):
        return False  # when one moves, and when something is delivered
    if fit(event, told).thing is Match.NO and told.facet.entity.strip() and names_thing(event):
        return False
    other = told.speaker != event.speaker
    if other and event.act is Act.STATE and event.type is EventType.ACTION:
        return False
    if sort == "count":
        return _counted(event) == _counted(told)
    if sort == "money":
        return not other and same_attribute(event.facet.attribute, told.facet.attribute) is Match.EXACT
    if sort in ("day", "clock"):
        return _ends(event) == _ends(told) or _RANGE.search(told.facet.value) is not None
    return _calls(event) == _calls(told)


def _counted(event: Event) -> str:
    if event.facet is None:
        return ""
    attribute = event.facet.attribute
    return head(event.facet.entity) if attribute == "quantity" else attribute_head(attribute)


def _ends(event: Event) -> bool:
    return event.facet is not None and "end" in families(event.facet.attribute)


def _calls(event: Event) -> bool:
    """Whether an event says what one of its participants is called."""
    if event.facet is None or not identifies(event.facet.attribute):
        return False
    return normalised(event.facet.entity) in {normalised(name) for name in event.participants}


def _likeness(event: Event, told: Event) -> tuple[int, int]:
    if event.facet is None or told.facet is None:
        return 0, 0
    alike = same_attribute(event.facet.attribute, told.facet.attribute)
    return int(alike) + 2 * (told.speaker == event.speaker), int(fit(event, told).thing)


def _of_pair(event: Event, told: Event, sort: str) -> Iterator[str]:
    """The signs that two events give by their acts and facets."""
    if event.facet is None or told.facet is None:
        return
    yield f"act {event.act.value}"
    yield f"told {told.act.value}"
    if event.act in (Act.CHANGE, Act.RESTORE):
        yield "changes"
    if same_attribute(event.facet.attribute, told.facet.attribute) is Match.NO:
        yield "other attribute"
    if fit(event, told).thing is Match.EXACT:
        yield "same thing"
    if told.role in SERVICE:
        yield "by the service"
    yield from (f"attribute {kind}" for kind in families(event.facet.attribute) & {"date", "end"})
    if sort in ("name", "titled", "direction"):
        if event.facet.value.islower() != told.facet.value.islower():
            yield "one capital"
        if sort == "name" and event.facet.value.islower():
            yield "lower case"
        if identifies(event.facet.attribute):
            yield "identifies"


def _of_place(event: Event, told: Event, earlier: Sequence[Event], alike: Sequence[Event]) -> Iterator[str]:
    """The signs that two events give by where they stand, and by the words that they share besides values."""
    if event.facet is None or told.facet is None:
        return
    between = {
        other.sources[-1]
        for other in earlier
        if told.place <= other.place
        and other.sources[-1] != event.sources[-1]
        and other.conversation == event.conversation
    }
    if len(between) <= _NEAR:
        yield "near"
    elif len(between) > _FAR:
        yield "far" if len(between) <= _VERY_FAR else "very far"
    ours = words(spoken(event)).kinds - words(event.facet.value).kinds
    if ours.isdisjoint(words(spoken(told)).kinds - words(told.facet.value).kinds):
        yield "no words in common"
    if any(same_value(event, other) for other in alike):
        yield "said before"
