"""`stet forget --message`: no byte of what the message said is left; the rest is as if it was deleted."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pipeline.command_line.failures import Exit
from pipeline.embedded import Embedded
from state.graph_keys import SubjectKeys
from state.ledger import Ledger, Remembered
from state.model import Subject
from tests.pipeline.command import ROOT, export, ingest, lines, message, stet

SECRET = "quay/1"
UNSAID = ("4417 Zephyr Quay", "4418 Zephyr Quay", "梧桐路93号", "Zephyr")
ANN = Subject("acme", "ann")


def said() -> list[dict[str, Any]]:
    secret = message(2, content=f"Change the address to {UNSAID[0]}, please.", id=SECRET)
    return [
        message(1, content="My address is 9 Oak Way."),
        secret,
        message(3, content="And my phone is 555-0100."),
        {**secret, "content": f"Change the address to {UNSAID[1]}, {UNSAID[2]}.", "revision": 2},
        message(4, content="My phone is 555-0111.", subject="bob"),
        message(2, content="My address is 3 Elm Row.", subject="bob", id=SECRET),
    ]


def refused() -> bytes:
    bad = {**said()[1], "role": "boss"}
    return lines([bad]) + json.dumps({**bad, "role": "user"}).encode()[:-12] + b"\n"


TRACES = [form for text in UNSAID for form in (text.encode(), json.dumps(text)[1:-1].encode())]


def traces(folder: Path) -> set[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {f"{path.name}: {t!r}" for path in files for t in TRACES if t in path.read_bytes()}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("full") / "data"
    ingest(lines(said()) + refused(), data)
    assert len(traces(data)) >= 3
    return data


@pytest.fixture(scope="module")
def deleted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The export of the same messages where that one is deleted."""
    data = tmp_path_factory.mktemp("deleted") / "data"
    gone = {name: said()[1][name] for name in ("tenant", "subject", "id", "sent_at")}
    ingest(lines([*said(), {**gone, "op": "delete", "revision": 3}]), data)
    return export(data)


@pytest.fixture
def data(full: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(full, tmp_path / "data"))


def forget(data: Path, *ids: str) -> dict[str, Any]:
    named = [part for one in ids for part in ("--message", one)]
    outcome = stet("forget", "ann", *named, "--tenant", "acme", "--yes", "--json", data=data)
    assert outcome.code == 0, outcome.err
    told: dict[str, Any] = json.loads(outcome.out)
    return told


def test_no_byte_of_it_is_left_and_the_rest_is_derived_anew(data: Path, deleted: bytes) -> None:
    receipt = forget(data, SECRET)
    assert (receipt["messages"], receipt["notes"], receipt["records"], receipt["rejected"]) == (1, 1, 4, 2)
    assert traces(data) == set()
    assert export(data) == deleted
    assert b"9 Oak Way" in stet("state", "ann", data=data).out
    assert b"3 Elm Row" in stet("state", "bob", data=data).out


def test_it_does_not_come_back_with_the_log_or_with_a_late_copy(data: Path, deleted: bytes) -> None:
    forget(data, SECRET)
    shutil.rmtree(data / "recovery")
    assert ingest(b"", data).code == 0
    assert export(data) == deleted
    assert ingest(lines(said()[1:2]), data).code == 0
    assert export(data) == deleted


def test_what_a_model_said_in_view_of_it_or_of_nobody_knows_what_goes_with_it(data: Path) -> None:
    answer = Remembered("answer", "m", "p/1", f'"It is {UNSAID[0]}."')
    other = Remembered("answer", "m", "p/1", '"It is 9 Oak Way."')
    first = said()[0]["id"]
    with Embedded.open(data) as opened:
        ledger = Ledger(opened.client)
        ledger.remember(ANN, {"untold": answer})
        shown = {"in view": [first, SECRET], "not": [first]}
        ledger.remember_since(ANN, {"in view": answer, "not": other}, 0, shown)
        ledger.remember(Subject("acme", "bob"), {"untold": other})
    assert forget(data, SECRET)["answers"] == 2
    assert traces(data) == set()
    with Embedded.open(data) as opened:
        assert opened.client.hkeys(SubjectKeys(ANN).answers) == [b"not"]
        assert opened.client.exists(SubjectKeys(Subject("acme", "bob")).answers)


def test_repeated_it_changes_nothing(data: Path, deleted: bytes) -> None:
    forget(data, SECRET)
    outcome = stet("forget", "ann", "--message", SECRET, "--tenant", "acme", "--yes", data=data)
    assert outcome.code == Exit.UNKNOWN
    assert export(data) == deleted


def test_an_id_that_no_message_can_have_is_told(data: Path) -> None:
    before = export(data)
    outcome = stet("forget", "ann", "--message", "x" * 300, "--yes", data=data)
    assert outcome.code == Exit.USAGE
    assert export(data) == before


@pytest.mark.parametrize("after", [0.0, 0.2, 0.6])
def test_a_kill_in_between_is_made_good_when_the_folder_is_next_opened(
    data: Path, deleted: bytes, after: float
) -> None:
    program = (
        "import sys; from pathlib import Path; from pipeline.embedded import Embedded; "
        "from state.model import Subject; stet = Embedded.open(Path(sys.argv[1])); stet.notes, stet.log; "
        "stet.forget_messages({Subject('acme', 'ann'): sys.argv[2:]}, lambda line: print(line, flush=True))"
    )
    command = [sys.executable, "-c", program, str(data), SECRET]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert b"deleting" in running.stdout.readline()
        time.sleep(after)
        running.send_signal(signal.SIGKILL)
    with Embedded.open(data):
        pass
    assert traces(data) == set()
    assert export(data) == deleted
