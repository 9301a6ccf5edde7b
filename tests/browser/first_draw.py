"""How soon the explorer has drawn a subject of 2,000 events: `python -m tests.browser.first_draw`.

Each line is one page, opened anew: from its address being given to it to the first draw (the latest part of
the history), and to all events being there, in milliseconds, as the page's own performance marks tell.
"""

import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser import chromium
from tests.browser.long_history import written
from tests.pipeline.command import ingest
from tests.pipeline.test_serving import Serving

VISITS, PAGES, PATIENCE = 160, 7, 30.0
FIRST, ALL = "stet:first-draw", "stet:all-drawn"


def mark(page: Page, name: str) -> float:
    """When the page set a mark, in its own milliseconds; waits for it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found: list[float] = page.evaluate(
            "name => performance.getEntriesByName(name).map(entry => entry.startTime)", name
        )
        if found:
            return found[0]
        page.wait_for_timeout(20)
    raise TimeoutError(f"the page never set {name}")


def measured(browser: Browser, address: str) -> tuple[float, float, int]:
    """First draw, all drawn, and how many events there are."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{address}#nora")
    first, every = mark(page, FIRST), mark(page, ALL)
    events = sum(int(text) for text in page.locator("#legend b").all_inner_texts())
    context.close()
    return first, every, events


def main() -> None:
    if absent := chromium.absent():
        sys.exit(absent)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        ingest(written(VISITS), data)
        serving = Serving(data)
        try:
            with chromium.browser() as browser:
                address = f"http://127.0.0.1:{serving.port}/explore"
                rows = [measured(browser, address) for _ in range(PAGES)]
        finally:
            serving.end(signal.SIGTERM)  # a kill would leave the folder's Redis running
            serving.client.close()
    for first, every, events in rows:
        print(f"first draw {first:6.0f} ms   all drawn {every:6.0f} ms   {events} events")
    print(f"median     {statistics.median(row[0] for row in rows):6.0f} ms", end="   ")
    print(f"          {statistics.median(row[1] for row in rows):6.0f} ms")


if __name__ == "__main__":
    main()
