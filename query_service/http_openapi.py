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
                _tell_headers(operation, HEADERS | EXTRA_HEADERS.get(f"{method.upper()} {path}", {}))
                _add_examples(operation, EXAMPLES.get(f"{method.upper()} {path}", {}))
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


_RETRY = {
    "Retry-After": {"description": "After so many seconds.", "schema": {"type": "integer", "minimum": 0}}
}
_ETAG = {"ETag": {"description": "For If-None-Match.", "schema": {"type": "string", "pattern": '^(W/)?"'}}}
HEADERS = {
    "401": {"WWW-Authenticate": {"description": "How to.", "schema": {"const": "Bearer", "type": "string"}}},
    "405": {"Allow": {"description": "The methods that there are.", "schema": {"type": "string"}}},
    "429": _RETRY,
    "503": _RETRY,
}
"""By status, the headers that an answer always has."""
EXTRA_HEADERS = {"GET /v1/subjects/{subject}/state": {"200": _ETAG, "304": _ETAG}}
"""The same by method and path."""


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
        if int(code) < 400 or _is_answer(response):
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


def _is_answer(response: dict[str, Any]) -> bool:
    """Whether the route gives it as an answer of its own, which no problem is."""
    told = response.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
    return bool(told) and not told.endswith(("/Problem", "/HTTPValidationError"))


def _tell_headers(operation: dict[str, Any], headers: dict[str, dict[str, Any]]) -> None:
    for code, response in operation["responses"].items():
        if code in headers and not (int(code) >= 400 and _is_answer(response)):
            told = {name: {"required": True, **header} for name, header in headers[code].items()}
            response.setdefault("headers", {}).update(told)


def _add_examples(operation: dict[str, Any], given: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", []):
        if parameter["name"] in given.get("parameters", {}):
            parameter["example"] = given["parameters"][parameter["name"]]
    if "body" in given:
        operation["requestBody"]["content"]["application/json"]["example"] = given["body"]
    if "answer" in given:
        done = min(code for code in operation["responses"] if code.startswith("2"))
        operation["responses"][done]["content"]["application/json"]["example"] = given["answer"]
