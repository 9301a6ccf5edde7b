"""What no longer holds, and what is disputed, of the facts that a question or an answer names.

Worked out from the graph, so that it is right whatever a model says. Pure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from query_service.ask import Gathered
from query_service.context import premises
from query_service.disagreement import Disagreement, disagreements
from query_service.evidence import LEAST_MATCH
from query_service.facet_match import asked_of, facet_matches
from query_service.premise import Outdated, outdated, superseded_in


@dataclass(frozen=True, slots=True)
class Findings:
    """`outdated` by event id, first stated first."""

    outdated: Mapping[str, Outdated]
    disagreements: tuple[Disagreement, ...]


def findings(question: str, gathered: Gathered) -> Findings:
    """What the question takes to hold though it no longer does, and the disagreements about what it names."""
    book = gathered.book
    named = premises(question, gathered.plan, book)
    matches = facet_matches(asked_of(question), book.known)
    concerned = {name for name, match in matches.items() if match >= LEAST_MATCH}
    return Findings(
        {name: outdated(name, book.known, book.standing) for name in named},
        disagreements(concerned, book.known, book.standing),
    )


def with_answer(found: Findings, answer: str, cited: Iterable[str], gathered: Gathered) -> Findings:
    """`found`, and what the answer adds: old values that it gives as if they held, and disagreements about
    what the messages that it cites state. A history gives old values, so there these are no fault."""
    book, plan = gathered.book, gathered.plan
    named = superseded_in(answer, book.known, book.standing) if plan.validity_counts else ()
    fresh = {name: outdated(name, book.known, book.standing) for name in named if name not in found.outdated}
    stated = {event for message in cited for event in book.stated.get(message, ())}
    both = [*found.disagreements, *disagreements(stated, book.known, book.standing)]
    return Findings({**found.outdated, **fresh}, tuple(dict.fromkeys(both)))
