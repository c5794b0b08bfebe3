"""An acceptance of the difference before the first statement is withdrawn: with a reason, by a second admin where one is asked for,
never another one than was shown."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.mirror.models import Wallet
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.reconciliation.test_desk import desk, wallet
from tests.dashboard.reconciliation.test_opening_difference import accept, proof, shown, statement
from tests.dashboard.treasury.test_exchange import proven

__all__ = ["statement"]
WHY = "The statement of January was missing."


@pytest.fixture
def accepted(world: World, statement: str) -> str:
    """A statement of a wallet whose difference is accepted; its id."""
    assert accept(world, statement).status_code == 302
    assert proof(world, statement)["proven"]
    return statement


def withdraw(world: World, statement: str, by: str = "Ada", of: Wallet | None = None, **form: str) -> Any:
    row = of or wallet(world)
    address = f"reconciliation/wallets/{row.remote_id}/statements/{statement}/withdraw-difference/"
    values = {"reason": WHY, "key": "withdraw-1", **shown(world), **form}
    return world.client(by).post(world.address(address), values)


def test_it_is_withdrawn_with_a_reason_and_can_be_accepted_again(world: World, accepted: str) -> None:
    assert "Withdraw the acceptance" in desk(world)
    assert withdraw(world, accepted, reason=" ").status_code == 422
    assert proof(world, accepted)["proven"]
    answer = withdraw(world, accepted)
    assert answer.status_code == 302, answer.content.decode()
    now = desk(world)
    assert "Not proven" in now
    assert "Withdraw the acceptance" not in now
    assert "Accept the difference before the first statement" in now
    line = AuditEntry.objects.filter(chain=world.business.pk, operation="withdraw_bank_difference").latest("pk")
    assert "withdrew the acceptance of the difference before the first statement" in line.sentence
    assert accept(world, accepted, key="accept-2").status_code == 302
    assert proof(world, accepted)["proven"]


def test_where_a_second_admin_is_asked_for_it_waits_for_one(world: World, accepted: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    assert withdraw(world, accepted).status_code == 302
    proposal = Proposal.objects.get(business=world.business)
    assert proposal.reason == WHY
    assert proof(world, accepted)["proven"]
    waiting = desk(world)
    assert "Withdrawing the acceptance" in waiting
    assert "waits for a second admin" in waiting
    address = world.address(f"wallet-policies/proposals/{proposal.pk}/")
    assert "is no longer accepted" in world.client("Abel").get(address).content.decode()
    assert proven(world, "Ada").post(f"{address}confirm/").status_code == 403
    assert proven(world, "Abel").post(f"{address}confirm/").status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
    assert proof(world, accepted)["accepted"] is None
    assert "Not proven" in desk(world)


def test_another_acceptance_than_was_shown_is_a_conflict_and_nothing_is_sent(world: World, accepted: str) -> None:
    answer = withdraw(world, accepted, accepted_minor=str(int(shown(world)["accepted_minor"]) + 1))
    assert answer.status_code == 409
    assert "is not the one you saw" in answer.content.decode()
    assert proof(world, accepted)["proven"]
    assert not OutboundOperation.objects.filter(business=world.business, operation="withdraw_bank_difference").exists()


@pytest.mark.parametrize("person", ["Selma", "Apollo", "Rita", "Carla"])
def test_who_withdraws_none(world: World, accepted: str, person: str) -> None:
    expected = 302 if person == "Selma" else 403
    assert withdraw(world, accepted, by=person).status_code == expected
    assert proof(world, accepted)["proven"] is (expected == 403)


def test_a_statement_of_another_wallet_is_404(world: World, accepted: str) -> None:
    other = Wallet.objects.filter(business=world.business).exclude(org_wallet_ref="1").first()
    assert other is not None
    assert withdraw(world, accepted, of=other).status_code == 404
    assert proof(world, accepted)["proven"]
