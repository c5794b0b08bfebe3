"""An approval that a policy blocks: it is said before the click, a reviewer cannot, an approver overrides it with a reason."""

import time
from collections.abc import Callable
from typing import Any

import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.desk import HANG_S, Desk
from tests.sandbox import sandbox_headers

BLOCKED = "A receipt is required and none is attached."


def without_receipt(demo: dict[str, Any]) -> str:
    """The id of a new expense that requires a receipt and has none."""
    service = demo["service"]
    business = service["businesses"][0]["business_id"]
    answer = requests.post(
        f"{service['address']}/sandbox/businesses/{business}/expenses",
        json={
            "count": 1, "receipts": False, "seed": time.time_ns() % 10**6,
            "until": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        },
        headers=sandbox_headers(),
        timeout=HANG_S,
    )  # fmt: skip
    assert answer.ok, answer.text
    return str(answer.json()["expenses"][0]["_id"])


def test_a_blocked_approval_is_overridden_by_keyboard_with_a_reason(
    desk: Callable[..., Desk], demo: dict[str, Any], upstream: Callable[[str], str]
) -> None:
    expense = without_receipt(demo)
    window = desk("apollo")
    page = window.open_with(f"/{{b}}/approvals/expense/{expense}/", ".blocked")
    expect(page.locator(".blocked")).to_contain_text(BLOCKED)
    expect(page.get_by_role("button", name="Approve", exact=True)).to_have_count(0)
    assert not Axe().run(page, context="#pane").response["violations"]

    page.keyboard.press("a")
    reason = page.locator("#reason-override")
    expect(reason).to_be_focused()
    page.keyboard.press("Control+Enter")
    # An empty reason is held back by the page, and by the server where the page does not.
    expect(reason).to_be_visible()
    page.keyboard.type("Lost on the road; the driver has signed for it.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("You approved expense")
    ends = time.monotonic() + HANG_S
    while upstream(expense) != "APPROVED" and time.monotonic() < ends:
        time.sleep(1)
    assert upstream(expense) == "APPROVED"

    audit = desk("ada").open("/{b}/audit/?kind=override_policy")
    expect(audit.get_by_text("overrode policy to approve").first).to_be_visible()
    home = desk("ada").open("/{b}/")
    expect(home.get_by_text("policy override").first).to_be_visible()
