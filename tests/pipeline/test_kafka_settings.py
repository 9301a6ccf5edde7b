"""Settings of Kafka: what is wrong is named with what to do, secrets are not, and topics are made once."""

import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_settings import PARTITIONS, Kafka, KafkaUnusable, Topics, ensure_topics
from tests.servers.broker import Topics as TopicsOfTest

SECRET = "correct-horse-电池"
NOWHERE = Kafka("127.0.0.1:1")
VARIABLES = ("SECURITY", "MECHANISM", "USERNAME", "PASSWORD", "CA")
LOGIN = {"SECURITY": "sasl_ssl", "USERNAME": "stet", "PASSWORD": SECRET}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in VARIABLES:
        monkeypatch.delenv(f"STET_KAFKA_{name}", raising=False)
    return monkeypatch


def given(environment: pytest.MonkeyPatch, settings: dict[str, str]) -> None:
    for name, value in settings.items():
        environment.setenv(f"STET_KAFKA_{name}", value)


class TestSecurity:
    def test_is_plaintext_where_nothing_is_said(self) -> None:
        assert NOWHERE.config()["security.protocol"] == "plaintext"

    def test_a_login_is_by_scram_where_no_mechanism_is_named(self, environment: pytest.MonkeyPatch) -> None:
        given(environment, LOGIN)
        config = NOWHERE.config()
        assert config["security.protocol"] == "sasl_ssl"
        assert config["sasl.mechanism"] == "SCRAM-SHA-256"
        assert (config["sasl.username"], config["sasl.password"]) == ("stet", SECRET)

    @pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "scram-sha-512"])
    def test_each_mechanism_is_one_that_the_client_has(
        self, environment: pytest.MonkeyPatch, mechanism: str
    ) -> None:
        given(environment, {**LOGIN, "MECHANISM": mechanism})
        KafkaProducer(NOWHERE).close()

    @pytest.mark.parametrize(
        ("settings", "named"),
        [
            ({"SECURITY": "tls"}, ["STET_KAFKA_SECURITY", "'tls'", "sasl_ssl"]),
            ({"SECURITY": "sasl_ssl"}, ["STET_KAFKA_USERNAME", "STET_KAFKA_PASSWORD"]),
            ({"SECURITY": "SASL_PLAINTEXT", "PASSWORD": SECRET}, ["STET_KAFKA_USERNAME"]),
            ({"SECURITY": "sasl_ssl", "USERNAME": "stet"}, ["STET_KAFKA_PASSWORD"]),
            ({"SECURITY": "sasl_ssl", "USERNAME": "stet", "PASSWORD": ""}, ["STET_KAFKA_PASSWORD"]),
            ({**LOGIN, "MECHANISM": "GSSAPI"}, ["STET_KAFKA_MECHANISM", "'GSSAPI'", "PLAIN"]),
            ({**LOGIN, "CA": "/no/such/file.pem"}, ["STET_KAFKA_CA", "/no/such/file.pem"]),
        ],
    )
    def test_what_is_wrong_or_missing_is_named_and_the_secret_is_not(
        self, environment: pytest.MonkeyPatch, settings: dict[str, str], named: list[str]
    ) -> None:
        given(environment, settings)
        for use in (NOWHERE.config, lambda: KafkaProducer(NOWHERE), lambda: ensure_topics(NOWHERE)):
            with pytest.raises(KafkaUnusable) as raised:
                use()
            assert all(word in str(raised.value) for word in named)
            assert SECRET not in str(raised.value)

    def test_an_authority_that_is_no_certificate_is_named(
        self, environment: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        letter = tmp_path / "letter.pem"
        letter.write_text("dear")
        given(environment, {"SECURITY": "ssl", "CA": str(letter)})
        with pytest.raises(KafkaUnusable, match=r"STET_KAFKA_CA is .*letter\.pem"):
            NOWHERE.config()

    def test_only_what_is_missing_is_named(self, environment: pytest.MonkeyPatch) -> None:
        given(environment, {"SECURITY": "sasl_ssl", "PASSWORD": SECRET})
        with pytest.raises(KafkaUnusable) as raised:
            NOWHERE.config()
        assert "STET_KAFKA_PASSWORD" not in str(raised.value)


class TestNoBroker:
    @pytest.mark.timeout(15)
    def test_is_told_with_what_to_do_before_a_person_gives_up(self) -> None:
        with pytest.raises(KafkaUnusable, match="start it, or correct the address, STET_KAFKA_SECURITY"):
            ensure_topics(NOWHERE)

    @pytest.mark.parametrize("brokers", ["no.such.host.invalid:9092", "127.0.0.1:port", ""])
    def test_is_what_a_wrong_address_leads_to(self, environment: pytest.MonkeyPatch, brokers: str) -> None:
        environment.setattr("pipeline.kafka_settings._SECONDS", 0.2)
        with pytest.raises(KafkaUnusable, match="correct the address"):
            ensure_topics(Kafka(brokers))

    def test_the_password_is_not_told(self, environment: pytest.MonkeyPatch) -> None:
        environment.setattr("pipeline.kafka_settings._SECONDS", 0.2)
        given(environment, {**LOGIN, "SECURITY": "sasl_plaintext", "MECHANISM": "PLAIN"})
        with pytest.raises(KafkaUnusable) as raised:
            ensure_topics(NOWHERE)
        assert SECRET not in str(raised.value)


@pytest.fixture
def of_this_test(kafka: TopicsOfTest) -> Iterator[Kafka]:
    """An installation with topics of its own, which are deleted afterwards."""
    topics = Topics.prefixed(f"test-{uuid.uuid4().hex}-")
    yield Kafka(kafka.bootstrap, topics)
    names = (topics.messages, topics.rejected, topics.changes)
    kafka.delete([name for name in names if kafka.partitions(name)])


class TestTopics:
    def test_a_prefix_stands_before_all_three(self) -> None:
        assert Topics.prefixed("eu.") == Topics(
            "eu.conversation.messages", "eu.conversation.rejected", "eu.evidence.changes"
        )
        assert Topics.prefixed("") == Topics()

    def test_are_made_with_the_partitions_asked_for(self, kafka: TopicsOfTest, of_this_test: Kafka) -> None:
        assert ensure_topics(of_this_test, partitions=5) == 5
        topics = of_this_test.topics
        made = [kafka.partitions(name) for name in (topics.messages, topics.rejected, topics.changes)]
        assert made == [5, 5, 5]

    def test_have_partitions_for_more_than_one_process_where_nothing_is_said(
        self, of_this_test: Kafka
    ) -> None:
        assert ensure_topics(of_this_test) == PARTITIONS > 1

    def test_one_that_exists_is_kept_as_it_is(self, kafka: TopicsOfTest, of_this_test: Kafka) -> None:
        kafka.create(partitions=2, name=of_this_test.topics.messages)
        assert ensure_topics(of_this_test, partitions=5) == 2
        assert kafka.partitions(of_this_test.topics.messages) == 2
        assert kafka.partitions(of_this_test.topics.changes) == 5
        assert ensure_topics(of_this_test, partitions=7) == 2

    def test_several_processes_may_make_them_at_once(self, kafka: TopicsOfTest, of_this_test: Kafka) -> None:
        together = threading.Barrier(4)

        def make() -> int:
            together.wait()
            return ensure_topics(of_this_test, partitions=3)

        with ThreadPoolExecutor(4) as processes:
            made = [processes.submit(make) for _ in range(4)]
        assert [one.result() for one in made] == [3, 3, 3, 3]
        assert kafka.partitions(of_this_test.topics.messages) == 3
