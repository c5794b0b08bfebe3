"""Whoever is linked to an employee may do what that employee may: so a link that moves money takes two, as a role does."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry
from dashboard.errors import NotAllowed
from dashboard.mirror.models import Employee, FundAccount, WalletPermission, WalletPolicy
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.invitations import invite_member
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.pages.conftest import House
from tests.dashboard.proposals.test_members import decide, invite, last

ED = "employee-ed"


@pytest.fixture
def guarded(house: House) -> House:
    FourEyes.objects.create(business=house.business, is_on=True)
    employee(house)
    return house


def employee(house: House, role: str = "CARD_USER") -> Employee:
    """Ed, an employee who is no member."""
    values: dict[str, Any] = {"name": "Ed", "email": "ed@firm.test", "role": role, "status": "ACTIVE"}
    return Employee.objects.create(**house._mirrored(), remote_id=ED, **values)


def gives_policy(house: House, permission: str, **values: Any) -> None:
    WalletPermission.objects.create(
        **house._mirrored(), remote_id="WALLET_VIEW", title="See", moves_money=False, place=1
    )
    given = {"status": "ACTIVE"} | values
    WalletPolicy.objects.create(
        **house._mirrored(), remote_id="policy", wallet_id="w", employee_id=ED, permissions=[permission], **given
    )


def makes_operator(house: House) -> None:
    seats = [{"employee_id": ED, "counts": False}]
    FundAccount.objects.create(**house._mirrored(), remote_id="fund", operators=seats)


def puppet(house: House) -> Membership | None:
    return Membership.objects.filter(business=house.business, user__email="puppet@people.test").first()


def becomes(house: House, **values: Any) -> None:
    Employee.objects.filter(business=house.business, remote_id=ED).update(**values)


RIGHTS = {
    "role": lambda house: becomes(house, role="APPROVER"),
    "wallet policy": lambda house: gives_policy(house, "WALLET_FX"),
    "policy that is suspended": lambda house: gives_policy(house, "WALLET_PAY_VENDOR", status="SUSPENDED"),
    "fund operator": makes_operator,
    "nothing known": lambda house: becomes(house, tombstoned_at=timezone.now()),
}


@pytest.mark.parametrize("kind", RIGHTS)
def test_an_invitation_that_links_to_who_moves_money_waits_whatever_its_role(guarded: House, kind: str) -> None:
    RIGHTS[kind](guarded)
    by = guarded.actor("Sam")
    proposal = invite_member(
        by, email="puppet@people.test", name="Puppet", role=Role.CARD_USER, employee_id=ED, key="k"
    )
    assert proposal is not None
    assert (puppet(guarded), mail.outbox) == (None, [])
    text = " ".join(proposal.sentences)
    assert "At the finance service they act as Ed" in text
    assert "puppet@people.test is not the email address that the finance service has of this employee." in text
    assert proposal.consequences[:-1], "what they may is a sentence that the second admin reads"
    assert decide(guarded, proposal, "Sam").status_code == 403
    assert decide(guarded, proposal, "Selma").status_code == 302
    apply_proposal(proposal.pk)
    member = puppet(guarded)
    assert member is not None
    assert (member.role, member.employee_id, len(mail.outbox)) == ("CARD_USER", ED, 1)


def test_linked_to_somebody_who_moves_nothing_they_are_invited_at_once(guarded: House) -> None:
    gives_policy(guarded, "WALLET_VIEW")
    assert invite(guarded, "CARD_USER", employee_id=ED)["Location"] == guarded.address("settings/members/")
    member = puppet(guarded)
    assert member is not None
    assert member.employee_id == ED


def test_the_form_proposes_it_and_says_so(guarded: House) -> None:
    RIGHTS["role"](guarded)
    answer = invite(guarded, "CARD_USER", employee_id=ED)
    assert answer["Location"] == guarded.address(f"wallet-policies/proposals/{last(guarded).pk}/")
    assert puppet(guarded) is None


def test_without_a_second_admin_it_is_one_persons(house: House) -> None:
    employee(house, role="APPROVER")
    assert invite(house, "CARD_USER", employee_id=ED)["Location"] == house.address("settings/members/")
    assert puppet(house) is not None


@pytest.mark.parametrize("name", ["Ada", "Apollo", "Carla"])
def test_who_makes_nobody_a_member_is_refused_by_the_command_itself(house: House, name: str) -> None:
    by = house.actor(name)
    with pytest.raises(NotAllowed):
        invite_member(by, email="puppet@people.test", name="P", role=Role.CARD_USER, employee_id="", key="k")
    assert puppet(house) is None


def test_a_mail_that_does_not_go_out_is_said_and_the_proposal_is_applied(
    guarded: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError("no mail server")

    monkeypatch.setattr("dashboard.proposals.invitations.send_mail", fails)
    invite(guarded, "APPROVER")
    proposal: Proposal = last(guarded)
    decide(guarded, proposal, "Selma")
    apply_proposal(proposal.pk)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED
    assert "could not be sent by email" in proposal.outcome
    lines = AuditEntry.objects.filter(chain=guarded.business.pk, sentence__contains="puppet@people.test")
    assert lines.filter(sentence__startswith="invited").count() == 1
    assert lines.filter(sentence__startswith="could not send", outcome="FAILED").exists()
    shown = invite(guarded, "CARD_USER", email="other@people.test")
    assert "could not be sent by email" in shown.content.decode()
