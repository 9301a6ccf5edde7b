"""The explorer as who uses it meets it: its marks, its panel, its slider."""

from typing import Any, Literal
from urllib.parse import quote

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

Scheme = Literal["dark", "light"]


class Explorer:
    """One page. `asked` are the addresses of the requests that it made to the API."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.faults: list[str] = []
        page.on("request", self._note)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: self.faults.append(dialog.message))

    def _note(self, request: Any) -> None:
        if "/v1/" in request.url:
            self.asked.append(request.url)
        if not request.url.startswith("http://127.0.0.1:"):
            self.faults.append(f"asks another host: {request.url}")

    @property
    def timeline(self) -> Locator:
        return self.page.locator("svg.timeline")

    @property
    def panel(self) -> Locator:
        return self.page.locator("#panel")

    def mark(self, label: str) -> Locator:
        """The marks whose labels begin so."""
        return self.page.locator(f'g.mark[aria-label^="{label}"]')

    def first(self) -> None:
        """Goes to the first event by the keyboard."""
        self.timeline.focus()
        self.page.keyboard.press("Home")

    def count(self, status: str) -> int:
        """How many events the legend says stand so."""
        return int(self.page.locator(f"#legend .{status} b").inner_text())

    def at(self, moment: str) -> None:
        """Goes to a moment, as local time."""
        self.page.fill("#moment-exact", moment)
        self.page.dispatch_event("#moment-exact", "change")

    def ask(self, question: str) -> None:
        self.page.fill("#asked", question)
        self.page.click("#question button")
        expect(self.panel.locator("h2")).to_have_text(question)

    def style(self, where: Locator, name: str) -> str:
        """A computed style."""
        told: str = where.first.evaluate("(one, name) => getComputedStyle(one)[name]", name)
        return told


class Opener:
    """Opens pages, each in a context of its own."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self._contexts: list[BrowserContext] = []
        self.opened: list[Explorer] = []

    def __call__(
        self,
        subject: str = "",
        tenant: str = "demo",
        *,
        scheme: Scheme = "light",
        size: tuple[int, int] = (1280, 800),
        locale: str = "en-GB",
    ) -> Explorer:
        context = self.browser.new_context(
            color_scheme=scheme,
            viewport={"width": size[0], "height": size[1]},
            locale=locale,
            timezone_id="UTC",
        )
        self._contexts.append(context)
        page = context.new_page()
        page.add_init_script(f"sessionStorage['stet.tenant'] ??= {tenant!r}")
        explorer = Explorer(page)
        self.opened.append(explorer)
        page.goto(self.address + (f"#{quote(subject)}" if subject else ""))
        if subject:
            expect(page.locator("g.mark").first).to_be_attached(timeout=20_000)
            expect(page.locator("#notice")).to_be_hidden(timeout=20_000)
        return explorer

    def close(self) -> None:
        """Closes all; fails where anything went wrong in one of them."""
        faults = [fault for explorer in self.opened for fault in explorer.faults]
        for context in self._contexts:
            context.close()
        assert faults == []
