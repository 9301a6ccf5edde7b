"""The local stack: what its services refer to exists, and nothing of it can be reached from outside."""

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.manifests import DEPLOY, documents

(STACK,) = documents(DEPLOY / "compose.yaml")
SERVICES: dict[str, dict[str, Any]] = STACK["services"]
STORES = {"kafka", "redis", "qdrant"}
TOPICS = {"conversation.messages", "conversation.rejected", "evidence.changes"}

services = pytest.mark.parametrize("name", SERVICES)


def test_it_has_all_that_the_stream_needs() -> None:
    assert SERVICES.keys() == STORES | {"topics", "worker", "service", "prometheus", "grafana"}


@services
def test_volumes_are_declared_or_are_files_of_the_project(name: str) -> None:
    for mount in SERVICES[name].get("volumes", []):
        source = mount.split(":")[0]
        if source.startswith("."):
            assert (DEPLOY / source).exists(), mount
            assert mount.endswith(":ro"), mount
        else:
            assert source in STACK["volumes"], mount


def test_every_declared_volume_is_used_once() -> None:
    used = [mount.split(":")[0] for one in SERVICES.values() for mount in one.get("volumes", [])]
    assert sorted(source for source in used if not source.startswith(".")) == sorted(STACK["volumes"])


@services
def test_what_it_waits_for_exists_and_can_come_true(name: str) -> None:
    for other, how in SERVICES[name].get("depends_on", {}).items():
        if how["condition"] == "service_healthy":
            assert SERVICES[other]["healthcheck"]["test"]
        else:
            assert how["condition"] == "service_completed_successfully"
            assert "restart" not in SERVICES[other]


def test_worker_and_service_wait_for_the_stores_and_the_topics() -> None:
    for name in ("worker", "service"):
        assert set(SERVICES[name]["depends_on"]) == {"topics", "redis", "qdrant"}
    assert set(SERVICES["topics"]["depends_on"]) == {"kafka"}


def test_ports_are_on_loopback_and_each_has_one_owner() -> None:
    ports = [port for one in SERVICES.values() for port in one.get("ports", [])]
    assert all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in ports), ports
    assert len({port.split(":")[1] for port in ports}) == len(ports)


@services
def test_a_password_is_never_written_down_without_a_variable_that_replaces_it(name: str) -> None:
    for variable, value in SERVICES[name].get("environment", {}).items():
        if re.search(r"PASSWORD|AUTH|KEY", variable):
            assert re.fullmatch(r"\$\{[A-Z_]+:-only-for-local-use\}", value), variable


def test_addresses_name_services_of_the_stack() -> None:
    for name in ("worker", "service"):
        environment = SERVICES[name]["environment"]
        hosts = {
            re.sub(r"^\w+://", "", environment[variable]).split(":")[0]
            for variable in ("STET_KAFKA", "STET_REDIS", "STET_QDRANT")
        }
        assert hosts == STORES


def test_redis_keeps_what_it_has_and_never_evicts() -> None:
    command = SERVICES["redis"]["command"][-1]
    for option in ("--appendonly yes", "--appendfsync everysec", "--maxmemory-policy noeviction"):
        assert option in command


def test_qdrant_is_new_enough() -> None:
    version = SERVICES["qdrant"]["image"].split(":v")[1]
    assert tuple(map(int, version.split("."))) >= (1, 19)


def test_the_worker_has_time_to_drain_and_its_recovery_store_on_a_volume() -> None:
    worker = SERVICES["worker"]
    seconds = int(worker["stop_grace_period"].removesuffix("s"))
    assert seconds >= 60
    folder = worker["command"][worker["command"].index("--recovery-dir") + 1]
    assert any(folder.startswith(mount.split(":")[1] + "/") for mount in worker["volumes"])


def test_prometheus_scrapes_ports_that_worker_and_service_listen_on() -> None:
    (scraped,) = documents(DEPLOY / "prometheus" / "prometheus.yaml")
    targets = {job["job_name"]: job["static_configs"][0]["targets"] for job in scraped["scrape_configs"]}
    worker, service = SERVICES["worker"]["command"], SERVICES["service"]["command"]
    assert worker[worker.index("--health-host") + 1] == service[service.index("--host") + 1] == "0.0.0.0"
    assert targets == {
        "stet-worker": [f"worker:{worker[worker.index('--health-port') + 1]}"],
        "stet-service": [f"service:{service[service.index('--port') + 1]}"],
    }


class Kafka:
    """Runs create_topics.sh where Kafka's tool writes down how it was called."""

    def __init__(self, folder: Path) -> None:
        self._tool, self._calls = folder / "kafka-topics.sh", folder / "calls"
        self._tool.write_text(f'#!/bin/sh\necho "$@" >> {self._calls}\n')
        self._tool.chmod(0o755)

    def create(self) -> dict[str, dict[str, str]]:
        """Each topic with the options it was made with."""
        script = (DEPLOY / "create_topics.sh").read_text()
        environment = {name: str(value) for name, value in SERVICES["topics"]["environment"].items()}
        ours = script.replace("/opt/kafka/bin/kafka-topics.sh", str(self._tool))
        subprocess.run(["/bin/sh", "-c", ours], env=environment, check=True)
        return dict(map(_options, self._calls.read_text().splitlines()))


def _options(call: str) -> tuple[str, dict[str, str]]:
    words = call.split()
    options = {word: after for word, after in pairwise(words) if not after.startswith("--")}
    settings = [after for word, after in pairwise(words) if word == "--config"]
    return options["--topic"], {**options, **dict(setting.split("=") for setting in settings)}


def test_the_topics_are_made_with_partitions_to_grow_into(tmp_path: Path) -> None:
    made = Kafka(tmp_path).create()
    assert made.keys() == TOPICS
    worker = SERVICES["worker"]["command"]
    most = worker[worker.index("--recovery-partitions") + 1]
    assert made["conversation.messages"]["--partitions"] == most
    assert made["conversation.messages"]["retention.ms"] == "-1"
    assert {options["cleanup.policy"] for options in made.values()} == {"delete"}
    assert {options["--bootstrap-server"] for options in made.values()} == {"kafka:9092"}


@pytest.mark.skipif(shutil.which("docker-compose") is None, reason="docker-compose is not on the PATH")
def test_docker_compose_reads_it(tmp_path: Path) -> None:
    told = subprocess.run(
        ["docker-compose", "-f", DEPLOY / "compose.yaml", "config", "--quiet"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
