"""The commands on Redis, Qdrant and Kafka servers: they answer as on a data folder, and fail in one line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.command_line.failures import Exit
from state.redis_client import connect
from tests.pipeline.command import EXAMPLES, Outcome, lines, message, stet
from tests.pipeline.installation import ENCODER, Installation, installation, run
from tests.pipeline.topic import headers, read, values
from tests.servers import broker, redis_server
from tests.servers.redis_server import RedisServer

pytestmark = pytest.mark.skipif(
    bool(broker.absent() or redis_server.absent()), reason="the broker or Redis 7 is absent"
)

OTHER = lines([message(1, tenant="globex", subject="maya", content="My address is 1 Fir Lane.")])
FED = b"".join(file.read_bytes() for file in EXAMPLES) + OTHER
TENANT = ("--tenant", "demo")
NOWHERE = "redis://127.0.0.1:1"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation that has processed the bundled examples and a second tenant's message."""
    with installation(tmp_path_factory.mktemp("here")) as one:
        one.take(FED)
        yield one


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the same."""
    data = tmp_path_factory.mktemp("folder") / "data"
    assert stet("ingest", "-", "--encoder", ENCODER, data=data, stdin=FED).code == 0
    return data


def assert_told(outcome: Outcome, code: Exit, *words: str) -> None:
    assert (outcome.code, outcome.out) == (code, b"")
    assert outcome.err.startswith("stet: ")
    assert outcome.err.count("\n") == 1
    for word in words:
        assert word in outcome.err


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """What an answer says. (The last digit of a score is the engine's.)"""
    return {
        "evidence": answer["evidence"],
        "notes": [note["message"] for note in answer["notes"]],
        "paths": [path["events"] for path in answer["paths"]],
        "context": answer["context"],
    }


class TestAnswers:
    def test_the_export_has_the_bytes_of_the_embedded_mode(self, here: Installation, folder: Path) -> None:
        for tenant in ("demo", "globex"):
            out = run("export", *here.graph, "--tenant", tenant).out
            assert out == stet("export", "--tenant", tenant, data=folder).out
            assert out

    @pytest.mark.parametrize(
        "command",
        [
            ("state", "maya", "--json", "--as-of", "2026-05-01"),
            ("state", "周晓雯", "--history", "--ids", "--as-of", "2026-05-01"),
            ("export", "maya"),
            ("forest", "maya"),
            ("forest", "周晓雯", "--json", "--turns", "5"),
        ],
        ids=" ".join,
    )
    def test_of_reading_commands_are_those_of_the_embedded_mode(
        self, here: Installation, folder: Path, command: tuple[str, ...]
    ) -> None:
        outcome = run(*command, *TENANT, *here.graph)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out == stet(*command, *TENANT, data=folder).out

    def test_of_why_are_too(self, here: Installation, folder: Path) -> None:
        rows = run("export", "maya", *TENANT, *here.graph).rows
        event = next(row["id"] for row in rows if row["kind"] == "event" and row["valid"] == 0)
        outcome = run("why", event, *TENANT, *here.graph)
        assert outcome.code == 0
        assert outcome.out == stet("why", event, *TENANT, data=folder).out

    @pytest.mark.parametrize(
        ("subject", "question"),
        [("maya", "Where will the desk be delivered?"), ("周晓雯", "快递地址是哪里？")],
    )
    def test_to_questions_have_the_same_evidence(
        self, here: Installation, folder: Path, subject: str, question: str
    ) -> None:
        asked = ("ask", subject, question, "--json", "--as-of", "2026-05-01", *TENANT)
        answer = run(*asked, *here.stores).json
        assert answer["evidence"]
        assert shown(answer) == shown(stet(*asked, data=folder).json)

    @pytest.mark.parametrize(
        ("subject", "said"), [("maya", "Will it be delivered on Monday?"), ("周晓雯", "苹果几箱？")]
    )
    def test_to_a_next_turn_have_the_same_context(
        self, here: Installation, folder: Path, subject: str, said: str
    ) -> None:
        asked = ("context", subject, said, "--json", "--budget", "200", *TENANT)
        ours, theirs = run(*asked, *here.stores).json, stet(*asked, data=folder).json
        assert ours["path"]
        assert {**ours, "timings_ms": 0} == {**theirs, "timings_ms": 0}
        row = lines([{"subject": subject, "message": said, "budget": 200}])
        (batched,) = run("context", "--batch", "-", *TENANT, *here.stores, stdin=row).rows
        assert {**batched, "timings_ms": 0} == {**ours, "timings_ms": 0}

    def test_to_a_batch_come_in_its_order(self, here: Installation) -> None:
        asked = lines([{"subject": s, "question": "Where?", "qid": s} for s in ("maya", "周晓雯", "maya")])
        outcome = run("ask", "--batch", "-", *TENANT, *here.stores, stdin=asked)
        assert [row["qid"] for row in outcome.rows] == ["maya", "周晓雯", "maya"]

    def test_subjects_and_tenants_are_listed(self, here: Installation) -> None:
        told = run("subjects", "--json", *TENANT, *here.graph).json
        assert told == {"tenant": "demo", "tenants": ["demo", "globex"], "subjects": ["maya", "周晓雯"]}

    def test_the_servers_may_be_named_by_the_environment(self, here: Installation) -> None:
        env = {**here.env, "STET_TENANT": "demo"}
        state = ("state", "maya", "--as-of", "2026-05-01")
        assert run(*state, env=env).out == run(*state, *TENANT, *here.graph).out
        assert run("ask", "maya", "Where?", "--json", env=env).json["evidence"]
        assert run("export", env=env).out == run("export", *TENANT, *here.graph).out


class TestTenants:
    def test_with_equal_subjects_are_never_mixed(self, here: Installation) -> None:
        theirs = run("export", "maya", "--tenant", "globex", *here.graph).out
        assert b"Fir Lane" in theirs
        assert b"Harbour" not in theirs
        assert b"Fir Lane" not in run("export", "maya", *TENANT, *here.graph).out
        asked = ("ask", "maya", "What is the address?", "--json")
        assert run(*asked, "--tenant", "globex", *here.stores).json["evidence"] == ["m/1"]
        assert "m/1" not in run(*asked, *TENANT, *here.stores).json["evidence"]
        for command, stores in (
            (("forest", "maya"), here.graph),
            (("context", "maya", "What is the address?"), here.stores),
        ):
            theirs = run(*command, "--tenant", "globex", *stores).out
            assert b"Fir Lane" in theirs
            assert b"Harbour" not in theirs
            assert b"Fir Lane" not in run(*command, *TENANT, *stores).out

    def test_of_several_one_must_be_named(self, here: Installation) -> None:
        for command in (("state", "maya"), ("export",)):
            assert_told(run(*command, *here.graph), Exit.USAGE, "demo, globex", "--tenant")

    def test_of_several_none_named_they_are_listed(self, here: Installation) -> None:
        assert run("subjects", *here.graph).out == b"tenant demo\ntenant globex\n"

    def test_one_that_is_not_there_is_told(self, here: Installation) -> None:
        for command in (("state", "maya"), ("why", "ev-0"), ("export",)):
            outcome = run(*command, "--tenant", "nobody", *here.graph)
            assert_told(outcome, Exit.UNKNOWN, "no tenant nobody in this Redis")


class TestWrongUse:
    def test_a_subject_or_an_event_that_is_not_there(self, here: Installation) -> None:
        assert_told(run("state", "nobody", *TENANT, *here.graph), Exit.UNKNOWN, "'nobody'")
        assert_told(run("why", "ev-0", *TENANT, *here.graph), Exit.UNKNOWN, "ev-0")
        assert_told(run("ask", "nobody", "Where?", *TENANT, *here.stores), Exit.UNKNOWN, "'nobody'")

    def test_a_question_without_qdrant(self, here: Installation) -> None:
        outcome = run("ask", "maya", "Where?", *TENANT, *here.graph)
        assert_told(outcome, Exit.USAGE, "--qdrant http://host:6333", "STET_QDRANT")

    @pytest.mark.parametrize("command", [("serve",), ("worker", "--to-end")], ids=" ".join)
    def test_a_server_that_is_not_named(self, here: Installation, command: tuple[str, ...]) -> None:
        outcome = run(*command, *here.graph)
        assert_told(outcome, Exit.USAGE, "--qdrant, --kafka", "STET_QDRANT", "STET_KAFKA")

    def test_a_redis_that_is_none_or_away(self) -> None:
        assert_told(run("state", "maya", "--redis", "localhost"), Exit.STORE, "give redis://host:6379")
        assert_told(run("state", "maya", "--redis", NOWHERE), Exit.STORE, "does not answer")
        outcome = run("state", "maya", "--redis", "redis://:geheim@127.0.0.1:1")
        assert_told(outcome, Exit.STORE, "does not answer")
        assert "geheim" not in outcome.err

    def test_a_qdrant_that_is_away(self, here: Installation) -> None:
        outcome = run("ask", "maya", "Where?", *TENANT, *here.graph, "--qdrant", "http://127.0.0.1:1")
        assert_told(outcome, Exit.STORE, "Qdrant at http://127.0.0.1:1 does not answer")

    def test_a_broker_that_is_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pipeline.kafka_settings._SECONDS", 0.2)
        away = ("--kafka", "127.0.0.1:1")
        for command in (("ingest", str(EXAMPLES[0])), ("replay-rejected",)):
            assert_told(run(*command, *away), Exit.STORE, "no broker of 127.0.0.1:1 answers")

    def test_another_encoder_than_the_notes_come_from(self, here: Installation) -> None:
        outcome = here.work("--encoder", "hashing-8")
        assert_told(outcome, Exit.FOLDER, "hashing-32", "hashing-8")
        serving = run("serve", "--port", "0", "--encoder", "hashing-8", *here.stores, *here.topics)
        assert_told(serving, Exit.FOLDER, "hashing-32", "hashing-8")

    def test_a_redis_to_which_nothing_was_written_stays_as_it_is(
        self, here: Installation, own_redis: RedisServer
    ) -> None:
        """A question that came too early must not settle the encoder of the installation."""
        new = ("--redis", own_redis.url)
        for command in (
            ("state", "maya"),
            ("export",),
            ("ask", "maya", "Where?", "--qdrant", here.qdrant.url),
        ):
            assert_told(run(*command, *new), Exit.UNKNOWN, "nothing was ingested into this Redis yet")
        with connect(own_redis.url) as client:
            assert client.dbsize() == 0

    def test_a_port_that_is_taken(self, here: Installation) -> None:
        taken = str(here.redis.port)
        serving = run("serve", "--port", taken, *here.stores, *here.topics)
        assert_told(serving, Exit.STORE, "--host or --port")
        assert_told(here.work("--health-port", taken), Exit.STORE, "--health-host or --health-port")


class TestFeeding:
    def test_a_file_goes_to_the_messages_topic_and_the_count_is_told(
        self, here: Installation, tmp_path: Path
    ) -> None:
        file = tmp_path / "calls.jsonl"
        file.write_bytes(lines([message(1), message(2)]) + b"no message\n")
        env = {**here.env, "STET_TOPIC_PREFIX": "feeding."}
        assert (
            "3 records written to feeding.conversation.messages" in run("ingest", file, env=env).out.decode()
        )
        told = run("ingest", file, "--json", env=env).json
        assert (told["sent"], told["topic"]) == (3, "feeding.conversation.messages")
        assert len(values(here.broker.bootstrap, "feeding.conversation.messages")) == 6

    @pytest.mark.parametrize("file", ["none.jsonl", "."])
    def test_a_file_that_cannot_be_read_is_told_before_any_broker_is_asked(self, file: str) -> None:
        assert_told(run("ingest", file, "--kafka", "127.0.0.1:1"), Exit.NOTHING_READ, file)

    def test_an_empty_one_is_told(self, here: Installation) -> None:
        assert_told(run("ingest", "-", *here.topics), Exit.NOTHING_READ, "no line")

    def test_what_the_worker_rejected_is_fed_again_once_and_counted(self, here: Installation) -> None:
        here.take(b'{"tenant": "acme"}\nno message\n')
        rejected = read(here.broker.bootstrap, here.kafka.topics.rejected)
        assert {headers(record)["reason"] for record in rejected} == {"missing_field", "malformed_json"}
        assert {headers(record)["origin"] for record in rejected} == {"stdin:1", "stdin:2"}
        assert run("replay-rejected", "--json", *here.topics).json["sent"] == 2
        assert run("replay-rejected", "--json", env=here.env).json["sent"] == 0
        assert here.work().code == 0
        again = read(here.broker.bootstrap, here.kafka.topics.rejected)
        assert sorted(headers(record)["attempt"] for record in again) == ["1", "1", "2", "2"]


class TestChanges:
    def test_what_was_said_is_published_by_tenant_and_subject(self, here: Installation) -> None:
        records = read(here.broker.bootstrap, here.kafka.topics.changes)
        for record in records:
            told = json.loads(record.value() or b"")
            assert record.key() == f"{told['tenant']}/{told['subject']}".encode()
        exported = {row["id"] for row in run("export", *TENANT, *here.graph).rows if row["kind"] == "event"}
        told_of = [json.loads(record.value() or b"") for record in records]
        assert {t["id"] for t in told_of if t["kind"] == "event" and t["tenant"] == "demo"} == exported
