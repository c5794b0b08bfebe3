"""What payouts know of vendors: whose id is taken, and that an account in quarantine is not paid to."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.models import Approval, Mandate
from service.errors import ServiceError
from service.payments import execution, payees
from service.payments.models import Batch, Kind
from tests.service.house import House, code
from tests.service.payments.conftest import draft, initiated, item
from tests.service.vendors.conftest import ACCOUNT, OTHER, account, decide, vendor


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.enqueue.send", lambda *_: None)


def send(house: House, *items: dict[str, Any]) -> Any:
    return house.post("/payments", {"name": "January", "org_wallet_ref": "1", "items": list(items)})


def hold_reason(house: House, number: str) -> str:
    return str(house.get(f"/payments?batch_no={number}").json()["docs"][0]["hold_reason"])


def test_only_the_business_own_vendors_are_named(house: House, houses: Callable[[], House]) -> None:
    mine, other = vendor(house)["_id"], vendor(houses())["_id"]
    assert send(house, item(vendor_id=mine)).status_code == 201
    refused = send(house, item(), item(vendor_id=other))
    assert code(refused) == (422, "validation_failed")
    assert refused.json()["errors"][0]["field"] == "items.1.vendor_id"


def test_an_account_in_quarantine_is_not_paid_to(house: House) -> None:
    created = vendor(house)
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction/add", account(OTHER)).json()
    refused = send(house, item(account=OTHER))
    assert refused.json()["errors"][0]["field"] == "items.0.account"
    decide(house, waiting, "confirm")
    assert send(house, item(account=OTHER)).status_code == 201


@pytest.mark.parametrize("how", ["change", "add", "for another vendor"])
def test_what_waits_never_blocks_a_payout_to_the_account_in_use(house: House, how: str) -> None:
    Mandate.objects.filter(business=house.business).update(active=False)
    created = vendor(house)
    number = initiated(house, item(100, "254712345678"))["batch_no"]
    if how == "for another vendor":
        created, new = vendor(house, account(OTHER)), account("254712345678")
    else:
        new = account(OTHER)
    verb = "" if how == "change" else "/add"
    assert house.post(f"/vendors/{created['_id']}/payment-instruction{verb}", new).status_code in (200, 201)
    assert execution.execute(Batch.objects.get(business=house.business, batch_no=number).id) == "COMPLETED"
    assert send(house, item(account="254712345678")).status_code == 201


def test_a_payout_to_an_account_that_waits_is_held_until_the_second_person_has_spoken(house: House) -> None:
    """Approved before anybody proposed it as a vendor's."""
    Mandate.objects.filter(business=house.business).update(active=False)
    created = vendor(house)
    number = initiated(house, item(100, OTHER))["batch_no"]
    batch = Batch.objects.get(business=house.business, batch_no=number)
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction", account(OTHER)).json()
    assert execution.execute(batch.id) == "ON_HOLD"
    assert hold_reason(house, number) == "payee_quarantined"
    decide(house, waiting, "confirm")
    Batch.objects.filter(pk=batch.pk).update(updated_at=timezone.now() - timedelta(minutes=1))
    assert batch.id in execution.due()
    assert execution.execute(batch.id) == "COMPLETED"


def test_an_account_that_was_rejected_is_not_paid_to_by_a_payout_either(house: House) -> None:
    Mandate.objects.filter(business=house.business).update(active=False)
    created = vendor(house)
    number = initiated(house, item(100, OTHER))["batch_no"]
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction", account(OTHER)).json()
    decide(house, waiting, "reject")
    assert "rejected" in send(house, item(account=OTHER)).json()["errors"][0]["message"]
    batch = Batch.objects.get(business=house.business, batch_no=number)
    assert execution.execute(batch.id) == "ON_HOLD"
    assert hold_reason(house, number) == "payee_rejected"
    assert house.send("PATCH", f"/payments/{number}/draft", by="Ada").json()["status"] == "DRAFT"


def test_an_account_that_was_replaced_is_paid_to_no_more_unless_it_is_in_use_for_somebody(house: House) -> None:
    """By a row that was typed, by a draft of the same payments again, and by what was approved before."""
    Mandate.objects.filter(business=house.business).update(active=False)
    created = vendor(house)
    paid = initiated(house, item(100))["batch_no"]
    assert execution.execute(Batch.objects.get(business=house.business, batch_no=paid).id) == "COMPLETED"
    number = initiated(house, item(100))["batch_no"]
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction", account(OTHER)).json()
    decide(house, waiting, "confirm")
    assert "replaced" in send(house, item()).json()["errors"][0]["message"]
    again = house.post("/payments", {"name": "Again", "org_wallet_ref": "1", "reuse": paid})
    assert again.json()["errors"][0]["field"] == "items.0.account"
    batch = Batch.objects.get(business=house.business, batch_no=number)
    assert execution.execute(batch.id) == "ON_HOLD"
    assert hold_reason(house, number) == "payee_changed"
    vendor(house, name="Whoever else has it")
    assert execution.execute(batch.id) == "COMPLETED"


def test_an_account_at_a_bank_waits_on_every_channel_and_at_its_own_bank_alone(house: House) -> None:
    created = vendor(house)
    new = {"channel": "BANK_EFT", "account": "0110234567", "bank_code": "68"}
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction/add", new).json()
    for channel in ("BANK_PESALINK", "BANK_RTGS"):
        refused = send(house, item(channel=channel, account="0110234567", bank_code="68")).json()
        assert [(row["field"], "waits for a second person" in row["message"]) for row in refused["errors"]] == [
            ("items.0.account", True)
        ], channel
    assert send(house, item(channel="BANK_PESALINK", account="0110234567", bank_code="01")).status_code == 201
    pochi = house.post(f"/vendors/{created['_id']}/payment-instruction/add", account(OTHER)).json()
    assert code(send(house, item(channel="MPESA_POCHI", account=OTHER))) == (422, "validation_failed")
    decide(house, waiting, "confirm", place=0)
    decide(house, pochi, "confirm")
    assert send(house, item(channel="BANK_PESALINK", account="0110234567", bank_code="68")).status_code == 201
    assert send(house, item(channel="MPESA_POCHI", account=OTHER)).status_code == 201


def test_the_account_of_a_merged_duplicate_is_not_paid_to_while_it_waits_at_the_vendor_that_stays(house: House) -> None:
    """Typed by hand, or in a draft from before the merge: the deleted record keeps its account for the record alone."""
    Mandate.objects.filter(business=house.business).update(active=False)
    keeper, duplicate = vendor(house), vendor(house, account(OTHER), name="Acacia Ltd")
    number = initiated(house, item(100, OTHER))["batch_no"]
    body = {"duplicate_id": duplicate["_id"], "reason": "The same company."}
    merged = house.post(f"/vendors/{keeper['_id']}/merge", body).json()
    refused = send(house, item(account=OTHER))
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "items.0.account"
    batch = Batch.objects.get(business=house.business, batch_no=number)
    assert execution.execute(batch.id) == "ON_HOLD"
    decide(house, merged, "confirm", by="Apollo")
    assert send(house, item(account=OTHER)).status_code == 201
    assert execution.execute(batch.id) == "COMPLETED"


def paybill(reference: str) -> dict[str, Any]:
    """A payee on a paybill that many share."""
    return {"channel": "MPESA_PAYBILL", "account": "400200", "account_reference": reference}


def test_a_paybill_that_many_share_is_known_by_its_reference_too(house: House) -> None:
    """What one is rejected or replaced on stops nobody else's money, and what is in use frees nobody else's."""
    Mandate.objects.filter(business=house.business).update(active=False)
    created = vendor(house, paybill("OLD"))
    number = initiated(house, item(100, **paybill("old")))["batch_no"]
    batch = Batch.objects.get(business=house.business, batch_no=number)
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction", paybill("NEW")).json()
    assert send(house, item(**paybill("OLD"))).status_code == 201
    assert "waits" in send(house, item(**paybill("new"))).json()["errors"][0]["message"]
    assert send(house, item(**paybill("Somebody else"))).status_code == 201
    decide(house, waiting, "confirm")
    assert send(house, item(**paybill("NEW"))).status_code == 201
    assert "replaced" in send(house, item(**paybill("O-L-D"))).json()["errors"][0]["message"]
    assert execution.execute(batch.id) == "ON_HOLD"
    assert hold_reason(house, number) == "payee_changed"
    other = house.post(f"/vendors/{vendor(house)['_id']}/payment-instruction/add", paybill("X")).json()
    decide(house, other, "reject")
    assert "rejected" in send(house, item(**paybill("X"))).json()["errors"][0]["message"]
    number = initiated(house, item(100, **paybill("Somebody else")))["batch_no"]
    paid = Batch.objects.get(business=house.business, batch_no=number)
    assert execution.execute(paid.id) == "COMPLETED"


def test_vendors_on_one_paybill_share_an_account_only_where_they_share_the_reference(house: House) -> None:
    first, second = vendor(house, paybill("A")), vendor(house, paybill("B"), name="Baobab Print")

    def shared(row: dict[str, Any]) -> list[str]:
        shapes = house.get(f"/vendors/{row['_id']}/activity").json()["shared"]
        return [shape["name"] for shape in shapes if shape["what"] == "ACCOUNT"]

    def suggested() -> list[list[str]]:
        return [pair["reasons"] for pair in house.get("/vendors/duplicates").json()["docs"]]

    assert (shared(first), suggested()) == ([], [])
    added = house.post(f"/vendors/{second['_id']}/payment-instruction/add", paybill("a"))
    assert added.status_code in (200, 201), added.json()
    again = house.post(f"/vendors/{second['_id']}/payment-instruction/add", paybill("A"))
    assert again.status_code == 409
    assert (shared(first), suggested()) == (["Baobab Print"], [["the same account"]])


def test_a_merge_brings_another_account_on_the_same_paybill(house: House) -> None:
    keeper, duplicate = vendor(house, paybill("A")), vendor(house, paybill("B"), name="Acacia Ltd")
    body = {"duplicate_id": duplicate["_id"], "reason": "The same company."}
    merged = house.post(f"/vendors/{keeper['_id']}/merge", body).json()
    references = {(row["account_reference"], row["status"]) for row in merged["payment_instructions"]}
    assert references == {("A", "ACTIVE"), ("B", "QUARANTINED")}


@pytest.mark.parametrize(
    ("verb", "refusal", "sentence"),
    [
        ("", "payee_quarantined", "waits for a second person's confirmation"),
        ("reject", "payee_rejected", "a second person rejected"),
        ("replace", "payee_changed", "was replaced"),
    ],
)
def test_a_draft_to_an_account_that_is_held_back_by_now_is_refused_before_anybody_votes(
    house: House, verb: str, refusal: str, sentence: str
) -> None:
    created = vendor(house)
    number = draft(house, item(100, "254733999888"), item(100, OTHER if verb != "replace" else ACCOUNT))["batch_no"]
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction", account(OTHER)).json()
    if verb:
        decide(house, waiting, "confirm" if verb == "replace" else verb)
    answer = house.send("PATCH", f"/payments/{number}/initiate", by="Ada")
    assert code(answer) == (409, refusal)
    assert sentence in answer.json()["detail"]
    assert "(row 2)" in answer.json()["detail"]
    assert "(row 1)" not in answer.json()["detail"]
    row = house.get(f"/payments?batch_no={number}").json()["docs"][0]
    assert (row["status"], row["approvals"]) == ("DRAFT", [])
    assert not Approval.objects.filter(business=house.business).exists()
    if not verb:
        decide(house, waiting, "confirm")
        assert house.send("PATCH", f"/payments/{number}/initiate", by="Ada").json()["status"] == "PENDING_APPROVAL"


@pytest.mark.parametrize(
    ("verb", "advice"),
    [
        ("", "make the transfer once that is confirmed"),
        ("reject", "second person rejected: pay to a confirmed account"),
        ("replace", "was replaced: pay to the account in use"),
    ],
)
def test_a_single_transfer_that_is_refused_was_not_made_and_one_that_came_back_is_a_draft(
    house: House, verb: str, advice: str
) -> None:
    """It is refused here where the account was proposed after its fields were checked: what initiates it looks again."""
    created = vendor(house)
    number = draft(house, item(100, OTHER if verb != "replace" else ACCOUNT))["batch_no"]
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction", account(OTHER)).json()
    if verb:
        decide(house, waiting, "confirm" if verb == "replace" else verb)
    batch = Batch.objects.get(business=house.business, batch_no=number)
    batch.kind = Kind.BANK_TRANSFER
    with pytest.raises(ServiceError) as refused:
        payees.refuse_held(batch)
    assert refused.value.detail.startswith("The transfer was not made.")
    assert advice in refused.value.detail
    assert "row 1" not in refused.value.detail
    assert "cancel it" not in refused.value.detail
    batch.round = 1
    with pytest.raises(ServiceError) as refused:
        payees.refuse_held(batch)
    assert refused.value.detail.startswith("Nobody was asked to approve it.")
