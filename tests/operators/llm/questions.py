"""A question that the tests put to a model, and what asks it."""

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from operators.llm.ask import Ask
from operators.llm.asking import EndpointCaller
from operators.llm.endpoint import Endpoint
from operators.llm.failure import Failure
from operators.llm.prompt import Prompt
from operators.llm.purpose import Purpose
from operators.llm.quoted import quoted
from tests.servers.chat_server import ChatServer

TENANT = "acme"
KEY = "sk-a-secret-key"
WORDS = "the desk goes to Mill Lane"
"""Message text, which must be in the request and nowhere else."""


class Mood(StrEnum):
    PLAN = "plan"
    ACTION = "action"


class Fact(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    said: str
    mood: Mood
    count: int


class Facts(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    facts: list[Fact]


GOOD = '{"facts": [{"said": "the desk", "mood": "plan", "count": 1}]}'
GOOD_FACTS = Facts(facts=[Fact(said="the desk", mood=Mood.PLAN, count=1)])


def question(room: int = 50, check: Callable[[Facts], str | None] | None = None) -> Ask[Facts]:
    content = quoted("turns", [{"id": "m/1", "text": WORDS}])
    return Ask(Purpose.DISTILL, Prompt("facts", 1, "Say what is stated."), content, Facts, room, check)


class Counts:
    """`CallMetrics` that the tests read."""

    def __init__(self) -> None:
        self.requests: Counter[Failure | None] = Counter()
        self.failures: Counter[Failure] = Counter()
        self.again: Counter[Failure] = Counter()
        self.tokens = (0, 0)

    def called(self, purpose: Purpose, failure: Failure | None, seconds: float) -> None:
        self.requests[failure] += 1

    def failed(self, purpose: Purpose, failure: Failure) -> None:
        self.failures[failure] += 1

    def asked_again(self, purpose: Purpose, failure: Failure) -> None:
        self.again[failure] += 1

    def spent(self, purpose: Purpose, read: int, written: int) -> None:
        self.tokens = (self.tokens[0] + read, self.tokens[1] + written)

    def waited(self, seconds: float) -> None:
        """Not looked at."""

    def refused(self, purpose: Purpose, reason: str) -> None:
        """Not looked at."""


def caller_of(chat: ChatServer, redis: Any, counts: Counts | None = None, **settings: Any) -> EndpointCaller:
    """Asks the server's model; its deadline is long where a test does not say otherwise."""
    endpoint = Endpoint(base_url=chat.url, model="told-1", key=KEY, **{"deadline": 20.0, **settings})
    return EndpointCaller(endpoint, redis, counts)
