"""A chat server, and what answers questions about made subjects by it."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from redis import Redis

from operators.llm.asking import EndpointCaller
from operators.llm.endpoint import Endpoint
from query_service.answer import Answerer, Inquiry, Model, WrittenAnswer
from query_service.ask import Asker
from state.ledger import Ledger
from state.model import Subject
from tests.query_service.worlds import NOW, Stores, World, stores
from tests.servers.chat_replies import Says
from tests.servers.chat_server import ChatServer


def reply(answer: str, *citations: str, abstained: bool = False) -> str:
    """What a model writes that keeps to its instructions."""
    told = {"answer": answer, "citations": list(citations), "abstained": abstained}
    return json.dumps(told, ensure_ascii=False)


@dataclass
class Answering:
    """An answerer over some worlds, the server that it asks, and a clock that can be moved."""

    chat: ChatServer
    model: Model
    held: Stores
    whom: Subject
    refused: list[str]
    later: timedelta = field(default_factory=timedelta)

    def answerer(self) -> Answerer:
        now = lambda: NOW + self.later  # noqa: E731
        return Answerer(Asker(self.held.reader, self.held.notes, self.held.encoder, now), self.model)

    def answer(self, question: str, **given: object) -> WrittenAnswer:
        return self.answerer().answer(self.inquiry(question, **given))

    def streamed(self, question: str) -> tuple[list[str], WrittenAnswer]:
        """The pieces, and the answer that comes after them."""
        *pieces, last = self.answerer().stream(self.inquiry(question))
        assert isinstance(last, WrittenAnswer)
        return [piece for piece in pieces if isinstance(piece, str)], last

    def inquiry(
        self, question: str, subject: Subject | None = None, as_of: datetime | None = None
    ) -> Inquiry:
        return Inquiry(subject or self.whom, question, as_of=as_of)

    def says(self, answer: str, *citations: str, abstained: bool = False) -> None:
        """From now on the model replies so."""
        self.chat.always = Says(reply(answer, *citations, abstained=abstained))


@contextmanager
def answering(
    redis: Redis, worlds: Sequence[World], name: str = "tiny", deadline: float = 10.0, daily_tokens: int = 0
) -> Iterator[Answering]:
    """An answerer that asks a server of its own."""
    with ChatServer() as chat:
        endpoint = Endpoint(chat.url, name, "key", deadline=deadline, daily_tokens=daily_tokens)
        caller = EndpointCaller(endpoint, redis)
        refused: list[str] = []
        try:
            model = Model(caller, Ledger(redis), refused.append)
            yield Answering(chat, model, stores(*worlds), worlds[0].subject, refused)
        finally:
            caller.close()
