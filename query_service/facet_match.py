"""How well a question names what an event is about, and whether its value is of the kind asked for. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from operators.distill.spans import ValueKind
from operators.distill.values import find_values
from state.graph import StoredEvent
from state.lexicon import idf, terms
from state.model import Event, Facet

FITTING = 1.25
UNFITTING = 0.6
"""What a match is worth where the value is, or is not, of the kind that the question asks for."""
UNTYPED = 0.8
"""What it is worth where neither the value nor the attribute shows the kind that is asked for."""
UNTOLD = 0.5
"""How far a question names a fact of unknown entity whose value is of the kind asked for."""
STEM = 5
"""Letters that two forms of one word share at least."""
LONGEST_VALUE = 200
"""Characters of a value that are read for its kind."""
_NO_DAY = datetime(2000, 1, 1, tzinfo=UTC)
"""Kinds do not depend on the day against which a time is resolved."""

_TIMES = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME})
_MONEY = frozenset({ValueKind.MONEY, ValueKind.PERCENT})
_COUNTS = frozenset({ValueKind.QUANTITY, ValueKind.NUMBER, ValueKind.DURATION})
_PLACES = frozenset({ValueKind.ADDRESS, ValueKind.NAME, ValueKind.QUOTED})
_PEOPLE = frozenset({ValueKind.NAME, ValueKind.PHONE, ValueKind.EMAIL})
_KINDS_ASKED: tuple[tuple[re.Pattern[str], frozenset[ValueKind]], ...] = (
    (re.compile(r"\bhow (?:much|expensive)\b|\b(?:price|cost)s?\b|多少钱|价格|费用", re.I), _MONEY | _COUNTS),
    (
        re.compile(r"\bhow (?:many|long|old|big|warm|heavy)\b|几(?![点号月])|多少|多久|多大|多长", re.I),
        _COUNTS,
    ),
    (
        re.compile(
            r"\bwhen\b|\b(?:what|which) (?:time|day|date)s?\b"
            r"|几点|几号|哪天|哪一天|什么时|何时|几月|星期几|周几",
            re.I,
        ),
        _TIMES,
    ),
    (re.compile(r"\bwhere\b|哪里|哪儿|在哪|何处|什么地方", re.I), _PLACES),
    (re.compile(r"\bwho(?:m|se)?\b|谁|哪位", re.I), _PEOPLE),
)

_ATTRIBUTES = {
    _PLACES: frozenset(terms("address place venue location destination room 地址 地点 位置 场地 住址")),
    _TIMES: frozenset(terms("time date day deadline 时间 日期 期限")),
    _PEOPLE: frozenset(terms("name contact 姓名 名字 联系人")),
}
"""What the values of a kind are called, where a value alone does not show its kind ("the garage")."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question says of the fact it wants: its terms, the kinds of value that would answer it (empty
    where it does not tell), and terms of attributes that have such values."""

    terms: frozenset[str]
    kinds: frozenset[ValueKind]
    attributes: frozenset[str] = frozenset()


def asked_of(question: str) -> Asked:
    """Reads a question. A day asked for by number ("几号") is a time, a number of things is not."""
    held = frozenset(terms(question))
    times, *others = sorted(_KINDS_ASKED, key=lambda one: one[1] is not _TIMES)
    for pattern, kinds in (times, *others):
        if pattern.search(question):
            return Asked(held, kinds, _ATTRIBUTES.get(kinds, frozenset()))
    return Asked(held, frozenset())


def facet_matches(asked: Asked, known: Mapping[str, StoredEvent]) -> dict[str, float]:
    """By event, how well the question names its facet, in (0, FITTING]; those it does not name are left out.

    With w(t) the idf of a term among the facets of `known`: named = the share of w over the facet's entity
    and attribute that the question says, covered = the share of w over the question's terms (those that any
    facet has) that the facet says, and the match is √(named · covered), times FITTING or UNFITTING by the
    kind of the value. A value of the kind asked for stands for its attribute, which a question then does not
    say ("where", of a place). Linear in the words of the facets.
    """
    facets = {name: stored.event.facet for name, stored in known.items() if stored.event.facet is not None}
    said = {name: _read(facet, known[name].event) for name, facet in facets.items()}
    held = Counter(term for one in said.values() for term in one.all)
    worth = {term: idf(len(said), count) for term, count in held.items()}
    wanted = _same_words(asked.terms, held)
    whole = _weight(wanted, worth)
    found: dict[str, float] = {}
    for name, one in said.items():
        covered = _weight(one.all & wanted, worth) / whole if whole else 0.0
        if not covered:
            continue
        fit = _fit(asked, one, facets[name].value)
        named = _named(one, wanted, worth, fit == FITTING, asked.attributes)
        if named:
            found[name] = float((named * covered) ** 0.5) * fit
    return found


@dataclass(frozen=True, slots=True)
class _Said:
    """The terms of a facet's parts. `entity` is without those who take part: what is a speaker's own is asked
    for without the name. `all` has the description's terms too where no entity is told."""

    entity: frozenset[str]
    attribute: frozenset[str]
    value: frozenset[str]
    all: frozenset[str]


def _read(facet: Facet, event: Event) -> _Said:
    entity, attribute, value = (terms_of(part) for part in (facet.entity, facet.attribute, facet.value))
    rest = entity if facet.entity else terms_of(event.description)
    owners = frozenset().union(*map(terms_of, (event.speaker, *event.participants)))
    return _Said(entity - owners, attribute, value, rest | attribute | value)


def _named(
    one: _Said, wanted: frozenset[str], worth: Mapping[str, float], fits: bool, implied: frozenset[str]
) -> float:
    about = one.entity | one.attribute
    if not fits:
        return _share(about, wanted, worth)
    things = one.entity or frozenset(term for term in one.value if not any(map(str.isdigit, term)))
    told = max(_share(part, wanted, worth) for part in (about, about - implied, things))
    return told if one.entity else max(told, UNTOLD)


def _share(of: frozenset[str], wanted: frozenset[str], worth: Mapping[str, float]) -> float:
    whole = _weight(of, worth)
    return _weight(of & wanted, worth) / whole if whole else 0.0


def _weight(of: frozenset[str], worth: Mapping[str, float]) -> float:
    return math.fsum(worth[term] for term in of)


def _fit(asked: Asked, said: _Said, value: str) -> float:
    if not asked.kinds:
        return 1.0
    held = _kinds_of(value[:LONGEST_VALUE])
    if not held.isdisjoint(asked.kinds) or not said.attribute.isdisjoint(asked.attributes):
        return FITTING
    return UNFITTING if held else UNTYPED


def _same_words(asked: frozenset[str], held: Iterable[str]) -> frozenset[str]:
    """The terms of `held` that are asked for, or share a stem with one: "delivery" has another Snowball stem
    than "delivered"."""
    stems = {term[:STEM]: term for term in sorted(asked) if len(term) >= STEM and term.isalpha()}
    return frozenset(
        term
        for term in held
        if term in asked
        or ((other := stems.get(term[:STEM])) and (term.startswith(other) or other.startswith(term)))
    )


@lru_cache(maxsize=16_384)
def terms_of(text: str) -> frozenset[str]:
    """The terms of a text. Remembered: the same facets are looked at question after question."""
    return frozenset(terms(text))


@lru_cache(maxsize=8_192)
def _kinds_of(value: str) -> frozenset[ValueKind]:
    return frozenset(found.kind for found in find_values(value, _NO_DAY))
