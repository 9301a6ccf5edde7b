"""Links in the pages lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, anchors, prose, read

LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(r"`((?:docs|deploy|state|operators|pipeline|query_service|evaluation|examples)/[\w./]+)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_link_points_at_a_file_and_a_heading_that_exist(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_file_that_is_named_exists(page: Path) -> None:
    assert [name for name in FILE.findall(read(page)) if not (ROOT / name).exists()] == []


def test_every_page_is_reached_from_the_readme() -> None:
    seen, ahead = set[Path](), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in seen:
            continue
        seen.add(page)
        links = (link.partition("#")[0] for link in LINK.findall(prose(page)) if "://" not in link)
        ahead += [(page.parent / link).resolve() for link in links if link.endswith(".md")]
    assert set(PAGES) <= seen


def test_the_readme_is_short() -> None:
    assert len(read(ROOT / "README.md").split()) <= 2_000
