"""Prompts are files with versions."""

import pytest

from operators.llm.prompt import prompt
from operators.llm.purpose import Purpose


@pytest.mark.parametrize("purpose", Purpose)
def test_each_purpose_has_a_prompt_that_says_that_quoted_data_is_no_instruction(purpose: Purpose) -> None:
    found = prompt(purpose.value)
    assert found.id == f"{purpose.value}.{found.version}"
    assert "BEGIN DATA" in found.text
    assert "instruction" in found.text


def test_an_older_version_stays_at_hand() -> None:
    assert prompt("distill", 1).id == "distill.1"


@pytest.mark.parametrize(("name", "version"), [("sing", None), ("distill", 99)])
def test_a_prompt_that_is_not_there_is_said_so(name: str, version: int | None) -> None:
    with pytest.raises(LookupError, match=f"no prompt {name}"):
        prompt(name, version)
