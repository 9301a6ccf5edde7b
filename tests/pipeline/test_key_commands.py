"""`stet keys`, and what keys do to `stet serve`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.command import Outcome, message, stet
from tests.pipeline.installation import run
from tests.pipeline.test_serving import Serving
from tests.pipeline.test_serving import serve as serve


def keys(*arguments: str | Path, data: Path) -> Outcome:
    return run("keys", arguments[0], "--data-dir", data, *arguments[1:])


def create(data: Path, *scopes: str, tenant: str = "acme") -> dict[str, str]:
    """The headers of a new key."""
    options = [word for scope in scopes for word in ("--scope", scope)]
    made = keys("create", "--tenant", tenant, *options, "--per-minute", "0", "--json", data=data)
    assert made.code == 0, made.err
    return {"Authorization": f"Bearer {made.json['token']}"}


def test_a_key_is_shown_once_listed_and_revoked(tmp_path: Path) -> None:
    made = keys(
        "create", "--tenant", "商店", "--scope", "ingest", "--name", "the shop's agent", data=tmp_path
    )
    token = made.out.decode().splitlines()[0]
    assert token.startswith("stet_")
    identifier = token.split("_")[1]
    listed = keys("list", data=tmp_path)
    assert "商店  ingest  600 a minute" in listed.out.decode()
    (row,) = keys("list", "--json", data=tmp_path).json
    assert (row["id"], row["name"], row["revoked_at"]) == (identifier, "the shop's agent", None)
    assert "digest" not in row
    assert token not in listed.out.decode()
    assert keys("list", "--tenant", "other", "--json", data=tmp_path).json == []
    assert keys("revoke", identifier, data=tmp_path).code == 0
    assert keys("list", "--json", data=tmp_path).json[0]["revoked_at"] is not None


def test_no_file_of_the_folder_holds_the_token(tmp_path: Path) -> None:
    token = create(tmp_path, "read")["Authorization"].removeprefix("Bearer ").encode()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(b"stet:keys" in path.read_bytes() for path in files)
    assert not [path for path in files if token[18:] in path.read_bytes()]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("create", "--tenant", " "), 2),
        (("create", "--tenant", "a\nb"), 2),
        (("create", "--tenant", "a" * 257), 2),
        (("create", "--tenant", "acme", "--scope", "everything"), 2),
        (("create", "--tenant", "acme", "--per-minute", "-1"), 2),
        (("revoke", "0" * 12), 3),
    ],
)
def test_what_cannot_be_done_is_told(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    create(tmp_path, "read")
    refused = keys(*arguments, data=tmp_path)
    assert refused.code == code
    assert "Traceback" not in refused.err


def test_key_changes_are_in_the_audit_log(tmp_path: Path) -> None:
    log, data = tmp_path / "audit.jsonl", tmp_path / "data"
    keys("create", "--tenant", "acme", "--audit-log", log, data=data)
    (row,) = keys("list", "--json", data=data).json
    keys("revoke", row["id"], "--audit-log", log, data=data)
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["action"], line["tenant"], line["key"]) for line in told] == [
        ("key_created", "acme", row["id"]),
        ("key_revoked", "acme", row["id"]),
    ]


def test_an_address_that_others_reach_needs_a_key_or_a_gateway(tmp_path: Path) -> None:
    refused = stet("serve", "--host", "0.0.0.0", "--port", "0", "--encoder", "hashing", data=tmp_path)
    assert refused.code == 2
    assert "stet keys create" in refused.err
    assert "--behind-gateway" in refused.err


def test_a_service_that_others_reach_asks_for_a_key(serve: Callable[..., Serving], tmp_path: Path) -> None:
    data = tmp_path / "data"
    create(data, "admin")
    one = serve("--host", "0.0.0.0")
    assert one.client.get("/v1/whoami").status_code == 401
    assert one.client.get("/metrics").status_code == 401


def test_behind_a_gateway_others_reach_it_without_a_key(serve: Callable[..., Serving]) -> None:
    one = serve("--host", "0.0.0.0", "--behind-gateway")
    assert one.client.get("/v1/whoami", headers={"X-Stet-Tenant": "acme"}).json()["tenant"] == "acme"


def test_keys_are_made_and_revoked_while_the_service_has_the_folder(serve: Callable[..., Serving]) -> None:
    one = serve()
    assert one.post([message(1)]).status_code == 202
    reads, takes = create(one.data, "read"), create(one.data, "ingest")
    assert one.post([message(2)]).status_code == 401
    assert one.client.post("/v1/messages", json=[message(2)], headers=takes).status_code == 202
    assert one.client.post("/v1/messages", json=[message(3)], headers=reads).status_code == 403
    state = "/v1/subjects/ann/state"
    one.wait_for(lambda: "4 Elm Road" in one.client.get(state, headers=reads).text)
    assert one.client.get(state, headers=create(one.data, "read", tenant="rival")).status_code == 404
    assert keys("revoke", reads["Authorization"].split("_")[1], data=one.data).code == 0
    assert one.client.get(state, headers=reads).status_code == 401
