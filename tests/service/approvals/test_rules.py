"""The named rules of voting: who made it does not check it, the last vote counts once, and whose right it is."""

import threading
from typing import Any

from django.db import connection, transaction

from service.approvals import services
from service.approvals.models import Approval, Vote
from service.payments.models import Batch
from tests.service.approvals.conftest import request_approval, vote
from tests.service.bills.conftest import payment_in_approval as bill_in_approval
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once

LARGE = 150_000


def test_maker_never_checks(house: House) -> None:
    """Neither who made it nor who initiated it votes on it, whatever the mandate says."""
    row = request_approval(house, LARGE, by="Apollo")
    assert house.person("Apollo").id in row.maker_ids
    assert house.person("Apollo").id in [seat["employee_id"] for seat in row.mandate_snapshot["approvers"]]
    for verb in ("approve", "reject"):
        assert code(vote(house, row, "Apollo", verb)) == (403, "self_approval_forbidden")
    assert not Vote.objects.filter(approval=row).exists()
    assert vote(house, row, "Zawadi").json()["status"] == "PENDING"
    assert vote(house, row, "Juma").json()["status"] == "APPROVED"


def test_maker_never_checks_a_bill_either(house: House) -> None:
    paid = bill_in_approval(house, by="Apollo")
    row = Approval.objects.get(business=house.business, kind="BILL_PAYMENT", ref=paid["payment_ref"])
    assert code(vote(house, row, "Apollo")) == (403, "self_approval_forbidden")
    body = {"approval_id": row.id, "reason": "Mine"}
    answer = house.send("DELETE", "/approvals/bills/reject", body, by="Apollo")
    assert code(answer) == (403, "self_approval_forbidden")


def test_the_last_vote_counted_under_a_lock(committed_house: House) -> None:
    """While one vote is being counted the other waits on the request's row, and then finds it decided."""
    row = request_approval(committed_house, LARGE)
    vote(committed_house, row, "Apollo")
    inside, go = threading.Event(), threading.Event()
    answers: list[Any] = []

    def holding() -> None:
        with transaction.atomic():
            services.vote(committed_house.caller("Juma"), row.id, Vote.Decision.APPROVE)
            inside.set()
            go.wait(10)
        connection.close()

    def late() -> None:
        answers.append(vote(committed_house, row, "Zawadi"))
        connection.close()

    first, second = threading.Thread(target=holding), threading.Thread(target=late)
    first.start()
    assert inside.wait(10)
    second.start()
    second.join(0.5)
    assert second.is_alive(), "it waits"
    go.set()
    first.join(10)
    second.join(10)
    assert code(answers[0]) == (409, "invalid_state")
    row.refresh_from_db()
    assert (row.status, row.approvals_given, row.votes.count()) == ("APPROVED", 2, 2)


def test_many_votes_at_once_decide_once(committed_house: House) -> None:
    row = request_approval(committed_house, LARGE)
    answers = at_once(3, lambda n: vote(committed_house, row, ("Apollo", "Juma", "Zawadi")[n]))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 409]
    row.refresh_from_db()
    assert (row.status, row.approvals_given) == ("APPROVED", 2)
    assert Batch.objects.get(id=row.subject_id).status == "APPROVED"


def test_with_an_acting_employee_the_right_is_that_employees(house: House) -> None:
    """The client's own caller role is not consulted, its scopes and its entitlement still are."""
    row = request_approval(house)
    house.client.caller_role = "APPROVER"
    house.client.save()
    house._token = ""
    assert code(vote(house, row, "Ada")) == (403, "insufficient_role"), "an admin, by an approver's client"
    house.client.caller_role = "CARD_USER"
    house.client.save()
    house._token = ""
    answer = vote(house, row, "Apollo")
    assert (answer.status_code, answer.json()["votes"][0]["employee_id"]) == (200, house.person("Apollo").id)


def test_with_an_acting_employee_the_scopes_still_bind(house: House, houses: Any) -> None:
    reader = houses(scopes=("approvals:read", "acting_employee"))
    assert code(vote(reader, request_approval(house), "Apollo")) == (403, "insufficient_scope")
    assert code(vote(houses(entitled=False), request_approval(house), "Apollo")) == (403, "entitlement_required")
    loner = houses(scopes=("approvals:read", "approvals:decide"))
    assert code(vote(loner, request_approval(house), "Apollo")) == (403, "insufficient_scope"), "may act for nobody"


def test_a_bill_payment_is_rejected_at_its_own_address(house: House) -> None:
    paid = bill_in_approval(house)
    row = Approval.objects.get(business=house.business, kind="BILL_PAYMENT", ref=paid["payment_ref"])
    path = "/approvals/bills/reject"
    assert code(house.send("DELETE", path, {"approval_id": row.id}, by="Apollo")) == (422, "validation_failed")
    answer = house.send("DELETE", path, {"approval_id": row.id, "reason": "Paid twice"}, by="Apollo")
    assert (answer.status_code, answer.json()["status"], answer.json()["kind"]) == (200, "REJECTED", "BILL_PAYMENT")
    shown = house.get(f"/bills/payments/{paid['payment_ref']}/status").json()
    assert shown["status"] == "REJECTED"
    assert house.get("/approvals/all?kind=BILL_PAYMENT&status=REJECTED").json()["total"] == 1
    again = house.send("DELETE", path, {"approval_id": row.id, "reason": "Paid twice"}, by="Juma")
    assert code(again) == (409, "invalid_state")
