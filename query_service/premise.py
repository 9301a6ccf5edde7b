"""Which facts a text takes to hold although they no longer do, and what holds instead. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from query_service.facet_match import terms_of
from query_service.standing import Standings, replacements
from query_service.state_view import Status
from state.graph import StoredEvent
from state.identity import normalised
from state.lexicon import terms
from state.model import Act, EdgeType, Facet, UpdateMode

SHORTEST_VALUE = 3
"""A value shorter than this is not looked for in a text: it would be found by chance."""
TELLING, PLAIN = 0.5, 0.75
"""The share of the terms which only the old value has that a text must say to mean that value: where it says
what the fact is about, and where it does not (two of them at least, then)."""
FEW_TERMS = 3
LONG_WORD = 4
"""Of so few such terms one word of this many letters is enough."""
LONG_NUMBER = 3
"""A number of fewer digits may be of anything else."""
_CJK = re.compile(r"[\u3400-\u9fff]")
_CJK_RUN = re.compile(r"[\u3400-\u9fff0-9:.]{2,}")
_COUNTING = re.compile(r"[0-9一二三四五六七八九十两百千万日]")
_TAKES_BACK = (Act.WITHDRAW, Act.REMOVE)


@dataclass(frozen=True, slots=True)
class Outdated:
    """A fact that a text names though it no longer holds.

    `since` is when it went out. `replaced_by` is what holds in its place, or None where it was withdrawn and
    nothing does. `sources` are the messages that state the fact, and `settled_by` those that put it out.
    """

    fact: str
    replaced_by: str | None
    since: datetime | None
    withdrawn: bool
    sources: tuple[str, ...]
    settled_by: tuple[str, ...]


def told_fact(stored: StoredEvent) -> str:
    """What an event states, in a line: its facet where it has one, else its description."""
    facet = stored.event.facet
    if facet is None:
        return stored.event.description
    return ": ".join(part for part in (f"{facet.entity} {facet.attribute}".strip(), facet.value) if part)


def superseded_in(text: str, known: Mapping[str, StoredEvent], standing: Standings) -> tuple[str, ...]:
    """The events whose value the text takes to hold though they are out, first stated first.

    An event counts where the text names its value and not what holds instead, and where no fact in force has
    that value. Linear in the words of the known facets.
    """
    said = _Said(normalised(text), frozenset(terms(text)))
    named = []
    for name, stored in known.items():
        facet = stored.event.facet
        # The words are looked at first: few facts are named, and how an event stands costs more to tell.
        if facet is None or not facet.value or not said.may_name(facet.value):
            continue
        held = standing[name]
        if not held.begun or held.status is not Status.SUPERSEDED:
            continue
        instead = [_value(known[other]) for other in _instead(name, known, standing)]
        if said.names(stored, instead) and not _still_held(stored, known, standing):
            named.append(name)
    return tuple(sorted(named, key=lambda name: known[name].event.place))


@dataclass(frozen=True, slots=True)
class _Said:
    """A text as it is looked through: normalised, and its terms."""

    text: str
    terms: frozenset[str]

    def may_name(self, value: str) -> bool:
        """Whether anything of the value is in the text at all."""
        return not self.terms.isdisjoint(terms_of(value)) or normalised(value) in self.text

    def has(self, value: str) -> bool:
        """Whether the value stands in the text as a whole, with no letter or digit running on."""
        value = normalised(value)
        if len(value) < (2 if _CJK.search(value) else SHORTEST_VALUE):
            return False
        at = self.text.find(value)
        while at >= 0:
            if not (
                _runs_on(self.text, at - 1, at) or _runs_on(self.text, at + len(value) - 1, at + len(value))
            ):
                return True
            at = self.text.find(value, at + 1)
        return False

    def names(self, stored: StoredEvent, instead: Sequence[str]) -> bool:
        """Whether the text means this fact's value, and none of those that hold `instead`."""
        value, about = _value(stored), _about(stored)
        if any(self.has(other) or self._means(other, [value], about) for other in instead):
            return False
        if self.has(value):
            plain = len(terms_of(value)) == 1 and not any(map(str.isdigit, value))
            return not (plain and self.terms.isdisjoint(about))
        return self._means(value, instead, about)

    def _means(self, value: str, others: Sequence[str], about: frozenset[str]) -> bool:
        """Whether the text says enough of a value that it does not have whole, in words that no other value
        has. `about` are the terms of what the fact is about."""
        words = (term for term in about if not term.isdigit())
        own = terms_of(value).difference(words, *map(terms_of, others))
        told = own & self.terms
        if told and all(map(str.isdigit, told)) and not self._shares_number(value, told):
            return False
        if len(told) > 1 and len(told) >= PLAIN * len(own):
            return True
        if self.terms.isdisjoint(about):
            return False
        if len(told) >= TELLING * len(own) and (len(told) > 1 or any(map(_tells, told))):
            return True
        if len(own) <= FEW_TERMS and any(len(term) >= LONG_WORD and term.isalpha() for term in told):
            return True
        return self._shares_run(value, "".join(map(normalised, others)))

    def _shares_number(self, value: str, numbers: Iterable[str]) -> bool:
        """Whether one of the numbers can only be the value's: it is long, or the text says it beside the same
        word as the value does."""
        words = normalised(value).split()
        beside = (f"{one} {two}" for one, two in pairwise(words) if one in numbers or two in numbers)
        return any(len(number) >= LONG_NUMBER for number in numbers) or any(map(self.has, beside))

    def _shares_run(self, value: str, instead: str) -> bool:
        """Whether the text repeats a stretch of a Chinese value that what holds instead lacks: three
        characters, or two with a number ("周二")."""
        for run in _CJK_RUN.findall(normalised(value)):
            for length in (3, 2):
                for at in range(len(run) - length + 1):
                    piece = run[at : at + length]
                    if piece not in self.text or piece in instead or not _CJK.search(piece):
                        continue
                    if length == 3 or _COUNTING.search(piece):
                        return True
        return False


def _runs_on(text: str, one: int, two: int) -> bool:
    """Whether a word or a number goes on from one place of the text to the next."""
    return (
        one >= 0 and two < len(text) and all(text[at].isascii() and text[at].isalnum() for at in (one, two))
    )


def _tells(term: str) -> bool:
    """Whether a term alone can stand for a value: a unit ("斤装") cannot."""
    return len(term) >= LONG_WORD or any(map(str.isdigit, term))


def _about(stored: StoredEvent) -> frozenset[str]:
    """The terms of what a fact is about: its entity and attribute, else what is said beside its value."""
    facet = stored.event.facet
    assert facet is not None
    thing = terms_of(facet.entity) | terms_of(facet.attribute)
    return thing or terms_of(stored.event.description) - terms_of(facet.value)


def _still_held(stored: StoredEvent, known: Mapping[str, StoredEvent], standing: Standings) -> bool:
    """Whether a fact in force gives the same value to the same thing or attribute: it was said again, or gone
    back to."""
    facet = stored.event.facet
    assert facet is not None
    value = normalised(facet.value)
    for name, other in known.items():
        same = other.event.facet
        if same is None or name == stored.event.id or normalised(same.value) != value:
            continue
        if _alike(facet, same) and _holds(name, known, standing):
            return True
    return False


def _alike(one: Facet, other: Facet) -> bool:
    """Whether two facets are of one thing or of one attribute, as far as they name either."""
    pairs = [
        (normalised(a), normalised(b))
        for a, b in ((one.entity, other.entity), (one.attribute, other.attribute))
    ]
    return any(a and a == b for a, b in pairs) or all(a == b for a, b in pairs)


def _instead(name: str, known: Mapping[str, StoredEvent], standing: Standings) -> tuple[str, ...]:
    """What holds in the place of an event that is out, last stated first: what replaced it, or, where it was
    withdrawn, what stands again of what it had replaced itself."""
    given = tuple(
        other
        for other in replacements(name, standing, known)
        if known[other].event.act not in _TAKES_BACK and not _withdraws(other, name, known)
    )
    if given:
        return given
    again = [
        edge.target
        for edge in known[name].edges
        if edge.type is EdgeType.UPDATES and edge.source == name and edge.target in known
    ]
    if not any(_holds(one, known, standing) for one in again):
        again = [one for one, other in known.items() if one != name and _same_attribute(known[name], other)]
    held = [one for one in again if _holds(one, known, standing)]
    return tuple(sorted(held, key=lambda one: known[one].event.place, reverse=True))


def _holds(name: str, known: Mapping[str, StoredEvent], standing: Standings) -> bool:
    """Whether an event gives a value that is in force."""
    held = standing[name]
    gives = known[name].event.act not in _TAKES_BACK
    return gives and held.begun and held.status is not Status.SUPERSEDED


def _same_attribute(one: StoredEvent, other: StoredEvent) -> bool:
    """Whether two events speak of one attribute of one thing, by name."""
    first, second = one.event.facet, other.event.facet
    if first is None or second is None or not first.attribute:
        return False
    names = ((first.entity, second.entity), (first.attribute, second.attribute))
    return all(normalised(a) == normalised(b) for a, b in names)


def _withdraws(source: str, target: str, known: Mapping[str, StoredEvent]) -> bool:
    return any(
        edge.source == source and edge.target == target and edge.mode is UpdateMode.WITHDRAWS
        for edge in known[target].edges
    )


def outdated(name: str, known: Mapping[str, StoredEvent], standing: Standings) -> Outdated:
    """What is to be said of an event that is out."""
    stored, held = known[name], standing[name]
    instead = _instead(name, known, standing)
    last = held.by[-1:]
    settling = dict.fromkeys(
        source for other in (*instead[:1], *last) for source in known[other].event.sources[-1:]
    )
    return Outdated(
        fact=told_fact(stored),
        replaced_by=told_fact(known[instead[0]]) if instead else None,
        since=held.since,
        withdrawn=any(_withdraws(other, name, known) for other in last),
        sources=stored.event.sources,
        settled_by=tuple(settling),
    )


def _value(stored: StoredEvent) -> str:
    facet = stored.event.facet
    return facet.value if facet is not None else stored.event.description
