"""A question put to a server over HTTP, and all that can go wrong on the way."""

import logging
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from redis import Redis

from operators.llm.asking import EndpointCaller, caller_from
from operators.llm.failure import BudgetSpent, CallFailed, Failure
from operators.llm.purpose import Purpose
from operators.llm.spend import Spend
from tests.operators.llm.questions import (
    GOOD,
    GOOD_FACTS,
    KEY,
    TENANT,
    WORDS,
    Counts,
    Facts,
    caller_of,
    question,
)
from tests.servers.chat_replies import Asked, Cuts, Does, Drips, Fails, Hangs, Says, Sends, limited
from tests.servers.chat_server import ChatServer
from tests.servers.redis_server import RedisServer


@pytest.fixture
def counts() -> Counts:
    return Counts()


@pytest.fixture
def caller(chat: ChatServer, redis: Redis, counts: Counts) -> EndpointCaller:
    chat.always = Says(GOOD)
    return caller_of(chat, redis, counts)


class TestAQuestion:
    def test_is_asked_once_and_answered_in_its_shape(self, chat: ChatServer, caller: EndpointCaller) -> None:
        assert caller.ask(TENANT, question()) == GOOD_FACTS
        (asked,) = chat.requests
        assert asked.body["model"] == caller.model == "told-1"
        assert asked.schema_name == "Facts"
        assert asked.system == "Say what is stated."
        assert asked.records == [{"id": "m/1", "text": WORDS}]

    def test_carries_the_key(self, chat: ChatServer, caller: EndpointCaller) -> None:
        caller.ask(TENANT, question())
        assert chat.requests[0].headers["authorization"] == f"Bearer {KEY}"

    def test_without_a_key_carries_none_not_even_one_meant_for_another(
        self, chat: ChatServer, redis: Redis, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
        chat.always = Says(GOOD)
        caller = caller_from({"STET_LLM": f"{chat.url}#m"}, redis)
        assert caller is not None
        caller.ask(TENANT, question())
        assert "authorization" not in chat.requests[0].headers

    def test_from_many_threads_is_many_requests_and_no_more_at_once_than_allowed(
        self, chat: ChatServer, redis: Redis
    ) -> None:
        chat.always, chat.latency = Says(GOOD), 0.02
        caller = caller_of(chat, redis, in_flight=3)
        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda _: caller.ask(TENANT, question()), range(24)))
        assert answers == [GOOD_FACTS] * 24
        assert chat.calls == 24
        assert chat.most_at_once == 3


class TestAServer:
    """…that does not know every part of the protocol."""

    @pytest.mark.parametrize(
        ("refuses", "format_of_the_answer"),
        [
            ({"json_schema"}, "json_object"),
            ({"json_schema", "json_object"}, None),
            ({"response_format"}, None),
            ({"temperature"}, "json_schema"),
            ({"max_tokens"}, "json_schema"),
            ({"temperature", "max_tokens", "json_schema", "json_object"}, None),
        ],
    )
    def test_is_asked_in_words_that_it_knows_and_so_from_then_on(
        self, chat: ChatServer, caller: EndpointCaller, refuses: set[str], format_of_the_answer: str | None
    ) -> None:
        chat.refuses = frozenset(refuses)
        assert caller.ask(TENANT, question()) == GOOD_FACTS
        understood = chat.requests[-1].body
        assert understood.get("response_format", {}).get("type") == format_of_the_answer
        chat.forget()
        caller.ask(TENANT, question())
        assert [asked.body for asked in chat.requests] == [understood]

    @pytest.mark.parametrize(
        ("output", "format_of_the_answer", "told"),
        [("schema", "json_schema", False), ("json", "json_object", True), ("text", None, True)],
    )
    def test_may_be_named_what_it_knows(
        self, chat: ChatServer, redis: Redis, output: str, format_of_the_answer: str | None, told: bool
    ) -> None:
        chat.always = Says(GOOD)
        caller = caller_from({"STET_LLM": f"{chat.url}#m", "STET_LLM_OUTPUT": output}, redis)
        assert caller is not None
        caller.ask(TENANT, question())
        asked = chat.requests[0]
        assert asked.body.get("response_format", {}).get("type") == format_of_the_answer
        assert ('"additionalProperties":false' in asked.system) is told

    def test_that_refuses_a_question_in_every_form_has_refused_it(
        self, chat: ChatServer, caller: EndpointCaller
    ) -> None:
        chat.always = Fails(400, "no")
        with pytest.raises(CallFailed, match="rejected: the endpoint answers HTTP 400") as caught:
            caller.ask(TENANT, question())
        assert caught.value.lasting
        chat.forget()
        chat.always = Says(GOOD)
        caller.ask(TENANT, question())
        assert chat.requests[0].schema_name == "Facts", "what was refused says nothing about other questions"


class TestAFailureThatPasses:
    @pytest.mark.parametrize(
        ("does", "reason"),
        [
            (limited("0"), Failure.RATE_LIMITED),
            (limited(format_datetime(datetime.now(UTC), usegmt=True)), Failure.RATE_LIMITED),
            (Fails(500), Failure.SERVER),
            (Fails(503, headers=(("Retry-After", "0.01"),)), Failure.SERVER),
            (Cuts(), Failure.CONNECTION),
            (Sends(b"<html>busy</html>"), Failure.SERVER),
            (Sends(b'{"choices": []}'), Failure.SERVER),
            (Sends(b""), Failure.SERVER),
        ],
    )
    def test_is_tried_again_and_the_answer_is_the_same(
        self, chat: ChatServer, caller: EndpointCaller, counts: Counts, does: Does, reason: Failure
    ) -> None:
        chat.next(does)
        assert caller.ask(TENANT, question()) == GOOD_FACTS
        assert chat.requests[0].body == chat.requests[1].body
        assert chat.calls == 2
        assert counts.requests == {reason: 1, None: 1}
        assert counts.again == {reason: 1}
        assert not counts.failures

    @pytest.mark.parametrize("does", [Hangs(), Drips()])
    def test_may_be_a_reply_that_is_not_whole_in_time(
        self, chat: ChatServer, redis: Redis, counts: Counts, does: Does
    ) -> None:
        chat.always = does
        with pytest.raises(CallFailed) as caught:
            caller_of(chat, redis, counts, deadline=0.4).ask(TENANT, question())
        assert (caught.value.reason, caught.value.lasting) == (Failure.DEADLINE, False)
        assert set(counts.requests) == {Failure.DEADLINE}

    def test_holds_back_all_who_ask_the_endpoint_where_the_server_wants_a_pause(
        self, chat: ChatServer, caller: EndpointCaller, redis: Redis
    ) -> None:
        chat.always = limited("3600")
        with pytest.raises(CallFailed, match="rate_limited") as caught:
            caller.ask(TENANT, question())
        assert caught.value.retry_after == 3600.0
        with pytest.raises(CallFailed, match="rate_limited") as caught:
            caller_of(chat, redis).ask(TENANT, question())
        assert 3500 < (caught.value.retry_after or 0) <= 3600
        assert chat.calls == 1


class TestAFailureThatLasts:
    @pytest.mark.parametrize(
        ("does", "reason", "lasting"),
        [
            (Fails(401), Failure.AUTH, True),
            (Fails(403), Failure.AUTH, True),
            (Fails(404), Failure.UNKNOWN_MODEL, True),
            (Fails(413), Failure.TOO_LONG, True),
            (Fails(400, "maximum context length is 8192", "context_length_exceeded"), Failure.TOO_LONG, True),
            (Fails(400, "stopped", "content_filter"), Failure.DECLINED, True),
            (Says("", refusal="I would rather not"), Failure.DECLINED, True),
            (Says("", finish="content_filter"), Failure.DECLINED, True),
        ],
    )
    def test_is_said_at_once(
        self,
        chat: ChatServer,
        caller: EndpointCaller,
        counts: Counts,
        does: Does,
        reason: Failure,
        lasting: bool,
    ) -> None:
        chat.always = does
        with pytest.raises(CallFailed) as caught:
            caller.ask(TENANT, question())
        assert (caught.value.reason, caught.value.lasting) == (reason, lasting)
        assert chat.calls == 1
        assert counts.failures == {reason: 1}

    def test_may_be_a_server_that_is_not_there(self, redis: Redis) -> None:
        with ChatServer() as gone:
            caller = caller_of(gone, redis, deadline=1.0)
        with pytest.raises(CallFailed) as caught:
            caller.ask(TENANT, question())
        assert caught.value.reason is Failure.CONNECTION
        assert not caught.value.lasting

    def test_closes_the_endpoint_for_a_while_after_some(
        self, chat: ChatServer, caller: EndpointCaller
    ) -> None:
        chat.always = Fails(401)
        for _ in range(5):
            with pytest.raises(CallFailed, match="auth"):
                caller.ask(TENANT, question())
        with pytest.raises(CallFailed, match="breaker_open"):
            caller.ask(TENANT, question())
        assert chat.calls == 5

    def test_takes_up_no_room_of_the_limit_meanwhile(self, chat: ChatServer, redis: Redis) -> None:
        chat.always = Fails(401)
        caller = caller_of(chat, redis, requests_per_minute=600)
        for _ in range(5):
            with pytest.raises(CallFailed, match="auth"):
                caller.ask(TENANT, question())
        (limit,) = redis.keys("stet:limit:*")
        before = redis.hgetall(limit)
        with pytest.raises(CallFailed, match="breaker_open"):
            caller.ask(TENANT, question())
        assert redis.hgetall(limit) == before


class TestAnAnswerThatCannotBeUsed:
    @pytest.mark.parametrize(
        ("text", "reason", "told"),
        [
            ("I see one fact.", Failure.MALFORMED, "it has no JSON object"),
            (GOOD.replace("plan", "wish"), Failure.MALFORMED, "facts.0.mood: Input should be 'plan' or"),
            ('{"facts": [{"said": "x"}]}', Failure.MALFORMED, "facts.0.mood: Field required"),
            ("", Failure.EMPTY, None),
            (GOOD[:-2], Failure.TRUNCATED, None),
        ],
    )
    def test_is_asked_for_again_once(
        self,
        chat: ChatServer,
        caller: EndpointCaller,
        counts: Counts,
        text: str,
        reason: Failure,
        told: str | None,
    ) -> None:
        chat.next(Says(text))
        assert caller.ask(TENANT, question()) == GOOD_FACTS
        assert chat.calls == 2
        assert counts.again == {reason: 1}
        first, second = chat.requests
        assert second.content == first.content
        assert '"additionalProperties":false' in second.system, "the schema is told in words, too"
        assert told is None or told in second.last

    def test_twice_is_a_failure(self, chat: ChatServer, caller: EndpointCaller, counts: Counts) -> None:
        for text, reason in (("no", Failure.MALFORMED), ("", Failure.EMPTY), ("{", Failure.TRUNCATED)):
            chat.forget()
            chat.always = Says(text)
            with pytest.raises(CallFailed) as caught:
                caller.ask(TENANT, question())
            assert (caught.value.reason, caught.value.lasting) == (reason, True)
            assert chat.calls == 2
        assert counts.failures == {Failure.MALFORMED: 1, Failure.EMPTY: 1, Failure.TRUNCATED: 1}

    def test_for_want_of_room_gets_twice_as_much(self, chat: ChatServer, caller: EndpointCaller) -> None:
        chat.next(Says("<think>It is hard to", finish="length"))
        assert caller.ask(TENANT, question(room=70)) == GOOD_FACTS
        assert [asked.body["max_tokens"] for asked in chat.requests] == [70, 140]

    def test_for_want_of_room_that_there_is_no_more_of_is_truncated(
        self, chat: ChatServer, caller: EndpointCaller
    ) -> None:
        chat.next(Says(GOOD[:20], finish="length"))
        chat.always = Fails(400, "max_tokens is too large")
        with pytest.raises(CallFailed, match="truncated"):
            caller.ask(TENANT, question())

    def test_is_counted_with_its_tokens(
        self, chat: ChatServer, caller: EndpointCaller, counts: Counts
    ) -> None:
        chat.next(Says("x" * 400))
        caller.ask(TENANT, question())
        assert counts.tokens[1] > 100

    def test_may_be_one_that_the_asker_finds_fault_with(
        self, chat: ChatServer, caller: EndpointCaller
    ) -> None:
        chat.next(Says('{"facts": []}'))
        answer = caller.ask(TENANT, question(check=lambda facts: None if facts.facts else "it has no facts"))
        assert answer == GOOD_FACTS
        assert "it has no facts" in chat.requests[1].last

    @pytest.mark.parametrize(
        "second", [Says('{"facts": []}'), Says("no"), Fails(401), Says("", refusal="no")]
    )
    def test_that_fits_its_shape_is_kept_where_the_second_is_no_better(
        self, chat: ChatServer, caller: EndpointCaller, second: Does
    ) -> None:
        chat.next(Says('{"facts": []}'), second)
        assert caller.ask(TENANT, question(check=lambda facts: "it has no facts")) == Facts(facts=[])
        assert chat.calls == 2


class TestMoney:
    def test_is_booked_by_tenant_and_purpose(
        self, chat: ChatServer, caller: EndpointCaller, redis: Redis, counts: Counts
    ) -> None:
        caller.ask(TENANT, question())
        caller.ask(TENANT, question())
        caller.ask("other", question())
        spend = Spend(redis)
        (row,) = spend.of(TENANT, spend.today(), spend.today())
        (other,) = spend.of("other", spend.today(), spend.today())
        assert (row.purpose, row.model, row.calls) == (Purpose.DISTILL, "told-1", 2)
        assert (row.read, row.written) == (2 * other.read, 2 * other.written)
        assert counts.tokens == (3 * other.read, 3 * other.written)
        assert other.written == -(-len(GOOD) // 4)

    def test_is_estimated_where_the_server_does_not_count(
        self, chat: ChatServer, caller: EndpointCaller, counts: Counts
    ) -> None:
        caller.ask(TENANT, question())
        counted = counts.tokens
        chat.always = Says(GOOD, counts=False)
        caller.ask(TENANT, question())
        assert counts.tokens == (2 * counted[0], 2 * counted[1])

    def test_that_is_spent_stops_a_tenants_calls_and_no_others(
        self, chat: ChatServer, redis: Redis, counts: Counts
    ) -> None:
        chat.always = Says(GOOD)
        caller = caller_of(chat, redis, counts, daily_tokens=20)
        caller.ask(TENANT, question())
        with pytest.raises(BudgetSpent, match=f"budget: tenant {TENANT}") as caught:
            caller.ask(TENANT, question())
        assert 0 < (caught.value.retry_after or 0) <= 86_400
        assert chat.calls == 1
        assert counts.failures == {Failure.BUDGET: 1}
        assert caller.ask("other", question()) == GOOD_FACTS

    def test_of_a_request_that_failed_is_not_booked(
        self, chat: ChatServer, caller: EndpointCaller, counts: Counts
    ) -> None:
        chat.next(Fails(500))
        caller.ask(TENANT, question())
        one = counts.tokens
        caller.ask(TENANT, question())
        assert counts.tokens == (2 * one[0], 2 * one[1])

    def test_spent_on_an_answer_is_not_lost_when_redis_goes_away(
        self, chat: ChatServer, own_redis: RedisServer, caplog: pytest.LogCaptureFixture
    ) -> None:
        def answer(asked: Asked) -> str:
            own_redis.kill()
            return GOOD

        chat.always = Says(answer)
        client = Redis.from_url(own_redis.url)
        assert caller_of(chat, client).ask(TENANT, question()) == GOOD_FACTS
        assert "could not be booked" in caplog.text


class TestTheSharedLimit:
    def test_refuses_what_would_wait_too_long(self, chat: ChatServer, redis: Redis) -> None:
        chat.always = Says(GOOD)
        one, other = (caller_of(chat, redis, requests_per_minute=1, deadline=1.0) for _ in range(2))
        one.ask(TENANT, question())
        with pytest.raises(CallFailed, match="the limit has no room") as caught:
            other.ask(TENANT, question())
        assert (caught.value.reason, caught.value.lasting) == (Failure.RATE_LIMITED, False)
        assert (caught.value.retry_after or 0) > 30
        assert chat.calls == 1

    def test_counts_the_tokens_that_were_used_and_not_the_room_for_them(
        self, chat: ChatServer, redis: Redis
    ) -> None:
        chat.always = Says(GOOD)
        caller = caller_of(chat, redis, tokens_per_minute=10_000, deadline=1.0)
        for _ in range(20):
            assert caller.ask(TENANT, question(room=5_000)) == GOOD_FACTS


class TestClosing:
    def test_refuses_what_comes_after(self, chat: ChatServer, caller: EndpointCaller) -> None:
        caller.close()
        caller.close()
        with pytest.raises(CallFailed, match="closed"):
            caller.ask(TENANT, question())
        assert chat.calls == 0

    def test_lets_a_request_that_is_under_way_end_with_its_answer(
        self, chat: ChatServer, caller: EndpointCaller
    ) -> None:
        def closing(asked: Asked) -> str:
            caller.close()
            return GOOD

        chat.always = Says(closing)
        assert caller.ask(TENANT, question()) == GOOD_FACTS

    def test_ends_what_waits_for_a_further_try(self, chat: ChatServer, redis: Redis) -> None:
        chat.next(limited("30"))
        caller = caller_of(chat, redis, deadline=60.0)
        with ThreadPoolExecutor(1) as pool:
            asking = pool.submit(caller.ask, TENANT, question())
            while chat.calls == 0:
                pass
            caller.close()
            with pytest.raises(CallFailed, match="closed"):
                asking.result(20)


class TestNothingIsLeaked:
    @pytest.mark.parametrize(
        "does",
        [
            Says(WORDS),
            Says(GOOD),
            Fails(401, f"Incorrect API key provided: {KEY}", KEY + " "),
            Fails(400, f"rejected {WORDS}"),
            Fails(400, WORDS, "content_filter"),
            Sends(WORDS.encode()),
            Cuts(WORDS),
        ],
    )
    def test_neither_text_nor_key_is_in_logs_or_errors(
        self, chat: ChatServer, redis: Redis, caplog: pytest.LogCaptureFixture, does: Does
    ) -> None:
        chat.always = does
        with caplog.at_level(logging.DEBUG):
            caller = caller_of(chat, redis, deadline=1.0, query=f"key={KEY}")
            told = repr(caller)
            try:
                caller.ask(TENANT, question())
            except CallFailed as failed:
                told += "".join(traceback.format_exception(failed))
        assert chat.calls
        assert KEY not in caplog.text + told
        assert WORDS not in caplog.text + told
