"""Chinese questions for a reason."""

import re
from collections.abc import Sequence
from dataclasses import replace

from operators.distill.clause import Clause, Mood
from state.model import Act

_WHY = re.compile(
    r"为什么|为何|为啥|干嘛|怎么(?:会|没|不(?!样)|还|这么|那么)|什么原因|怎么回事|怎么[了啦]|出什么事|什么情况"
)
_FEWEST = 3
"""A question tells what it asks about where it has so many characters besides the asking."""


def sought(clauses: Sequence[Clause]) -> tuple[tuple[Clause, ...], int | None]:
    """`clauses`, and where they ask for a reason last, if they do. A why that says what it asks about takes
    that as so, and so becomes a statement; what it would be answered with stays open (`Clause.asks`)."""
    if not any(c.mood is Mood.QUESTION for c in clauses):
        return tuple(clauses), None
    found, last = list(clauses), None
    for at, clause in enumerate(clauses):
        if clause.mood is not Mood.QUESTION or _WHY.search(clause.text) is None:
            continue
        last = at
        if sum(map(str.isalnum, _WHY.sub("", clause.text))) >= _FEWEST:
            found[at] = replace(clause, mood=Mood.STATEMENT, act=Act.STATE, claims=())
    return tuple(found), last
