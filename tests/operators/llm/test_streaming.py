"""An answer that is given as it is written."""

import pytest
from redis import Redis

from operators.llm.asking import EndpointCaller
from operators.llm.failure import BudgetSpent, CallFailed, Failure
from operators.llm.spend import Spend
from tests.operators.llm.questions import TENANT, Counts, caller_of, question
from tests.servers.chat_replies import Cuts, Does, Drips, Fails, Hangs, Says, limited
from tests.servers.chat_server import ChatServer

ANSWER = "The desk is delivered to Mill Lane [order/7]. 书桌送到磨坊巷。"


@pytest.fixture
def counts() -> Counts:
    return Counts()


@pytest.fixture
def caller(chat: ChatServer, redis: Redis, counts: Counts) -> EndpointCaller:
    chat.always = Says(ANSWER)
    return caller_of(chat, redis, counts)


def booked(redis: Redis) -> tuple[int, int, int]:
    spend = Spend(redis)
    (row,) = spend.of(TENANT, spend.today(), spend.today())
    return row.calls, row.read, row.written


def test_comes_in_pieces_and_no_shape_is_asked_for(chat: ChatServer, caller: EndpointCaller) -> None:
    pieces = list(caller.stream(TENANT, question()))
    assert "".join(pieces) == ANSWER
    assert len(pieces) > 5
    assert "response_format" not in chat.requests[0].body


def test_is_not_asked_for_before_somebody_reads(chat: ChatServer, caller: EndpointCaller) -> None:
    caller.stream(TENANT, question())
    assert chat.calls == 0


def test_has_no_thoughts(chat: ChatServer, caller: EndpointCaller) -> None:
    chat.always = Says(f"<think>Which lane was it?</think>\n\n{ANSWER}")
    assert "".join(caller.stream(TENANT, question())) == ANSWER


@pytest.mark.parametrize("counts_them", [True, False])
def test_is_booked(chat: ChatServer, caller: EndpointCaller, redis: Redis, counts_them: bool) -> None:
    chat.always = Says(ANSWER, counts=counts_them)
    list(caller.stream(TENANT, question()))
    calls, read, written = booked(redis)
    assert calls == 1
    assert read > 10
    assert written >= len(ANSWER.encode()) // 4


def test_is_booked_also_where_the_reader_leaves(
    chat: ChatServer, caller: EndpointCaller, redis: Redis
) -> None:
    pieces = iter(caller.stream(TENANT, question()))
    next(pieces)
    del pieces
    assert booked(redis)[0] == 1
    assert "".join(caller.stream(TENANT, question())) == ANSWER, "the place of the first is free again"


def test_leaves_its_place_to_others_when_the_reader_leaves(chat: ChatServer, redis: Redis) -> None:
    chat.always = Says(ANSWER)
    caller = caller_of(chat, redis, in_flight=1)
    for _ in range(3):
        pieces = iter(caller.stream(TENANT, question()))
        next(pieces)
        del pieces


@pytest.mark.parametrize("does", [limited("0"), Fails(500), Cuts(pieces=0)])
def test_is_tried_again_as_long_as_nothing_was_given(
    chat: ChatServer, caller: EndpointCaller, does: Does
) -> None:
    chat.next(does)
    assert "".join(caller.stream(TENANT, question())) == ANSWER
    assert chat.calls == 2


def test_is_not_tried_again_after_that(chat: ChatServer, caller: EndpointCaller, counts: Counts) -> None:
    chat.next(Cuts(ANSWER, pieces=2))
    given: list[str] = []
    with pytest.raises(CallFailed) as caught:
        given.extend(caller.stream(TENANT, question()))
    assert caught.value.reason is Failure.CONNECTION
    assert chat.calls == 1
    assert counts.failures == {Failure.CONNECTION: 1}


@pytest.mark.parametrize("does", [Hangs(), Drips()])
def test_ends_at_its_deadline(chat: ChatServer, redis: Redis, does: Does) -> None:
    chat.always = does
    with pytest.raises(CallFailed) as caught:
        list(caller_of(chat, redis, deadline=0.3).stream(TENANT, question()))
    assert caught.value.reason is Failure.DEADLINE


def test_that_is_cut_for_want_of_room_says_so_at_its_end(chat: ChatServer, caller: EndpointCaller) -> None:
    chat.always = Says(ANSWER, finish="length")
    given: list[str] = []
    with pytest.raises(CallFailed, match="truncated"):
        given.extend(caller.stream(TENANT, question()))
    assert "".join(given) == ANSWER


def test_without_words_is_a_failure(chat: ChatServer, caller: EndpointCaller) -> None:
    chat.always = Says("")
    with pytest.raises(CallFailed, match="empty"):
        list(caller.stream(TENANT, question()))


def test_of_a_server_that_does_not_count_while_it_streams(chat: ChatServer, caller: EndpointCaller) -> None:
    chat.refuses = frozenset({"stream_options"})
    assert "".join(caller.stream(TENANT, question())) == ANSWER
    assert chat.calls == 2


def test_is_held_to_the_budget(chat: ChatServer, redis: Redis) -> None:
    chat.always = Says(ANSWER)
    caller = caller_of(chat, redis, daily_tokens=1)
    list(caller.stream(TENANT, question()))
    with pytest.raises(BudgetSpent):
        list(caller.stream(TENANT, question()))
    assert chat.calls == 1
