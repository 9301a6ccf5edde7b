"""Asks a configured endpoint: retries, and a second chance for an answer that cannot be used."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from openai.types.chat import ChatCompletionMessageParam

from operators.llm.allowance import Allowance
from operators.llm.aloud import Aloud
from operators.llm.ask import Ask, T
from operators.llm.call_metrics import CallMetrics, Uncounted
from operators.llm.chat import Chat, Talk
from operators.llm.completion import Reply
from operators.llm.endpoint import Endpoint, endpoint_from
from operators.llm.failure import CallFailed, Failure
from operators.llm.purpose import Purpose
from operators.llm.reading import Unreadable, read_answer
from operators.llm.retry import retried
from operators.llm.tokens import estimated_tokens

R = TypeVar("R")

_SHOWN_AGAIN = 8_000
_AGAIN = "That cannot be used: {wrong}. Answer again, with one whole JSON object that fits the schema."
_TWICE = {
    Failure.EMPTY: "the reply has no text",
    Failure.TRUNCATED: "the answer does not fit its room",
    Failure.MALFORMED: "the answer does not fit its shape",
}


def caller_from(
    environ: Mapping[str, str], client: Any, metrics: CallMetrics | None = None
) -> "EndpointCaller | None":
    """The caller of the model that the variables name, or None where none is; `client` is the graph's Redis.

    Raises EndpointInvalid.
    """
    endpoint = endpoint_from(environ)
    return EndpointCaller(endpoint, client, metrics) if endpoint else None


class EndpointCaller:
    """A `Caller` of one endpoint. `client` answers bytes; one server or a cluster.

    A question takes one request; one more where its answer cannot be used; and each is tried again where it
    fails in a way that may pass. Where Redis is away, it raises what Redis' client raises.
    """

    def __init__(self, endpoint: Endpoint, client: Any, metrics: CallMetrics | None = None) -> None:
        self._endpoint = endpoint
        self._metrics = metrics or Uncounted()
        self._allowance = Allowance(endpoint, client, self._metrics)
        self._chat = Chat(endpoint)

    @property
    def model(self) -> str:
        """The model's name."""
        return self._endpoint.model

    def close(self) -> None:
        """See `Caller`. Closing twice is no error."""
        self._allowance.close()

    def ask(self, tenant: str, ask: Ask[T]) -> T:
        """See `Caller`."""
        try:
            return self._ask(tenant, ask)
        except CallFailed as failed:
            self._metrics.failed(ask.purpose, failed.reason)
            raise

    def stream(self, tenant: str, ask: Ask[Any]) -> Iterator[str]:
        """See `Caller`. The request is sent when the first piece is asked for."""
        try:
            first, others = self._retried(ask.purpose, lambda: _begun(self._pieces(tenant, ask)))
            if first is None:
                raise CallFailed(Failure.EMPTY, _TWICE[Failure.EMPTY])
            yield first
            yield from others
        except CallFailed as failed:
            self._metrics.failed(ask.purpose, failed.reason)
            raise

    # -- one whole answer ---------------------------------------------------------------------------------

    def _ask(self, tenant: str, ask: Ask[T]) -> T:
        talk = _talk(ask)
        reply = self._reply(tenant, ask, talk, ask.most_tokens)
        try:
            answer = _read(reply, ask.shape)
        except Unreadable as wrong:
            return self._second_chance(tenant, ask, reply, wrong)
        complaint = ask.check(answer) if ask.check else None
        if complaint is None:
            return answer
        self._metrics.asked_again(ask.purpose, Failure.MALFORMED)
        try:
            second = self._reply(tenant, ask, _corrected(talk, reply, complaint), ask.most_tokens, told=True)
            return _read(second, ask.shape)
        except (Unreadable, CallFailed):
            return answer

    def _second_chance(self, tenant: str, ask: Ask[T], reply: Reply, wrong: Unreadable) -> T:
        self._metrics.asked_again(ask.purpose, wrong.reason)
        talk, room = _talk(ask), ask.most_tokens
        if wrong.reason is Failure.TRUNCATED:
            room *= 2
        elif wrong.reason is Failure.MALFORMED:
            talk = _corrected(talk, reply, str(wrong))
        try:
            return _read(self._reply(tenant, ask, talk, room, told=True), ask.shape)
        except Unreadable as again:
            raise CallFailed(again.reason, f"{_TWICE[again.reason]}, twice") from None
        except CallFailed as failed:
            too_much = failed.reason in (Failure.REJECTED, Failure.TOO_LONG)
            if wrong.reason is Failure.TRUNCATED and too_much:
                raise CallFailed(wrong.reason, f"{_TWICE[wrong.reason]}, and it has no more") from None
            raise

    def _reply(self, tenant: str, ask: Ask[T], talk: Talk, room: int, told: bool = False) -> Reply:
        tokens = _tokens(talk)

        def once() -> Reply:
            with self._allowance.request(tenant, ask.purpose, tokens + room) as used:
                reply = self._chat.reply(talk, ask.shape, room, told)
                used.read, used.written = _counted(reply, tokens)
                return reply

        return self._retried(ask.purpose, once)

    def _retried(self, purpose: Purpose, once: Callable[[], R]) -> R:
        def told(failed: CallFailed) -> None:
            self._metrics.asked_again(purpose, failed.reason)

        def watched() -> R:
            try:
                return once()
            except CallFailed as failed:
                self._allowance.hold_all(failed)
                raise

        return retried(watched, self._allowance.patience, self._allowance.pause, told)

    # -- piece by piece -----------------------------------------------------------------------------------

    def _pieces(self, tenant: str, ask: Ask[Any]) -> Iterator[str]:
        talk, aloud = _talk(ask), Aloud()
        tokens = _tokens(talk)
        with self._allowance.request(tenant, ask.purpose, tokens + ask.most_tokens) as used:
            for piece in self._chat.pieces(talk, ask.most_tokens):
                if isinstance(piece, Reply):
                    used.read, used.written = _counted(piece, tokens)
                    said, cut = aloud.rest(), piece.cut
                else:
                    used.read, used.written = tokens, used.written + estimated_tokens(piece)
                    said, cut = aloud.take(piece), False
                if said:
                    yield said
                if cut:
                    raise CallFailed(Failure.TRUNCATED, _TWICE[Failure.TRUNCATED])


def _begun(pieces: Iterator[str]) -> tuple[str | None, Iterator[str]]:
    return next(pieces, None), pieces


def _talk(ask: Ask[Any]) -> list[ChatCompletionMessageParam]:
    return [{"role": "system", "content": ask.prompt.text}, {"role": "user", "content": ask.content}]


def _corrected(talk: Talk, reply: Reply, wrong: str) -> list[ChatCompletionMessageParam]:
    return [
        *talk,
        {"role": "assistant", "content": reply.text[:_SHOWN_AGAIN]},
        {"role": "user", "content": _AGAIN.format(wrong=wrong)},
    ]


def _tokens(talk: Talk) -> int:
    return sum(estimated_tokens(str(message["content"])) for message in talk)


def _counted(reply: Reply, tokens: int) -> tuple[int, int]:
    """Tokens read and written; estimated where the server does not count them."""
    return (
        tokens if reply.read is None else reply.read,
        estimated_tokens(reply.text) if reply.written is None else reply.written,
    )


def _read(reply: Reply, shape: type[T]) -> T:
    try:
        return read_answer(reply.text, shape)
    except Unreadable as wrong:
        if reply.cut:
            raise Unreadable(Failure.TRUNCATED, str(wrong)) from None
        raise
