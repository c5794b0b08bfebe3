"""What may be paid twice is said before a draft is made: a table that is in a draft already, and that not all was compared."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import BRIAN, GRACE, PESALINK, make, only, page, post, signed_in, table


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
    assert make(world, table(GRACE), name="One of them").status_code == 302
    assert make(world, table(BRIAN, GRACE), name="Wages again", meant="1").status_code == 302
    assert drafts(world) == 3


def test_what_was_cancelled_stands_in_nobodys_way_and_a_form_that_is_sent_twice_makes_one_draft(world: World) -> None:
    assert make(world, table(GRACE), key="one-form").status_code == 302
    first = only(world)
    assert make(world, table(GRACE), key="one-form")["Location"] == world.address(f"payouts/{first.remote_id}/")
    assert drafts(world) == 1
    post(world, "Ada", f"{first.remote_id}/cancel", reason="Wrong month")
    assert make(world, table(GRACE)).status_code == 302


def unread(*_: Any) -> tuple[list[Any], bool]:
    return [], False


def test_that_not_every_payout_was_compared_is_said_though_nothing_was_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.pages.payouts.views.entry.earlier_payments", unread)
    client = signed_in(world, "Ada")
    body = {"name": "Wages", "wallet": "1", "rows": table(GRACE), "key": "partly"}
    answer = client.post(world.address("payouts/new/"), body, follow=True)
    assert "Not every payout of the last 30 days could be compared" in answer.content.decode()
    assert "Not every payout" not in page(world, "Ada", f"{only(world).remote_id}/")
