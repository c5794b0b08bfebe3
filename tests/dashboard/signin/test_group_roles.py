"""Roles by the groups of the identity provider: one at most, none above the ceiling, and money waits for a second admin."""

import pytest
from django.test import Client

from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry
from dashboard.proposals.models import FourEyes, Proposal
from dashboard.single_sign_on.group_roles import GroupsRefused, groups_in, role_of_groups
from tests.dashboard.signin.conftest import SignOn, is_in

ROLES = {"staff": "CARD_USER", "reviewers": "REVIEWER", "finance": "APPROVER"}


@pytest.fixture
def mapped(sign_on: SignOn) -> SignOn:
    sign_on.change(groups_claim="groups", group_roles=ROLES, ceiling="APPROVER")
    return sign_on


def role_after(mapped: SignOn, name: str, groups: object) -> tuple[str, bool]:
    """The role that somebody has after signing in with these groups, and whether they are in."""
    browser = Client()
    mapped.through(browser, mapped.person(name, groups=groups))
    membership = Membership.objects.get(pk=mapped.house.people[name].pk)
    return membership.role, is_in(browser, mapped.house)


def test_a_group_gives_its_role_and_the_audit_says_so(mapped: SignOn) -> None:
    assert role_after(mapped, "Carla", ["reviewers", "some other group"]) == ("REVIEWER", True)
    line = AuditEntry.objects.get(chain=mapped.house.business.pk, sentence="changed the role of Carla")
    assert (line.actor_name, line.before, line.after) == (
        "Single sign-on", {"role": "Card user"}, {"role": "Reviewer"}
    )  # fmt: skip


def test_a_group_lowers_a_role_at_once(mapped: SignOn) -> None:
    assert role_after(mapped, "Apollo", ["staff"]) == ("CARD_USER", True)


@pytest.mark.parametrize("groups", [["staff", "finance"], [], ["unknown"], "unknown", None, [1, {}]])
def test_two_roles_or_none_let_nobody_in_and_change_nothing(mapped: SignOn, groups: object) -> None:
    assert role_after(mapped, "Apollo", groups) == ("APPROVER", False)
    assert AuditEntry.objects.filter(
        chain=mapped.house.business.pk, outcome="DENIED", actor_name="Single sign-on"
    ).exists()


def test_whoever_stands_above_the_ceiling_is_left_alone(mapped: SignOn) -> None:
    assert role_after(mapped, "Selma", ["staff"]) == ("SUPER_ADMIN", True)
    assert role_after(mapped, "Ada", []) == ("ADMIN", True)


def test_a_role_that_moves_money_waits_for_a_second_admin(mapped: SignOn) -> None:
    FourEyes.objects.create(business=mapped.house.business, is_on=True)
    assert role_after(mapped, "Carla", ["finance"]) == ("CARD_USER", True)
    assert role_after(mapped, "Carla", ["finance"]) == ("CARD_USER", True)
    proposal = Proposal.objects.get(business=mapped.house.business)
    assert (proposal.target_id, proposal.body) == (str(mapped.house.people["Carla"].pk), {"role": "APPROVER"})
    # Whoever set the provider up does not confirm what it asks for.
    assert proposal.proposed_by == mapped.house.people["Sam"]


def test_without_a_second_admin_it_is_given_at_once(mapped: SignOn) -> None:
    assert role_after(mapped, "Carla", ["finance"]) == ("APPROVER", True)


def test_a_role_above_the_ceiling_is_refused_even_where_it_was_stored() -> None:
    with pytest.raises(GroupsRefused, match="above the most"):
        role_of_groups(["bosses"], {"bosses": "ADMIN"}, role=Role.CARD_USER, ceiling=Role.REVIEWER)


def test_no_mapping_changes_nothing_and_a_claim_is_read_as_names_alone() -> None:
    assert role_of_groups(["staff"], {}, role=Role.CARD_USER, ceiling=Role.ADMIN) is None
    assert groups_in("staff") == ["staff"]
    assert groups_in(["staff", 1, None]) == ["staff"]
    assert groups_in({"staff": True}) == []
