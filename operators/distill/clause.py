"""What a language tells of a text: its clauses, each with what it does. The rest of the rules distiller
works on these and knows no language."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from state.model import Act, EdgeType, EventType

READ_BACK = "correct?"
"""`Clause.asks` of a proposal that reads back what it has understood ("Please confirm: a table for two"): its
claims are stated, and a yes adds nothing to them. Other `asks` that end in "?" are yes-or-no questions."""


YOURS = "your "
"""In front of `Clause.asks`: the attribute is the answerer's own ("May I have your name?")."""


CHANGED_LAST = "the change"
"""`Claim.entity` of a withdrawal that names a change and no thing ("undo the switch"): the last is meant."""


class Mood(StrEnum):
    """How a clause is meant."""

    STATEMENT = "statement"
    REQUEST = "request"  # asks the other party to do or change something ("please make it 18 eggs")
    QUESTION = "question"  # asks for an answer; says nothing
    PROPOSAL = "proposal"  # offers a value that the other party may take ("I have Wednesday at 11 open")
    ACCEPTANCE = "acceptance"  # takes what was proposed or confirms what was asked ("that works", "yes")
    REFUSAL = "refusal"  # declines it ("no, thanks", "not that one")
    HYPOTHETICAL = "hypothetical"  # an if-world: says nothing of this one
    SOCIAL = "social"  # greeting, thanks, farewell, filler: makes no event


class Why(StrEnum):
    """How a text asks for a reason."""

    NO = ""
    ITSELF = "itself"  # it says what it asks about, in the question or before it
    BEFORE = "before"  # it asks about what was said before it


@dataclass(frozen=True, slots=True)
class Connective:
    """A stated link to a neighbouring clause of the text.

    `reason` is the index of the clause that is the reason (cause, means or obstacle) and `result` the one
    that follows from it, both in the tuple that the language gave. An index of -1 means the preceding turn
    ("So …", "That's why …" at the start of a message).
    """

    type: EdgeType
    reason: int
    result: int
    words: str
    stated: bool = True  # by a word of the text, rather than by how its clauses stand


@dataclass(frozen=True, slots=True)
class Claim:
    """One (entity, attribute, value) that a clause gives, in the text's words.

    `entity` may be a pronoun or empty, and `attribute` may be empty: context fills them.
    `value` is empty where the act needs none (a withdrawal). Without attribute and value, the clause is
    merely about `entity`.
    """

    entity: str
    attribute: str
    value: str
    many: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch [start, end) of the text that says one thing; `text` is that stretch."""

    text: str
    start: int
    end: int
    mood: Mood
    act: Act
    type: EventType
    claims: tuple[Claim, ...] = ()
    negated: bool = False
    old_value: str = ""  # "rather than 2", "instead of 3 March": the value that the clause says is gone
    asks: str = ""  # for a question: the attribute that it asks for ("name", "date", "配送日")
    effective: str = ""  # words of the explicit effective date ("1 May" of "from 1 May I will pay €25")


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a language tells of one text."""

    clauses: tuple[Clause, ...]
    connectives: tuple[Connective, ...] = ()
    why: Why = Why.NO  # how it asks for a reason
    unmet: bool = False  # a service says that it cannot be had ("6 pm is taken")


class Language(Protocol):
    """Reads a text; pure, never raises, and takes time linear in the text."""

    def read(self, text: str) -> Reading: ...

    def unmet(self, text: str) -> bool:
        """Whether a service says here that what was asked for cannot be had; see `Reading.unmet`."""
        ...
