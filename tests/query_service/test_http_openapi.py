"""The published document: every operation is shown by example, and every example is what the service takes or
gives."""

from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from query_service.http_app import create_app
from query_service.http_openapi import EXAMPLES
from tests.query_service.test_http_app import NOW, Runtime
from tests.query_service.worlds import piano, stores

held = stores(piano())
DOCUMENT = (
    TestClient(create_app(Runtime(held.reader, held.notes, held.encoder), lambda: NOW))
    .get("/openapi.json")
    .json()
)
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def fits(schema: dict[str, Any], value: object) -> bool:
    whole = {**schema, "components": DOCUMENT["components"], "$defs": schema.get("$defs", {})}
    return jsonschema_rs.is_valid(whole, value)


def test_examples_are_of_operations_that_there_are() -> None:
    assert EXAMPLES.keys() <= OPERATIONS.keys()


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_an_operation_is_told_with_an_example_that_fits(name: str) -> None:
    operation = OPERATIONS[name]
    assert operation.get("summary")
    assert operation.get("description")
    done = operation["responses"][min(code for code in operation["responses"] if code.startswith("2"))]
    (kind, *_) = done["content"]
    if kind == "application/json":
        told = done["content"][kind]
        assert fits(told["schema"], told["example"])
        assert (
            not fits(told["schema"], {**told["example"], "status": 7, "surplus": 1}) or name == "GET /healthz"
        )
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    assert (body is not None) == name.startswith("POST")
    if body is not None:
        assert fits(body["schema"], body["example"])


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_error_is_a_problem_and_nothing_else(name: str) -> None:
    for code, response in OPERATIONS[name]["responses"].items():
        if int(code) >= 400 and (name, code) != ("GET /readyz", "503"):  # which says what is not ready
            (told,) = response["content"].items()
            assert told[0] == "application/problem+json"
            assert fits(told[1]["schema"], told[1]["example"])


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_what_needs_a_key_says_so(name: str) -> None:
    open_to_all = {"GET /healthz", "GET /readyz"}
    assert ("security" in OPERATIONS[name]) == (name not in open_to_all)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_who_has_to_wait_is_told_how_long(name: str) -> None:
    told = OPERATIONS[name]["responses"]
    for code in {"429", "503"} & told.keys() - ({"503"} if name == "GET /readyz" else set()):
        assert told[code]["headers"]["Retry-After"]["required"]
    assert told["401"]["headers"]["WWW-Authenticate"]["required"]
