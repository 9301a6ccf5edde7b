"""What a specification says of one Chinese clause, and the same drawn from a reading."""

from dataclasses import dataclass

from operators.distill.clause import Mood, Reading
from state.model import Act

Told = tuple[str, str, str] | tuple[str, str, str, bool]


@dataclass(frozen=True)
class Seen:
    """`claims` are (entity, attribute, value), with True where several values may stand side by side."""

    text: str
    mood: Mood
    act: Act
    claims: list[Told]
    old: str = ""
    asks: str = ""
    negated: bool = False
    effective: str = ""


def seen(reading: Reading) -> list[Seen]:
    """The clauses of a reading in the form of a specification."""
    return [
        Seen(
            c.text,
            c.mood,
            c.act,
            [
                (x.entity, x.attribute, x.value, True) if x.many else (x.entity, x.attribute, x.value)
                for x in c.claims
            ],
            c.old_value,
            c.asks,
            c.negated,
            c.effective,
        )
        for c in reading.clauses
    ]
