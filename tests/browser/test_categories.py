"""The chart of accounts by keyboard: a pasted table is seen before it is added, one of it archived, and deleted."""

from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.desk import Desk


def test_a_table_is_pasted_seen_and_added_and_a_category_deleted(desk: Callable[..., Desk]) -> None:
    name = f"Events {uuid4().hex[:8]}"
    page = desk("ada").open("/{b}/categories/")
    page.get_by_role("link", name="Paste many").press("Enter")
    page.get_by_label("Category, subcategory, code").fill(f"{name}\tVenue\n{name}\tvenue")
    page.get_by_role("button", name="Check table").press("Enter")
    expect(page.get_by_text("Row 2: venue is there twice: row 1 has it too.")).to_be_visible()
    page.get_by_label("Category, subcategory, code").fill(f"{name}\tVenue\n{name}\tCatering\tFOOD-{name[-4:].upper()}")
    page.get_by_role("button", name="Check table").press("Enter")
    expect(page.get_by_role("heading", name="What will be added")).to_be_focused()
    page.get_by_role("button", name="Add them").press("Enter")
    expect(page.get_by_text("Added: categories 1, subcategories 2.")).to_be_visible()

    page.get_by_role("link", name=name).press("Enter")
    page.get_by_role("link", name="Catering", exact=True).press("Enter")
    page.get_by_label("Status").select_option("ARCHIVED")
    page.get_by_role("button", name="Save changes").press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Catering").get_by_text("Archived")).to_be_visible()
    page.get_by_text("Delete category", exact=True).first.press("Enter")
    page.get_by_role("button", name="Delete category").press("Enter")
    expect(page.get_by_text(f"{name} was deleted.")).to_be_visible()
    expect(page.get_by_role("link", name=name)).to_have_count(0)
