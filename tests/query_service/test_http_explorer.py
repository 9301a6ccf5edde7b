"""The explorer's files as they are served: under a policy that lets in nothing else, and by no other name."""

import re
from importlib.resources import files

import pytest
from fastapi.testclient import TestClient

from query_service.http_app import create_app
from tests.query_service.test_http_app import Runtime
from tests.query_service.worlds import NOW, piano, stores

NAMES = sorted(file.name for file in files("query_service").joinpath("explorer").iterdir())


@pytest.fixture(scope="module")
def client() -> TestClient:
    held = stores(piano())
    return TestClient(create_app(Runtime(held.reader, held.notes, held.encoder), lambda: NOW))


@pytest.mark.parametrize("path", ["/explore", *(f"/explore/{name}" for name in NAMES)])
def test_every_file_has_a_type_and_a_strict_policy(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert (policy["script-src"], policy["style-src"], policy["connect-src"]) == ("'self'",) * 3
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["content-type"].split(";")[0] in {
        "text/html", "text/css", "text/javascript", "image/svg+xml"
    }  # fmt: skip


def test_a_file_that_is_known_is_not_sent_again(client: TestClient) -> None:
    tag = client.get("/explore").headers["etag"]
    again = client.get("/explore", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/explore", headers={"If-None-Match": '"another"'}).status_code == 200


@pytest.mark.parametrize("name", ["nothing.js", "..%2Fhttp_app.py", "%2e%2e/http_app.py", "index.html%00"])
def test_nothing_but_the_explorers_files_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/explore/{name}").status_code == 404


def test_the_page_names_only_its_own_files() -> None:
    folder = files("query_service").joinpath("explorer")
    for name in NAMES:
        text = folder.joinpath(name).read_text("utf-8")
        hosts = set(re.findall(r"https?://[^\s\"'`<>)]+", text))
        assert hosts <= {"http://www.w3.org/2000/svg"}, name
    page = folder.joinpath("index.html").read_text("utf-8")
    assert set(re.findall(r"explore/([\w.]+)", page)) <= set(NAMES)
    assert set(re.findall(r'"explore/(\w+\.js)"', page)) == {n for n in NAMES if n.endswith(".js")}


def test_every_module_that_is_imported_is_there() -> None:
    folder = files("query_service").joinpath("explorer")
    for name in (name for name in NAMES if name.endswith(".js")):
        imported = re.findall(r'from "\./([\w.]+)"', folder.joinpath(name).read_text("utf-8"))
        assert set(imported) <= set(NAMES), name


def test_no_module_makes_markup_of_text() -> None:
    folder = files("query_service").joinpath("explorer")
    for name in (name for name in NAMES if name.endswith(".js")):
        text = folder.joinpath(name).read_text("utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(", text
        )


def test_every_word_of_the_page_is_there_in_both_languages() -> None:
    folder = files("query_service").joinpath("explorer")
    words = folder.joinpath("words.js").read_text("utf-8")
    pairs = re.findall(r'^  "?([^":]+?:?)"?: \["([^"]+)", "([^"]+)"\],$', words, re.MULTILINE)
    assert len(pairs) == len(re.findall(r"\],$", words, re.MULTILINE))
    assert [key for key, english, chinese in pairs if english == chinese] == []
    used = set()
    for name in NAMES:
        text = folder.joinpath(name).read_text("utf-8")
        used |= set(re.findall(r'\bt\("(\w+)"', text)) | set(re.findall(r'data-t(?:-\w+)?="(\w+)"', text))
    assert used <= {key for key, _, _ in pairs}
