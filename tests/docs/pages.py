"""The project's pages, and what is in them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "README.md", ROOT / "deploy" / "README.md", *(ROOT / "docs").rglob("*.md")))
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(page: Path) -> str:
    return page.read_text("utf-8")


def prose(page: Path) -> str:
    """A page without its code."""
    return re.sub(r"`[^`\n]*`", "", _FENCED.sub("", read(page)))


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language, in order."""
    return [found[2] for found in _FENCED.finditer(read(page)) if found[1] == language]


def anchors(page: Path) -> set[str]:
    """What a link into the page may name after #: its headings, as they are made into anchors."""
    headings = re.findall(r"^#+ (.+)$", _FENCED.sub("", read(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
