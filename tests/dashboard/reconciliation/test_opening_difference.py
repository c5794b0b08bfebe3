"""What bank and books differed by before the first statement: accepted with a reason, by a second admin where one is asked for,
named in the proof and in the audit."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.mirror.models import Wallet
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.reconciliation.test_desk import bring, camt, desk, wallet
from tests.dashboard.treasury.test_exchange import proven

WHY = "The account was opened before our books began."


@pytest.fixture
def statement(world: World) -> str:
    """A statement whose opening balance is not that of the books; its id."""
    assert bring(world, camt(world, [-12_34], opening=500_00)).status_code == 302
    found: str = world.upstream("/accounting/bank-statements")["docs"][0]["_id"]
    return found


def shown(world: World) -> dict[str, str]:
    """The difference that the desk shows, as its form carries it."""
    address = world.address(f"reconciliation/wallets/{wallet(world).remote_id}/")
    body = world.client("Ada").get(address).content.decode()
    return dict(re.findall(r'name="(carried_minor|accepted_minor)" value="(-?[0-9]+)"', body))


def accept(
    world: World, statement: str, reason: str = WHY, by: str = "Ada", of: Wallet | None = None, **form: str
) -> Any:
    """The form as the desk shows it now, or with what is given in `form` in its place."""
    row = of or wallet(world)
    address = f"reconciliation/wallets/{row.remote_id}/statements/{statement}/accept-difference/"
    values = {"reason": reason, "key": "accept-1", **shown(world), **form}
    return world.client(by).post(world.address(address), values)


def proof(world: World, statement: str) -> Any:
    return world.upstream(f"/accounting/bank-statements/{statement}/proof")


def test_it_is_accepted_with_a_reason_and_is_a_term_of_the_proof(world: World, statement: str) -> None:
    assert "Accept the difference before the first statement" in desk(world)
    blank = accept(world, statement, " ")
    assert blank.status_code == 422
    assert "id_reason_error" in blank.content.decode()
    assert proof(world, statement)["accepted"] is None
    assert accept(world, statement).status_code == 302
    proven = desk(world).replace("\xa0", " ")
    assert "accepted difference before the first statement" in proven
    assert "Proven" in proven
    assert "Not proven" not in proven
    assert WHY.rstrip(".") in proven
    assert "accepted by Ada" in proven
    assert "Accept the difference before the first statement" not in proven
    line = AuditEntry.objects.filter(chain=world.business.pk, operation="accept_bank_difference").latest("pk")
    assert "accepted the difference before the first statement" in line.sentence


def test_where_a_second_admin_is_asked_for_it_waits_for_one(world: World, statement: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    answer = accept(world, statement)
    assert answer.status_code == 302, answer.content.decode()
    proposal = Proposal.objects.get(business=world.business)
    assert proposal.reason == WHY
    assert proof(world, statement)["accepted"] is None
    waiting = desk(world)
    assert "waits for a second admin" in waiting
    assert "Not proven" in waiting
    address = world.address(f"wallet-policies/proposals/{proposal.pk}/")
    page = world.client("Abel").get(address).content.decode()
    assert re.search(r'href="[^"]*reconciliation/wallets/', page)
    assert proven(world, "Ada").post(f"{address}confirm/").status_code == 403
    confirmed = proven(world, "Abel").post(f"{address}confirm/")
    assert confirmed.status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
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
    answer = proven(world, "Abel").post(world.address(f"wallet-policies/proposals/{proposal.pk}/confirm/"))
    assert answer.status_code == 409
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE


@pytest.mark.parametrize("person", ["Selma", "Apollo", "Rita", "Carla"])
def test_who_accepts_none(world: World, statement: str, person: str) -> None:
    expected = 302 if person == "Selma" else 403
    assert accept(world, statement, by=person).status_code == expected
    assert (proof(world, statement)["accepted"] is None) is (expected == 403)


@pytest.mark.parametrize("second_admin", [False, True])
def test_another_difference_than_was_shown_is_a_conflict_and_nothing_is_sent(
    world: World, statement: str, second_admin: bool
) -> None:
    FourEyes.objects.create(business=world.business, is_on=second_admin)
    carried = int(shown(world)["carried_minor"])
    answer = accept(world, statement, carried_minor=str(carried - 1))
    assert answer.status_code == 409
    body = answer.content.decode()
    assert "The difference before the first statement is not the one you saw." in body
    assert "Nothing was changed." in body
    assert WHY in body
    assert f'name="carried_minor" value="{carried}"' in body
    assert proof(world, statement)["accepted"] is None
    assert not OutboundOperation.objects.filter(business=world.business, operation="accept_bank_difference").exists()
    assert not Proposal.objects.filter(business=world.business).exists()
    # Seen now, the same form accepts it.
    assert accept(world, statement).status_code == 302


def test_a_proposal_says_the_difference_that_its_proposer_saw(world: World, statement: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    carried = int(shown(world)["carried_minor"])
    assert accept(world, statement).status_code == 302
    proposal = Proposal.objects.get(business=world.business)
    assert proposal.seen == {"carried_minor": carried, "accepted_minor": 0}
    assert (proposal.body or {})["amount_minor"] == carried


def test_a_form_that_shows_no_difference_accepts_none(world: World, statement: str) -> None:
    for typed in ("", "abc", "٣"):
        assert accept(world, statement, carried_minor=typed).status_code == 409
    assert accept(world, statement, accepted_minor="").status_code == 409
    assert proof(world, statement)["accepted"] is None


def test_what_somebody_else_accepted_meanwhile_is_said_on_the_desk(world: World, statement: str) -> None:
    seen = shown(world)
    path = f"/accounting/bank-statements/{statement}/accept-difference"
    world.send("POST", path, {"amount_minor": int(seen["carried_minor"]), "reason": "Otherwise."})
    answer = accept(world, statement, **seen)
    assert answer.status_code == 409
    assert "is not the one you saw" in answer.content.decode()
    assert proof(world, statement)["accepted"]["reason"] == "Otherwise."


def test_a_statement_of_another_wallet_is_404(world: World, statement: str) -> None:
    other = Wallet.objects.filter(business=world.business).exclude(org_wallet_ref="1").first()
    assert other is not None
    assert accept(world, statement, of=other).status_code == 404
    assert proof(world, statement)["accepted"] is None
    assert not AuditEntry.objects.filter(chain=world.business.pk, operation="accept_bank_difference").exists()
