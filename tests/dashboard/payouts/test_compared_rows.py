"""A row that may be a duplicate stands beside the payment that it is the same as, and is left out by a tick or paid knowingly."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import timezone

from dashboard.cash.earlier_payments import EarlierPayment
from dashboard.pages.payouts.presenters.compared_rows import LABELS, ComparedPair, pair_of
from dashboard.pages.payouts.services.lines import PaymentLine
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import GRACE, PESALINK, make, meant, only, post, table, upstream
from tests.dashboard.payouts.test_repeats import OTHER, drafts


def regions(answer: Any) -> list[str]:
    """The tables with a row beside another payment, as HTML."""
    html = answer.content.decode()
    return re.findall(r'<div class="compared pair">.*?</table>', html, re.DOTALL)


def cells(region: str) -> dict[str, tuple[str, str]]:
    """What stands in both columns, by the label of the line."""
    lines = re.findall(
        r'<th scope="row">([^<]*).*?</th>\s*<td><bdi>(.*?)</bdi></td>\s*<td><bdi>(.*?)</bdi></td>', region, re.DOTALL
    )
    return {label: (own.replace("\xa0", " "), other.replace("\xa0", " ")) for label, own, other in lines}


def test_a_row_stands_beside_the_payment_of_the_earlier_payout(world: World) -> None:
    assert make(world, table(PESALINK, GRACE)).status_code == 302
    first = only(world)
    answer = make(world, table(GRACE.replace("Grace Achieng", "G. Achieng")), name="Again")
    assert answer.status_code == 409
    [region] = regions(answer)
    assert f"Wages, {first.ref}, row 2" in region
    assert f'href="{world.address(f"payouts/{first.remote_id}/")}" target="_blank"' in region
    shown = cells(region)
    assert tuple(shown) == LABELS
    assert shown["Receiver"] == ("G. Achieng", "Grace Achieng")
    assert shown["Channel"] == ("M-Pesa send money", "M-Pesa send money")
    assert shown["Account"] == ("···5678", "···5678")
    assert shown["Amount"] == ("KES 1,500.50", "KES 1,500.50")
    assert shown["Status"] == ("–", "Draft")
    assert region.count('class="differs"') == 1
    assert "254712345678" not in region


def test_a_row_stands_beside_the_row_of_the_same_table(world: World) -> None:
    [region] = regions(make(world, table(GRACE, PESALINK, GRACE)))
    assert ">Row 4</th>" in region
    assert ">Row 2</th>" in region
    assert cells(region)["Amount"] == ("KES 1,500.50", "KES 1,500.50")


def test_a_row_that_repeats_two_is_counted_once_and_rows_stand_in_their_order(world: World) -> None:
    assert make(world, table(PESALINK, GRACE)).status_code == 302
    answer = make(world, table(GRACE, OTHER, GRACE), name="Again")
    html = answer.content.decode()
    assert "2 payments may be duplicates" in html
    assert re.findall(r'name="drop_row" value="(\d+)"', html) == ["2", "4", "4"]
    assert "Status" not in cells(
        next(region for region in regions(answer) if ">Row 2</th>" in region and ">Row 4</th>" in region)
    )


def test_one_duplicate_is_left_out_by_its_tick_and_the_other_is_paid_knowingly(world: World) -> None:
    assert make(world, table(GRACE, PESALINK)).status_code == 302
    rows = table(GRACE, PESALINK, OTHER)
    answer = make(world, rows, name="Mixed")
    html = answer.content.decode()
    assert re.findall(r'name="drop_row" value="(\d+)"', html) == ["2", "3"]
    mark = re.search(r'name="drop_of" value="([0-9a-f]{64})"', html)
    assert mark is not None
    # Together with a tick of all that is shown: what was acknowledged is another thing by then.
    left = make(world, rows, name="Mixed", drop_row="2", drop_of=mark[1], meant=meant(answer))
    assert left.status_code == 409
    assert len(regions(left)) == 1
    assert "The duplicates that you chose are left out." in left.content.decode()
    assert drafts(world) == 1
    done = make(world, rows, name="Mixed", drop_repeated="2", drop_of=mark[1], meant=meant(left))
    assert done.status_code == 302
    assert drafts(world) == 2


@pytest.mark.parametrize("chosen", ["x", "2-", "99999999", "2;3"])
def test_what_names_no_row_leaves_none_out(world: World, chosen: str) -> None:
    assert make(world, table(GRACE, PESALINK)).status_code == 302
    rows = table(GRACE, PESALINK, OTHER)
    mark = re.search(r'name="drop_of" value="([0-9a-f]{64})"', make(world, rows).content.decode())
    assert mark is not None
    again = make(world, rows, drop_row=chosen, drop_of=mark[1])
    assert again.status_code == 409
    assert len(regions(again)) == 2


def test_both_stand_side_by_side_where_a_draft_is_initiated_too(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    assert make(world, table(GRACE)).status_code == 302
    first = only(world)
    assert (
        make(world, table(GRACE), name="Second", meant=meant(make(world, table(GRACE), name="Second"))).status_code
        == 302
    )
    answer = post(world, "Ada", f"{first.remote_id}/initiate")
    assert answer.status_code == 409
    [region] = regions(answer)
    assert "Second, " in region
    assert "drop_row" not in answer.content.decode()
    assert upstream(world, first)["status"] == "DRAFT"


def pair(world: World, **given: Any) -> ComparedPair:
    line = PaymentLine(7, {}, amount_minor=10_000)
    line.body = {"receiver_name": "Amani", "channel": "MPESA_TILL", "account": "771234"}
    values: dict[str, Any] = {
        "place": 0, "title": "October", "ref": "PB-1", "href": "/p/", "at": timezone.now(), "status": "PROCESSING",
        "row": 3, "receiver": "Amani", "channel": "MPESA_TILL", "account_ends": "1234", "amount_minor": 10_000,
    }  # fmt: skip
    more = given.pop("more", 0)
    return pair_of(world.actor("Ada"), "KES", line, EarlierPayment(**values | given), more)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({}, "Being paid"),
        ({"item_status": "QUEUED"}, "Being paid"),
        ({"item_status": "SUCCEEDED"}, "Paid"),
        ({"status": "CANCELLED", "item_status": "QUEUED", "is_in_bank_file": True}, "Cancelled, in a bank file"),
        ({"status": "SOMETHING_NEW"}, "Something new"),
    ],
)
def test_a_payment_has_its_own_status_once_it_was_begun_with(world: World, given: dict[str, Any], status: str) -> None:
    assert {field.label: field.other for field in pair(world, **given).fields}["Status"] == status


def test_how_many_others_are_the_same_is_said_and_a_payment_of_a_bill_has_no_row(world: World) -> None:
    assert pair(world).more == ""
    assert pair(world, more=1).more == "At least 1 other payment is the same: the newest is shown."
    assert pair(world, more=2).more == "At least 2 other payments are the same: the newest is shown."
    assert (pair(world).other, pair(world, row=0).other) == ("October, PB-1, row 3", "October, PB-1")
