"""Whatever a server sends, a question ends in time with an answer or a known failure, and costs no more."""

import gzip
import json
import resource
import time
from collections.abc import Callable

import pytest
from redis import Redis

from operators.llm.asking import EndpointCaller
from operators.llm.completion import Reply, read_pieces
from operators.llm.failure import CallFailed, Failure
from operators.llm.spend import Spend
from tests.operators.llm.questions import GOOD, GOOD_FACTS, KEY, TENANT, WORDS, Counts, caller_of, question
from tests.servers.chat_replies import Does, Raw, Says, Sends, streamed
from tests.servers.chat_server import ChatServer

HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
EVENTS = HEAD + b"Content-Type: text/event-stream\r\n\r\n"
BOMB = gzip.compress(b" " * 200_000_000)
MEGABYTES = 1024
"""`ru_maxrss` counts in kilobytes."""
Asks = Callable[[EndpointCaller], object]


def whole(caller: EndpointCaller) -> object:
    return caller.ask(TENANT, question())


def in_pieces(caller: EndpointCaller) -> object:
    return "".join(caller.stream(TENANT, question()))


def failure(caller: EndpointCaller, asks: Asks) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        asks(caller)
    return caught.value


def completion(text: str, usage: object = None, content: bytes | None = None) -> Sends:
    body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage}
    told = json.dumps(body).encode()
    return Sends(told.replace(json.dumps(text).encode(), content) if content is not None else told)


def piece(content: object, **more: object) -> bytes:
    return json.dumps({"choices": [{"delta": {"content": content}}], **more}).encode()


def packed(status: str) -> Raw:
    head = f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Encoding: gzip\r\n"
    return Raw(head.encode() + f"Content-Length: {len(BOMB)}\r\n\r\n".encode() + BOMB)


class TestTime:
    @pytest.mark.parametrize(
        "does",
        [
            Raw(HEAD, b"X-Header: one more\r\n"),
            Raw(HEAD + b"\r\n", b" "),
            Raw(b"HTTP/1.1 500 Busy\r\nConnection: close\r\n\r\n", b"x"),
            Raw(EVENTS, b": a comment\n\n"),
            Raw(EVENTS, b"d"),
        ],
        ids=["headers", "body", "body of an error", "comments", "a line without end"],
    )
    @pytest.mark.parametrize("asks", [whole, in_pieces])
    def test_is_over_for_a_server_that_drips(
        self, chat: ChatServer, redis: Redis, does: Does, asks: Asks
    ) -> None:
        chat.always = does
        assert failure(caller_of(chat, redis, deadline=0.3), asks).reason is Failure.DEADLINE

    def test_of_a_streamed_answer_goes_on_between_its_pieces(self, chat: ChatServer, redis: Redis) -> None:
        chat.next(Raw(EVENTS + b"data: " + piece("Mill ") + b"\n\n", b": a comment\n\n"))
        chat.always = Says(GOOD)
        caller = caller_of(chat, redis, deadline=0.5)
        pieces = iter(caller.stream(TENANT, question()))
        assert next(pieces) == "Mill "
        assert caller.ask(TENANT, question()) == GOOD_FACTS, "another question has a time of its own"
        with pytest.raises(CallFailed, match="deadline"):
            next(pieces)


class TestSize:
    @pytest.mark.parametrize(
        ("does", "asks"),
        [
            (packed("200 OK"), whole),
            (packed("500 Busy"), whole),
            (packed("200 OK"), in_pieces),
            (Raw(HEAD + b"\r\n", b" " * 60_000, 0.0), whole),
            (Raw(b"HTTP/1.1 400 No\r\nConnection: close\r\n\r\n", b"x" * 60_000, 0.0), whole),
            (Raw(EVENTS, b"x" * 60_000, 0.0), in_pieces),
            (Raw(EVENTS, b"data: " + piece("x" * 60_000) + b"\n\n", 0.0), in_pieces),
        ],
        ids=["packed", "packed error", "packed stream", "body", "error", "line", "pieces"],
    )
    def test_is_bounded(self, chat: ChatServer, redis: Redis, does: Does, asks: Asks) -> None:
        chat.always = does
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        failed = failure(caller_of(chat, redis, deadline=5.0), asks)
        assert failed.reason in (Failure.SERVER, Failure.CONNECTION)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * MEGABYTES

    def test_nothing_packed_is_asked_for(self, chat: ChatServer, redis: Redis) -> None:
        chat.always = Says(GOOD)
        caller_of(chat, redis).ask(TENANT, question())
        assert chat.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
def test_what_was_said_does_not_follow_a_redirect(chat: ChatServer, redis: Redis, status: str) -> None:
    with ChatServer() as other:
        other.always = Says(GOOD)
        to = f"{other.url}/chat/completions"
        head = f"HTTP/1.1 {status}\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        chat.always = Raw(head.encode())
        failed = failure(caller_of(chat, redis), whole)
        assert (failed.reason, failed.lasting) == (Failure.UNKNOWN_MODEL, True)
        assert "a redirect" in str(failed)
        assert (chat.calls, other.calls) == (1, 0)


class TestAStreamOf:
    @pytest.mark.parametrize(
        "does",
        [
            streamed(b"[1, 2]"),
            streamed(b'"a text"'),
            streamed(b'{"choices": ["a text"]}'),
            streamed(piece(5)),
            streamed(piece(["a"])),
            streamed(b"[" * 100_000),
            streamed(b'{"created": ' + b"9" * 5_000 + b"}"),
            streamed(b"\xff\xfe{"),
            streamed(b'{"error": {"message": "' + WORDS.encode() + b'"}}'),
            Sends(b"<html>busy</html>"),
        ],
        ids=["list", "text", "choice", "number", "list of texts", "deep", "digits", "bytes", "error", "html"],
    )
    def test_what_is_no_completion_is_a_failure_of_the_server(
        self, chat: ChatServer, redis: Redis, does: Does
    ) -> None:
        chat.next(*[does] * 4)
        failed = failure(caller_of(chat, redis), in_pieces)
        assert failed.reason is Failure.SERVER
        assert WORDS not in str(failed)

    def test_pieces_with_gaps_is_read(self, chat: ChatServer, redis: Redis) -> None:
        chat.always = streamed(
            b'{"choices": null}',
            b'{"choices": [{"delta": null}]}',
            piece("Mill "),
            piece(None),
            piece("Lane"),
        )
        chat.always = Raw(chat.always.begins + b": a comment\r\ndata: [DONE]\r\n\r\n")
        assert in_pieces(caller_of(chat, redis)) == "Mill Lane"

    def test_half_a_character_is_text_that_can_be_sent_on(self, chat: ChatServer, redis: Redis) -> None:
        chat.always = streamed(piece("Mill \ud83d Lane"), b"[DONE]")
        assert str(in_pieces(caller_of(chat, redis))).encode() == b"Mill ? Lane"

    @pytest.mark.parametrize(
        "ends", [(), (b"[DONE]",), (piece(None).replace(b"}]", b', "finish_reason": "stop"}]'),)]
    )
    def test_a_part_is_whole_only_if_its_end_was_said(
        self, chat: ChatServer, redis: Redis, ends: tuple[bytes, ...]
    ) -> None:
        chat.always = streamed(piece("Not before"), *ends)
        caller, given = caller_of(chat, redis), []
        if ends:
            assert in_pieces(caller) == "Not before"
        else:
            with pytest.raises(CallFailed, match="connection: the reply ended"):
                given.extend(caller.stream(TENANT, question()))
            assert given == ["Not before"]

    def test_a_filter_is_no_answer(self, chat: ChatServer, redis: Redis) -> None:
        chat.always = Says("As I was", finish="content_filter")
        assert failure(caller_of(chat, redis), in_pieces).reason is Failure.DECLINED


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1_000])
def test_a_stream_is_read_alike_however_it_is_cut_into_parts(size: int) -> None:
    body = b"".join(b"data: " + piece(text) + end for text, end in (("书桌", b"\r\n\r\n"), ("…", b"\n\n")))
    body += b"event: x\ndata: [DONE]\n\n"
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    assert list(read_pieces(parts)) == ["书桌", "…", Reply("书桌…", False, None, None)]


class TestCounts:
    """…of tokens that no reply has are not booked: a server cannot give a tenant's budget back."""

    @pytest.mark.parametrize(
        "usage",
        [
            {"prompt_tokens": -100_000, "completion_tokens": -4},
            {"prompt_tokens": 10**30, "completion_tokens": 10**30},
            {"prompt_tokens": None, "completion_tokens": None},
            {"prompt_tokens": "many", "completion_tokens": [1]},
            {"prompt_tokens": 0, "completion_tokens": 0},
            {"prompt_tokens": True, "completion_tokens": True},
            {"total_tokens": 7},
            [],
            "none",
        ],
    )
    @pytest.mark.parametrize("asks", [whole, in_pieces])
    def test_are_estimated_instead(self, chat: ChatServer, redis: Redis, usage: object, asks: Asks) -> None:
        chat.always = completion(GOOD, usage)
        if asks is in_pieces:
            chat.always = streamed(piece(GOOD, usage=usage), b"[DONE]")
        counts = Counts()
        asks(caller_of(chat, redis, counts))
        spend = Spend(redis)
        (row,) = spend.of(TENANT, spend.today(), spend.today())
        assert (row.calls, row.read, row.written) == (1, *counts.tokens)
        assert 10 < row.read < 1_000
        assert 10 < row.written < 1_000


class TestAReply:
    def test_with_half_a_character_is_read(self, chat: ChatServer, redis: Redis) -> None:
        text = json.dumps("I see \ud83d " + GOOD).encode()
        chat.always = completion("here", content=text)
        assert whole(caller_of(chat, redis)) == GOOD_FACTS

    def test_in_another_encoding_is_read_as_far_as_it_can_be(self, chat: ChatServer, redis: Redis) -> None:
        chat.always = completion("here", content=b'"caf\xe9: ' + json.dumps(GOOD).encode()[1:])
        assert whole(caller_of(chat, redis)) == GOOD_FACTS

    @pytest.mark.parametrize(
        "text",
        [
            GOOD.replace("1}", "9" * 5_000 + "}"),
            GOOD.replace("1}", "1e999}"),
            GOOD.replace("1}", "-Infinity}"),
            '{"facts":' + "[" * 100_000 + "]" * 100_000 + "}",
            "{a}" * 200_000,
            "{" + "a:b," * 20_000 + "}",
            '{"' + "k" * 3_000_000 + '": 1}',
        ],
        ids=["digits", "infinite", "less than all", "deep", "braces", "no JSON", "a long key"],
    )
    def test_that_is_meant_to_be_hard_to_read_is_malformed(
        self, chat: ChatServer, redis: Redis, text: str
    ) -> None:
        chat.always = Says(text)
        begun = time.thread_time()
        assert failure(caller_of(chat, redis), whole).reason is Failure.MALFORMED
        assert time.thread_time() - begun < 10, "reading takes time in proportion"
        assert len(chat.requests[1].last) < 5_000, "what is wrong is said in short"


@pytest.mark.parametrize(
    "value",
    [
        "-5", "nan", "inf", "1e9", "99999999999999999999", "soon", "", "0", "Wed, 21 Oct 2015 07:28:00 GMT",
        "Mon, 01 Jan 0001 00:00:00 -0000", "Mon, 99999999999999999999 Jan 2020 00:00:00 GMT",
        "Wed, 21 Oct 2099 07:28:00 +99999999",
    ],
)  # fmt: skip
def test_a_pause_that_makes_no_sense_is_none(chat: ChatServer, redis: Redis, value: str) -> None:
    reply = f"HTTP/1.1 429 Slow\r\nRetry-After: {value}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    chat.next(Raw(reply.encode()))
    chat.always = Says(GOOD)
    assert whole(caller_of(chat, redis)) == GOOD_FACTS


@pytest.mark.parametrize(
    "value", ["31536000", "Wed, 21 Oct 2099 07:28:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"]
)
def test_a_pause_is_a_day_at_most(chat: ChatServer, redis: Redis, value: str) -> None:
    reply = f"HTTP/1.1 429 Slow\r\nRetry-After: {value}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    chat.always = Raw(reply.encode())
    failed = failure(caller_of(chat, redis), whole)
    assert (failed.reason, failed.retry_after, chat.calls) == (Failure.RATE_LIMITED, 86_400.0, 1)


def test_the_key_is_sent_to_the_endpoint_alone(chat: ChatServer, redis: Redis) -> None:
    chat.always = Says(GOOD)
    caller_of(chat, redis).ask(TENANT, question())
    assert KEY not in json.dumps(chat.requests[0].body)
