"""The explorer of a service that needs a key, in a real browser."""

import re
import threading
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect
from redis import Redis

from query_service.http_access import Access, Open
from query_service.http_app import create_app
from state.api_keys import ApiKeys
from tests.browser.explorer_page import Explorer, Opener
from tests.query_service.test_answer import wait_for
from tests.query_service.test_http_app import NOW, Runtime, rival
from tests.query_service.worlds import piano, stores

pytestmark = pytest.mark.xdist_group("browser")
SUBJECT = "conv/1"


@pytest.fixture
def locked(redis: Redis) -> Iterator[str]:
    """Where a service shows two tenants' subjects to those who have a key."""
    held = stores(piano(), rival())
    runtime = Runtime(held.reader, held.notes, held.encoder)
    app = create_app(runtime, lambda: NOW, access=Access.over(redis, Open.NOBODY))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_for(lambda: server.started)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/explore"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def key(redis: Redis) -> Callable[[str], str]:
    return lambda tenant: ApiKeys(redis).create(tenant, ["read"], NOW)[1]


@pytest.fixture
def explore(browser: Browser, locked: str) -> Iterator[Opener]:
    opener = Opener(browser, locked)
    yield opener
    for explorer in opener.opened:
        # A refused request is told on the console by the browser itself.
        explorer.faults[:] = [fault for fault in explorer.faults if "401" not in fault]
    opener.close()


def give(page: Page, token: str) -> None:
    page.fill("#key", token)
    page.keyboard.press("Enter")


def marks(explorer: Explorer) -> None:
    expect(explorer.page.locator("g.mark").first).to_be_attached()


def test_the_key_is_asked_for_where_one_is_needed(explore: Opener, key: Callable[[str], str]) -> None:
    explorer = explore()
    page = explorer.page
    expect(page.locator("#key")).to_be_focused()
    expect(page.locator("#key-told")).to_contain_text("This service needs a key.")
    expect(page.locator("#notice")).to_be_hidden()
    give(page, key("shop"))
    marks(explorer)
    expect(page.locator("#key-bar")).to_be_hidden()
    expect(page.locator("#tenant")).to_have_value("shop")
    expect(page.locator("#tenant")).not_to_be_editable()
    explorer.ask("When is the tuning?")


def test_it_is_kept_in_the_tab_and_goes_into_no_address(explore: Opener, key: Callable[[str], str]) -> None:
    explorer, token = explore(), key("shop")
    page = explorer.page
    give(page, token)
    marks(explorer)
    page.reload()
    marks(explorer)
    expect(page.locator("#key")).to_have_value("")
    secret = token.rpartition("_")[2]
    assert page.evaluate("Object.values(sessionStorage)").count(token) == 1
    assert page.evaluate("JSON.stringify(localStorage) + document.cookie").find(secret) == -1
    assert not [address for address in [*explorer.asked, page.url] if secret in address]
    fresh = page.context.new_page()
    fresh.goto(page.url)
    expect(fresh.locator("#key")).to_be_focused()


def test_a_wrong_key_is_told_and_not_kept(explore: Opener, key: Callable[[str], str]) -> None:
    explorer = explore()
    page = explorer.page
    for wrong in ("stet_0123456789ab_" + "A" * 43, "没有钥匙"):
        give(page, wrong)
        expect(page.locator("#key-told")).to_have_text("This key is none, or was revoked.")
        assert page.evaluate("sessionStorage['stet.key'] ?? null") is None
    give(page, key("shop"))
    marks(explorer)


def test_a_key_that_is_revoked_meanwhile_is_asked_for_again(
    explore: Opener, key: Callable[[str], str], redis: Redis
) -> None:
    explorer, token = explore(), key("shop")
    page = explorer.page
    give(page, token)
    marks(explorer)
    ApiKeys(redis).revoke(token.split("_")[1], NOW)
    page.fill("#asked", "When is the tuning?")
    page.click("#question button")
    expect(page.locator("#key-told")).to_have_text("This key is none, or was revoked.")
    give(page, key("shop"))
    expect(page.locator("#key-bar")).to_be_hidden()
    marks(explorer)
    explorer.ask("When is the tuning?")


def test_another_key_shows_another_tenant(explore: Opener, key: Callable[[str], str]) -> None:
    explorer = explore(tenant="shop")
    page = explorer.page
    page.goto(f"{page.url.partition('#')[0]}#{quote(SUBJECT, safe='')}")
    give(page, key("shop"))
    expect(explorer.mark("secret")).to_have_count(0)
    marks(explorer)
    page.click("#key-open")
    give(page, key("rival"))
    expect(explorer.mark("secret")).to_have_count(1)
    expect(page.locator("#tenant")).to_have_value("rival")
    page.click("#key-open")
    page.click("#key-forget")
    expect(page.locator("#key-told")).to_contain_text("This service needs a key.")
    expect(page.locator("g.mark")).to_have_count(0)


def test_it_is_asked_for_in_chinese_too(explore: Opener, key: Callable[[str], str]) -> None:
    page = explore(locale="zh-CN").page
    expect(page.locator("#key-told")).to_contain_text("此服务需要密钥")
    expect(page.locator("#key-bar label")).to_contain_text("API 密钥")
    page.click("#language")
    expect(page.locator("#key-told")).to_contain_text("This service needs a key.")


def test_the_bar_fits_a_narrow_page(explore: Opener) -> None:
    page = explore(size=(390, 800)).page
    expect(page.locator("#key")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#key-bar")).to_have_class(re.compile("fields"))
