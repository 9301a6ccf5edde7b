"""One ranking of messages from what the searches and the graph found. Pure."""

from collections.abc import Iterable, Sequence

from query_service.context import Book
from query_service.plan import Plan, Shape
from query_service.score import Scored
from query_service.standing import replacements
from query_service.state_view import Status
from state.lexicon import terms
from state.model import EdgeType, Event
from state.notes import Hit

SETTLED_AMONG = 10
"""The first so many messages are looked at for facts that no longer hold, chains and causes."""
BROUGHT_IN = 4
"""At most so many messages come in from the graph alone above the eleventh place: they must earn it."""
LINKED_AMONG = 3
"""The first so many messages bring in what caused or changed what they say, where that is asked for."""
CONCERN = 0.2
"""A question is about an event whose entity or attribute it names, or whose value has this share of its
terms."""
FROM_PATHS = 10
"""Messages of the best paths that join below the notes' first ten."""
NOTES_A_PATH = 3
LINKS = {
    Shape.WHY: (EdgeType.CAUSES, EdgeType.ENABLES, EdgeType.PREVENTS, EdgeType.UPDATES),
    Shape.HISTORY: (EdgeType.UPDATES,),
    Shape.LIST: (),
}


def merge(
    question: str, hits: Sequence[Hit], scored: Sequence[Scored], book: Book, plan: Plan
) -> tuple[str, ...]:
    """Message ids, best first, each once.

    The notes' order stands but for this: (1) where a message states something that no longer holds at τ and
    that the question is about, the message that replaced it comes directly above it (for a history or a
    list all are wanted, so nothing moves); (2) a why or history question brings in what is linked to its
    best messages, directly below them; a fact in doubt brings in what put its cause out; (3) messages
    that only paths reach come after the first ten.
    """
    order = [hit.message for hit in hits]
    wanted = frozenset(terms(question))
    brought: list[str] = []
    if not plan.keep_all:
        order = _settled(order, wanted, book, brought)
    order = _linked(order, wanted, book, plan, brought)
    return tuple(_with_paths(order, scored, book))


def _settled(order: list[str], wanted: frozenset[str], book: Book, brought: list[str]) -> list[str]:
    """Puts what holds above what it replaced."""
    order = list(order)
    for message in order[:SETTLED_AMONG]:
        for name in book.stated.get(message, ()):
            standing = book.standing.worked_out(name)
            if standing is None or not standing.begun or standing.status is not Status.SUPERSEDED:
                continue
            if not _concerns(book.known[name].event, wanted, alone=len(book.stated[message]) == 1):
                continue
            for newer in replacements(name, book.standing, book.known)[:1]:
                _put(order, book.known[newer].event.sources[-1], order.index(message), brought)
    return order


def _put(order: list[str], message: str, at: int, brought: list[str]) -> None:
    """Moves or brings `message` to place `at`, unless it already stands above it."""
    if message in order:
        held = order.index(message)
        if held <= at:
            return
        if held >= SETTLED_AMONG and message not in brought:
            if len(brought) >= BROUGHT_IN:
                return
            brought.append(message)
        order.remove(message)
    elif len(brought) >= BROUGHT_IN:
        return
    else:
        brought.append(message)
    order.insert(at, message)


def _concerns(event: Event, wanted: frozenset[str], alone: bool) -> bool:
    """Whether the question is about what the event says; a message's only event is what it is about."""
    if alone or not wanted:
        return True
    facet = event.facet
    if facet is None:
        return len(wanted.intersection(terms(event.description))) >= CONCERN * len(wanted)
    if not wanted.isdisjoint(terms(f"{facet.entity} {facet.attribute}")):
        return True
    return len(wanted.intersection(terms(facet.value))) >= CONCERN * len(wanted)


def _linked(
    order: list[str], wanted: frozenset[str], book: Book, plan: Plan, brought: list[str]
) -> list[str]:
    order = list(order)
    for message in order[:LINKED_AMONG]:
        for name in book.stated.get(message, ()):
            if name not in book.known or not _concerns(book.known[name].event, wanted, alone=False):
                continue
            for other in _links(name, book, plan):
                _put(order, book.known[other].event.sources[-1], order.index(message) + 1, brought)
    return order


def _links(name: str, book: Book, plan: Plan) -> Iterable[str]:
    """Events that must be seen beside `name`: its links of the kinds asked for; what put its cause out."""
    kinds = LINKS.get(plan.shape, ())
    doubted = book.standing[name].status is Status.DOUBTED
    for edge in book.known[name].edges:
        other = edge.target if edge.source == name else edge.source
        if other not in book.known:
            continue
        if edge.type in kinds:
            yield other
        if doubted and edge.target == name and edge.type in (EdgeType.CAUSES, EdgeType.ENABLES):
            yield from replacements(other, book.standing, book.known)[:1]


def _with_paths(order: list[str], scored: Sequence[Scored], book: Book) -> list[str]:
    sources = (book.known[name].event.sources[-1] for one in scored for name in one.path.events)
    held = set(order)
    fresh = [message for message in dict.fromkeys(sources) if message not in held][:FROM_PATHS]
    return [*order[:SETTLED_AMONG], *_among(order[SETTLED_AMONG:], fresh)]


def _among(notes: Sequence[str], others: Sequence[str]) -> list[str]:
    """One of `others` after every `NOTES_A_PATH` notes, and what is left of either at the end."""
    both: list[str] = []
    for i in range(max(-(-len(notes) // NOTES_A_PATH), len(others))):
        both.extend([*notes[i * NOTES_A_PATH : (i + 1) * NOTES_A_PATH], *others[i : i + 1]])
    return both
