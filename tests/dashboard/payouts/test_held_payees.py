"""A draft that pays to an account which is held back by now is refused when it is initiated, in a sentence, before anybody votes."""

from __future__ import annotations

from dashboard.mirror.models import Approval
from tests.dashboard.bills.upstream import vendor
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import GRACE, make, only, post, table, upstream

TILL = "Acacia Supplies\tM-Pesa till\t512345\t\t\t300\t"


def test_a_draft_to_an_account_that_awaits_confirmation_says_so_and_asks_nobody(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    assert make(world, table(GRACE, TILL)).status_code == 302
    payout, paid = only(world), vendor(world, "Acacia Supplies")
    account = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{paid['_id']}/payment-instruction/add", account)
    answer = post(world, "Ada", f"{payout.remote_id}/initiate")
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "Nobody was asked to approve it." in shown
    assert (
        "Acacia Supplies (row 2) goes to a vendor&#x27;s account that waits for a second person&#x27;s confirmation"
        in shown
    )
    assert upstream(world, payout)["status"] == "DRAFT"
    assert not Approval.objects.filter(business=world.business, ref=payout.ref).exists()
