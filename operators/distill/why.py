"""Reasons across two turns: an answer to a why is the cause of what was asked about.

What is asked about is what the question says ("Why are you late?"), what its speaker said just before it
("You look pale. What's wrong?"), or what the other had said ("I can't come." "Why not?").
"""

from collections.abc import Mapping, Sequence

from operators.distill.clause import Clause, Mood, Reading, Why
from operators.distill.interface import TOLD_IN, UNSTATED, Link
from state.model import EdgeType, Message

ANSWERS = 2
"""How many of the first statements of an answer are taken as reasons; what comes later tells other things."""
_SAYS = (Mood.STATEMENT, Mood.REQUEST, Mood.PROPOSAL)


def why_of(clauses: Sequence[Clause], at: int | None) -> Why:
    """How a text asks whose clause `at` is its last question for a reason, if one is. One that gives the
    reason itself ("Why? Because …") asks nothing."""
    if at is None:
        return Why.NO
    if any(c.mood in _SAYS for c in clauses[: at + 1]):
        return Why.ITSELF
    after = [c.text.casefold() for c in clauses[at + 1 :] if c.mood in _SAYS]
    if not after:
        return Why.BEFORE
    return Why.NO if after[0].startswith(("because", "因为")) else Why.ITSELF


def _tells(clause: Clause) -> bool:
    """Whether a clause is long enough to be a reason ("You win" is none)."""
    text = clause.text
    return len(text.split()) >= 4 or (text > "z" and len(text) >= 4)


def answers(
    turn: Message, read: Reading, events: Mapping[int, str], before: Sequence[Message], why: Why
) -> tuple[Link, ...]:
    """The links of an answer: from its first statements to what the last of `before` asks about with `why`.

    `events` are the ids of the turn's events by clause.
    """
    if why is Why.NO or not before or before[-1].speaker == turn.speaker:
        return ()
    about = before[-1]
    if why is Why.BEFORE:
        if len(before) < 2 or before[-2].speaker != turn.speaker:
            return ()
        about = before[-2]
    results = {link.result for link in read.connectives}
    told = [
        events[at]
        for at, clause in enumerate(read.clauses)
        if at in events and at not in results and clause.mood is Mood.STATEMENT and _tells(clause)
    ]
    target = f"{TOLD_IN}{about.id}"
    return tuple(Link(EdgeType.CAUSES, source, target, UNSTATED, "answers why") for source in told[:ANSWERS])
