"""Prompts are files with versions."""

import pytest

from operators.llm.prompt import prompt


def test_a_prompt_that_is_not_there_is_said_so() -> None:
    with pytest.raises(LookupError, match="no prompt sing"):
        prompt("sing")
