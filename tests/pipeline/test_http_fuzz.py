"""Whatever is sent, the service answers with what is wrong, and goes on: bad bodies, and its own contract.

STET_TEST_CALLS says how many bad bodies are sent (300 by default).
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from query_service.http_cursor import sealed
from state.ordering import message_place
from tests.pipeline.command import EXAMPLES, message
from tests.pipeline.test_key_commands import create
from tests.pipeline.test_serving import Serving
from tests.pipeline.test_serving import serve as serve

CALLS = int(os.environ.get("STET_TEST_CALLS", "300"))
BODIES: dict[str, dict[str, Any]] = {
    "/v1/messages": message(1),
    "/v1/ask": {"subject": "ann", "question": "Where?", "as_of": "2026-03-02", "budget": 100, "qid": "q"},
    "/v1/answer": {"subject": "ann", "question": "Where?", "context": True},
    "/v1/context": {"subject": "ann", "message": "And when?", "conversation": "c1", "budget": 100},
    "/mcp": {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "recall", "arguments": {"subject": "ann", "question": "Where?"}},
    },
}  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, 10**400, 1.5, "", " ", "\x00", "\ud800", "周晓雯", "’" * 300, "a" * 70_000, [],
    {}, [[]], {"a": {"b": 1}}, "9999-12-31T23:59:59.999999-23:59", "0001-01-01T00:00:00+23:59", "2026-02-30",
    "NaN", "user", "delete", -(2**63), 2**64, "../../etc/passwd", "{tenant/subject}", "%00", "a\r\nb: c",
)  # fmt: skip
RAW = (
    b"", b"null", b"\xff\xfe", b"\xef\xbb\xbf{}", b"[" * 100_000, b'{"a":' * 50_000, b"{" * 10, b"NaN",
    b"-Infinity", b'"\\ud800"', b"[1,", b'{"subject":"a","subject":"b"}', b"1e999", b"\x00" * 100, b"[]",
    b"[{}]", b"[null, 7, \"x\"]",
)  # fmt: skip


RULES = """
# With another tenant than the key's every answer is 403.
parameters = { "header.X-Stet-Tenant" = "demo" }

[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 501]

# Rules that no schema tells: a message is of the key's tenant, and one that is no delete has content.
[[operations]]
include-name = "POST /v1/messages"
checks.positive_data_acceptance.enabled = false

# A cursor is one that was given: this is one, so that all else of the query is tried.
""" + "".join(
    f"""
[[operations]]
include-name = "GET /v1/subjects{path}"
parameters = {{ "query.cursor" = "{sealed(*parts)}" }}
"""
    for path, parts in {
        "": ["maya"],
        "/{subject}/forest": ["2026-03-02T09:00:00+00:00", "order-5512/1"],
        "/{subject}/graph": ["earlier", message_place(datetime(2026, 3, 2, 9, tzinfo=UTC), "order-5512/1")],
    }.items()
)


def spoilt(rng: random.Random, value: Any) -> Any:
    """The value with one thing in it changed, taken away, added or put into another."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        how = rng.randrange(5)
        if how == 0:
            return {k: v for k, v in value.items() if k != name}
        if how == 1:
            return {**value, rng.choice(["", "tenant", "colour", "\x00", "__proto__"]): rng.choice(ODD)}
        if how == 2:
            return {**value, name: [value[name]] * rng.choice((0, 1, 3))}
        return {**value, name: spoilt(rng, value[name])}
    return rng.choice(ODD)


def body(rng: random.Random, good: dict[str, Any]) -> bytes:
    kind = rng.randrange(10)
    if kind == 0:
        return rng.choice(RAW)
    if kind == 1:
        return rng.randbytes(rng.randrange(200))
    made: Any = good
    for _ in range(rng.choice((1, 1, 2, 4))):
        made = spoilt(rng, made)
    if kind == 2:
        made = [made, good, spoilt(rng, good)]
    written = json.dumps(made).encode()
    if kind == 3:
        return written[: rng.randrange(len(written))]
    if kind == 4:
        at = rng.randrange(len(written))
        return written[:at] + rng.randbytes(1) + written[at + 1 :]
    return written


def test_no_body_makes_it_fail(serve: Callable[..., Serving]) -> None:
    one = serve()
    key = create(one.data, "read", "ingest", "admin")
    assert one.client.post("/v1/messages", json=[message(n) for n in range(3)], headers={
        **key, "Content-Type": "application/json"}).status_code in (202, 422)  # fmt: skip
    rng = random.Random(300)
    answered: Counter[int] = Counter()
    for _ in range(CALLS):
        path = rng.choice(list(BODIES))
        sent = body(rng, BODIES[path])
        kind = rng.choice(
            ["application/json", "application/json", "text/plain", "multipart/form-data", "", "x"]
        )
        headers = {**key, "Content-Type": kind, "Accept": "application/json, text/event-stream"}
        answer = one.client.post(path, content=sent, headers=headers)
        answered[answer.status_code] += 1
        # 501: no model is named here.
        assert answer.status_code < 500 or answer.status_code == 501, (path, sent[:500], answer.text)
        if answer.status_code >= 400 and path != "/mcp":
            assert answer.headers["content-type"] == "application/problem+json", (path, sent[:500])
            assert answer.json()["status"] == answer.status_code
    assert one.is_ready()
    assert one.client.get("/v1/whoami", headers=key).status_code == 200
    print(f"{CALLS} bodies: {dict(sorted(answered.items()))}")


@pytest.mark.slow
def test_it_keeps_its_published_contract(serve: Callable[..., Serving], tmp_path: Path) -> None:
    one = serve()
    key = create(one.data, "read", "ingest", "admin", tenant="demo")
    said = [json.loads(line) for line in EXAMPLES[0].read_text().splitlines()]
    assert one.client.post("/v1/messages", json=said, headers=key).json()["accepted"] == len(said)
    command = Path(sys.executable).with_name("schemathesis")
    # Left out: that `Allow` names just what is described of a path, since a subject's name may have slashes
    # and its path then be another's too.
    options = ["--max-examples", os.environ.get("STET_TEST_EXAMPLES", "10"), "--seed", "7", "--no-color",
               "--exclude-checks", "allow_header_conformance"]  # fmt: skip
    (tmp_path / "schemathesis.toml").write_text(RULES)
    url = f"http://127.0.0.1:{one.port}/openapi.json"
    told = subprocess.run(
        [str(command), "--config-file", str(tmp_path / "schemathesis.toml"), "run", url,
         "-H", f"Authorization: {key['Authorization']}", *options],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout[-6_000:] + told.stderr[-2_000:]
    assert one.is_ready()
