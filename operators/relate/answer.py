"""The shape of a model's answer to "what have these statements to do with each other?"."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _folded(value: object) -> object:
    return "_".join(value.casefold().replace("-", " ").split()) if isinstance(value, str) else value


_Folded = BeforeValidator(_folded)
Relation: TypeAlias = Annotated[
    Literal["updates", "contradicts", "causes", "enables", "prevents", "none"], _Folded
]
End: TypeAlias = Annotated[Literal["later", "earlier"], _Folded]
Mode: TypeAlias = Annotated[Literal["replaces", "withdraws"], _Folded]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Told(_Shape):
    """What one pair has to do with each other, as it is remembered. `source`: which of the two acts on the
    other; `mode` belongs to `updates` alone. Confidence lies between 0 and 1."""

    type: Relation
    source: End = "later"
    mode: Mode | None = None
    confidence: float = 0.0
    reason: str = ""


class PairTold(_Shape):
    """The same for the statements under two labels, in the answer."""

    later: str
    earlier: str
    type: Relation
    source: End
    mode: Mode | None
    confidence: float
    reason: str


class RelateAnswer(_Shape):
    """The answer: the pairs that have something to do with each other. One that is left out has not."""

    pairs: list[PairTold]
