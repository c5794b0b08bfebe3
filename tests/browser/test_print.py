"""On paper stand rows, facts and full references, with the number of each page; no button, no form, and dark letters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Page

from tests.browser.desk import Desk

CONTROLS = (
    "Review approval",
    "Reject",
    "Request details",
    "Add comment",
    "Save view",
    "Apply",
    "CSV",
    "Sign out",
    "Search",
)


def printed(page: Page) -> tuple[str, int]:
    """The text of the sheets, and how many they are."""
    page.emulate_media(media="print")
    document = pypdfium2.PdfDocument(page.pdf(format="A4", print_background=True, prefer_css_page_size=True))
    text = "\n".join(sheet.get_textpage().get_text_bounded() for sheet in document)
    return re.sub(r"\s+", " ", text), len(document)


def colour_of_ink(page: Page) -> tuple[int, ...]:
    """Red, green and blue of the page's text, as it is drawn."""
    found = page.evaluate("getComputedStyle(document.body).color")
    return tuple(int(part) for part in re.findall(r"\d+", found)[:3])


@pytest.mark.parametrize("path", ["approvals/", "transactions/", "expenses/"])
def test_a_list_is_printed_whole_without_what_one_presses(desk: Callable[..., Desk], path: str) -> None:
    page = desk("ada", theme="dark").open_with(f"/{{b}}/{path}", "tbody tr")
    rows = page.locator("tbody tr").count()
    amounts = [text.strip() for text in page.locator("tbody td.num").all_inner_texts() if text.strip()]
    text, sheets = printed(page)
    assert f"Page {sheets} of {sheets}" in text
    assert rows
    if path == "approvals/":
        on_paper = page.locator("#rows .on-paper")
        assert on_paper.count() == page.locator("#rows tr[data-row]").count()
        # A reference is long: it may be broken onto another line.
        joined = re.sub(r"\s", "", text)
        assert [ref for ref in on_paper.all_text_contents() if re.sub(r"\s", "", ref) not in joined] == []
        if page.locator(".pager").count():
            in_all = page.locator("#rows-in-all").text_content()
            assert in_all
            assert f"50 rows of {in_all}" in text
    missing = [amount for amount in amounts if re.sub(r"\s+", " ", amount).split(" ")[-1] not in text]
    assert missing == []
    assert [word for word in CONTROLS if re.search(rf"\b{word}\b(?! |\w)", text)] == []
    assert max(colour_of_ink(page)) < 100


def test_the_audit_is_printed_with_the_number_of_each_page_and_no_button(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open("/{b}/audit/")
    lines = page.locator("tbody tr").count()
    text, sheets = printed(page)
    assert f"Page {sheets} of {sheets}" in text
    assert "Verify audit log" not in text
    assert ("Time" in text) == bool(lines)


def test_an_item_is_printed_with_its_full_reference_after_its_list(
    desk: Callable[..., Desk], spend: Callable[[int], list[dict[str, Any]]]
) -> None:
    expense = spend(1)[0]
    page = desk("apollo").open_with(f"/{{b}}/approvals/expense/{expense['_id']}/", "[data-item]")
    reference = page.locator("#pane .head .faint").inner_text().split()[-1]
    text, sheets = printed(page)
    assert sheets > 1
    assert reference in text
    assert "Requested by" in text
    assert "Add comment" not in text
    assert "Change category" not in text


def test_a_statement_is_printed_whole_with_its_references(desk: Callable[..., Desk]) -> None:
    window = desk("ada", theme="dark")
    page = window.open_with("/{b}/treasury/", "main tbody a")
    page.locator("main tbody a").first.click()
    page.wait_for_load_state("networkidle")
    lines = page.locator("main tbody tr")
    assert lines.count() > 20
    references = [text.strip() for text in page.locator("main tbody td .faint.less").all_inner_texts() if text.strip()]
    # The sign is another one in a file than on the screen.
    balances = [text.strip().lstrip("−-") for text in page.locator("main tbody td.num:last-child").all_inner_texts()]
    text, sheets = printed(page)
    assert references
    letters = re.sub(r"[^\w.,]", "", text)
    assert [part for part in references + balances if re.sub(r"[^\w.,]", "", part) not in letters] == []
    assert f"Page {sheets} of {sheets}" in text
    assert [word for word in ("Apply", "Suspend", "Add comment", "Sign out") if word in text] == []
    assert max(colour_of_ink(page)) < 100
