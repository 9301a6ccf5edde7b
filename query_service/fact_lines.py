"""How facts are told to the next turn: what a quoted message says that no longer holds, and what stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from operators.relate.naming import STATE, attribute_head
from operators.summary import shortened
from query_service.context import Book
from query_service.quoting import quoted
from query_service.standing import replacements
from query_service.state_view import Status
from state.graph import StoredEvent
from state.identity import normalised
from state.model import Act, EdgeType, EventType, UpdateMode

FACTS = 40
"""Facts listed at most, those that took another's place first, then the latest."""
UNNAMED = STATE | {"", attribute_head("item")}
"""Attributes that say no more than that something is so."""
VALUE_WORDS, VALUE_CHARACTERS = 16, 32
LASTING_TYPES = frozenset({EventType.STATE_CHANGE, EventType.PREFERENCE})


@dataclass(frozen=True, slots=True)
class Stated:
    """The values that a message states: `gone` no longer hold, each with what must be said of it; `holding`
    do; `lasting` are those of them that are a state or a preference, which last until they are changed, and
    `named` those that are the value of an attribute."""

    gone: tuple[tuple[str, str], ...] = ()
    holding: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        """Those that are told whole or not at all."""
        return (*(value for value, _ in self.gone), *self.named)


def stated_values(message: str, book: Book) -> Stated:
    """What a message states, as it stands. What was restated since, or gone back to, still holds."""
    gone: list[tuple[str, str]] = []
    holding: list[str] = []
    lasting: list[str] = []
    named: list[str] = []
    for name in book.stated.get(message, ()):
        stored = book.known.get(name)
        if stored is None:
            continue
        value = _value(stored)
        mark = ""
        if stored.event.facet is not None and book.standing[name].status is Status.SUPERSEDED:
            mark = _mark(stored, book)
        if mark:
            gone.append((value, f"{quoted(_short(value))} {mark}"))
            continue
        holding.append(value)
        if stored.event.type in LASTING_TYPES:
            lasting.append(value)
        if stored.event.facet is not None and stored.event.facet.value:
            named.append(value)
    return Stated(tuple(gone), tuple(holding), tuple(lasting), tuple(named))


def _mark(stored: StoredEvent, book: Book) -> str:
    """What is said beside a value that is out; empty where the same value stands in its place."""
    name = stored.event.id
    instead = replacements(name, book.standing, book.known)
    by = instead or book.standing[name].by[-1:]
    if any(
        edge.target == name and edge.source in by and edge.mode is UpdateMode.WITHDRAWS
        for edge in stored.edges
    ):
        return "SUPERSEDED: withdrawn"
    own = normalised(_value(stored))
    stating = [other for other in instead if book.known[other].event.act not in (Act.WITHDRAW, Act.REMOVE)]
    if any(normalised(_value(book.known[other])) == own for other in stating):
        return ""
    others = (_value(book.known[other]) for other in by)
    value = next((value for value in others if normalised(value) != own), "")
    return f"SUPERSEDED by {quoted(_short(value))}" if value else "SUPERSEDED"


@dataclass(frozen=True, slots=True)
class StandingFact:
    """A fact that stands, as a line with what it replaced; `value` is empty where its attribute is only that
    something is so, which the words around it must say."""

    line: str
    value: str
    replaces: bool


def standing_facts(messages: Iterable[str], book: Book) -> Sequence[StandingFact]:
    """The facts that stand among those that messages state. Those that replaced another come first, then the
    latest; of equal ones the first."""
    found: list[tuple[bool, str, str]] = []
    for name in dict.fromkeys(name for message in messages for name in book.stated.get(message, ())):
        stored = book.known.get(name)
        if stored is None or stored.event.facet is None:
            continue
        standing = book.standing[name]
        if standing.begun and standing.status is not Status.SUPERSEDED:
            found.append((bool(_replaced(stored, book)), stored.event.place, name))
    facts: dict[str, StandingFact] = {}
    for replaces, _, name in sorted(found, reverse=True):
        stored = book.known[name]
        line = _fact(stored, book)
        whole = _with_replaced(line, stored, book)
        facts.setdefault(normalised(line), StandingFact(whole, _named(stored), replaces))
    return list(facts.values())[:FACTS]


def _fact(stored: StoredEvent, book: Book) -> str:
    facet = stored.event.facet
    assert facet is not None
    name = one_line(f"{facet.entity} {facet.attribute}".strip())
    doubt = " (in doubt)" if book.standing[stored.event.id].status is Status.DOUBTED else ""
    return f"= {name}{': ' if name else ''}{quoted(_short(_value(stored)))}{doubt}"


def _with_replaced(line: str, stored: StoredEvent, book: Book) -> str:
    for mode in UpdateMode:
        was = ", ".join(quoted(_short(value)) for value in _replaced(stored, book, mode))
        line += f" {mode.value} {was}" if was else ""
    return line


def _replaced(stored: StoredEvent, book: Book, mode: UpdateMode | None = None) -> tuple[str, ...]:
    """The other values that an event put out, as far as they are known: all, or those of one mode."""
    targets = (
        edge.target
        for edge in stored.edges
        if edge.type is EdgeType.UPDATES
        and mode in (None, edge.mode)
        and edge.source == stored.event.id
        and edge.target in book.known
    )
    own = normalised(_value(stored))
    values = (_value(book.known[target]) for target in targets)
    return tuple(dict.fromkeys(value for value in values if normalised(value) != own))


def _value(stored: StoredEvent) -> str:
    facet = stored.event.facet
    return facet.value if facet is not None and facet.value else stored.event.description


def _named(stored: StoredEvent) -> str:
    """The value of an attribute that has a name of its own; empty for what is only a state, or an item."""
    facet = stored.event.facet
    if facet is None or attribute_head(facet.attribute) in UNNAMED:
        return ""
    return facet.value


def _short(value: str) -> str:
    """The value as it was said, cut where it is long: what is left out of one may be its currency."""
    return shortened(value, VALUE_WORDS, VALUE_CHARACTERS)


def one_line(text: str) -> str:
    """Text of a conversation within a line: its quotation without the quotes, which no text can break."""
    return quoted(" ".join(text.split()))[1:-1].replace('\\"', '"')
