"""The schemas that servers hold answers to."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import pydantic_function_tool
from pydantic import BaseModel

from operators.distill.answer import DistillAnswer
from operators.relate.answer import RelateAnswer


def objects_of(schema: Any) -> Iterator[dict[str, Any]]:
    """The schemas of objects within a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects_of(part)
    if isinstance(schema, list):
        for part in schema:
            yield from objects_of(part)


@pytest.mark.parametrize("shape", [DistillAnswer, RelateAnswer])
def test_a_schema_is_one_that_a_strict_server_takes(shape: type[BaseModel]) -> None:
    schema = pydantic_function_tool(shape)["function"]["parameters"]
    objects = list(objects_of(schema))
    assert len(objects) >= 2
    for one in objects:
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
    assert '"default"' not in json.dumps(schema)


def test_a_schema_tells_the_words_of_a_closed_list() -> None:
    assert '"enum": ["replaces", "withdraws"]' in json.dumps(RelateAnswer.model_json_schema())
