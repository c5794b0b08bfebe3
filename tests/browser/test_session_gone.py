"""The session ends elsewhere: every tab goes to sign in, nothing private stays, what was typed stands in its form again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.desk import Desk
from tests.browser.test_lost_answers import until_broken

SESSION = "countersign_session"
KEPT = "It is kept in this tab"
# A page that has what was typed, and not its form, shows it after so long (static/js/drafts.js).
GIVES_UP_S = 7


def full(*names: str) -> list[Any]:
    """Those that the full run alone looks at."""
    return [pytest.param(name, marks=pytest.mark.full) for name in names]


def sign_in_here(window: Desk, page: Page, **otherwise: str) -> None:
    """Signs in on the page that the person was led to."""
    person = {**(window.person or {}), **otherwise}
    page.fill("[name=login]", person["email"])
    page.fill("[name=password]", person["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "/-/account/" not in url)


def at_sign_in(page: Page) -> None:
    page.wait_for_url("**/-/account/login/**")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def typing_a_reason(desk: Callable[..., Desk], who: str = "juma") -> tuple[Desk, Page, str]:
    """The desk with an item open and a reason typed, not sent."""
    window = desk(who, fresh=True)
    page = window.go("/{b}/approvals/?kind=expense")
    page.locator("[data-item]").wait_for()
    page.keyboard.press("r")
    page.keyboard.type("The receipt is of another day")
    # Read only now: on a busy machine another item was open than a moment before.
    shown = page.locator("[data-item]").get_attribute("data-item") or ""
    return window, page, shown


def ended_elsewhere(desk: Callable[..., Desk], who: str) -> None:
    """The same person signs out everywhere else, from another browser."""
    other = desk(who, fresh=True)
    other.go("/-/account/sessions/").get_by_role("button", name="Sign Out Other Sessions").click()
    other.page.wait_for_load_state("load")


def test_what_was_typed_stands_in_its_form_again_and_nothing_private_stays(desk: Callable[..., Desk]) -> None:
    window, page, shown = typing_a_reason(desk)
    ended_elsewhere(desk, "juma")
    at_sign_in(page)
    expect(page.get_by_role("alert")).to_contain_text(KEPT)
    sign_in_here(window, page)
    page.wait_for_url(f"**/approvals/{shown}/**")
    expect(page.locator("#reason-reject")).to_have_value("The receipt is of another day")
    expect(page.locator("#toasts")).to_contain_text("is here again; it was not sent")
    # Once is enough: the next page knows nothing of it any more.
    page.reload()
    expect(page.locator("[data-item]")).to_be_visible()
    assert page.locator("#reason-reject").input_value() == ""


def test_what_was_typed_to_correct_an_item_stands_in_its_form_again(desk: Callable[..., Desk]) -> None:
    window = desk("juma", fresh=True)
    page = window.open_with("/{b}/approvals/?kind=expense", "#pane [data-correct=t]")
    page.locator("#pane [data-correct=t]").click()
    field = page.get_by_label("New tag")
    field.fill("Trip to Kisumu")
    ended_elsewhere(desk, "juma")
    at_sign_in(page)
    sign_in_here(window, page)
    expect(field).to_have_value("Trip to Kisumu")


@pytest.mark.parametrize("who_comes", ["a form", *full("polls")])
def test_private_rows_leave_the_screen_even_where_sign_in_cannot_be_reached(
    desk: Callable[..., Desk], who_comes: str
) -> None:
    window, page, _ = typing_a_reason(desk)
    text = page.locator("#rows a").first.inner_text()
    page.route("**/-/account/login/**", lambda route: route.abort())
    window.context.clear_cookies(name=SESSION)
    if who_comes == "a form":
        page.get_by_role("button", name="Reject", exact=True).click()
    until_broken(page)
    assert text not in page.content()


@pytest.mark.parametrize("path", ["/{b}/approvals/", *full("/-/you/", "/{b}/expenses/", "/{b}/")])
def test_a_second_tab_goes_to_sign_in_by_itself_and_comes_back(desk: Callable[..., Desk], path: str) -> None:
    window = desk("juma", fresh=True)
    page = window.open(path)
    second = window.context.new_page()
    second.goto(page.url)
    ended_elsewhere(desk, "juma")
    for tab in (page, second):
        at_sign_in(tab)
        expect(tab.get_by_role("alert")).to_contain_text("Your session has ended")
    sign_in_here(window, second)
    expect(second.locator(".shell, .entrance").first).to_be_visible()
    assert path.replace("{b}", window.business()).strip("/") in second.url


def test_signing_out_in_one_tab_takes_the_others_along(desk: Callable[..., Desk]) -> None:
    window = desk("juma", fresh=True)
    page = window.open("/{b}/expenses/")
    other = window.context.new_page()
    other.goto(window.demo["address"] + "/-/account/logout/")
    other.get_by_role("button", name="Sign out").click()
    at_sign_in(page)


def test_secrets_and_what_is_somebody_elses_are_never_kept(desk: Callable[..., Desk], demo: dict[str, Any]) -> None:
    window = desk("selma", fresh=True)
    page = window.open("/{b}/settings/connection/")
    page.fill("[name=client_id]", "a-client-that-was-typed")
    page.fill("[name=client_secret]", "a-secret-that-was-typed")
    window.context.clear_cookies(name=SESSION)
    page.evaluate("dispatchEvent(new Event('focus'))")
    at_sign_in(page)
    held = page.evaluate("JSON.stringify(sessionStorage)")
    assert "a-client-that-was-typed" in held
    assert "a-secret-that-was-typed" not in held
    # Somebody else signs in on this machine: nothing of it is theirs.
    people = demo["dashboard"]["people"]
    sam = next(one for one in people if one["email"].startswith("sam"))
    sign_in_here(window, page, **sam)
    page.goto(f"{demo['address']}/{sam['business']}/settings/connection/")
    expect(page.locator("[name=client_id]")).not_to_have_value("a-client-that-was-typed")
    assert "a-client-that-was-typed" not in page.evaluate("JSON.stringify(sessionStorage)")


def test_an_old_page_after_signing_in_again_is_drawn_anew_with_what_was_typed(desk: Callable[..., Desk]) -> None:
    window, page, shown = typing_a_reason(desk)
    # Signed out and in again in a moment between two looks: the page's token is of the former session.
    page.route("**/-/session/**", lambda route: route.abort())
    page.route("**/-/pulse/**", lambda route: route.abort())
    page.route("**/-/bell/**", lambda route: route.abort())
    page.evaluate("window.BroadcastChannel = undefined")
    window.context.clear_cookies(name="countersign_csrf")
    other = window.context.new_page()
    other.goto(window.demo["address"] + "/-/you/")
    page.get_by_role("button", name="Reject", exact=True).click()
    page.wait_for_url(f"**/approvals/{shown}/**")
    expect(page.locator("#reason-reject")).to_have_value("The receipt is of another day")
    page.get_by_role("button", name="Reject", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("sends in")
    page.keyboard.press("z")
    expect(page.locator("#toasts")).to_contain_text("Undone")


def test_what_was_typed_outlasts_a_page_that_is_long_in_coming(desk: Callable[..., Desk]) -> None:
    window, page, shown = typing_a_reason(desk)

    def slowly(route: Route) -> None:
        if route.request.is_navigation_request():
            # As long as the page that is left would have waited for the form to come back on it.
            time.sleep(GIVES_UP_S)
        route.continue_()

    page.route(f"**/approvals/{shown}/**", slowly)
    window.context.clear_cookies(name="countersign_csrf")
    page.get_by_role("button", name="Reject", exact=True).click()
    page.wait_for_url(f"**/approvals/{shown}/**")
    expect(page.locator("#reason-reject")).to_have_value("The receipt is of another day")
    expect(page.locator("#toasts")).to_contain_text("is here again; it was not sent")


def test_showing_again_that_it_is_me_signs_no_other_tab_out_and_sends_what_waits(desk: Callable[..., Desk]) -> None:
    window, page, _ = typing_a_reason(desk)
    page.get_by_role("button", name="Reject", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("sends in")
    before = next(one["value"] for one in window.context.cookies() if one["name"] == SESSION)
    other = window.context.new_page()
    other.goto(window.demo["address"] + "/-/account/reauthenticate/")
    other.fill("[name=password]", (window.person or {})["password"])
    other.get_by_role("button", name="Confirm").click()
    other.wait_for_url(lambda url: "reauthenticate" not in url)
    after = next(one["value"] for one in window.context.cookies() if one["name"] == SESSION)
    assert before != after
    expect(page.locator("#toasts")).to_contain_text("Done")
    page.wait_for_timeout(4000)
    assert "/approvals/" in page.url


@pytest.mark.parametrize("name", ["comment", *full("list", "palette", "home")])
def test_every_kind_of_control_that_is_answered_401_leads_to_sign_in(desk: Callable[..., Desk], name: str) -> None:
    window = desk("juma", fresh=True)
    page = window.open({"home": "/{b}/", "comment": "/{b}/approvals/?kind=expense"}.get(name, "/{b}/expenses/"))
    # Only this control sees it: what else asks, asks nothing.
    page.route("**/-/*/**", lambda route: route.abort() if "account" not in route.request.url else route.continue_())
    page.route("**/-/session/", lambda route: route.continue_())
    window.context.clear_cookies(name=SESSION)
    if name == "palette":
        page.keyboard.press("Control+k")
        page.keyboard.type("exp")
    elif name == "list":
        page.get_by_role("searchbox", name="Search", exact=True).fill("fuel")
    elif name == "home":
        page.evaluate(
            "htmx.ajax('GET', document.querySelector('#widget-queue').getAttribute('hx-get'), {source: '#widget-queue'})"
        )
    else:
        page.locator("[data-item]").wait_for()
        page.get_by_label("Comment", exact=True).fill("Where is the receipt?")
        page.get_by_role("button", name="Add comment", exact=True).click()
    at_sign_in(page)
    expect(page.get_by_role("alert")).to_contain_text("Your session has ended")
