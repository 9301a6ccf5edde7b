"""The explorer in a real browser, over a real service."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import HOSTILE
from tests.browser.explorer_page import Explorer, Opener

pytestmark = pytest.mark.xdist_group("browser")
OLD, NEW = "14 Harbour Street, Bergen", "3 Mill Lane, Bergen"
BEFORE_THE_MOVE = "2026-03-05T10:00:00"
QUESTION = "Where will the desk be delivered?"


def test_a_superseded_fact_is_struck_through_with_what_replaced_it(maya: Explorer) -> None:
    maya.first()
    old = maya.mark(OLD)
    expect(old).to_have_attribute("aria-label", re.compile(f"superseded.*replaced by {NEW}"))
    assert "line-through" in maya.style(old.locator(".value"), "textDecorationLine")
    expect(old.locator(".instead")).to_contain_text("3 Mill")
    new = maya.mark(NEW).first
    expect(new).to_have_attribute("aria-label", re.compile("stands"))
    assert "line-through" not in maya.style(new.locator(".value"), "textDecorationLine")
    assert maya.style(old.locator(".dot"), "stroke") != maya.style(new.locator(".dot"), "stroke")


def test_the_slider_shows_any_moment_without_asking_again(maya: Explorer) -> None:
    maya.first()
    asked = len(maya.asked)
    stood = maya.count("stands")
    maya.at(BEFORE_THE_MOVE)
    expect(maya.mark(OLD)).to_have_attribute("aria-label", re.compile(", stands,"))
    expect(maya.mark(NEW).first).to_have_attribute("aria-label", re.compile("not yet"))
    assert maya.count("superseded") == 0
    assert maya.count("waiting") > 0
    for _ in range(3):
        maya.page.click("#moment-before")
    maya.page.click("#moment-now")
    expect(maya.mark(OLD)).to_have_attribute("aria-label", re.compile("superseded"))
    assert maya.count("stands") == stood
    # The chosen event is explained anew at each moment; what is drawn needs no request.
    assert all("/why" in one or "/messages" in one for one in maya.asked[asked:])


def test_each_step_of_the_slider_is_a_moment_at_which_something_changes(maya: Explorer) -> None:
    slider = maya.page.locator("#moment")
    slider.focus()
    maya.page.keyboard.press("Home")
    counts = []
    for _ in range(int(slider.get_attribute("max") or 0) + 1):
        counts.append(maya.count("stands"))
        maya.page.keyboard.press("ArrowRight")
    assert counts[0] <= 1
    assert max(counts) > 8
    expect(slider).to_have_attribute("aria-valuetext", "Now")


def test_edges_are_drawn_for_the_chosen_event_only(maya: Explorer) -> None:
    expect(maya.page.locator(".edge")).to_have_count(0)
    maya.first()
    maya.page.keyboard.press("ArrowRight")
    maya.page.keyboard.press("ArrowRight")
    expect(maya.page.locator(".edge.updates .name")).to_have_text("replaces")
    maya.page.keyboard.press("Escape")
    expect(maya.page.locator(".edge")).to_have_count(0)


def test_a_click_tells_why_and_in_whose_words(maya: Explorer) -> None:
    maya.first()
    maya.mark(OLD).locator(".dot").click()
    expect(maya.panel.locator(".why li").first).to_contain_text(f"is replaced by {NEW}")
    expect(maya.panel.locator("blockquote")).to_have_text("My delivery address is 14 Harbour Street, Bergen.")
    maya.panel.locator(".links .link").first.click()
    expect(maya.panel.locator("h2")).to_have_text(NEW)
    expect(maya.panel.locator(".links")).to_contain_text("replaces")


def test_an_answer_is_drawn_over_the_timeline(maya: Explorer) -> None:
    maya.ask(QUESTION)
    paths = maya.panel.locator(".paths li")
    expect(paths.first).to_contain_text(re.compile(r"score 0\.\d\d"))
    expect(maya.page.locator("g.path.chosen .stop").nth(1)).to_be_attached()
    expect(maya.panel.locator(".said blockquote").first).to_contain_text(re.compile("deliver|desk"))
    second = paths.nth(1).locator(".score")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(maya.page.locator("g.path")).to_have_count(1)
    second.click()
    assert maya.page.locator("g.path").count() == paths.count()
    paths.first.locator(".link").first.click()
    expect(maya.panel.locator(".why")).to_be_visible()
    maya.panel.locator(".back").click()
    expect(maya.panel.locator("h2")).to_have_text(QUESTION)


def test_a_question_is_asked_as_of_the_slider(maya: Explorer) -> None:
    maya.at(BEFORE_THE_MOVE)
    maya.ask(QUESTION)
    expect(maya.panel).to_contain_text("as of 5 Mar 2026")
    expect(maya.panel.locator(".said")).not_to_contain_text("Mill Lane")


def test_the_forest_is_a_second_view(maya: Explorer) -> None:
    maya.page.click("#tab-forest")
    expect(maya.page.locator(".forest summary")).to_contain_text("15 turns")
    expect(maya.page.locator(".forest .turn")).to_have_count(15)
    expect(maya.page.locator("#timeline-view")).to_be_hidden()
    maya.page.keyboard.press("ArrowLeft")
    expect(maya.page.locator("#timeline-view")).to_be_visible()
    maya.page.click("#tab-forest")
    maya.ask(QUESTION)
    expect(maya.page.locator("#timeline-view")).to_be_visible()


def test_older_topics_come_when_they_are_asked_for(explore: Opener) -> None:
    nora = explore("nora")
    nora.page.route(re.compile(r"/forest"), one_topic_a_page)
    nora.page.click("#tab-forest")
    topics = nora.page.locator(".forest summary")
    expect(topics).to_have_count(1)
    newest = topics.first.inner_text()
    nora.page.get_by_role("button", name="Older topics").click()
    expect(topics).to_have_count(2)
    expect(topics.first).to_have_text(re.compile(re.escape(newest.split("\n")[0])))
    expect(nora.page.get_by_role("button", name="Older topics")).to_have_count(1)


def one_topic_a_page(route: Route) -> None:
    address = route.request.url
    route.continue_(url=f"{address}{'&' if '?' in address else '?'}topics=1")


def test_of_two_thousand_events_only_the_window_is_drawn(explore: Opener) -> None:
    nora = explore("nora")
    expect(nora.page.locator("#earlier")).to_be_hidden()
    total = sum(nora.count(status) for status in ("stands", "doubted", "superseded"))
    assert total >= 2_000
    drawn = nora.page.locator("g.mark").count()
    assert 10 < drawn < 300
    last = nora.page.locator("g.mark").last.get_attribute("id")
    nora.first()
    expect(nora.page.locator(f"#{last}")).not_to_be_attached()
    assert 5 < nora.page.locator("g.mark").count() < 300
    nora.page.click("#zoom-fit")
    assert nora.page.locator("g.mark").count() < total


def test_the_keyboard_reaches_every_event_and_its_details(maya: Explorer) -> None:
    page = maya.page
    page.locator("#zoom-fit").focus()
    page.keyboard.press("Tab")
    expect(maya.timeline).to_be_focused()
    page.keyboard.press("Home")
    assert maya.style(maya.timeline, "outlineStyle") == "solid"
    seen = []
    for _ in range(sum(maya.count(status) for status in ("stands", "doubted", "superseded"))):
        active = maya.timeline.get_attribute("aria-activedescendant")
        chosen = page.locator(f"#{active}")
        expect(chosen).to_have_attribute("aria-selected", "true")
        expect(chosen.locator(".ring")).to_be_in_viewport()
        seen.append(active)
        page.keyboard.press("ArrowRight")
    assert len(set(seen)) == len(seen) > 15
    page.keyboard.press("Enter")
    expect(maya.panel).to_be_focused()
    page.keyboard.press("Escape")
    expect(maya.timeline).to_be_focused()


def test_arrows_go_from_topic_to_topic(explore: Opener) -> None:
    zhou = explore("周晓雯", locale="zh-CN")
    zhou.first()
    heights = []
    for key in ("Home", "ArrowUp", "ArrowDown"):
        zhou.page.keyboard.press(key)
        box = zhou.page.locator(".mark.chosen .ring").bounding_box()
        assert box is not None
        heights.append(box["y"])
    first, above, below = heights
    assert above < min(first, below)


@pytest.mark.parametrize("subject", ["maya", "nora"])
def test_a_phone_is_wide_enough(explore: Opener, subject: str) -> None:
    phone = explore(subject, size=(360, 740))
    phone.first()
    expect(phone.panel.locator("h2")).to_be_visible()
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("#asked", "#moment", "#moment-exact", "#moment-now", "#tab-forest", "#zoom-in", "#subject"):
        box = phone.page.locator(name).bounding_box()
        assert box is not None, name
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= 360, name


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_either_scheme(explore: Opener, scheme: str) -> None:
    maya = explore("maya", scheme="dark" if scheme == "dark" else "light")
    maya.first()
    expect(maya.panel.locator(".why li").first).to_be_attached()
    paper = maya.style(maya.page.locator("html"), "backgroundColor")
    assert (luminance(paper) < 0.1) == (scheme == "dark")
    raised = maya.style(maya.panel, "backgroundColor")
    for name in (".status", "h2", "h3", "dt", ".link", ".kind", "figcaption"):
        assert contrast(maya.style(maya.panel.locator(name), "color"), raised) >= 4.5, name
    band = maya.style(maya.page.locator(".band"), "fill")
    for name in (".mark.stands .value", ".mark.superseded .value", ".mark .instead", ".caption", ".hour"):
        assert contrast(maya.style(maya.page.locator(name), "fill"), band) >= 4.5, name


def test_the_page_speaks_chinese_and_english(explore: Opener) -> None:
    zhou = explore("周晓雯", locale="zh-CN")
    page = zhou.page
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    expect(page.locator("#question button")).to_have_text("提问")
    zhou.first()
    expect(zhou.panel.locator(".why")).to_contain_text("被替换为")
    expect(page.locator(".mark.chosen")).to_have_attribute("aria-label", re.compile("已被取代"))
    page.click("#language")
    expect(page.locator("#question button")).to_have_text("Ask")
    expect(zhou.panel.locator(".why")).to_contain_text("is replaced by")
    page.reload()
    expect(page.locator("#question button")).to_have_text("Ask")


def test_no_text_becomes_markup(explore: Opener) -> None:
    eve = explore(f"eve {HOSTILE}", tenant="rival")
    eve.first()
    expect(eve.panel.locator("blockquote").first).to_contain_text(HOSTILE)
    eve.ask(f"Where to? {HOSTILE}")
    expect(eve.panel.locator(".said blockquote").first).to_contain_text(HOSTILE)
    eve.page.click("#tab-forest")
    expect(eve.page.locator(".forest .turn")).to_have_count(2)
    expect(eve.page.locator(".forest")).to_contain_text("<img src=x")
    assert eve.page.evaluate("window.taken") is None
    assert eve.page.locator("script").count() == 1
    assert eve.page.locator("img").count() == 1
    assert eve.page.locator("main b:not(#legend b):not(.score b)").count() == 0


def test_a_page_shows_one_tenant_and_remembers_which(explore: Opener) -> None:
    explorer = explore("maya")
    page = explorer.page
    names = page.locator("#subjects option")
    expect(names).to_have_count(3)
    page.fill("#tenant", "rival")
    page.press("#tenant", "Tab")
    expect(names).to_have_count(1)
    subject = names.first.get_attribute("value") or ""
    assert subject.startswith("eve")
    page.fill("#subject", subject)
    page.click("#whose button")
    expect(page.locator("g.mark").first).to_have_attribute("aria-label", re.compile("Eve"))
    page.reload()
    expect(page.locator("#tenant")).to_have_value("rival")
    expect(page.locator("g.mark").first).to_have_attribute("aria-label", re.compile("Eve"))


def only_the_last_page(route: Route) -> None:
    """Answers as if nothing came before the page that is asked for."""
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "earlier": None})


def test_a_link_to_an_event_that_was_not_loaded_loads_what_lies_around_it(explore: Opener) -> None:
    nora = explore("nora")
    page = nora.page
    page.route(re.compile(r"/graph\?"), only_the_last_page)
    page.reload()
    expect(page.locator("g.mark").first).to_be_attached()
    before = nora.count("superseded")
    nora.first()
    unknown = nora.panel.locator(".links .link", has_text=re.compile("^ev-"))
    for _ in range(30):
        if unknown.count():
            break
        page.keyboard.press("ArrowRight")
    name = unknown.first.inner_text()
    unknown.first.click()
    expect(page.locator(f"#mark-{name}")).to_have_class(re.compile("chosen"))
    expect(nora.panel.locator(".said blockquote").first).to_be_visible()
    assert nora.count("superseded") > before


def test_without_a_subject_the_first_one_is_shown(explore: Opener) -> None:
    explorer = explore("")
    expect(explorer.page.locator("#subject")).to_have_value("maya")
    expect(explorer.page.locator("g.mark").first).to_be_attached()


def test_what_is_not_there_is_said(explore: Opener) -> None:
    explorer = explore("maya")
    explorer.page.fill("#subject", "nobody")
    explorer.page.click("#whose button")
    expect(explorer.page.locator("#notice")).to_have_text("This tenant has no such subject.")
    expect(explorer.page.locator("g.mark")).to_have_count(0)
    # A refused request is told on the console by the browser itself.
    assert all("404" in fault for fault in explorer.faults)
    explorer.faults.clear()
