"""What deploy/ gives to Stet is what Stet reads: variables, commands and options."""

import os
import re
import subprocess
import sys

import pytest
import typer.main

from pipeline.command_line.app import app
from tests.deploy.manifests import DEPLOY, ROOT, documents, resource, texts

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
(STACK,) = documents(DEPLOY / "compose.yaml")
WORKER = resource("StatefulSet", "stet-worker")["spec"]["template"]["spec"]["containers"][0]
SERVICE = resource("Deployment", "stet-service")["spec"]["template"]["spec"]["containers"][0]


def read_by_the_code() -> set[str]:
    """The names of the variables in the code of the packages that are in the image, and in the tests'."""
    return {
        name
        for package in ("state", "operators", "pipeline", "query_service", "tests/servers")
        for path in (ROOT / package).rglob("*.py")
        for name in re.findall(r"\"(STET_[A-Z_]+)\"", path.read_text())
    }


def given() -> list[tuple[str, str]]:
    """The variables that each file of deploy/ speaks of."""
    return [
        (str(path), name)
        for path, text in texts()
        for name in sorted(set(re.findall(r"\bSTET_[A-Z_]+\b", text)))
    ]


@pytest.mark.parametrize(("path", "variable"), given())
def test_a_variable_that_is_spoken_of_is_read(path: str, variable: str) -> None:
    assert variable in read_by_the_code()


def called() -> list[tuple[str, list[str]]]:
    """Every call of `stet`, with where it stands: of compose, of Kubernetes and of the guide."""
    script = re.sub(r"\\\n", " ", WORKER["args"][0])
    guide = re.sub(r"\\\n", " ", (DEPLOY / "README.md").read_text())
    return [
        *((f"compose {name}", STACK["services"][name]["command"]) for name in ("worker", "service")),
        *(("kubernetes worker", call.split()) for call in re.findall(r"exec stet (.*)", script)),
        ("kubernetes service", SERVICE["args"]),
        *(
            ("guide", call.split())
            for call in re.findall(r"^    (?:.*run --rm \S+ |\$ )?stet (.*)$", guide, re.M)
        ),
        *(("guide", call.split()) for call in re.findall(r"`stet ([a-z][^`]*)`", guide)),
    ]


@pytest.mark.parametrize(("where", "call"), called())
def test_a_call_names_a_command_and_options_that_there_are(where: str, call: list[str]) -> None:
    command = COMMANDS[call[0]]
    command = getattr(command, "commands", {}).get(call[1], command) if len(call) > 1 else command
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word.split("=")[0] for word in call if word.startswith("--")} <= known


def test_all_four_places_call_stet() -> None:
    assert {where for where, _ in called()} == {
        "compose worker",
        "compose service",
        "kubernetes worker",
        "kubernetes service",
        "guide",
    }


@pytest.mark.parametrize("name", ["worker", "service"])
def test_the_variables_of_the_stack_are_enough_to_find_the_servers(name: str) -> None:
    environment = STACK["services"][name]["environment"]
    assert {"STET_KAFKA", "STET_REDIS", "STET_QDRANT"} <= environment.keys()


def test_in_kubernetes_passwords_are_in_the_secret_alone() -> None:
    config, secret = resource("ConfigMap", "stet")["data"], resource("Secret", "stet")["stringData"]
    assert {"STET_KAFKA", "STET_REDIS", "STET_QDRANT"} <= config.keys()
    assert not [name for name in config if re.search(r"PASSWORD|KEY|USERNAME", name)]
    assert set(secret.values()) == {"REPLACE"}
    assert {"STET_KAFKA_PASSWORD", "STET_REDIS_PASSWORD", "STET_QDRANT_API_KEY"} <= secret.keys()


@pytest.mark.parametrize("call", [WORKER["args"][0], " ".join(STACK["services"]["worker"]["command"])])
def test_the_number_of_recovery_partitions_is_given_and_the_same_everywhere(call: str) -> None:
    assert re.search(r"--recovery-partitions 16\b", call)


def test_the_worker_of_the_stack_starts_with_what_it_is_given_and_says_which_server_is_away() -> None:
    environment = {
        **os.environ,
        "STET_KAFKA": "127.0.0.1:1",
        "STET_REDIS": "redis://127.0.0.1:1/0",
        "STET_QDRANT": "http://127.0.0.1:1",
    }
    arguments = [*STACK["services"]["worker"]["command"], "--health-port", "0"]
    told = subprocess.run(
        [sys.executable, "-m", "pipeline.command_line.app", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert told.returncode == 6
    assert "Redis at redis://127.0.0.1:1/0 does not answer" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("call", [SERVICE["args"], STACK["services"]["service"]["command"]])
def test_a_service_that_listens_to_others_says_who_authenticates_them(call: list[str]) -> None:
    assert call[call.index("--host") + 1] == "0.0.0.0"
    assert "--behind-gateway" in call
