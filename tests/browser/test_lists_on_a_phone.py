"""Lists on a phone: what each row comes to is in view without scrolling, and the filters fold until they are asked for."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk

LISTS = ("expenses", "transactions", "bills", "payouts", "subscriptions")
# The amounts of which less than all lies between the edges of the table that scrolls.
HIDDEN = """() => {
  const table = document.querySelector("main .table"), box = table.getBoundingClientRect();
  const cells = [...table.querySelectorAll("tbody td.num:last-child")].slice(0, 20);
  const out = (cell) => { const at = cell.getBoundingClientRect(); return at.left < box.left || at.right > box.right + 1 || at.right > innerWidth; };
  return {rows: cells.length, hidden: cells.filter(out).length};
}"""


@pytest.mark.parametrize("width", [390, 320])
def test_every_amount_is_in_view(desk: Callable[..., Desk], width: int) -> None:
    window = desk("ada", width=width)
    for name in LISTS:
        page = window.open_with(f"/{{b}}/{name}/", "main .table tbody td.num")
        found = page.evaluate(HIDDEN)
        assert found["rows"] > 0, name
        assert found["hidden"] == 0, name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def test_the_filters_unfold_by_keyboard_and_stay_while_they_hold(desk: Callable[..., Desk]) -> None:
    page = desk("ada", width=390).open("/{b}/expenses/")
    status, button = page.locator("select[name=status]"), page.get_by_role("button", name="Filters")
    expect(status).to_be_hidden()
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    status.select_option("APPROVED")
    expect(page).to_have_url(re.compile("status=APPROVED"))
    expect(page.locator("select[name=status]")).to_be_visible()
    expect(page.get_by_role("link", name="Clear filters")).to_be_visible()


def test_wide_or_without_scripts_they_are_there(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open("/{b}/expenses/")
    expect(page.locator("select[name=status]")).to_be_visible()
    expect(page.get_by_role("button", name="Filters")).to_be_hidden()
    page = desk("ada", js=False, width=390).open("/{b}/expenses/")
    expect(page.locator("select[name=status]")).to_be_visible()


def test_the_inboxs_filters_fold_too(desk: Callable[..., Desk]) -> None:
    page = desk("apollo", width=390).open("/{b}/approvals/")
    kind, button = page.locator("#pickers summary", has_text="Kind:"), page.get_by_role("button", name="Filters")
    expect(kind).to_be_hidden()
    button.press("Enter")
    kind.press("Enter")
    page.locator("#pickers .drop").get_by_role("link", name="Expenses", exact=True).click()
    expect(page).to_have_url(re.compile("kind=expense"))
    expect(page.locator("#pickers summary", has_text="Kind: expenses")).to_be_visible()
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_hidden()


def test_the_audit_folds_so_that_its_sentences_have_the_width_of_the_page(desk: Callable[..., Desk]) -> None:
    window = desk("carla", width=390)
    # A denial is a line of it.
    window.go("/{b}/approvals/")
    page = desk("ada", width=390).open_with("/{b}/audit/", "main tbody tr")
    when, who, what, outcome = (page.locator("main tbody tr").first.locator("td").nth(cell) for cell in range(4))
    boxes = [cell.bounding_box() for cell in (when, who, what, outcome)]
    tops = [box["y"] for box in boxes if box]
    assert abs(tops[0] - tops[3]) < 10, "the outcome stands beside the time"
    assert tops[0] < tops[1] < tops[2]
    assert boxes[2] is not None
    assert boxes[2]["width"] > 300
