"""Debian's Chromium without a screen, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser")


def absent() -> str | None:
    """Why there is no browser here; None where there is one."""
    if any(shutil.which(name) for name in NAMES):
        return None
    return "Chromium is absent: install Debian's package chromium"


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser, gone afterwards. While it is open, its thread has an event loop that runs."""
    path = next(found for name in NAMES if (found := shutil.which(name)))
    # Root has no sandbox to give, and a container's shared memory is small.
    options = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.getuid() == 0 else [])]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=options)
        try:
            yield opened
        finally:
            opened.close()
