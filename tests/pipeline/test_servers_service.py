"""`stet serve` on servers as a client meets it: what is taken is in Kafka; questions need no broker (I5)."""

import json
import signal
from collections.abc import Iterator

import httpx
import pytest

from operators.parse import parse, serialise
from state.model import Message
from tests.pipeline.command import lines, message
from tests.pipeline.installation import Installation, Service, installation
from tests.pipeline.topic import headers, read, values
from tests.servers import broker, redis_server

pytestmark = pytest.mark.skipif(
    bool(broker.absent() or redis_server.absent()), reason="the broker or Redis 7 is absent"
)

ELM = message(1)
FIR = message(1, tenant="globex", content="The delivery address is 1 Fir Lane.")
CHINESE = message(1, "收货地址是梧桐路5号。", subject="周晓雯", tenant="客户公司")
MINUTE = 60.0


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation that knows a subject of one name in two tenants."""
    with installation(tmp_path_factory.mktemp("here")) as one:
        one.take(lines([ELM, FIR]))
        yield one


@pytest.fixture(scope="module")
def running(here: Installation) -> Iterator[Service]:
    one = Service(here)
    yield one
    one.close()


@pytest.fixture
def service(here: Installation, running: Service) -> Iterator[Service]:
    """The service, ready; whatever a test took away is there again after it."""
    yield running
    here.redis.resume()
    here.qdrant.mend()
    here.link.mend()
    running.wait_for(running.is_ready)
    running.wait_for(lambda: running.post([ELM]).status_code == 202)


def is_problem(answer: httpx.Response, status: int) -> bool:
    told = answer.json()
    return (
        answer.status_code == told["status"] == status
        and answer.headers["content-type"] == "application/problem+json"
        and bool(told["title"] and told["detail"])
    )


class TestMessages:
    def test_that_are_answered_for_are_in_the_topic_with_their_key(
        self, here: Installation, service: Service
    ) -> None:
        rows = [message(n, content=f"My order number is {n}.", conversation="c2") for n in range(20, 25)]
        answer = service.post(rows)
        assert (answer.status_code, answer.json()["accepted"]) == (202, 5)
        assert service.post([CHINESE], tenant="客户公司").status_code == 202
        found = read(here.broker.bootstrap, here.kafka.topics.messages)
        for row, key in [*((row, b"acme/ann") for row in rows), (CHINESE, "客户公司/周晓雯".encode())]:
            sound = parse(lines([row]).strip())
            assert isinstance(sound, Message)
            (record,) = [record for record in found if record.value() == serialise(sound)]
            assert record.key() == key
            assert headers(record) == {"origin": "http"}
        of_ann = [r.value() or b"" for r in found if b'"c2"' in (r.value() or b"")]
        assert [json.loads(value)["id"] for value in of_ann] == [row["id"] for row in rows]

    def test_a_bad_one_is_told_and_holds_up_no_other(self, here: Installation, service: Service) -> None:
        answer = service.post([message(30, role="boss"), message(31, content="My phone is 555-0131.")])
        assert answer.status_code == 202
        assert [row["accepted"] for row in answer.json()["results"]] == [False, True]
        assert is_problem(service.post([message(32, role="boss")]), 422)
        written = b"".join(values(here.broker.bootstrap, here.kafka.topics.messages))
        assert b"555-0131" in written
        assert b'"boss"' not in written

    def test_of_another_tenant_than_the_request_are_refused(
        self, here: Installation, service: Service
    ) -> None:
        answer = service.post([message(40, content="Foreign.")], tenant="globex")
        assert is_problem(answer, 422)
        assert answer.json()["results"][0]["reason"] == "wrong_tenant"
        assert not [v for v in values(here.broker.bootstrap, here.kafka.topics.messages) if b"Foreign" in v]

    def test_are_asked_for_once_a_worker_has_processed_them(
        self, here: Installation, service: Service
    ) -> None:
        assert (
            service.post([message(50, subject="bob", content="My address is 9 Oak Way.")]).status_code == 202
        )
        assert service.get("/v1/subjects/bob/state", "acme").status_code == 404
        assert here.work().code == 0
        assert "9 Oak Way" in service.get("/v1/subjects/bob/state", "acme").text


class TestTenants:
    def test_with_equal_subjects_and_ids_never_see_each_other(self, service: Service) -> None:
        for tenant, own, foreign in (("acme", "Elm", "Fir"), ("globex", "Fir", "Elm")):
            state = service.get("/v1/subjects/ann/state", tenant).text
            answer = service.ask("ann", "What is the delivery address?", tenant)
            assert answer.json()["evidence"][0] == "m/1"
            for told in (state, answer.text):
                assert own in told
                assert foreign not in told

    def test_an_event_is_found_by_its_own_tenant_only(self, service: Service) -> None:
        state = service.get("/v1/subjects/ann/state", "globex").json()
        event = state["entities"][0]["attributes"][0]["facts"][0]["event"]
        for path in (f"/v1/events/{event}", f"/v1/events/{event}/why"):
            assert service.get(path, "globex").status_code == 200
            assert is_problem(service.get(path, "acme"), 404)

    def test_must_be_named_where_the_service_was_given_none(
        self, here: Installation, service: Service
    ) -> None:
        before = len(values(here.broker.bootstrap, here.kafka.topics.messages))
        asked = {"subject": "ann", "question": "Where?"}
        for answer in (
            service.client.post("/v1/messages", json=[ELM]),
            service.client.post("/v1/ask", json=asked),
            service.client.get("/v1/subjects/ann/state"),
            service.client.get("/v1/events/ev-0"),
        ):
            assert is_problem(answer, 400)
            assert "X-Stet-Tenant" in answer.json()["detail"]
        assert len(values(here.broker.bootstrap, here.kafka.topics.messages)) == before


class TestBrokerAway:
    def test_nothing_is_claimed_to_be_taken_and_questions_are_answered(
        self, here: Installation, service: Service
    ) -> None:
        here.link.cut()
        answer = service.post([message(60), message(61)])
        assert is_problem(answer, 503)
        assert answer.headers["retry-after"] == "1"
        assert {"accepted", "results"}.isdisjoint(answer.json())
        assert "Elm Road" not in answer.text
        assert service.is_ready()
        assert "Elm Road" in service.get("/v1/subjects/ann/state", "acme").text
        assert service.ask("ann", "What is the delivery address?", "acme").json()["evidence"]

    def test_afterwards_messages_are_taken_again(self, here: Installation, service: Service) -> None:
        here.link.cut()
        said = [message(62, content="My phone is 555-0162.")]
        assert service.post(said).status_code == 503
        here.link.mend()
        service.wait_for(lambda: service.post(said).status_code == 202)
        written = values(here.broker.bootstrap, here.kafka.topics.messages)
        assert any(b"555-0162" in value for value in written)

    def test_a_service_that_starts_then_answers_and_takes_messages_afterwards(
        self, here: Installation, service: Service
    ) -> None:
        here.link.cut()
        other = Service(here)
        try:
            assert "Elm Road" in other.get("/v1/subjects/ann/state", "acme").text
            assert is_problem(other.post([message(63)]), 503)
            here.link.mend()
            other.wait_for(lambda: other.post([message(63)]).status_code == 202)
            assert other.end(signal.SIGTERM) == 0
            assert "messages are refused until it is there" in other.told()
        finally:
            other.close()


class TestStoreAway:
    def test_redis_that_hangs_shows_and_so_does_its_return(
        self, here: Installation, service: Service
    ) -> None:
        here.redis.pause()
        service.wait_for(lambda: not service.is_ready())
        assert service.reasons() == "redis does not answer (TimeoutError)"
        here.redis.resume()
        service.wait_for(service.is_ready)
        assert "Elm Road" in service.get("/v1/subjects/ann/state", "acme").text

    def test_redis_that_was_killed_shows_and_so_does_its_return(
        self, here: Installation, service: Service
    ) -> None:
        here.redis.kill()
        try:
            service.wait_for(lambda: not service.is_ready())
            assert service.reasons() == "redis does not answer (ConnectionError)"
            answer = service.get("/v1/subjects/ann/state", "acme")
            assert is_problem(answer, 503)
            assert "/readyz" in answer.json()["detail"]
            assert service.post([ELM]).status_code == 202  # the messages' way in needs no store
        finally:
            here.redis.start()
        service.wait_for(service.is_ready)
        assert "Elm Road" in service.get("/v1/subjects/ann/state", "acme").text

    def test_qdrant_that_is_away_shows_and_what_needs_none_is_answered(
        self, here: Installation, service: Service
    ) -> None:
        here.qdrant.unavailable(MINUTE)
        service.wait_for(lambda: not service.is_ready())
        assert service.reasons().startswith("qdrant does not answer")
        metrics = service.client.get("/metrics").text
        assert 'stet_store_up{store="qdrant"} 0.0' in metrics
        assert 'stet_store_up{store="redis"} 1.0' in metrics
        assert is_problem(service.ask("ann", "Where?", "acme"), 503)
        assert "Elm Road" in service.get("/v1/subjects/ann/state", "acme").text
        here.qdrant.mend()
        service.wait_for(service.is_ready)
        assert service.ask("ann", "What is the delivery address?", "acme").json()["evidence"]


class TestStop:
    def test_ends_in_order(self, here: Installation) -> None:
        one = Service(here, "--tenant", "globex")
        try:
            # The tenant was given at the start, so no request need name it.
            assert "Fir Lane" in one.client.get("/v1/subjects/ann/state").text
            assert one.post([FIR]).status_code == 202
            assert one.end(signal.SIGTERM) == 0
        finally:
            one.close()
        told = one.told()
        assert "Traceback" not in told
        assert "Fir Lane" not in told
