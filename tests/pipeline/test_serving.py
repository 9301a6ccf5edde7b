"""`stet serve` as a client meets it: a real process on a loopback port, killed, stopped and broken (I5)."""

import contextlib
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pipeline.command_line.failures import Exit
from tests.pipeline.command import EXAMPLES, begin, export, ingest, lines, message, stet

DEADLINE = 90.0


class Serving:
    """A service over `data`, and a client of it."""

    def __init__(self, data: Path, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.data = data
        self.process = begin("serve", "--encoder", "hashing", "--port", str(self.port), *options, data=data)
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60, trust_env=False)
        self._pieces: list[bytes] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        # The access log goes there: a pipe that nobody reads fills up, and stops the service.
        threading.Thread(target=self._pass_over, daemon=True).start()
        self.wait_for(self.is_ready)

    def _read(self) -> None:
        assert self.process.stderr is not None
        self._pieces.extend(self.process.stderr)

    def _pass_over(self) -> None:
        assert self.process.stdout is not None
        for _ in self.process.stdout:
            pass

    def told(self) -> bytes:
        """All that it wrote on standard error, once it has ended."""
        self._reading.join(30)
        return b"".join(self._pieces)

    def is_ready(self) -> bool:
        assert self.process.poll() is None, "the service ended"
        try:
            return self.client.get("/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def wait_for(self, reached: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + DEADLINE
        while not (found := reached()):
            assert time.monotonic() < deadline, "it never came so far"
            time.sleep(0.05)
        return found

    def post(self, rows: list[dict[str, Any]]) -> httpx.Response:
        tenant = {"X-Stet-Tenant": rows[0].get("tenant", "demo")}
        return self.client.post("/v1/messages", json=rows, headers=tenant)

    def get(self, path: str, **query: str) -> httpx.Response:
        return self.client.get(path, params=query)

    def metric(self, name: str) -> float:
        told = self.client.get("/metrics").text.splitlines()
        return float(next(line for line in told if line.startswith(name + " ")).split()[1])

    def reasons(self) -> str:
        """Why it is not ready; empty when it is."""
        return " ".join(self.client.get("/readyz").json()["reasons"])

    def facts(self, subject: str) -> str:
        """All values that stand, as text; empty while the subject is not known."""
        answer = self.get(f"/v1/subjects/{subject}/state")
        return answer.text if answer.status_code == 200 else ""

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    running: list[Serving] = []

    def start(*options: str) -> Serving:
        running.append(Serving(tmp_path / "data", *options))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.end(signal.SIGTERM)
        one.client.close()


def bundled() -> list[dict[str, Any]]:
    return [json.loads(line) for file in EXAMPLES for line in file.read_text().splitlines()]


def test_messages_are_taken_and_soon_asked_for_and_survive_a_kill(serve: Callable[..., Serving]) -> None:
    one = serve()
    english = [row for row in bundled() if row["subject"] == "maya"]
    chinese = [row for row in bundled() if row["subject"] == "周晓雯"]
    for rows in (english, chinese):
        answer = one.post(rows)
        assert (answer.status_code, answer.json()["accepted"]) == (202, len(rows))
    one.wait_for(lambda: one.metric("stet_messages_applied_total") == len(english) + len(chinese))
    assert one.metric("stet_log_backlog") == 0
    assert "Harbour Street" in one.get("/v1/subjects/maya/state", history="true").text
    assert "梧桐路" in one.get("/v1/subjects/周晓雯/state", history="true").text

    asked = {"subject": "周晓雯", "question": "快递地址是哪里？", "qid": "问"}
    told = one.client.post("/v1/ask", json=asked).json()
    assert told["qid"] == "问"
    assert told["evidence"][0] in {row["id"] for row in chinese}
    (fact, *_) = _facts(one.get("/v1/subjects/maya/state").json())
    event = one.get(f"/v1/events/{fact['event']}").json()
    assert event["id"] == fact["event"]
    assert one.get(f"/v1/events/{fact['event']}/why").status_code == 200

    assert one.end(signal.SIGKILL) == -signal.SIGKILL
    two = serve()
    assert two.post([message(1, tenant="demo")]).status_code == 202
    two.wait_for(lambda: "Elm Road" in two.facts("ann"))
    assert two.metric("stet_log_backlog") == 0
    assert two.end(signal.SIGTERM) == 0
    assert b"GET /v1/subjects/{subject}/state 200" in two.told()
    assert b"/ann" not in two.told()
    whole = two.data.with_name("whole")
    ingest(lines([*bundled(), message(1, tenant="demo")]), whole)
    assert export(two.data) == export(whole)


def _facts(state: dict[str, Any]) -> list[dict[str, Any]]:
    return [fact for entity in state["entities"] for a in entity["attributes"] for fact in a["facts"]]


def test_killed_while_it_takes_messages_it_keeps_all_that_it_answered_for(
    serve: Callable[..., Serving],
) -> None:
    one = serve()
    taken: list[int] = []
    killer = threading.Timer(0.5, one.process.kill)
    killer.start()
    with contextlib.suppress(httpx.TransportError):  # it is killed while it answers
        for n in range(10_000):
            row = message(n, content=f"My order number is {n}.", conversation=f"c{n}")
            if one.post([row]).status_code == 202:
                taken.append(n)
    assert taken
    killer.join()
    one.process.wait(30)
    serve().end(signal.SIGTERM)
    assert ingest(lines([message(0, conversation="last")]), one.data).code == 0
    kept = {row["id"] for row in stet("export", data=one.data).rows if row["kind"] == "message"}
    assert kept >= {f"m/{n}" for n in taken}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_ends_in_order(serve: Callable[..., Serving], how: signal.Signals) -> None:
    one = serve()
    assert one.post([message(1, tenant="demo")]).status_code == 202
    assert one.end(how) == 0
    assert not (one.data / "redis" / "redis.pid").exists()
    told = one.told()
    assert b"Traceback" not in told
    assert b"Elm Road" not in told
    ingest(b"", one.data)  # what was in the log and not processed is processed now
    assert b"Elm Road" in export(one.data)


def test_one_bad_message_does_not_hold_up_the_others_or_the_service(serve: Callable[..., Serving]) -> None:
    one = serve("--tenant", "acme")
    answer = one.post([message(1), message(2, role="boss"), message(3, content="My phone is 555-0101.")])
    assert answer.status_code == 202
    assert [row["accepted"] for row in answer.json()["results"]] == [True, False, True]
    assert answer.json()["results"][1]["reason"] == "unknown_role"
    bad = one.client.post("/v1/messages", content=b'{"tenant": "acme"')
    assert (bad.status_code, bad.json()["results"][0]["reason"]) == (422, "malformed_json")
    one.wait_for(lambda: "555-0101" in one.facts("ann") and "Elm Road" in one.facts("ann"))
    assert one.is_ready()


def test_a_tenant_with_a_chinese_name_can_be_named(serve: Callable[..., Serving]) -> None:
    one = serve()
    header = {"X-Stet-Tenant": "客户公司".encode()}
    rows = [message(1, tenant="客户公司")]
    assert one.client.post("/v1/messages", json=rows, headers=header).status_code == 202
    one.wait_for(lambda: one.client.get("/v1/subjects/ann/state", headers=header).status_code == 200)
    assert one.client.get("/v1/subjects/ann/state", headers={"X-Stet-Tenant": "acme"}).status_code == 404


def test_many_readers_while_messages_come_and_go(serve: Callable[..., Serving]) -> None:
    """Reads run in threads of their own beside the dataflow's, and may meet what was just taken back."""
    one = serve("--tenant", "acme")
    one.post([message(0)])
    one.wait_for(lambda: one.facts("ann"))
    codes: list[int] = []

    def read() -> None:
        with httpx.Client(base_url=one.client.base_url, timeout=60, trust_env=False) as client:
            for _ in range(10):
                asked = {"subject": "ann", "question": "Why did the delivery address change?"}
                codes.append(client.post("/v1/ask", json=asked).status_code)
                state = client.get("/v1/subjects/ann/state", params={"history": "true"})
                codes.append(state.status_code)
                events = [fact["event"] for fact in _facts(state.json())][:3]
                codes.extend(client.get(f"/v1/events/{event}/why").status_code for event in events)
                codes.append(client.get("/metrics").status_code)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    revision = 0
    # Ends with what takes all back: the message that is asked for after it has then no later one beside it.
    while any(reader.is_alive() for reader in readers) or revision < 2 or revision % 2:
        said = [
            message(n, content=f"Change the address to {n} Mill Road because I moved.", revision=revision)
            for n in range(1, 9)
        ]
        gone = [{**row, "op": "delete"} for row in said]
        assert one.post(gone if revision % 2 else said).status_code == 202
        revision += 1
    for reader in readers:
        reader.join()
    assert codes.count(200) > 100
    assert set(codes) <= {200, 404}
    last = message(1, content="Change the address to 77 Mill Road.", revision=revision)
    assert one.post([last]).status_code == 202
    one.wait_for(lambda: "77 Mill Road" in one.facts("ann"))
    assert one.is_ready()


def test_the_folder_and_the_port_have_one_owner(serve: Callable[..., Serving], tmp_path: Path) -> None:
    one = serve()
    outcome = stet("state", "ann", data=one.data)
    assert outcome.code == Exit.FOLDER
    assert f"process {one.process.pid}" in outcome.err
    second = stet("serve", "--port", str(one.port), "--encoder", "hashing", data=tmp_path / "other")
    assert second.code == Exit.STORE
    assert second.err.count("\n") == 1
    assert "--port" in second.err
    assert not (tmp_path / "other").exists()
    assert one.is_ready()


def test_a_dataflow_that_broke_shows_and_takes_no_more(serve: Callable[..., Serving]) -> None:
    one = serve("--tenant", "acme")
    pid = int((one.data / "redis" / "redis.pid").read_text())
    os.kill(pid, signal.SIGKILL)
    one.post([message(1)])
    one.wait_for(lambda: "the dataflow stopped" in one.reasons())
    assert "the dataflow stopped (ConnectionError)" in one.reasons()
    assert one.client.get("/healthz").status_code == 200
    assert one.post([message(2)]).status_code == 503
    assert one.end(signal.SIGTERM) == Exit.STORE
    assert one.told().splitlines()[-1].startswith(b"stet: ")
    two = serve("--tenant", "acme")
    two.wait_for(lambda: "Elm Road" in two.facts("ann"))


def test_a_redis_that_hangs_shows_before_anything_is_written(serve: Callable[..., Serving]) -> None:
    one = serve()
    pid = int((one.data / "redis" / "redis.pid").read_text())
    os.kill(pid, signal.SIGSTOP)
    try:
        one.wait_for(lambda: not one.is_ready())
        assert "the embedded Redis does not answer (TimeoutError)" in one.reasons()
    finally:
        os.kill(pid, signal.SIGCONT)
    one.wait_for(one.is_ready)


IMPATIENT = """
from pipeline.command_line import serving
from pipeline.command_line.app import app
serving.PATIENCE = 1
app()
"""


def test_a_dataflow_that_hangs_does_not_hold_up_a_stop_for_ever(
    serve: Callable[..., Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.pipeline.command.COMMAND", (sys.executable, "-c", IMPATIENT))
    one = serve("--tenant", "acme")
    pid = int((one.data / "redis" / "redis.pid").read_text())
    os.kill(pid, signal.SIGSTOP)
    try:
        assert one.post([message(1)]).status_code == 202
        assert one.end(signal.SIGTERM) == Exit.STORE
    finally:
        os.kill(pid, signal.SIGCONT)
    assert one.told().splitlines()[-1].startswith(b"stet: the dataflow did not stop within 1 seconds")
    two = serve("--tenant", "acme")
    two.wait_for(lambda: "Elm Road" in two.facts("ann"))


def test_a_slow_client_does_not_hold_up_a_stop(serve: Callable[..., Serving]) -> None:
    one = serve()
    with socket.create_connection(("127.0.0.1", one.port)) as slow:
        slow.sendall(
            b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nX-Stet-Tenant: acme\r\nContent-Length: 99\r\n\r\n{"
        )
        time.sleep(0.2)
        assert one.end(signal.SIGTERM) == 0


def test_a_process_that_cannot_open_its_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    running = begin("serve", "--port", "0", data=tmp_path)
    out, errors = running.communicate(timeout=DEADLINE)
    assert (running.returncode, out) == (Exit.FOLDER, b"")
    assert errors.startswith(b"stet: ")
    assert errors.count(b"\n") == 1
