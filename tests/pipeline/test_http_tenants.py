"""Two tenants with the same subject and message ids, each with the other's keys in hand: nothing crosses.

STET_TEST_CALLS says how many random calls are made (300 by default).
"""

import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.pipeline.command import message
from tests.pipeline.test_key_commands import create
from tests.pipeline.test_serving import Serving
from tests.pipeline.test_serving import serve as serve

CALLS = int(os.environ.get("STET_TEST_CALLS", "300"))
SUBJECTS = ("ann", "order/5512", "周晓雯")
MARKS = {"acme": "Amberfield", "rival": "Cobaltham"}
"""A word that only one tenant's messages have."""


@dataclass
class Side:
    """One tenant: its key, and what an attacker of the other may have learnt of it."""

    tenant: str
    key: dict[str, str]
    events: list[str] = field(default_factory=list)
    cursors: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)

    @property
    def mark(self) -> str:
        return MARKS[self.tenant]


def rows(tenant: str) -> Iterator[dict[str, Any]]:
    for subject in SUBJECTS:
        for n in range(6):
            said = f"The delivery address is {n} {MARKS[tenant]} Road."
            yield message(n, said, tenant=tenant, subject=subject, conversation=subject)


def learn(one: Serving, side: Side) -> None:
    """Waits until all of a side is known, and notes its ids, cursors and tags."""
    for subject in SUBJECTS:
        path = f"/v1/subjects/{quote(subject, safe='')}"

        def state(at: str = path) -> httpx.Response:
            return one.client.get(f"{at}/state?history=true", headers=side.key)

        one.wait_for(lambda: f"5 {side.mark}" in state().text)
        side.tags.append(state().headers["etag"])
        page = one.client.get(f"{path}/graph?limit=2", headers=side.key).json()
        side.events += [event["id"] for event in page["events"]]
        side.cursors += [page["earlier"]]


@pytest.fixture
def sides(serve: Callable[..., Serving]) -> tuple[Serving, Side, Side]:
    one = serve()
    both = [Side(tenant, create(one.data, "read", "ingest", tenant=tenant)) for tenant in MARKS]
    for side in both:
        told = one.client.post("/v1/messages", json=list(rows(side.tenant)), headers=side.key)
        assert told.json()["accepted"] == 18
    for side in both:
        learn(one, side)
    return one, both[0], both[1]


def tool(rng: random.Random, subject: str, other: Side) -> dict[str, Any]:
    name, given = rng.choice(
        [
            ("recall", {"subject": subject, "question": f"Where is {other.mark} Road?"}),
            ("current_state", {"subject": subject, "history": True}),
            ("context_for", {"subject": subject, "message": f"What of {other.mark}?"}),
            ("why", {"event": rng.choice(other.events)}),
        ]
    )
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": given}}


def call(rng: random.Random, me: Side, other: Side) -> dict[str, Any]:
    """A random request that means to see or touch the other's data with my key."""
    subject = rng.choice(SUBJECTS)
    path = f"/v1/subjects/{quote(subject, safe='')}"
    event = quote(rng.choice(other.events), safe="")
    number = rng.randrange(6)
    headers = dict(me.key)
    if rng.random() < 0.2:
        headers["X-Stet-Tenant"] = rng.choice(
            [other.tenant, me.tenant, other.tenant.upper(), f"{other.tenant}/ann"]
        )
    if rng.random() < 0.2:
        headers["If-None-Match"] = rng.choice(other.tags)
    asked = {"subject": subject, "question": f"Is it {number} Road?"}
    theirs = message(number, "Taken over.", tenant=other.tenant, subject=subject, conversation=subject)
    gets = [
        f"{path}/state?history=true", f"{path}/state?tenant={other.tenant}", f"{path}/forest",
        f"{path}/graph?limit=2&cursor={quote(rng.choice(other.cursors))}", f"{path}/graph?around={event}",
        f"{path}/messages?id=m/{number}", f"/v1/events/{event}", f"/v1/events/{event}/why", "/v1/subjects",
        f"/v1/subjects/{other.tenant}%2F{quote(subject, safe='')}/state", "/v1/whoami",
    ]  # fmt: skip
    posts = [
        ("/v1/ask", asked), ("/v1/ask", {**asked, "tenant": other.tenant}), ("/v1/messages", theirs),
        ("/v1/messages", [theirs, {**theirs, "op": "delete", "revision": 9}]),
        ("/v1/context", {"subject": subject, "message": "Which road?"}), ("/mcp", tool(rng, subject, other)),
    ]  # fmt: skip
    if rng.random() < 0.6:
        return {"method": "GET", "url": rng.choice(gets), "headers": headers}
    url, body = rng.choice(posts)
    headers |= {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return {"method": "POST", "url": url, "content": json.dumps(body), "headers": headers}


def kept(one: Serving, side: Side) -> list[Any]:
    """All that is told of a side's subjects, without the time of asking."""
    paths = [f"/v1/subjects/{quote(s, safe='')}/graph?as_of=2026-06-01&limit=1000" for s in SUBJECTS]
    return [one.client.get(path, headers=side.key).json() for path in paths]


def test_random_calls_with_the_others_keys_see_and_change_nothing(sides: tuple[Serving, Side, Side]) -> None:
    one, acme, rival = sides
    before = [kept(one, side) for side in (acme, rival)]
    rng = random.Random(5512)
    answered: dict[int, int] = {}
    for _ in range(CALLS):
        me, other = rng.sample((acme, rival), 2)
        request = call(rng, me, other)
        answer = one.client.request(**request)
        answered[answer.status_code] = answered.get(answer.status_code, 0) + 1
        assert answer.status_code < 500, request
        assert answer.status_code != 304, request
        asked_for_it = request["url"] == "/mcp" and other.mark in request["content"]
        assert other.mark not in answer.text or asked_for_it, (request, answer.text)
        if request["headers"].get("X-Stet-Tenant", me.tenant) != me.tenant:
            assert answer.status_code == 403, request
        if request["url"] == "/v1/messages":
            assert answer.status_code in (403, 422), request
    assert answered[200] > CALLS / 4
    assert [kept(one, side) for side in (acme, rival)] == before
    assert one.is_ready()
    print(f"{CALLS} calls: {dict(sorted(answered.items()))}")


def test_a_message_that_one_tenant_deletes_is_the_others_still(sides: tuple[Serving, Side, Side]) -> None:
    one, acme, rival = sides
    theirs = kept(one, rival)
    gone = one.client.delete("/v1/subjects/ann/messages/m%2F5", headers=acme.key)
    assert gone.status_code == 202
    read = "/v1/subjects/ann/messages?id=m/5"
    one.wait_for(lambda: one.client.get(read, headers=acme.key).json()["messages"] == [])
    assert kept(one, rival) == theirs
    assert rival.mark in one.client.get(read, headers=rival.key).text
