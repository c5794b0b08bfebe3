"""Category and tags of an expense are put right in the pane, and the decision goes on from there."""

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.desk import Desk


def test_the_category_is_changed_beside_the_list_and_the_item_says_so(
    desk: Callable[..., Desk], spend: Callable[[int], list[dict[str, Any]]]
) -> None:
    expense = spend(1)[0]["_id"]
    page = desk("apollo").open_with(f"/{{b}}/approvals/expense/{expense}/?sort=newest", "[data-item]")
    page.get_by_role("link", name="Change category").click()
    choice = page.get_by_label("Category", exact=True)
    expect(choice).to_be_visible()
    assert not Axe().run(page, context="#pane").response["violations"]
    page.get_by_role("link", name="Cancel").click()
    expect(choice).to_have_count(0)

    page.get_by_role("link", name="Change category").click()
    before = choice.evaluate("field => field.selectedOptions[0].text")
    other = next(text for text in choice.locator("option").all_inner_texts() if text != before)
    choice.select_option(label=other)
    page.get_by_role("button", name="Change category").click()
    expect(page.get_by_text("Category changed.")).to_be_visible()
    expect(page.locator("#pane .facts")).to_contain_text(other.split(" · ")[-1])
    expect(page.get_by_role("button", name="Approve", exact=True)).to_be_visible()
    # The list beside it stayed where it was.
    expect(page.locator(f'[id="row-expense/{expense}"]')).to_be_visible()


def test_category_and_tags_are_changed_by_keyboard_alone(
    desk: Callable[..., Desk], spend: Callable[[int], list[dict[str, Any]]]
) -> None:
    expense = spend(1)[0]["_id"]
    page = desk("apollo").open_with(f"/{{b}}/approvals/expense/{expense}/?sort=newest", "[data-item]")
    page.keyboard.press("c")
    choice = page.get_by_label("Category", exact=True)
    expect(choice).to_be_focused()
    # A letter is the field's now: nothing is decided by it.
    page.keyboard.press("Escape")
    expect(choice).to_have_count(0)

    page.keyboard.press("t")
    pane = page.locator("#pane")
    expect(pane.locator("[data-correction]")).to_be_visible()
    first = pane.locator("[data-correction] input:not([type=hidden])").first
    expect(first).to_be_focused()
    page.keyboard.press("a")
    expect(page.locator("#toasts [data-toast]")).to_have_count(0)
    expect(pane.get_by_text("The team stays")).to_be_visible()
    assert not Axe().run(page, context="#pane").response["violations"]
    word = f"Trip {expense[-6:]}"
    page.get_by_label("New tag").fill(word)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tags changed.")).to_be_visible()
    expect(pane.locator(".facts").first).to_contain_text(word)
    expect(pane.locator(f'[data-item="expense/{expense}"]')).to_be_visible()
    # And the letters decide again.
    page.keyboard.press("a")
    expect(page.locator("#toasts")).to_contain_text("approved")
