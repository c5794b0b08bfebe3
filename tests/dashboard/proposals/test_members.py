"""Raising somebody to a role that moves money takes two super admins, where the business asks for a second admin."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access.roles import MOVING_MONEY
from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Employee, WalletPolicy
from dashboard.notifications.models import Notice
from dashboard.operations import OPERATIONS
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.members import end_or_propose
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_settings_and_audit import sure

RAISED = ("APPROVER", "ADMIN", "SUPER_ADMIN")


@pytest.fixture
def guarded(house: House) -> House:
    FourEyes.objects.create(business=house.business, is_on=True)
    return house


def raise_to(house: House, role: str, member: str = "Carla", by: str = "Sam") -> Any:
    address = house.address(f"settings/members/{house.people[member].pk}/role/")
    return sure(house, by).post(address, {"role": role, "key": f"{member}-{role}"})


def invite(house: House, role: str, by: str = "Sam", **given: str) -> Any:
    form = {"name": "Puppet", "email": "puppet@people.test", "role": role, "employee_id": "", "key": f"invite-{role}"}
    return sure(house, by).post(house.address("settings/members/invite/"), form | given)


def role_of(house: House, member: str) -> str:
    return Membership.objects.get(pk=house.people[member].pk).role


def decide(house: House, proposal: Proposal, by: str, how: str = "confirm", **form: str) -> Any:
    return sure(house, by).post(house.address(f"wallet-policies/proposals/{proposal.pk}/{how}/"), form)


def last(house: House) -> Proposal:
    return Proposal.objects.filter(business=house.business).latest("pk")


@pytest.mark.parametrize("role", RAISED)
def test_raising_waits_and_counts_once_another_super_admin_has_confirmed(guarded: House, role: str) -> None:
    carla: Client = guarded.browser("Carla")
    assert carla.get(guarded.address()).status_code == 200
    answer = raise_to(guarded, role)
    proposal = last(guarded)
    assert answer["Location"] == guarded.address(f"wallet-policies/proposals/{proposal.pk}/")
    assert (role_of(guarded, "Carla"), proposal.state) == ("CARD_USER", ProposalState.WAITING)
    assert proposal.headline in guarded.browser("Selma").get(guarded.address("settings/members/")).content.decode()
    apply_proposal(proposal.pk)
    assert role_of(guarded, "Carla") == "CARD_USER"
    assert decide(guarded, proposal, "Selma").status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert (role_of(guarded, "Carla"), proposal.state) == (role, ProposalState.APPLIED)
    line = AuditEntry.objects.filter(chain=guarded.business.pk, sentence="changed the role of Carla").get()
    assert line.actor_name == "Selma"


@pytest.mark.parametrize("role", RAISED)
def test_an_invitation_goes_out_once_another_super_admin_has_confirmed(guarded: House, role: str) -> None:
    assert invite(guarded, role).status_code == 302
    proposal = last(guarded)
    assert not mail.outbox
    assert not Membership.objects.filter(business=guarded.business, user__email="puppet@people.test").exists()
    decide(guarded, proposal, "Selma")
    apply_proposal(proposal.pk)
    apply_proposal(proposal.pk)
    member = Membership.objects.get(business=guarded.business, user__email="puppet@people.test")
    assert (member.role, len(mail.outbox)) == (role, 1)


def test_what_was_found_when_it_was_proposed_is_not_called_the_impact_of_today(guarded: House) -> None:
    raise_to(guarded, "APPROVER")
    page = guarded.browser("Selma").get(guarded.address(f"wallet-policies/proposals/{last(guarded).pk}/"))
    assert last(guarded).state == ProposalState.WAITING
    assert "Impact when it was proposed" in page.content.decode()
    assert "Impact today" not in page.content.decode()


def employee_of(house: House, role: str = "CARD_USER") -> Employee:
    now = timezone.now()
    return Employee.objects.create(
        business=house.business, remote_id=f"ed-{role}", name="Ed Njoroge", email="ed@people.test", role=role,
        status="ACTIVE", first_seen=now, last_seen=now,
    )  # fmt: skip


def test_a_small_role_with_an_employee_who_moves_money_is_proposed_too(guarded: House) -> None:
    """With the employee come what they may do at the finance service: nobody takes that over alone."""
    now = timezone.now()
    ed = employee_of(guarded)
    WalletPolicy.objects.create(
        business=guarded.business, remote_id="p1", wallet_id="w1", employee_id=ed.remote_id, permissions=["WALLET_FX"],
        status="ACTIVE", first_seen=now, last_seen=now,
    )  # fmt: skip
    invite(guarded, "CARD_USER", employee_id=ed.remote_id)
    assert not Membership.objects.filter(business=guarded.business, user__email="puppet@people.test").exists()
    proposal = last(guarded)
    assert "At the finance service they act as Ed Njoroge (ed@people.test)" in " ".join(proposal.sentences)
    assert decide(guarded, proposal, "Selma").status_code == 302
    apply_proposal(proposal.pk)
    member = Membership.objects.get(business=guarded.business, user__email="puppet@people.test")
    assert (member.role, member.employee_id) == ("CARD_USER", ed.remote_id)


def test_an_approver_at_the_service_is_not_taken_over_by_a_small_role_here(guarded: House) -> None:
    invite(guarded, "CARD_USER", employee_id=employee_of(guarded, "APPROVER").remote_id)
    assert last(guarded).state == ProposalState.WAITING
    assert not Membership.objects.filter(business=guarded.business, user__email="puppet@people.test").exists()


def test_an_employee_who_moves_nothing_is_linked_at_once(guarded: House) -> None:
    invite(guarded, "CARD_USER", employee_id=employee_of(guarded).remote_id)
    assert (
        Membership.objects.get(business=guarded.business, user__email="puppet@people.test").employee_id
        == "ed-CARD_USER"
    )


@pytest.mark.parametrize("name", ["Sam", "Ada", "Apollo"])
def test_neither_its_proposer_nor_who_could_not_make_it_confirms(guarded: House, name: str) -> None:
    raise_to(guarded, "APPROVER")
    assert decide(guarded, last(guarded), name).status_code == 403
    assert last(guarded).state == ProposalState.WAITING


def test_whom_it_is_about_does_not_confirm(guarded: House) -> None:
    third = guarded.people["Ada"]
    Membership.objects.filter(pk=third.pk).update(role="SUPER_ADMIN", employee_id="")
    raise_to(guarded, "APPROVER", "Ada")
    shown = guarded.browser("Ada").get(guarded.address(f"wallet-policies/proposals/{last(guarded).pk}/"))
    assert "This is about yourself" in shown.content.decode()
    assert decide(guarded, last(guarded), "Ada").status_code == 403


def test_it_waits_at_the_desk_of_the_other_super_admin_alone_linked_to_an_employee_or_not(guarded: House) -> None:
    Membership.objects.filter(pk=guarded.people["Selma"].pk).update(employee_id="")
    raise_to(guarded, "APPROVER")
    desk = guarded.address("approvals/?show=mine")
    shown = {name: guarded.browser(name).get(desk).content.decode() for name in ("Selma", "Sam", "Ada")}
    assert ["Carla becomes approver here" in body for body in shown.values()] == [True, False, False]
    assert Notice.objects.get(business=guarded.business).membership == guarded.people["Selma"]


def test_a_role_that_moves_no_money_and_a_lower_one_are_given_at_once(guarded: House) -> None:
    assert raise_to(guarded, "REVIEWER")["Location"] == guarded.address("settings/members/")
    assert raise_to(guarded, "CARD_USER", "Apollo")["Location"] == guarded.address("settings/members/")
    assert (role_of(guarded, "Carla"), role_of(guarded, "Apollo")) == ("REVIEWER", "CARD_USER")
    assert invite(guarded, "CARD_USER")["Location"] == guarded.address("settings/members/")
    assert not Proposal.objects.filter(business=guarded.business).exists()


def test_where_no_second_admin_is_asked_for_it_is_done_at_once(house: House) -> None:
    assert raise_to(house, "APPROVER")["Location"] == house.address("settings/members/")
    assert role_of(house, "Carla") == "APPROVER"


def test_a_role_that_has_changed_meanwhile_ends_it(guarded: House) -> None:
    raise_to(guarded, "APPROVER")
    raise_to(guarded, "REVIEWER", by="Selma")
    answer = decide(guarded, last(guarded), "Selma")
    assert answer.status_code == 409
    assert last(guarded).state == ProposalState.STALE
    assert role_of(guarded, "Carla") == "REVIEWER"


def test_who_is_no_super_admin_any_more_has_confirmed_nothing(guarded: House) -> None:
    raise_to(guarded, "APPROVER")
    decide(guarded, last(guarded), "Selma")
    Membership.objects.filter(pk=guarded.people["Selma"].pk).update(role="ADMIN")
    apply_proposal(last(guarded).pk)
    assert (last(guarded).state, role_of(guarded, "Carla")) == (ProposalState.REFUSED, "CARD_USER")


def test_the_same_form_twice_and_another_of_the_same_member_wait_once(guarded: House) -> None:
    raise_to(guarded, "APPROVER")
    assert raise_to(guarded, "APPROVER").status_code == 302
    assert raise_to(guarded, "ADMIN").status_code == 409
    assert Proposal.objects.filter(business=guarded.business).count() == 1


def test_every_role_that_lets_money_go_is_among_those_that_take_two() -> None:
    direct = ("TRANSFER_FX", "ALLOCATE_FUNDS", "REMOVE_FUNDS", "INVEST", "TOP_UP_INVESTMENT", "WITHDRAW_INVESTMENT")
    moving = [one for one in OPERATIONS.values() if one.undo_s == 0]
    moving += [one for one in OPERATIONS.values() if one.name.upper() in direct]
    assert len(moving) >= len(direct) + 4
    assert frozenset().union(*(one.roles for one in moving)) <= MOVING_MONEY


def test_an_admin_withdraws_the_revocation_that_they_proposed_and_nobody_elses(guarded: House) -> None:
    member = guarded.people["Apollo"]
    proposal = end_or_propose(guarded.actor("Ada"), member, reason="Left the team", key="k")
    assert proposal is not None
    assert (
        "Withdraw"
        in guarded.browser("Ada").get(guarded.address(f"wallet-policies/proposals/{proposal.pk}/")).content.decode()
    )
    assert decide(guarded, proposal, "Ada").status_code == 403
    assert decide(guarded, proposal, "Sam", "withdraw").status_code == 403
    assert decide(guarded, proposal, "Ada", "withdraw").status_code == 302
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WITHDRAWN
    assert Membership.objects.get(pk=member.pk).is_active
    line = AuditEntry.objects.filter(chain=guarded.business.pk, sentence__startswith="withdrew").get()
    assert line.actor_name == "Ada"
