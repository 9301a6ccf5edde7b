"""A running service with things to look at, and a browser to look with."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.explorer_page import Explorer, Opener
from tests.browser.long_history import written
from tests.pipeline.command import EXAMPLES, ingest
from tests.pipeline.test_serving import Serving

HOSTILE = (
    '<img src=x onerror="window.taken=1"></script><script>window.taken=1</script>&lt;b&gt; \u202e\'"`${1}'
)
VISITS = 160
"""Of which the long history's 2,000 events come."""


def hostile() -> bytes:
    """What a page could take for markup, in each field that it shows."""
    texts = (f"My delivery address is 1 {HOSTILE} Road.", f"Please change it to 2 {HOSTILE} Lane, thanks.")
    rows = [
        {
            "tenant": "rival",
            "subject": f"eve {HOSTILE}",
            "conversation": HOSTILE,
            "id": f"{HOSTILE}/{number}",
            "role": "user",
            "speaker": f"Eve {HOSTILE}",
            "content": text,
            "sent_at": f"2026-02-0{number + 1}T09:00:00Z",
        }
        for number, text in enumerate(texts)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a service shows the examples, the long history, and another tenant's hostile texts."""
    if absent := chromium.absent():
        pytest.skip(absent)
    data = tmp_path_factory.mktemp("explored") / "data"
    said = b"".join(Path(example).read_bytes() for example in EXAMPLES)
    outcome = ingest(said + written(VISITS) + hostile(), data)
    assert outcome.code == 0, outcome.err
    serving = Serving(data)
    try:
        yield f"http://127.0.0.1:{serving.port}/explore"
    finally:
        # A kill would leave the folder's Redis running.
        serving.end(signal.SIGTERM)
        serving.client.close()


# Of one module: other tests of this process may not meet a loop that runs.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if absent := chromium.absent():
        pytest.skip(absent)
    with chromium.browser() as opened:
        yield opened


@pytest.fixture
def explore(browser: Browser, address: str) -> Iterator[Opener]:
    """Opens the explorer on a subject. At the end nothing may have gone wrong in one, nor left the host."""
    opener = Opener(browser, address)
    yield opener
    opener.close()


@pytest.fixture
def maya(explore: Opener) -> Explorer:
    return explore("maya")
