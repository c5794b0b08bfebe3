"""Where a second admin is asked for, no sequence of steps by one person alone ends with anybody new who moves money, nor with a
way to become one: another identity provider, a token of SCIM, a role that overrides policies, a role without second factor."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership
from dashboard.access.roles import MOVING_MONEY, Role
from dashboard.errors import FinanceError
from dashboard.mirror.models import Employee, FundAccount
from dashboard.proposals import invitations, members, outcomes, services
from dashboard.proposals.apply import apply_proposal, due_proposals
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import FourEyes, Proposal
from dashboard.proposals.override_roles import change_override_roles
from dashboard.proposals.scim_token import propose_token
from dashboard.proposals.second_factor import change_second_factor_roles
from dashboard.proposals.single_sign_on import change_single_sign_on
from dashboard.proposals.single_sign_on_settings import SignOnSettings
from dashboard.scim.models import ScimToken
from dashboard.scim.tokens import issue_token
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from tests.dashboard.pages.conftest import House

ADDRESSES = ("sam-too@people.test", "sam-three@people.test")
# Without a membership at first: somebody who moves money by role, an operator of a fund account, and somebody who moves none.
EMPLOYEES = ("ed-approver", "ed-operator", "ed-nobody")
MOVERS = frozenset(EMPLOYEES[:2])
THEIR_OWN = SignOnSettings(
    is_on=True, is_required=False, protocol=Protocol.OIDC, name="Sam's", issuer="https://sam.test/o", client_id="us",
    client_secret="sealed", sign_on_address="", certificates=(), email_attribute="", signs_requests=False,
    requires_encryption=False, logout_address="", logout_response_address="", email_domains=("people.test",),
    groups_claim="groups", group_roles={"sam": "APPROVER"}, ceiling=Role.APPROVER, break_glass_id=None,
)  # fmt: skip
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
        st.tuples(st.just("override"), st.sampled_from(list(Role))),
        st.tuples(st.just("second factor"), st.sampled_from(list(Role))),
        st.tuples(st.just("sign on")),
        st.tuples(st.just("propose token")),
        st.tuples(st.just("issue token")),
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
            outcomes.confirm(sam, proposals[at])
        case ("withdraw", int(at)) if at < len(proposals):
            outcomes.withdraw(sam, proposals[at])
        case ("apply",):
            for proposal_id in due_proposals():
                apply_proposal(proposal_id)
        case ("switch off",):
            services.propose_switching_off(sam, key, "")
        case (str(named), *rest):
            take_on_settings(sam, named, rest, key)


def take_on_settings(sam: Actor, named: str, rest: list[object], key: str) -> None:
    """One step of Sam on the settings that say who gets in, and past which policies."""
    match named, *rest:
        case ("override", Role() as role):
            change_override_roles(sam, [role.value], key=key)
        case ("second factor", Role() as role):
            change_second_factor_roles(sam, [role.value], key=key)
        case ("sign on",):
            change_single_sign_on(sam, THEIR_OWN, key=key)
        case ("propose token",):
            propose_token(sam, key=key)
        case ("issue token",):
            issue_token(sam)


@given(taken=steps)
@settings(max_examples=40)
def test_one_super_admin_alone_makes_nobody_who_moves_money(guarded: House, taken: list[tuple[object, ...]]) -> None:
    business = guarded.business
    with transaction.atomic():
        before = {row.pk: row for row in Membership.objects.filter(business=business)}
        overriding, second_factors = set(business.override_roles), set(business.second_factor_roles)
        for number, step in enumerate((*taken, ("apply",))):
            with suppress(FinanceError, ValueError), transaction.atomic():
                take(guarded, step, number)
        assert requires_second_admin(business)
        assert not IdentityProvider.objects.filter(business=business).exists(), taken
        assert not ScimToken.objects.filter(business=business).exists(), taken
        now = Business.objects.get(pk=business.pk)
        assert set(now.override_roles) == overriding, taken
        assert set(now.second_factor_roles) >= second_factors, taken
        for row in Membership.objects.filter(business=business, is_active=True):
            was = before.get(row.pk)
            assert row.role not in MOVING_MONEY or (was and was.role == row.role), (row, taken)
            assert row.employee_id not in MOVERS or (was and was.employee_id == row.employee_id), (row, taken)
        transaction.set_rollback(True)
