"""The shape of a model's answer to "what have these statements to do with each other?"."""

from typing import Annotated, Literal, TypeAlias

from operators.llm.shape import Folded, Shape

Relation: TypeAlias = Annotated[
    Literal["updates", "contradicts", "causes", "enables", "prevents", "none"], Folded
]
End: TypeAlias = Annotated[Literal["later", "earlier"], Folded]
Mode: TypeAlias = Annotated[Literal["replaces", "withdraws"], Folded]


class Told(Shape):
    """What one pair has to do with each other, as it is remembered. `source`: which of the two acts on the
    other; `mode` belongs to `updates` alone. Confidence lies between 0 and 1."""

    type: Relation
    source: End = "later"
    mode: Mode | None = None
    confidence: float = 0.0
    reason: str = ""


class PairTold(Shape):
    """The same for the statements under two labels, in the answer."""

    later: str
    earlier: str
    type: Relation
    source: End
    mode: Mode | None
    confidence: float
    reason: str


class RelateAnswer(Shape):
    """The answer: the pairs that have something to do with each other. One that is left out has not."""

    pairs: list[PairTold]
