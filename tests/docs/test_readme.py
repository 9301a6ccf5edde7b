"""What the README shows a newcomer is what happens: its commands are run, and print what it says.

In a `console` block … stands for whatever is there. Above any other block with a command stands why it is not
run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks, read

README = ROOT / "README.md"
ANY = "…"
COMMAND = (sys.executable, "-m", "pipeline.command_line.app")


def shown() -> list[tuple[str, str]]:
    """Each command of the README with what it is said to print, in order."""
    parts = (part for block in blocks(README, "console") for part in re.split(r"(?m)^\$ ", block)[1:])
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def printed(command: str, data: Path) -> str:
    """What a command prints on a terminal of 80 columns, with the data folder elsewhere."""
    program, _, rest = command.partition(" ")
    assert program == "stet"
    quoted = " ".join(f"'{part}'" for part in COMMAND)
    run = subprocess.run(
        ["sh", "-c", f"{quoted} {rest}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "STET_DATA_DIR": str(data), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_commands_print_what_the_readme_shows(tmp_path: Path) -> None:
    said = shown()
    assert [command.split()[1] for command, _ in said] == ["ingest", "state", "ask", "ask", "why"]
    for command, expected in said:
        pattern = ".*".join(re.escape(piece) for piece in expected.strip().split(ANY))
        out = printed(command, tmp_path / "stet").strip()
        assert re.fullmatch(pattern, out, re.DOTALL), f"$ {command}\n{out}"


def test_a_command_that_is_not_run_says_why() -> None:
    text = re.sub(r"^```console\n.*?^```$", "", read(README), flags=re.MULTILINE | re.DOTALL)
    marked = re.compile(r"<!-- not run by the tests: [^>]+ -->\n```sh\n.*?^```$", re.MULTILINE | re.DOTALL)
    assert marked.search(text)
    assert re.findall(r"^ *(?:\$ )?(?:stet|make) .*$", marked.sub("", text), re.MULTILINE) == []


@pytest.mark.parametrize("target", ["demo", "test", "bench", "quality", "evaluation"])
def test_the_makefile_has_what_the_readme_names(target: str) -> None:
    assert f"make {target}" in read(README)
    assert re.search(rf"^{target}:", read(ROOT / "Makefile"), re.MULTILINE)
