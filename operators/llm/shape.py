"""What all answers' shapes have in common: strict, closed, with a schema that servers hold answers to."""

from typing import Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _lean(schema: dict[str, Any]) -> None:
    """Leaves out of a schema what the prompt says already, and defaults, which strict servers refuse."""
    schema.pop("title", None)
    schema.pop("description", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
        field.pop("default", None)


class Shape(BaseModel):
    """The base of an answer's shape. A field with a default may be left out by a server that holds answers to
    no schema."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, json_schema_extra=_lean)


def _folded(value: object) -> object:
    """ "State Change" and "state-change" are what "state_change" was meant to be."""
    return "_".join(value.casefold().replace("-", " ").split()) if isinstance(value, str) else value


Folded = BeforeValidator(_folded)
"""For words of a closed list, which a model may write with capitals or spaces."""
