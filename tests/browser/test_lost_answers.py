"""The answer to a form is lost: the page says that it is not known, asks the server by the form's key, and shows what it hears."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.desk import Desk
from tests.browser.test_deciding import row_of, until_mirrored

Spend = Callable[[int], list[dict[str, Any]]]
# A toast that has just come is a plain form for a moment: pressed that early, the browser itself sends it.
READY_MS = 200
NOT_KNOWN, CERTAIN = "It is not known yet", "Nothing was changed: send it again"
# By the page's clock it is an hour earlier, as on a machine whose clock is wrong.
SKEWED = "const real = Date.now; Date.now = () => real() - 3600_000;"


def open_item(desk: Callable[..., Desk], spend: Spend, who: str = "zawadi", **how: Any) -> tuple[Page, dict[str, Any]]:
    """The desk with a new expense open on it."""
    expense = spend(1)[0]
    page = desk(who, **how).go("/{b}/approvals/?kind=expense&sort=newest")
    open_row(page, expense)
    return page, expense


def open_row(page: Page, expense: dict[str, Any]) -> None:
    """Opens the row of an expense: the newest may stand open already, and is asked for again by the click."""
    until_mirrored(page, expense)
    with page.expect_response(lambda answer: expense["_id"] in answer.url):
        row_of(page, expense).locator("a").click()
    page.wait_for_url(f"**/{expense['_id']}/**")
    page.locator(f'[data-item="expense/{expense["_id"]}"]').wait_for()


def act_and_lose(route: Route) -> None:
    """The server does it; its answer never comes."""
    route.fetch()
    route.abort("connectionreset")


def answering(status: int) -> Callable[[Route], None]:
    """A proxy that answers with nothing but a status."""
    return lambda route: route.fulfill(status=status, body="")


def until_broken(page: Page) -> None:
    """Waits for the browser's own error page."""
    for _ in range(100):
        if page.url.startswith("chrome-error://"):
            return
        page.wait_for_timeout(100)
    raise AssertionError(page.url)


def toasts(page: Page) -> Any:
    return page.locator("#toasts")


def test_one_that_was_done_is_found_shown_and_can_still_be_undone(
    desk: Callable[..., Desk], spend: Spend, upstream: Callable[[str], str]
) -> None:
    page, expense = open_item(desk, spend)
    page.route("**/approve/", act_and_lose)
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(toasts(page)).to_contain_text(NOT_KNOWN)
    expect(toasts(page)).to_contain_text("sends in")
    expect(toasts(page)).not_to_contain_text("Nothing was changed")
    expect(row_of(page, expense)).to_have_count(0)
    page.keyboard.press("z")
    expect(toasts(page)).to_contain_text("Undone")
    expect(row_of(page, expense)).to_have_count(1)
    assert upstream(expense["_id"]) == "PENDING"


@pytest.mark.parametrize("fault", ["empty 502", "hang", pytest.param("network", marks=pytest.mark.full)])
def test_one_that_never_arrived_takes_nothing_and_is_withdrawn_before_it_is_said(
    desk: Callable[..., Desk], spend: Spend, fault: str
) -> None:
    page, expense = open_item(desk, spend)
    held: list[Route] = []
    play: dict[str, Callable[[Route], None]] = {
        "empty 502": lambda route: route.fulfill(status=502, body=""),
        "network": lambda route: route.abort("connectionreset"),
        "hang": lambda route: held.append(route),
    }
    page.route("**/reject/", play[fault])
    page.evaluate("window.htmx.config.timeout = 800")
    page.keyboard.press("r")
    page.keyboard.type("Not for the business")
    button = page.get_by_role("button", name="Reject", exact=True)
    button.click()
    expect(toasts(page)).to_contain_text(NOT_KNOWN)
    expect(toasts(page)).to_contain_text(CERTAIN)
    expect(button).to_be_enabled()
    expect(page.locator(".htmx-request")).to_have_count(0)
    expect(page.locator("#reason-reject")).to_have_value("Not for the business")
    expect(row_of(page, expense)).to_have_count(1)
    # What was said is true: should it still come, it is refused; sent again, it is done.
    for route in held:
        route.continue_()
    page.unroute("**/reject/")
    page.wait_for_timeout(500)
    expect(row_of(page, expense)).to_have_count(1)
    button.click()
    expect(toasts(page)).to_contain_text("sends in")
    expect(row_of(page, expense)).to_have_count(0)


def test_while_nobody_can_be_asked_it_stays_not_known_and_is_asked_again(
    desk: Callable[..., Desk], spend: Spend
) -> None:
    page, _ = open_item(desk, spend)
    page.route("**/approve/", act_and_lose)
    page.route("**/submissions/**", lambda route: route.abort("internetdisconnected"))
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(toasts(page)).to_contain_text("cannot be reached to ask")
    page.wait_for_timeout(3000)
    expect(toasts(page)).not_to_contain_text("Nothing was changed")
    page.unroute("**/submissions/**")
    expect(toasts(page)).to_contain_text("You approved expense")


def test_a_page_that_goes_before_the_answer_comes_is_followed_by_one_that_asks(
    desk: Callable[..., Desk], spend: Spend
) -> None:
    page, _ = open_item(desk, spend)
    held: list[Route] = []
    page.route("**/approve/", lambda route: held.append(route))
    page.get_by_role("button", name="Approve", exact=True).click()
    page.wait_for_timeout(300)
    held[0].fetch()
    page.goto(page.url)
    expect(toasts(page)).to_contain_text("You approved expense")


def test_a_form_of_the_browser_itself_is_asked_for_by_the_page_that_one_opens_next(desk: Callable[..., Desk]) -> None:
    window = desk("ada")
    page = window.open("/{b}/customers/new/")
    name = page.locator("form[action$='/customers/new/'] [name=name]")
    name.fill("Kilifi Growers")
    page.route(
        "**/customers/new/", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    name.press("Enter")
    until_broken(page)
    page.unroute("**/customers/new/")
    # Wherever one goes on from the browser's own error page it is said, and what was typed waits for its form.
    window.go("/{b}/expenses/")
    expect(toasts(page)).to_contain_text(CERTAIN)
    window.go("/{b}/customers/new/")
    expect(name).to_have_value("Kilifi Growers")


def test_one_that_the_browser_sent_and_got_answered_is_not_asked_for(desk: Callable[..., Desk]) -> None:
    window = desk("ada")
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url) if "/submissions/" in request.url else None)
    page = window.open("/-/you/")
    page.get_by_label("Dark").check()
    page.wait_for_load_state("load")
    page.get_by_label("Light").check()
    page.wait_for_load_state("load")
    page.wait_for_timeout(1000)
    assert not asked
    assert not [one for one in window.context.cookies() if one["name"].startswith("answered-")]


def test_an_undo_that_comes_too_late_says_so(desk: Callable[..., Desk], spend: Spend) -> None:
    page, _ = open_item(desk, spend)
    held: list[Route] = []
    page.route("**/undo/", lambda route: held.append(route))
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(toasts(page)).to_contain_text("sends in")
    page.wait_for_timeout(READY_MS)
    page.keyboard.press("z")
    expect(toasts(page)).to_contain_text("undoing…")
    # Its seconds are over: the toast stays as long as its undo is on its way.
    page.wait_for_timeout(12_500)
    expect(toasts(page)).to_contain_text("undoing…")
    held[0].continue_()
    expect(toasts(page)).to_contain_text("Too late to undo")
    expect(toasts(page)).to_contain_text("Done")
    expect(toasts(page)).not_to_contain_text("Nothing was sent")


def test_an_undo_whose_answer_is_lost_is_found_out_too(desk: Callable[..., Desk], spend: Spend) -> None:
    page, expense = open_item(desk, spend)
    page.route("**/undo/", act_and_lose)
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(toasts(page)).to_contain_text("sends in")
    page.wait_for_timeout(READY_MS)
    page.keyboard.press("z")
    expect(toasts(page)).to_contain_text(NOT_KNOWN)
    expect(toasts(page)).to_contain_text("Undone")
    expect(row_of(page, expense)).to_have_count(1)


def test_the_seconds_are_the_servers_whatever_the_clock_of_the_page_shows(
    desk: Callable[..., Desk], spend: Spend
) -> None:
    expense = spend(1)[0]
    window = desk("zawadi")
    window.page.add_init_script(SKEWED)
    page = window.go("/{b}/approvals/?kind=expense&sort=newest")
    open_row(page, expense)
    page.get_by_role("button", name="Approve", exact=True).click()
    count = page.locator("#toasts [data-count]")
    expect(count).to_contain_text("sends in")
    first = int("".join(filter(str.isdigit, count.inner_text())))
    assert 0 < first <= 10
    page.wait_for_timeout(2000)
    later = int("".join(filter(str.isdigit, count.inner_text())))
    assert first - 4 <= later < first
    # Drawn again with the page, it goes on from where it stands on the server.
    page.reload()
    expect(count).to_contain_text("sends in")
    assert int("".join(filter(str.isdigit, count.inner_text()))) <= later


def test_the_address_and_the_pane_agree_whatever_becomes_of_a_step(desk: Callable[..., Desk], spend: Spend) -> None:
    spend(3)
    page = desk("zawadi").go("/{b}/approvals/?kind=expense&sort=newest")
    page.locator("[data-item]").wait_for()
    before, shown = page.url, page.locator("[data-item]").get_attribute("data-item") or ""
    # One route for all three: between taking a route away and setting the next a browser may let a request through.
    statuses = [502, 404, 500]
    page.route("**/approvals/expense/**", lambda route: answering(statuses[0])(route))
    while statuses:
        page.keyboard.press("j")
        expect(toasts(page)).to_contain_text(f"({statuses[0]})")
        assert page.url == before
        expect(page.locator("[data-item]")).to_have_attribute("data-item", shown)
        del statuses[0]
    page.unroute("**/approvals/expense/**")
    page.keyboard.press("j")
    expect(page.locator("[data-item]")).not_to_have_attribute("data-item", shown)
    now = page.locator("[data-item]").get_attribute("data-item") or ""
    page.wait_for_url(f"**/approvals/{now}/**")
    page.keyboard.press("k")
    expect(page.locator("[data-item]")).to_have_attribute("data-item", shown)
    page.wait_for_url(f"**/approvals/{shown}/**")
