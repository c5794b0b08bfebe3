"""Signing in with and without a second factor, and signing out for good."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.desk import Desk


def test_signing_in_leads_to_work(desk: Callable[..., Desk]) -> None:
    rita = desk("rita", fresh=True)
    expect(rita.page.get_by_role("heading", level=1)).to_have_text("Home")
    expect(rita.page.get_by_role("link", name="Approvals", exact=True)).to_be_visible()
    expect(rita.page.get_by_role("link", name="Settings")).to_have_count(0)


def test_a_wrong_password_is_told_and_nothing_more(desk: Callable[..., Desk]) -> None:
    window = desk()
    page = window.go("/-/account/login/")
    page.fill("[name=login]", "nobody@nowhere.example")
    page.fill("[name=password]", "wrong")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("not correct")


def test_a_business_that_asks_for_a_code_gets_one(desk: Callable[..., Desk]) -> None:
    olga = desk("olga", fresh=True)
    olga.go("/{b}/approvals/")
    expect(olga.page.get_by_role("heading", level=1)).to_have_text("Approvals")


def test_after_signing_out_back_shows_nothing(desk: Callable[..., Desk]) -> None:
    carla = desk("carla", fresh=True)
    page = carla.go("/{b}/expenses/")
    merchant = page.locator("tbody a").first.inner_text()
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.go_back()
    page.go_back()
    page.wait_for_load_state()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert merchant not in page.content()


def test_the_same_without_javascript(desk: Callable[..., Desk]) -> None:
    rex = desk("rex", js=False, fresh=True)
    expect(rex.page.get_by_role("heading", level=1)).to_have_text("Home")
