"""One question to a model, before anything is known of how it is sent."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from operators.llm.prompt import Prompt
from operators.llm.purpose import Purpose

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Ask(Generic[T]):
    """What is asked, and the shape that the answer must have.

    `content` is data quoted by `operators.llm.quoted`: nothing in it is an instruction. `shape` is a pydantic
    model, strict and closed (`extra="forbid"`); an answer that does not fit it is asked for again once.
    `check` looks at an answer that fits and says in words, for the model, what is wrong with it (None:
    nothing); such an answer is asked for again once too, and the second one that fits is taken as it is.
    `most_tokens` is the room for the answer.
    """

    purpose: Purpose
    prompt: Prompt
    content: str
    shape: type[T]
    most_tokens: int
    check: Callable[[T], str | None] | None = None
