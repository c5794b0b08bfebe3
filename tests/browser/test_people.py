"""People by keyboard: somebody is added, gets money for their cards, moves team, and is suspended when they leave."""

from collections.abc import Callable
from uuid import uuid4

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk


def continue_as_oneself(desk: Desk, page: Page, after: str) -> None:
    """Shows that it is oneself where that is asked, sends the form that waits meanwhile, and waits for what is said then."""
    said = page.get_by_text(after)
    expect(said.or_(page.locator("[name=password]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        desk.prove_it_is_me()
        page.get_by_role("button", name="Continue").click()
    expect(said.first).to_be_visible()


def test_somebody_new_is_added_given_money_moved_and_suspended(desk: Callable[..., Desk]) -> None:
    number = uuid4().int
    name, phone = f"Nadia {chr(65 + number % 26)}{number % 10**6}", f"07{number % 10**8:08d}"
    ada = desk("ada")
    page = ada.open("/{b}/people/")
    page.get_by_role("link", name="Add person").press("Enter")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Email").fill("nadia@example")
    page.get_by_label("Phone").fill(phone)
    page.get_by_label("Team").select_option(label="Fleet")
    page.get_by_role("button", name="Add person").press("Enter")
    expect(page.get_by_label("Email")).to_have_accessible_description(
        "Enter an email address, such as mary@example.com."
    )
    expect(page.get_by_label("Phone")).to_have_value(phone)
    page.get_by_label("Email").fill(f"nadia.{number % 10**9}@example.com")
    page.get_by_label("Email").press("Enter")
    continue_as_oneself(ada, page, f"{name} was added")
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_role("region", name="Funds").get_by_text("KES\xa00.00").first).to_be_visible()
    path = page.url.split("/", 3)[3]
    assert not Axe().run(page).response["violations"]

    apollo = desk("apollo", width=390)
    page = apollo.open(f"/{path}")
    page.get_by_text("Allocate funds", exact=True).click()
    page.get_by_label("Amount").first.fill("1,500.00")
    assert not Axe().run(page).response["violations"]
    page.get_by_role("button", name="Allocate").click()
    continue_as_oneself(apollo, page, "was allocated to")
    funds = page.get_by_role("region", name="Funds")
    expect(funds.get_by_text("KES\xa01,500.00").first).to_be_visible()
    page.get_by_role("link", name="Statement").click()
    expect(page.get_by_role("region", name="Entries of the statement").locator("tbody tr")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page = ada.open(f"/{path}")
    page.get_by_label("Team", exact=True).select_option(label="Technology")
    page.get_by_role("button", name="Move to team").press("Enter")
    expect(page.get_by_text(f"{name} is in Technology now.")).to_be_visible()
    page.get_by_text("Suspend", exact=True).press("Enter")
    page.get_by_role("button", name=f"Suspend {name}").press("Enter")
    expect(page.get_by_text("They cannot sign in, and their cards decline.")).to_be_visible()
    page.get_by_role("button", name="Activate").press("Enter")
    expect(page.get_by_text(f"{name} is active again.")).to_be_visible()


def test_a_team_is_read_and_its_reviewers_changed_without_javascript(desk: Callable[..., Desk]) -> None:
    name = f"Night shift {uuid4().hex[:8]}"
    page = desk("ada", js=False).open("/{b}/people/teams/new/")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Add team").click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_text("Nobody reviews this team")).to_be_visible()
    page.get_by_label("Reviewer", exact=True).select_option(label="Rita Wanjiru · Reviewer")
    page.get_by_role("button", name="Add reviewer").click()
    page.get_by_role("button", name="Remove Rita Wanjiru").click()
    expect(page.get_by_text("The reviewer was removed")).to_be_visible()
    page.get_by_text("Delete team", exact=True).first.click()
    page.get_by_role("button", name="Delete team").click()
    expect(page.get_by_text(f"{name} was deleted")).to_be_visible()
