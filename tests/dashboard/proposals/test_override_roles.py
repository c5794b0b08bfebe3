"""Which roles may override a policy: changed at once, or by proposal, and who may."""

import time
from typing import Any

from django.test import Client

from dashboard.access.models import Business
from dashboard.audit.models import AuditEntry
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.outcomes import confirm
from tests.dashboard.conftest import World


def signed_in(world: World, person: str) -> Client:
    client = world.client(person)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    return client


def change(world: World, person: str, *roles: str) -> Any:
    form = {"sent": "1", "key": f"key-{'-'.join(roles)}", "override_roles": list(roles)}
    return signed_in(world, person).post(world.address("settings/policy-overrides/"), form)


def roles_of(world: World) -> list[str]:
    return list(Business.objects.get(pk=world.business.pk).override_roles)


def test_a_super_admin_names_the_roles_and_the_audit_keeps_them(world: World) -> None:
    assert roles_of(world) == ["APPROVER"]
    assert change(world, "Selma", "ADMIN", "APPROVER").status_code == 302
    assert roles_of(world) == ["ADMIN", "APPROVER"]
    line = AuditEntry.objects.get(chain=world.business.pk, operation="change_override_roles")
    assert (line.before, line.after) == ({"roles": "Approver"}, {"roles": "Admin, Approver"})


def test_no_role_at_all_can_be_named(world: World) -> None:
    assert change(world, "Selma").status_code == 302
    assert roles_of(world) == []


def test_nobody_else_changes_them(world: World) -> None:
    for person in ("Carla", "Rita", "Apollo", "Ada"):
        assert change(world, person, "ADMIN").status_code == 403
    assert roles_of(world) == ["APPROVER"]


def test_where_a_second_admin_is_asked_for_the_change_waits_for_one(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    assert change(world, "Selma", "REVIEWER").status_code == 302
    proposal = Proposal.objects.get(business=world.business)
    assert roles_of(world) == ["APPROVER"]
    assert proposal.sentences == ["Policies can be overridden by: reviewer; now approver."]
    confirm(world.actor("Sam"), proposal)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED
    assert roles_of(world) == ["REVIEWER"]


def test_a_change_that_was_overtaken_is_not_applied(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    change(world, "Selma", "REVIEWER")
    proposal = Proposal.objects.get(business=world.business)
    Business.objects.filter(pk=world.business.pk).update(override_roles=["ADMIN"])
    confirm_error = ""
    try:
        confirm(world.actor("Sam"), proposal)
    except Exception as error:
        confirm_error = str(error)
    assert "The roles have changed" in confirm_error
    assert roles_of(world) == ["ADMIN"]
