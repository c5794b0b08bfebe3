"""The editor of a workflow in a real browser: its words follow what is typed, steps come by a button, also without
JavaScript; and a change is replayed, left, and found again."""

from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.desk import Desk


def test_the_words_follow_what_is_typed_and_name_a_dead_end(desk: Callable[..., Desk]) -> None:
    name = f"Bills {uuid4().hex[:6]}"
    ada = desk("ada", width=390)
    page = ada.open("/{b}/policies/workflows/bills/new/")
    words = page.locator("#sentences")
    expect(words).to_contain_text("once its fields can be read")
    page.get_by_label("Name", exact=True).fill(name)
    expect(words).to_contain_text("Step 1: Any approver approves")
    page.get_by_label("Approvals required").fill("20")
    expect(words).to_contain_text("step 1 needs 20 approvals")
    page.get_by_label("Approvals required").fill("1")
    expect(words).not_to_contain_text("needs 20")
    page.get_by_role("button", name="Add step").click()
    expect(page.get_by_role("group", name="Step 2")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Changes", exact=True)).to_be_visible()
    expect(page.get_by_text("Step 2: Any approver approves")).to_be_visible()
    page.get_by_role("button", name="Edit again").click()
    expect(page.get_by_role("group", name="Step 2")).to_be_visible()


def test_a_change_is_replayed_and_found_again(desk: Callable[..., Desk]) -> None:
    name = f"Fuel {uuid4().hex[:6]}"
    ada = desk("ada")
    page = ada.open("/{b}/policies/new/CHANNEL/")
    page.get_by_label("Channel").select_option("RECURRING")
    page.get_by_label("Limit", exact=False).first.fill("5000")
    page.get_by_label("Flag").check()
    page.get_by_label("Name", exact=False).last.fill(name)
    page.get_by_role("button", name="Review change").click()
    expect(page.get_by_text("Spending by card subscription above")).to_be_visible()
    page.get_by_role("button", name="Run replay").click()
    expect(page.get_by_role("heading", name=f"Replay of {name}")).to_be_visible()
    page = ada.open("/{b}/policies/replays/")
    page.get_by_role("link", name=name).click()
    expect(page.get_by_text("would have been decided differently")).to_be_visible()
    page.get_by_role("button", name="Review this change").click()
    expect(page.get_by_text("would have been decided differently")).to_be_visible()
