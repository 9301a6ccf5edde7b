"""Runs `stet`: in this process where that is enough, as a process of its own where it is not."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pipeline.command_line.app import app
from tests.conftest import DATA

ROOT = Path(__file__).parents[2]
EXAMPLES = (ROOT / "examples/support_english.jsonl", ROOT / "examples/support_chinese.jsonl")
STAR = DATA / "star" / "messages.jsonl.gz"
COMMAND = (sys.executable, "-m", "pipeline.command_line.app")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: bytes
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


def stet(*arguments: str | Path, data: Path, stdin: bytes = b"") -> Outcome:
    """Runs a command here. What a command lets through as a traceback is raised."""
    command, *rest = map(str, arguments)
    result = CliRunner().invoke(app, [command, "--data-dir", str(data), *rest], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(result.exit_code, result.stdout_bytes, result.stderr)


def ingest(source: Path | bytes, data: Path) -> Outcome:
    """`stet ingest --json` of a file, or of bytes as standard input."""
    file, stdin = ("-", source) if isinstance(source, bytes) else (source, b"")
    return stet("ingest", "--json", "--encoder", "hashing", file, data=data, stdin=stdin)


def export(data: Path) -> bytes:
    outcome = stet("export", data=data)
    assert outcome.code == 0, outcome.err
    return outcome.out


def begin(
    *arguments: str | Path, data: Path, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Starts a command as a process of its own, in a folder where a relative path would show."""
    command, *rest = map(str, arguments)
    return subprocess.Popen(
        [*COMMAND, command, "--data-dir", str(data), *rest],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **(env or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def message(
    number: int, content: str = "The delivery address is 4 Elm Road.", **other: Any
) -> dict[str, Any]:
    """A message's row; `None` for a field leaves it out."""
    row = {
        "tenant": "acme",
        "subject": "ann",
        "conversation": "c1",
        "id": f"m/{number}",
        "role": "user",
        "speaker": "Ann",
        "content": content,
        "sent_at": f"2026-03-02T{9 + number // 60 % 12:02d}:{number % 60:02d}:00Z",
        **other,
    }
    return {name: value for name, value in row.items() if value is not None}


def lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
