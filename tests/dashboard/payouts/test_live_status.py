"""The live status of a payout on its way: each poll asks the service once, without the payments, and answers little: how far
it is, and which of the payments on the page stand otherwise than they are shown."""

from __future__ import annotations

import re

from dashboard.mirror.mappers import moment
from dashboard.mirror.models import ApprovalRequest
from dashboard.pages.payouts.selectors.progress import WatchedRows, positions_in, ranges_text
from dashboard.schemas.payments import ProgressRow
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import GRACE, make, only, post, table, upstream

MOST_BYTES = 5_000


def initiated(world: World, payments: int) -> ApprovalRequest:
    """A payout of so many payments that was initiated, as the copy has it."""
    rows = [GRACE.replace("0712 345 678", f"0712 {number:06}") for number in range(payments)]
    assert make(world, table(*rows)).status_code == 302
    assert post(world, "Ada", f"{only(world).remote_id}/initiate").status_code == 302
    return only(world)


def test_a_poll_is_one_question_and_its_answer_is_small_however_many_payments_there_are(proxied_world: World) -> None:
    world = proxied_world
    row = initiated(world, 300)
    assert world.proxy is not None
    browser = world.client("Ada")
    address = world.address(f"payouts/{row.remote_id}/progress/")
    browser.get(address, headers={"HX-Request": "true"})
    before = len(world.proxy.sent("GET", "/payments"))
    # The page shows its first hundred otherwise than they are, as it does once a lot has happened.
    shown = {"positions": "0-99", "states": "F" * 100}
    answer = browser.get(address, shown, headers={"HX-Request": "true"})
    asked = world.proxy.sent("GET", "/payments")[before:]
    assert len(asked) == 1
    assert "batch_no" not in asked[0].path
    assert answer.status_code == 200
    assert len(answer.content) <= MOST_BYTES
    body = answer.content.decode()
    assert "300" in body
    changed = re.findall(r'<span id="payment-(\d+)" hx-swap-oob="true">\s*<span class="state">Waiting</span>', body)
    assert [int(position) for position in changed] == list(range(20))


def test_what_the_page_shows_already_and_what_it_does_not_show_is_not_told(world: World) -> None:
    row = initiated(world, 3)
    browser, address = world.client("Ada"), world.address(f"payouts/{row.remote_id}/progress/")
    for shown in ({"positions": "0-2", "states": "QQQ"}, {}, {"positions": "7-9", "states": "PPP"}, {"positions": "x"}):
        answer = browser.get(address, shown, headers={"HX-Request": "true"})
        assert answer.status_code == 200, shown
        assert "hx-swap-oob" not in answer.content.decode(), shown
    told = browser.get(address, {"positions": "0-2", "states": "QPQ"}, headers={"HX-Request": "true"})
    assert re.findall(r'id="payment-(\d+)"', told.content.decode()) == ["1"]
    # Its own page has these rows, each to be replaced by itself.
    page = browser.get(world.address(f"payouts/{row.remote_id}/")).content.decode()
    assert re.findall(r'id="payment-(\d+)"', page) == ["0", "1", "2"]


def test_what_a_poll_writes_through_is_what_the_list_says_of_the_payout(world: World) -> None:
    row = initiated(world, 30)
    before = row.payload.keys()
    browser, address = world.client("Ada"), world.address(f"payouts/{row.remote_id}/progress/")
    # More than one answer tells: it says so, and that is nothing of the payout's.
    browser.get(address, {"positions": "0-29", "states": "F" * 30}, headers={"HX-Request": "true"})
    row.refresh_from_db()
    assert row.payload.keys() == before
    listed = upstream(world, row)
    for name in ("updated_at", "updatedAt"):
        assert moment(row.payload[name]) == moment(listed[name]), name


def test_a_service_that_does_not_answer_changes_nothing_on_the_page(proxied_world: World) -> None:
    world = proxied_world
    row = initiated(world, 3)
    assert world.proxy is not None
    world.proxy.fail("reset", path="/progress")
    address = world.address(f"payouts/{row.remote_id}/progress/")
    shown = {"positions": "0-2", "states": "PPP"}
    answer = world.client("Ada").get(address, shown, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "hx-swap-oob" not in answer.content.decode()


def test_what_a_page_shows_is_told_short_and_goes_on_with_what_it_was_told() -> None:
    assert ranges_text([0, 1, 2, 7, 9, 10]) == "0-2,7,9-10"
    assert positions_in("0-2,7,9-10") == [0, 1, 2, 7, 9, 10]
    assert (ranges_text([]), positions_in("")) == ("", [])
    for wrong in ("0-9999", "0-60,60-120", "a", "1,,2", ",".join(["0-9999"] * 100)):
        assert positions_in(wrong) == [], wrong
    shown = WatchedRows("0-2,7", "QQQS")
    changed = [ProgressRow(position=1, status="SUCCEEDED"), ProgressRow(position=7, status="PAUSED")]
    assert shown.after(changed) == WatchedRows("0-2,7", "QPQ-")
    assert shown.after([]) == shown
    assert WatchedRows("0-1", "").after([]) == WatchedRows("0-1", "--")
