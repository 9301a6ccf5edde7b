"""One ranking of messages from what the searches and the graph found. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from query_service.context import Book
from query_service.facet_match import asked_of, facet_matches
from query_service.plan import Plan, Shape
from query_service.ranking import Restated, later_first
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
FACET = 0.8
"""What a sure match of a fact that stands adds to its message's score, the best note having 1."""
LEAST_MATCH = 0.5
"""A weaker match is none: a name that every fact shares."""
SURE_MATCH = 0.7
"""From here on a match of what a message tells raises it, and brings in one that neither search found."""
FEW = 2
"""A message that states so many facts, or fewer, is about each of them."""
TOLD_AGAIN = 0.9
"""The share of a match that the earlier messages of an event get: the last one states it."""
RIVAL = 0.3
"""A later message that names less than this share of what the earlier one names tells of another thing."""
MEANT = 0.5
"""A fact that is named this much less than the best is another fact of the same kind: it settles nothing."""
INHERITED = 0.95
"""The share of a match that what replaced the event gets."""
FROM_PATHS = 10
"""Messages of the best paths that join below the notes' first ten."""
NOTES_A_PATH = 3
LINKS = {
    Shape.WHY: (EdgeType.CAUSES, EdgeType.ENABLES, EdgeType.PREVENTS, EdgeType.UPDATES),
    Shape.HISTORY: (EdgeType.UPDATES,),
    Shape.LIST: (),
}


def merge(
    question: str,
    hits: Sequence[Hit],
    scored: Sequence[Scored],
    book: Book,
    plan: Plan,
    restated: Restated = frozenset(),
) -> tuple[str, ...]:
    """Message ids, best first, each once.

    The notes' order stands but for this:
    (1) a fact that stands at τ (for a history, that ever stood) raises its messages by how well the question
    names it; what is told again later (`restated`) comes above what it tells again;
    (2) where a message states something that no longer holds at τ and that the question is about, the message
    that replaced it comes directly above it (for a history or a list all are wanted, so nothing moves);
    (3) a why or history question brings in what is linked to its best messages, directly below them; a fact
    in doubt brings in what put its cause out;
    (4) messages that only paths reach come after the first ten.
    """
    matches = facet_matches(asked_of(question), book.known)
    answering = _answering(matches, book, plan)
    told = _told(answering, book)
    named = _named(matches, book)
    same = frozenset((later, earlier) for later, earlier in restated if not _other(later, earlier, named))
    order = later_first(_facts_first(hits, told), same)
    wanted = frozenset(terms(question))
    brought: list[str] = []
    if not plan.keep_all:
        order = _settled(order, wanted, matches, book, brought)
    order = _linked(order, wanted, book, plan, brought)
    return tuple(_with_paths(order, scored, book))


def _named(matches: Mapping[str, float], book: Book) -> dict[str, float]:
    """By message, the best match of its facts, whether they hold or not."""
    return {
        message: max((matches.get(name, 0.0) for name in names), default=0.0)
        for message, names in book.stated.items()
    }


def _other(later: str, earlier: str, named: Mapping[str, float]) -> bool:
    """Whether the later message names something of what is asked, but clearly less than the earlier does: it
    is about another thing then. One that names nothing may well go on about the same."""
    return 0.0 < named.get(later, 0.0) < RIVAL * named.get(earlier, 0.0)


def _told(answering: Mapping[str, float], book: Book) -> dict[str, float]:
    """By message, the best match of what it tells."""
    told: dict[str, float] = {}
    for name, match in answering.items():
        for at, source in enumerate(reversed(book.known[name].event.sources)):
            share = match * (TOLD_AGAIN if at else 1.0) / _things(source, book)
            told[source] = max(told.get(source, 0.0), share)
    return told


def _things(message: str, book: Book) -> float:
    """Among how much a message tells one fact: a long one that states a score of things is about none of them
    in particular, and one of them meets a question by chance. The root of their number, from `FEW` on."""
    return float(max(1.0, len(book.stated.get(message, ())) / FEW) ** 0.5)


def _facts_first(hits: Sequence[Hit], told: Mapping[str, float]) -> list[str]:
    """The messages by their score and the best fact they tell; ties as they were."""
    scores = {hit.message: hit.score + _gain(told.get(hit.message, 0.0)) for hit in hits}
    sure = sorted(source for source, match in told.items() if match >= SURE_MATCH and source not in scores)
    scores.update((source, _gain(told[source])) for source in sure[:BROUGHT_IN])
    return sorted(scores, key=lambda message: -scores[message])


def _gain(match: float) -> float:
    return FACET * match if match >= SURE_MATCH else 0.0


def _answering(matches: Mapping[str, float], book: Book, plan: Plan) -> dict[str, float]:
    """The events that may raise their messages. What replaced an event that the question names is named by
    it too: it often says no more than the new value."""
    found: dict[str, float] = {}
    for name, match in matches.items():
        if match < LEAST_MATCH:
            continue
        if _counts(name, book, plan):
            found[name] = max(found.get(name, 0.0), match)
        elif plan.validity_counts and book.standing[name].status is Status.SUPERSEDED:
            for newer in replacements(name, book.standing, book.known)[:1]:
                if _counts(newer, book, plan):
                    found[newer] = max(found.get(newer, 0.0), INHERITED * match)
    return found


def _counts(name: str, book: Book, plan: Plan) -> bool:
    """Whether the event may raise its messages: it was said by then, and holds unless a history is asked."""
    if plan.until is not None and book.known[name].event.stated_at > plan.until:
        return False
    if not plan.validity_counts:
        return True
    standing = book.standing[name]
    return standing.begun and standing.status is not Status.SUPERSEDED


def _settled(
    order: list[str], wanted: frozenset[str], matches: Mapping[str, float], book: Book, brought: list[str]
) -> list[str]:
    """Puts what holds above what it replaced."""
    order = list(order)
    enough = MEANT * max(matches.values(), default=0.0)
    for message in order[:SETTLED_AMONG]:
        for name in book.stated.get(message, ()):
            standing = book.standing.get(name)
            if standing is None or not standing.begun or standing.status is not Status.SUPERSEDED:
                continue
            alone = len(book.stated[message]) == 1
            if not _concerns(book.known[name].event, wanted, alone) or matches.get(name, 1.0) < enough:
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
