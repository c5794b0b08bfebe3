"""A draft that pays to an account which is held back by now is refused when it is initiated, in a sentence, before anybody votes."""

from __future__ import annotations

from dashboard.errors import Conflict, FieldProblem, Rejected
from dashboard.mirror.models import Approval, ApprovalRequest, Vendor
from dashboard.web.payee_changes import is_held, is_payee_refusal, payee_change_links
from tests.dashboard.bills.upstream import vendor
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import GRACE, make, only, post, signed_in, table, upstream

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


def held_draft(world: World) -> tuple[str, str]:
    """A draft that pays to an account which was proposed since; its id, and that of the account."""
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    assert make(world, table(GRACE, TILL)).status_code == 302
    paid = vendor(world, "Acacia Supplies")
    account = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{paid['_id']}/payment-instruction/add", account)
    world.sync("vendors")
    [waiting] = [
        row for row in Vendor.objects.get(remote_id=paid["_id"]).instructions if row["status"] == "QUARANTINED"
    ]
    return only(world).remote_id, str(waiting["id"])


def test_the_refusal_leads_to_the_change_that_holds_it(world: World) -> None:
    payout_id, account_id = held_draft(world)
    shown = post(world, "Ada", f"{payout_id}/initiate").content.decode()
    where = world.address(f"vendors/payee-changes/#change-{account_id}")
    assert f'href="{where}"><bdi>Payee change: Acacia Supplies ···2345</bdi>' in shown
    assert "All payee changes" not in shown
    assert f'id="change-{account_id}"' in world.client("Ada").get(where).content.decode()
    # Before anything was refused, and for another reason, nothing is said of it.
    assert "Payee change:" not in world.client("Ada").get(world.address(f"payouts/{payout_id}/")).content.decode()


def test_whose_change_the_copy_does_not_know_leads_to_all_of_them(world: World) -> None:
    payout_id, _ = held_draft(world)
    Vendor.objects.filter(business=world.business).update(quarantined=False)
    shown = post(world, "Ada", f"{payout_id}/initiate").content.decode()
    assert f'href="{world.address("vendors/payee-changes/")}"><bdi>All payee changes</bdi>' in shown


def test_one_that_is_on_hold_leads_there_too_and_whoever_sees_no_vendors_is_led_nowhere(
    world: World,
) -> None:
    payout_id, _ = held_draft(world)
    payout = ApprovalRequest.objects.get(remote_id=payout_id)
    payout.status, payout.payload = "ON_HOLD", {**payout.payload, "hold_reason": "payee_quarantined"}
    assert is_held(payout)
    paid = [("MPESA_TILL", "512345")]
    assert len(payee_change_links(world.actor("Ada"), paid)) == 1
    assert [link.text for link in payee_change_links(world.actor("Ada"), [("MPESA_TILL", "512346")])] == [
        "All payee changes"
    ]
    assert payee_change_links(world.actor("Carla"), paid) == []


def test_a_single_payment_that_is_refused_for_it_leads_there_and_was_not_made(world: World) -> None:
    _, account_id = held_draft(world)
    client, address = signed_in(world, "Ada"), world.address("payouts/new/single/")
    form = {
        "receiver": "Acacia Supplies", "channel": "MPESA_TILL", "account": "512345", "amount": "70", "wallet": "1",
        "code_channel": "SMS", "key": "single-held",
    }  # fmt: skip
    review = client.post(address, form).content.decode()
    assert "Payee change:" not in review
    answer = client.post(address, form | {"reviewed": review.split('name="reviewed" value="')[1].split('"')[0]})
    shown = answer.content.decode()
    assert answer.status_code == 422, shown
    assert "waits for a second person&#x27;s confirmation" in shown
    assert led_to(world, account_id) in shown
    assert not world.upstream("/payments", kind="BANK_TRANSFER")["docs"]


def led_to(world: World, account_id: str) -> str:
    where = world.address(f"vendors/payee-changes/#change-{account_id}")
    return f'href="{where}"><bdi>Payee change: Acacia Supplies ···2345</bdi>'


def test_a_row_of_a_new_payout_that_is_refused_for_it_leads_there(world: World) -> None:
    _, account_id = held_draft(world)
    answer = make(world, table(TILL.replace("300", "310")))
    assert answer.status_code == 422
    assert led_to(world, account_id) in answer.content.decode()
    # For another reason none is named.
    wrong = make(world, table("Wambui\tM-Pesa till\t99\t\t\t300\t"))
    assert wrong.status_code == 422
    assert "Payee change:" not in wrong.content.decode()


def test_a_refusal_at_a_field_is_one_for_it_by_its_code() -> None:
    at_field = Rejected(
        code="validation_failed", fields=[FieldProblem("payment.account", "payee_quarantined", "Waits.")]
    )
    other = Rejected(code="validation_failed", fields=[FieldProblem("payment.account", "invalid", "5 to 7 digits.")])
    assert [is_payee_refusal(refusal) for refusal in (at_field, other, Conflict(code="payee_quarantined"), None)] == [
        True, False, True, False,
    ]  # fmt: skip
