"""The approver's loop on a phone: list, item, decision and the next item, by tapping alone; and the phone's home screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.browser.desk import COPIED_S, Desk
from tests.browser.test_deciding import wait_until

HEIGHT = 844
THUMB_PX = 44
# Where a thumb reaches on a phone held in one hand: the lower half.
REACH_PX = HEIGHT / 2
NARROW, USUAL = 320, 390


@pytest.fixture
def phone(
    chromium: Browser, demo: dict[str, Any], desk: Callable[..., Desk], request: pytest.FixtureRequest
) -> Iterator[Desk]:
    """Apollo's phone, signed in: of the usual width, or of the one that a test gives."""
    state = desk("apollo").context.storage_state()
    width = getattr(request, "param", USUAL)
    context = chromium.new_context(
        viewport={"width": width, "height": HEIGHT}, has_touch=True, is_mobile=True, storage_state=state
    )
    person = next(row for row in demo["dashboard"]["people"] if row["email"].startswith("apollo"))
    found = Desk(context, demo, person)
    yield found
    context.close()
    assert not found.trouble


def fits(page: Page) -> bool:
    """Whether the page is as wide as the screen: a phone makes a wider one smaller instead of scrolling it."""
    size = page.viewport_size
    assert size is not None
    return bool(page.evaluate("document.documentElement.scrollWidth") <= size["width"])


def box_of(target: Locator) -> FloatRect:
    """Where it stands, in pixels of the screen."""
    box = target.bounding_box()
    assert box is not None
    return box


def in_reach(target: Locator) -> None:
    """A target for a thumb: high enough, and on the lower half of the screen without scrolling."""
    box, size = box_of(target), target.page.viewport_size
    assert size is not None
    assert box["height"] >= THUMB_PX
    assert box["y"] >= REACH_PX
    assert box["y"] + box["height"] <= HEIGHT
    assert 0 <= box["x"] <= box["x"] + box["width"] <= size["width"]


def apart(above: Locator, below: Locator) -> bool:
    """Whether the upper ends before the lower begins."""
    upper = box_of(above)
    return upper["y"] + upper["height"] <= box_of(below)["y"]


def waits_for_rows(page: Page, keys: list[str]) -> None:
    for key in keys:
        for _ in range(COPIED_S):
            if page.locator(f'tr[data-row="{key}"]').count():
                break
            page.wait_for_timeout(1000)
            page.reload()
        expect(page.locator(f'tr[data-row="{key}"]')).to_have_count(1)


@pytest.mark.parametrize("phone", [USUAL, NARROW], indirect=True)
def test_three_items_are_approved_by_tapping_alone(
    phone: Desk, spend: Callable[[int], list[dict[str, Any]]], upstream: Callable[[str], str]
) -> None:
    spent = [f"expense/{expense['_id']}" for expense in spend(3)]
    page = phone.open("/{b}/approvals/?kind=expense&sort=newest")
    waits_for_rows(page, spent)
    # Something is left when the three are done: a new house's copy fills itself in the background.
    page = phone.open_with(page.url.partition(phone.demo["address"])[2], "#rows tr:nth-child(5)")
    page.locator("#rows tr a").first.tap()
    approved = []
    for _ in range(3):
        item = page.locator("#pane [data-item]")
        expect(item).to_be_visible()
        key = item.get_attribute("data-item") or ""
        assert fits(page)
        for name in ("Approve", "Reject…", "Request details…"):
            in_reach(page.locator(".act .btn", has_text=name).first)
        page.locator(".act").get_by_role("button", name="Approve", exact=True).tap()
        expect(page.locator(f'#pane [data-item="{key}"]')).to_have_count(0)
        approved.append(key.partition("/")[2])
        # What can be undone is undone by the same thumb, and hides no button of the next item.
        undo = page.locator("#toasts").get_by_role("button", name="Undo").last
        in_reach(undo)
        # A toast that is still coming up is drawn lower than where it stands; after the last item there may be none.
        if page.locator(".act").count():
            wait_until(lambda: apart(page.locator("#toasts"), page.locator(".act")))
    assert len(set(approved)) == 3
    back = page.locator("#pane nav .back")
    assert box_of(back)["height"] >= THUMB_PX
    back.tap()
    expect(page.locator("#list")).to_be_visible()
    assert fits(page)
    for expense_id in approved:
        wait_until(lambda expense_id=expense_id: upstream(expense_id) == "APPROVED")  # type: ignore[misc]


@pytest.mark.parametrize("phone", [USUAL, NARROW], indirect=True)
def test_each_item_is_a_card_with_its_whole_amount_on_the_first_line(phone: Desk) -> None:
    page = phone.open_with("/{b}/approvals/", "#rows tr")
    assert fits(page)
    cards = page.locator("#rows tr").all()
    assert len(cards) > 1
    for card in cards[:12]:
        amount, title = card.locator(".num"), card.locator("a").first
        assert amount.inner_text().strip()
        # Nothing of it is cut off, neither by its cell nor by the card.
        assert amount.evaluate("cell => cell.scrollWidth <= cell.clientWidth")
        edge, figure = box_of(card), box_of(amount)
        assert edge["x"] <= figure["x"] <= figure["x"] + figure["width"] <= edge["x"] + edge["width"]
        assert figure["y"] < box_of(title)["y"] + box_of(title)["height"]
    first, second = cards[:2]
    assert apart(first, second)
    first.locator("input").tap()
    for name in ("approval", "rejection", "request for details"):
        in_reach(page.locator(".bulk .btn", has_text=f"Review {name}"))


def test_a_reason_is_typed_above_its_button_without_zooming(phone: Desk) -> None:
    page = phone.open_with("/{b}/approvals/?kind=expense", "#rows tr")
    page.locator("#rows tr a").first.tap()
    page.locator(".act summary", has_text="Reject").tap()
    reason = page.locator(".act details[open] textarea")
    expect(reason).to_be_visible()
    # iOS enlarges the page at a field of smaller letters, and the button leaves the screen.
    assert float(reason.evaluate("field => parseFloat(getComputedStyle(field).fontSize)")) >= 16
    send = page.locator(".act details[open]").get_by_role("button", name="Reject", exact=True)
    assert box_of(send)["height"] >= THUMB_PX
    assert apart(reason, send)
    assert fits(page)


def test_chromium_finds_the_manifest_and_nothing_wrong_with_it(phone: Desk) -> None:
    page = phone.open("/{b}/")
    read = phone.context.new_cdp_session(page).send("Page.getAppManifest")
    assert read["url"] == f"{phone.demo['address']}/-/manifest.webmanifest"
    assert not read["errors"]
    for icon in page.evaluate("fetch('/-/manifest.webmanifest').then(answer => answer.json())")["icons"]:
        natural = page.evaluate(
            "async src => { const picture = new Image(); picture.src = src; await picture.decode();"
            " return `${picture.naturalWidth}x${picture.naturalHeight}`; }",
            icon["src"],
        )
        assert natural == icon["sizes"]
