"""English questions for a reason."""

import re
from dataclasses import replace

from operators.distill.clause import Clause, Mood
from state.model import Act

_LEAD = r"^(?:(?:and|but|so|oh|ok|okay|well|then|really|no|yes|hey|what)[,.!? ]+)*"
_WHY = re.compile(
    rf"{_LEAD}(?:why\b(?! (?:do ?n['’]t|not) \w)|how come\b|"
    r"what (?:for|made|makes|keeps|brings|caused|causes)\b|"
    r"for what (?:reason|purpose)\b|"
    r"what ?(?:['’] ?s|is) (?:the (?:matter|problem|trouble|reason)|wrong|up|going on)\b|"
    r"what (?:has )?happened\b|(?:is )?any ?thing wrong\b|is something (?:wrong|the matter)\b)",
    re.IGNORECASE,
)
"""Not "why don't we" and "why not go", which propose."""
_TELLS = re.compile(rf"{_LEAD}(?:why|how come) (?:on earth )?(?:\w+(?:['’]\w+)?[ ,]+){{2}}\w", re.IGNORECASE)


def sought(clauses: list[Clause]) -> int | None:
    """Where `clauses` ask for a reason last, if they do. A why that says what it asks about takes that as
    so, and becomes a statement in the list."""
    last = None
    for at, clause in enumerate(clauses):
        if clause.mood is Mood.QUESTION and _WHY.match(clause.text):
            last = at
            if _TELLS.match(clause.text):
                clauses[at] = replace(clause, mood=Mood.STATEMENT, act=Act.STATE, claims=(), asks="")
    return last
