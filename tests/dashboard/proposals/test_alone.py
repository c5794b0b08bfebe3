"""Where a second admin is asked for, no sequence of steps by one person alone ends with anybody new who moves money."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboard.access.models import Membership
from dashboard.access.roles import MOVING_MONEY, Role
from dashboard.errors import FinanceError
from dashboard.mirror.models import Employee, FundAccount
from dashboard.proposals import invitations, members, services
from dashboard.proposals.apply import apply_proposal, due_proposals
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import FourEyes, Proposal
from tests.dashboard.pages.conftest import House

ADDRESSES = ("sam-too@people.test", "sam-three@people.test")
# Without a membership at first: somebody who moves money by role, an operator of a fund account, and somebody who moves none.
EMPLOYEES = ("ed-approver", "ed-operator", "ed-nobody")
MOVERS = frozenset(EMPLOYEES[:2])
steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("invite"),
            st.sampled_from(ADDRESSES),
            st.sampled_from(list(Role)),
            st.sampled_from(("", *EMPLOYEES)),
        ),
        st.tuples(st.just("role"), st.integers(0, 9), st.sampled_from(list(Role))),
        st.tuples(st.just("groups"), st.integers(0, 9), st.sampled_from(list(Role))),
        st.tuples(st.just("end"), st.integers(0, 9)),
        st.tuples(st.just("suspend"), st.integers(0, 9)),
        st.tuples(st.just("resume"), st.integers(0, 9)),
        st.tuples(st.just("confirm"), st.integers(0, 5)),
        st.tuples(st.just("withdraw"), st.integers(0, 5)),
        st.tuples(st.just("switch off")),
        st.tuples(st.just("apply")),
    ),
    max_size=14,
)


@pytest.fixture
def guarded(house: House) -> House:
    """A business that asks for a second admin, with employees who are nobody's member."""
    FourEyes.objects.create(business=house.business, is_on=True)
    now = timezone.now()
    seen = {"business": house.business, "first_seen": now, "last_seen": now}
    for employee_id, role in zip(EMPLOYEES, ("APPROVER", "CARD_USER", "CARD_USER"), strict=True):
        Employee.objects.create(remote_id=employee_id, name=employee_id, role=role, status="ACTIVE", **seen)
    FundAccount.objects.create(
        remote_id="fund", fund_id="f", fund_name="Fund", currency="KES", status="ACTIVE",
        operators=[{"employee_id": "ed-operator", "counts": True}], **seen,
    )  # fmt: skip
    return house


def take(house: House, step: tuple[object, ...], number: int) -> None:
    """One step of Sam, with whatever it is refused by."""
    sam, business, key = house.actor("Sam"), house.business, f"step-{number}"
    memberships = list(Membership.objects.filter(business=business).select_related("user", "business").order_by("pk"))
    proposals = list(Proposal.objects.filter(business=business).order_by("pk"))
    match step:
        case ("invite", str(email), Role() as role, str(employee_id)):
            invitations.invite_member(sam, email=email, name="Sam Too", role=role, employee_id=employee_id, key=key)
        case ("role", int(at), Role() as role) if at < len(memberships):
            members.change_role(sam, memberships[at], role, key=key)
        case ("groups", int(at), Role() as role) if at < len(memberships):
            members.give_role_of_groups(sam, memberships[at], role)
        case ("end", int(at)) if at < len(memberships):
            members.end_membership(sam, memberships[at])
        case ("suspend", int(at)) if at < len(memberships):
            members.suspend_membership(sam, memberships[at])
        case ("resume", int(at)) if at < len(memberships):
            members.resume_membership(sam, memberships[at])
        case ("confirm", int(at)) if at < len(proposals):
            services.confirm(sam, proposals[at])
        case ("withdraw", int(at)) if at < len(proposals):
            services.withdraw(sam, proposals[at])
        case ("switch off",):
            services.propose_switching_off(sam, key, "")
        case ("apply",):
            for proposal_id in due_proposals():
                apply_proposal(proposal_id)


@given(taken=steps)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_one_super_admin_alone_makes_nobody_who_moves_money(guarded: House, taken: list[tuple[object, ...]]) -> None:
    business = guarded.business
    with transaction.atomic():
        before = {row.pk: row for row in Membership.objects.filter(business=business)}
        for number, step in enumerate((*taken, ("apply",))):
            with suppress(FinanceError, ValueError), transaction.atomic():
                take(guarded, step, number)
        assert requires_second_admin(business)
        for row in Membership.objects.filter(business=business, is_active=True):
            was = before.get(row.pk)
            assert row.role not in MOVING_MONEY or (was and was.role == row.role), (row, taken)
            assert row.employee_id not in MOVERS or (was and was.employee_id == row.employee_id), (row, taken)
        transaction.set_rollback(True)
