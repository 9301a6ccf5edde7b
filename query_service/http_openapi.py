"""The OpenAPI document: what the routes say of themselves, errors as they are told, and examples."""

import json
from importlib.resources import files
from typing import Any

from fastapi import FastAPI

from query_service.http_problems import MEDIA_TYPE, TITLES

_METHODS = {"get", "post", "put", "patch", "delete"}


def describe(app: FastAPI) -> None:
    """Has `app` publish its document with examples, and with problem details as the one kind of error."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = plain()
            for path, method, operation in _operations(document):
                _tell_errors(operation)
                _add_examples(operation, EXAMPLES.get(f"{method.upper()} {path}", {}))
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _examples() -> dict[str, Any]:
    held = files("query_service").joinpath("openapi_examples.json").read_text(encoding="utf-8")
    told: dict[str, Any] = json.loads(held)
    return told


EXAMPLES = _examples()
"""By method and path: `parameters` by name, `body` and `answer`, of the conversation in examples/."""


def _operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in _METHODS
    ]


def _tell_errors(operation: dict[str, Any]) -> None:
    for code, response in operation["responses"].items():
        if int(code) < 400:
            continue
        response["description"] = TITLES.get(int(code), response.get("description", "Error"))
        response["content"] = {
            MEDIA_TYPE: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "example": {
                    "type": "about:blank", "title": response["description"], "status": int(code),
                    "detail": "What was wrong, and what to do.",
                },
            }
        }  # fmt: skip


def _add_examples(operation: dict[str, Any], given: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", []):
        if parameter["name"] in given.get("parameters", {}):
            parameter["example"] = given["parameters"][parameter["name"]]
    if "body" in given:
        operation["requestBody"]["content"]["application/json"]["example"] = given["body"]
    if "answer" in given:
        done = min(code for code in operation["responses"] if code.startswith("2"))
        operation["responses"][done]["content"]["application/json"]["example"] = given["answer"]
