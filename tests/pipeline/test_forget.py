"""`stet forget`: afterwards no byte of any file tells of the subject, and all others are as they were."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.command_line.failures import Exit
from pipeline.embedded import Embedded
from state.model import Subject
from tests.pipeline.command import ROOT, export, ingest, lines, message, stet

GONE = "zoë-quartz 周晓雯"
SAID = ("Harbour Street 4417", "cancel the blue kayak", "送货地址改为梧桐路93号")


def of_gone(tenant: str = "acme") -> list[dict[str, object]]:
    return [
        message(n, content=f"My address is {text}." if n == 1 else text, subject=GONE, id=f"quartz/{n}",
                conversation="c-quartz", speaker="Zoë Quartz", tenant=tenant)
        for n, text in enumerate(SAID, 1)
    ]  # fmt: skip


def of_others() -> list[dict[str, object]]:
    return [
        message(1, content="My address is 9 Oak Way."),
        message(2, content="Change the address to 3 Elm Row, please."),
        message(3, content="My phone is 555-0100.", subject="bob"),
    ]


TRACES = [
    form
    for text in (GONE, "quartz", "Quartz", *SAID)
    for form in (text.encode(), json.dumps(text)[1:-1].encode())
]


def traces(folder: Path) -> set[str]:
    """The files that still hold something of the subject."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder))
        for path in files
        for trace in TRACES
        if trace in path.read_bytes() or trace.decode() in path.name
    }


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a subject, its edits, what was rejected of it, and others."""
    data = tmp_path_factory.mktemp("full") / "data"
    edited = {**of_gone()[0], "content": f"My address is {SAID[0]}, upstairs.", "revision": 2}
    refused = {**of_gone()[1], "id": "quartz/9", "role": "boss"}
    torn = json.dumps(of_gone()[2]).encode()[:-10]
    escaped = json.dumps({**of_gone()[2], "id": "quartz/10"}, ensure_ascii=True).encode()
    rows = lines([*of_others(), *of_gone(), edited, refused]) + torn + b"\n" + escaped + b"\n"
    ingest(rows, data)
    assert len(traces(data)) >= 3
    return data


@pytest.fixture
def data(full: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(full, tmp_path / "data"))


def test_no_byte_of_it_is_left_in_any_file(data: Path) -> None:
    outcome = stet("forget", GONE, "--yes", "--json", data=data)
    assert outcome.code == 0, outcome.err
    receipt = json.loads(outcome.out)
    assert receipt["messages"] == 4
    assert receipt["notes"] == 4
    assert receipt["records"] == 7
    assert receipt["rejected"] == 2
    assert receipt["events"] > 0
    assert traces(data) == set()


def test_all_others_are_as_if_it_had_never_been(data: Path, tmp_path: Path) -> None:
    ingest(lines(of_others()), tmp_path / "without")
    assert stet("forget", GONE, "--yes", data=data).code == 0
    assert export(data) == export(tmp_path / "without")
    asked = stet("ask", "ann", "What is the address?", "--json", data=data)
    assert json.loads(asked.out)["evidence"][0] == "m/2"


def test_the_same_subject_of_another_tenant_stays(data: Path) -> None:
    ingest(lines(of_gone("globex")), data)
    before = stet("export", GONE, "--tenant", "globex", data=data).out
    assert stet("forget", GONE, "--yes", "--tenant", "acme", data=data).code == 0
    assert stet("export", GONE, "--tenant", "globex", data=data).out == before
    assert stet("state", GONE, "--tenant", "acme", data=data).code == Exit.UNKNOWN


def test_it_stays_forgotten_when_the_log_is_read_again_from_its_beginning(data: Path) -> None:
    assert stet("forget", GONE, "--yes", data=data).code == 0
    before = export(data)
    shutil.rmtree(data / "recovery")
    assert ingest(b"", data).code == 0
    assert export(data) == before
    assert traces(data) == set()


def test_what_it_says_afterwards_is_kept_anew(data: Path) -> None:
    assert stet("forget", GONE, "--yes", data=data).code == 0
    assert ingest(lines(of_gone()[:1]), data).code == 0
    assert b"4417" in stet("state", GONE, data=data).out


def test_what_was_rejected_of_it_does_not_come_back(data: Path) -> None:
    cut = json.dumps({**of_gone()[2], "id": "11", "conversation": "c"}).encode()
    # Torn, and spelt as nobody would spell it.
    torn = cut[: cut.index(b'"role"')].replace(b"quartz", b"\\u0071uartz")
    odd = json.dumps({**of_gone()[0], "tenant": 5}).encode()
    ingest(torn + b"\n" + odd + b"\n", data)
    files = [path for path in data.rglob("*") if path.is_file()]
    assert any(b"0071uartz" in path.read_bytes() for path in files)
    assert stet("forget", GONE, "--yes", data=data).code == 0
    assert traces(data) == set()
    assert not any(b"0071uartz" in path.read_bytes() for path in files if path.exists())
    before = export(data)
    assert stet("replay-rejected", data=data).code == 0
    assert export(data) == before


def test_it_is_asked_whether_it_is_meant(data: Path) -> None:
    before = export(data)
    outcome = stet("forget", GONE, data=data)
    assert outcome.code == Exit.USAGE
    assert "--yes" in outcome.err
    assert export(data) == before


def test_one_that_is_unknown_is_told(data: Path) -> None:
    before = export(data)
    outcome = stet("forget", "nobody", "--yes", data=data)
    assert outcome.code == Exit.UNKNOWN
    assert export(data) == before


@pytest.mark.parametrize("after", [0.0, 0.05, 0.2])
def test_a_kill_in_between_is_made_good_when_the_folder_is_next_opened(data: Path, after: float) -> None:
    program = (
        "import sys; from pathlib import Path; from pipeline.embedded import Embedded; "
        "from state.model import Subject; stet = Embedded.open(Path(sys.argv[1])); stet.notes, stet.log; "
        "stet.forget(Subject('acme', sys.argv[2]), lambda line: print(line, flush=True))"
    )
    command = [sys.executable, "-c", program, str(data), GONE]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert b"erasing" in running.stdout.readline()
        time.sleep(after)
        running.send_signal(signal.SIGKILL)
    with Embedded.open(data) as opened:
        assert not opened.graph.counts([Subject("acme", GONE)])
        assert opened.graph.counts([Subject("acme", "ann")])["messages"] == 2
        assert opened.notes.count() == 3
    assert traces(data) == set()
