"""What bank and books differed by before the first statement: accepted with a reason, by a second admin where one is asked for,
named in the proof and in the audit."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, State
from tests.dashboard.conftest import World
from tests.dashboard.reconciliation.test_desk import bring, camt, desk, wallet

WHY = "The account was opened before our books began."


@pytest.fixture
def statement(world: World) -> str:
    """A statement whose opening balance is not that of the books; its id."""
    assert bring(world, camt(world, [-12_34], opening=500_00)).status_code == 302
    found: str = world.upstream("/accounting/bank-statements")["docs"][0]["_id"]
    return found


def accept(world: World, statement: str, reason: str = WHY, by: str = "Ada") -> Any:
    address = f"reconciliation/wallets/{wallet(world).remote_id}/statements/{statement}/accept-difference/"
    return world.client(by).post(world.address(address), {"reason": reason, "key": "accept-1"})


def proof(world: World, statement: str) -> Any:
    return world.upstream(f"/accounting/bank-statements/{statement}/proof")


def test_it_is_accepted_with_a_reason_and_is_a_term_of_the_proof(world: World, statement: str) -> None:
    assert "Accept the difference before the first statement" in desk(world)
    blank = accept(world, statement, " ")
    assert blank.status_code == 422
    assert "id_reason_error" in blank.content.decode()
    assert proof(world, statement)["accepted"] is None
    assert accept(world, statement).status_code == 302
    shown = desk(world).replace("\xa0", " ")
    assert "accepted difference before the first statement" in shown
    assert "Proven" in shown
    assert "Not proven" not in shown
    assert WHY.rstrip(".") in shown
    assert "accepted by Ada" in shown
    assert "Accept the difference before the first statement" not in shown
    line = AuditEntry.objects.filter(chain=world.business.pk, operation="accept_bank_difference").latest("pk")
    assert "accepted the difference before the first statement" in line.sentence


def test_where_a_second_admin_is_asked_for_it_waits_for_one(world: World, statement: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    answer = accept(world, statement)
    assert answer.status_code == 302, answer.content.decode()
    proposal = Proposal.objects.get(business=world.business)
    assert proposal.reason == WHY
    assert proof(world, statement)["accepted"] is None
    shown = desk(world)
    assert "waits for a second admin" in shown
    assert "Not proven" in shown
    address = world.address(f"wallet-policies/proposals/{proposal.pk}/")
    page = world.client("Abel").get(address).content.decode()
    assert re.search(r'href="[^"]*reconciliation/wallets/', page)
    assert world.client("Ada").post(f"{address}confirm/").status_code == 403
    confirmed = world.client("Abel").post(f"{address}confirm/")
    assert confirmed.status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == State.APPLIED, proposal.outcome
    accepted = proof(world, statement)["accepted"]
    assert accepted["proposed_by"] == world.employee("Ada")["employee_id"]
    assert accepted["reason"] == WHY
    assert "proposed by Ada" in desk(world)


def test_a_proposal_of_another_difference_than_there_is_ends(world: World, statement: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    assert accept(world, statement).status_code == 302
    proposal = Proposal.objects.get(business=world.business)
    # Somebody has accepted it at the service meanwhile.
    carried = proof(world, statement)["carried_minor"]
    path = f"/accounting/bank-statements/{statement}/accept-difference"
    world.send("POST", path, {"amount_minor": carried, "reason": "Otherwise."})
    answer = world.client("Abel").post(world.address(f"wallet-policies/proposals/{proposal.pk}/confirm/"))
    assert answer.status_code == 409
    proposal.refresh_from_db()
    assert proposal.state == State.STALE


@pytest.mark.parametrize("person", ["Selma", "Apollo", "Rita", "Carla"])
def test_who_accepts_none(world: World, statement: str, person: str) -> None:
    expected = 302 if person == "Selma" else 403
    assert accept(world, statement, by=person).status_code == expected
    assert (proof(world, statement)["accepted"] is None) is (expected == 403)
