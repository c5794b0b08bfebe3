"""What may be paid twice is said before a draft is made: a table that is in a draft already, and that not all was compared."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Origin
from tests.dashboard.bills.upstream import bill, vendor
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import (
    BRIAN,
    GRACE,
    PESALINK,
    make,
    make_anyway,
    meant,
    only,
    page,
    post,
    signed_in,
    table,
    upstream,
)


def drafts(world: World) -> int:
    return ApprovalRequest.objects.filter(business=world.business, kind="payout").count()


def test_the_same_table_in_another_order_is_known_again_though_it_is_a_draft(world: World) -> None:
    assert make(world, table(GRACE, PESALINK)).status_code == 302
    first = only(world)
    answer = make(world, table(BRIAN, GRACE), name="Wages again")
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert first.ref in shown
    assert f"payouts/{first.remote_id}/" in shown
    assert drafts(world) == 1
    assert make(world, table(BRIAN, GRACE), name="Wages again", meant=meant(answer)).status_code == 302
    assert drafts(world) == 2


def test_a_payment_that_stands_in_a_draft_is_a_repeat_and_what_is_meant_is_meant_of_what_stood_there(
    world: World,
) -> None:
    assert make(world, table(GRACE, PESALINK)).status_code == 302
    first = only(world)
    answer = make(world, table(GRACE), name="One of them")
    assert answer.status_code == 409
    assert f"the same as in Wages ({first.ref}" in answer.content.decode()
    assert ", a draft)" in answer.content.decode()
    mark = meant(answer)
    # Meanwhile another draft has the same payment, and of that nobody has said anything.
    assert make_anyway(world, table(GRACE), name="Typed elsewhere").status_code == 302
    changed = make(world, table(GRACE), name="One of them", meant=mark)
    assert changed.status_code == 409
    assert make(world, table(GRACE), name="One of them", meant="1").status_code == 409
    assert make(world, table(GRACE), name="One of them", meant=meant(changed)).status_code == 302
    assert drafts(world) == 3


def test_a_paybill_that_many_share_is_repeated_only_with_its_reference(world: World) -> None:
    first, second = (f"Water\tMPESA_PAYBILL\t400200\t\t{reference}\t300\t" for reference in ("METER-1", "METER-2"))
    assert make(world, table(first, second)).status_code == 302
    other = first.replace("METER-1", "METER-3")
    assert make(world, table(other), name="Another meter").status_code == 302
    answer = make(world, table(other.replace("METER-3", "meter 1")), name="Again")
    assert answer.status_code == 409
    assert "the same as in Wages" in answer.content.decode()


def test_a_draft_is_compared_again_when_it_is_initiated(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    assert make(world, table(GRACE)).status_code == 302
    first = only(world)
    assert make_anyway(world, table(GRACE), name="By another hand").status_code == 302
    other = ApprovalRequest.objects.get(business=world.business, kind="payout", title="By another hand")
    answer = post(world, "Ada", f"{first.remote_id}/initiate")
    assert answer.status_code == 409
    assert f"the same as in By another hand ({other.ref}" in answer.content.decode()
    assert upstream(world, first)["status"] == "DRAFT"
    assert post(world, "Ada", f"{first.remote_id}/initiate", meant="1").status_code == 409
    assert post(world, "Ada", f"{first.remote_id}/initiate", meant=meant(answer)).status_code == 302
    # The other has the same payment as one that is on its way now: that is another thing than it stood there before.
    late = post(world, "Ada", f"{other.remote_id}/initiate")
    assert late.status_code == 409
    assert ", a draft)" not in late.content.decode()


def test_the_same_account_by_another_channel_and_a_payment_of_a_bill_are_repeats(world: World) -> None:
    assert make(world, table(PESALINK)).status_code == 302
    by_eft = make(world, table(BRIAN.replace("PESALINK", "EFT")), name="By EFT")
    assert by_eft.status_code == 409
    assert "the same as in Wages" in by_eft.content.decode()

    paid = vendor(world, "Acacia Supplies", account="771234")
    made = bill(world, paid, amount=1000)
    payment = ask(world, "Ada", "POST", f"/bills/{made['_id']}/payments", {"org_wallet_ref": "1"})
    upsert("bill_payment", world.business, [payment], Origin.POLL)
    row = f"Acacia\t{payment['channel']}\t771234\t{payment['bank_code']}\t\t{payment['net_amount']}\t"
    answer = make(world, table(row), name="Acacia again")
    assert answer.status_code == 409
    assert f"the same as in Bill {made['bill_no']} ({payment['payment_ref']}" in answer.content.decode()


def test_what_is_initiated_is_not_compared_where_the_service_does_not_answer_and_that_is_said(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert make(world, table(GRACE)).status_code == 302
    payout = only(world)
    monkeypatch.setattr("dashboard.pages.payouts.views.payouts.read_payments", lambda *_: None)
    answer = post(world, "Ada", f"{payout.remote_id}/initiate")
    assert answer.status_code == 503
    assert "Nothing was sent" in answer.content.decode()
    assert upstream(world, payout)["status"] == "DRAFT"


def test_what_was_cancelled_stands_in_nobodys_way_and_a_form_that_is_sent_twice_makes_one_draft(world: World) -> None:
    assert make(world, table(GRACE), key="one-form").status_code == 302
    first = only(world)
    assert make(world, table(GRACE), key="one-form")["Location"] == world.address(f"payouts/{first.remote_id}/")
    assert drafts(world) == 1
    post(world, "Ada", f"{first.remote_id}/cancel", reason="Wrong month")
    assert make(world, table(GRACE)).status_code == 302


OTHER = "Fatma Rashid\tMPESA_TILL\t5550001\t\t\t300\t"


def left_out(answer: Any) -> dict[str, str]:
    """What the button that leaves the duplicates out sends, with the mark of the table that it is of."""
    html = answer.content.decode()
    numbers = re.search(r'<button class="btn" name="drop_repeated" value="([0-9,-]+)"', html)
    mark = re.search(r'name="drop_of" value="([0-9a-f]{64})"', html)
    assert numbers is not None
    assert mark is not None
    return {"drop_repeated": numbers[1], "drop_of": mark[1]}


def test_duplicates_are_left_out_of_the_table_that_was_compared_and_of_no_other(world: World) -> None:
    """Beside the choice stands the table, which can be changed: row 2 may be somebody else by then."""
    answer = make(world, table(GRACE, PESALINK, GRACE))
    assert answer.status_code == 409
    chosen = left_out(answer)
    for changed in (table(GRACE, GRACE, PESALINK), table(OTHER, GRACE, PESALINK, GRACE)):
        again = make(world, changed, **chosen)
        assert again.status_code == 409
        assert "The duplicates that you chose are left out." not in again.content.decode()
    # Without a duplicate in it nothing of the changed table is left out.
    assert make(world, table(GRACE, PESALINK, OTHER), name="Changed", **chosen).status_code == 302
    assert upstream(world, only(world))["item_count"] == 3


def test_duplicates_are_left_out_of_the_same_table(world: World) -> None:
    chosen = left_out(make(world, table(GRACE, PESALINK, GRACE)))
    assert make(world, table(GRACE, PESALINK, GRACE), **chosen).status_code == 302
    assert upstream(world, only(world))["item_count"] == 2


def unread(*_: Any, **__: Any) -> tuple[list[Any], bool]:
    return [], False


def test_that_not_every_payout_was_compared_is_said_though_nothing_was_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.pages.payouts.presenters.repeats.earlier_payments", unread)
    client = signed_in(world, "Ada")
    body = {"name": "Wages", "wallet": "1", "rows": table(GRACE), "key": "partly"}
    answer = client.post(world.address("payouts/new/"), body, follow=True)
    assert "Not every payout of the last 30 days could be compared" in answer.content.decode()
    assert "Not every payout" not in page(world, "Ada", f"{only(world).remote_id}/")
