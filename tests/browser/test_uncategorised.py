"""What has no category, by keyboard alone: a likely one by its digit, one that is typed, and back to the last."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import requests
from playwright.sync_api import expect

from tests.browser.conftest import HANG_S, Desk

SWIPES = 5


def test_purchases_are_categorised_one_after_the_other_by_keyboard(
    desk: Callable[..., Desk], demo: dict[str, Any]
) -> None:
    name = f"Cafe {uuid4().hex[:8]}"
    service = demo["service"]
    business = service["businesses"][0]["business_id"]
    page = desk("ada").open_with("/{b}/cards/?kind=VIRTUAL&status=ACTIVE", ".plastic a")
    hrefs = [link.get_attribute("href") or "" for link in page.locator(".plastic a").all()]
    approved = 0
    for card_id in [href.rstrip("/").split("/")[-1] for href in hrefs] * 3:
        answer = requests.post(
            f"{service['address']}/sandbox/businesses/{business}/swipe",
            json={"card_id": card_id, "merchant": name, "amount": 100 + approved},
            timeout=HANG_S,
        )
        approved += answer.ok and bool(answer.json()["approved"])
        if approved == SWIPES:
            break
    assert approved == SWIPES
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
    expect(page.get_by_text(f"{name} is now filed under")).to_be_visible()
    expect(page.locator("#rows tr")).to_have_count(4)

    # J and K move; a digit chooses what is likely: the card has bought things that were categorised.
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

    # U leads back to the last one, whose category can be changed.
    page.keyboard.press("u")
    expect(page.locator(f'#pane [data-item="{second}"]')).to_have_count(1)
    expect(page.locator("#pane dd").last).not_to_have_text("None yet")
