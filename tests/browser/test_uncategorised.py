"""What has no category, by keyboard alone: a likely one by its digit, one that is typed, and back to the last."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.office import Office, swipe

SWIPES = 5
# As many choices as dashboard/categorisation/suggestions.py asks for.
LEAST_CHOICES = 3


def file_before(office: Office, merchant: str) -> None:
    """So many as a suggestion needs were filed under one category at this merchant, and approved."""
    [category, *_] = office.ask("", "GET", "/categories?limit=1")["docs"]
    [subcategory, *_] = office.ask("", "GET", f"/categories/{category['_id']}/subcategories?limit=1")["docs"]
    for number in range(LEAST_CHOICES):
        expense = swipe(office, merchant, 50 + number, number)
        body = {"subcategory_id": subcategory["_id"]}
        office.ask("Ada", "POST", f"/expenses/changeSubCategory/{expense['_id']}", body)
        office.ask("Apollo", "POST", f"/expenses/approve/{expense['_id']}", {})


def test_purchases_are_categorised_one_after_the_other_by_keyboard(
    desk: Callable[..., Desk], demo: dict[str, Any]
) -> None:
    office, name = Office(demo), f"Cafe {uuid4().hex[:8]}"
    file_before(office, name)
    for number in range(SWIPES):
        swipe(office, name, 100 + number, number)
    # A new house's copy fills itself: there is something to choose from first.
    desk("ada").open_with("/{b}/category-rules/new/", "select[name=category] option:nth-child(3)")
    queue = f"/{{b}}/uncategorised/?q={name.replace(' ', '+')}"
    page = desk("ada").open_with(queue, "#rows tr:nth-child(5)")

    # The first one stands open; its category is typed.
    expect(page.locator("#pane [data-item]")).to_have_count(1)
    first = page.locator("#pane [data-item]").get_attribute("data-item")
    page.keyboard.press("c")
    expect(page.get_by_label("Another category")).to_be_focused()
    category = page.locator("#category-names option").first.get_attribute("value")
    assert category
    page.keyboard.type(category)
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{name} is now categorised under")).to_be_visible()
    expect(page.locator("#rows tr")).to_have_count(4)

    # J and K move; a digit chooses what is likely: what was bought there before is filed under one category.
    second = page.locator("#pane [data-item]").get_attribute("data-item")
    assert second != first
    page.keyboard.press("j")
    expect(page.locator(f'#pane [data-item="{second}"]')).to_have_count(0)
    page.keyboard.press("k")
    expect(page.locator(f'#pane [data-item="{second}"]')).to_have_count(1)
    page.keyboard.press("1")
    expect(page.locator('#pane [data-digit="1"]')).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator("#rows tr")).to_have_count(3)
    # The next one has come, and with it the way back.
    expect(page.locator(f'#pane [data-item="{second}"]')).to_have_count(0)

    # U leads back to the last one, whose category can be changed.
    page.keyboard.press("u")
    expect(page.locator(f'#pane [data-item="{second}"]')).to_have_count(1)
    expect(page.locator("#pane dd").last).not_to_have_text("None yet")
