"""What a message says once its dialogue is known, and who speaks to whom in it."""

from dataclasses import dataclass, replace

from operators.distill.clause import Claim, Clause, Mood, Reading
from state.model import Act, Message, Role

SERVICE = (Role.AGENT, Role.ASSISTANT)


@dataclass(slots=True)
class Said:
    """A clause of a message with one of its claims resolved (or none): what becomes an event.

    `sources` are the ids of the messages that it is drawn from, oldest first. Never changed; not frozen,
    since that would make the many that are heard again take three times as long.
    """

    clause: Clause
    index: int
    act: Act
    claim: Claim | None
    sources: tuple[str, ...]
    text: str


@dataclass(slots=True)
class Turn:
    """A message that is being heard, and who speaks to whom in it."""

    message: Message
    other: str
    customer: str
    user: bool
    service: bool


def as_meant(reading: Reading, role: Role) -> Reading:
    """What a text says in the mouth of a `role`. A user who proposes something asks for it; what a service
    asks for is advice or instruction, and says nothing of what is so, and no need of its own leads to it."""
    if role is Role.USER:
        if all(c.mood is not Mood.PROPOSAL for c in reading.clauses):
            return reading
        clauses = tuple(
            replace(c, mood=Mood.REQUEST, act=_changing(c.act)) if c.mood is Mood.PROPOSAL else c
            for c in reading.clauses
        )
    elif role in SERVICE:
        clauses = tuple(
            replace(c, claims=()) if c.mood is Mood.REQUEST and c.claims else c for c in reading.clauses
        )
        links = tuple(link for link in reading.connectives if link.stated or not _acts(clauses[link.result]))
        return Reading(clauses, links, reading.why, reading.unmet)
    else:
        return reading
    return replace(reading, clauses=clauses)


def _acts(clause: Clause) -> bool:
    """Whether a service asks or offers something: its next step, which no need of its own leads to."""
    return clause.mood in (Mood.REQUEST, Mood.PROPOSAL)


def _changing(act: Act) -> Act:
    return Act.CHANGE if act is Act.STATE else act
