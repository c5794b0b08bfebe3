"""Whoever is offboarded loses this dashboard with it: signed out at once, a member no more, and not again by an event."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

from dashboard.access.invite import invite
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry
from dashboard.errors import Conflict, NotAllowed
from dashboard.mirror.models import Employee
from dashboard.mirror.webhook_inbox import follow_employment
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.offboarding.services import start
from tests.dashboard.conftest import World
from tests.dashboard.offboarding.conftest import begin, id_of, job_of, states, work
from tests.dashboard.people.conftest import address_of, shown, signed_in


def member(world: World, name: str) -> Membership:
    return Membership.objects.get(pk=world.people[name].pk)


def in_session(world: World, name: str) -> str:
    """The key of a session that allauth lists, as that of a browser is."""
    client = world.client(name)
    key = str(client.session.session_key)
    UserSession.objects.create(
        user=world.people[name].user, session_key=key, ip="127.0.0.1", user_agent="a browser", data={}
    )
    return key


def test_an_offboarding_ends_membership_and_sessions_before_its_page_comes_back(world: World) -> None:
    world.sync()
    carla = world.client("Carla")
    assert carla.get(world.address()).status_code == 200
    key = in_session(world, "Carla")
    begin(world, "Carla", "Juma")
    row = member(world, "Carla")
    assert (row.is_active, row.ended_at is not None) == (False, True)
    assert not Session.objects.filter(session_key=key).exists()
    assert not UserSession.objects.filter(user=row.user).exists()
    assert carla.get(world.address()).status_code in {302, 404}
    assert states(world)["2 membership end"] == "DONE"
    line = AuditEntry.objects.get(chain=world.business.pk, sentence__startswith="ended the membership of Carla")
    assert (line.outcome, line.reason, line.actor_name[:3]) == ("DONE", "Offboarding", "Ada")


@pytest.mark.parametrize("fault", ["refused", "lost reply", "500"])
def test_the_leaver_is_out_at_once_whatever_the_finance_service_answers(proxied_world: World, fault: str) -> None:
    world = proxied_world
    world.sync()
    carla = world.client("Carla")
    assert carla.get(world.address()).status_code == 200
    assert world.proxy is not None
    world.proxy.fail(fault, path="/suspend-employee")
    start(
        world.actor("Ada"), Employee.objects.get(business=world.business, remote_id=id_of(world, "Carla")), [], key="k"
    )
    assert states(world)["1 suspend suspend"] != "DONE"
    assert states(world)["2 membership end"] == "DONE"
    assert member(world, "Carla").ended_at is not None
    assert carla.get(world.address()).status_code in {302, 404}


def test_suspension_signs_out_at_once_and_activation_lets_in_again(world: World) -> None:
    key = in_session(world, "Carla")
    ada = signed_in(world, "Ada")
    assert ada.post(address_of(world, "Carla", "suspend/")).status_code == 302
    row = member(world, "Carla")
    assert (row.is_active, row.ended_at) == (False, None)
    assert not Session.objects.filter(session_key=key).exists()
    follow_employment(world.business, {"_id": id_of(world, "Carla"), "status": "ACTIVE"})
    assert member(world, "Carla").is_active


def test_a_membership_that_was_ended_here_is_not_opened_by_an_event_of_the_service(world: World) -> None:
    carla = world.people["Carla"].pk
    assert signed_in(world, "Sam").post(world.address(f"settings/members/{carla}/end/")).status_code == 302
    follow_employment(world.business, {"_id": id_of(world, "Carla"), "status": "ACTIVE"})
    assert not member(world, "Carla").is_active


def test_whoever_has_left_is_invited_anew_with_the_new_role_alone(world: World) -> None:
    zawadi = world.people["Zawadi"]
    signed_in(world, "Sam").post(world.address(f"settings/members/{zawadi.pk}/end/"))
    invite(world.business, zawadi.user.email, Role.CARD_USER)
    row = member(world, "Zawadi")
    assert (row.is_active, row.ended_at, row.role, row.employee_id) == (True, None, "CARD_USER", "")


def test_an_admin_offboards_no_super_admin_and_nobody_the_last_two(world: World) -> None:
    """One admin could otherwise end every super admin, one by one, and nobody would be left who makes another."""
    employee = {
        name: Employee.objects.get(business=world.business, remote_id=id_of(world, name)) for name in ("Sam", "Selma")
    }
    with pytest.raises(NotAllowed, match="Only a super admin"):
        start(world.actor("Ada"), employee["Sam"], [], key="by-an-admin")
    with pytest.raises(Conflict, match="two super admins"):
        start(world.actor("Selma"), employee["Sam"], [], key="the-last-two")
    assert member(world, "Sam").ended_at is None
    assert not Offboarding.objects.filter(business=world.business).exists()


def test_access_under_the_same_address_that_is_linked_to_nobody_is_asked_about(world: World) -> None:
    world.sync()
    carla = world.people["Carla"]
    Membership.objects.filter(pk=carla.pk).update(employee_id="")
    Employee.objects.filter(business=world.business, remote_id=id_of(world, "Carla")).update(email=carla.user.email)
    page = shown(signed_in(world, "Ada").get(address_of(world, "Carla", "offboard/")))
    assert "Access under the same address" in page
    assert carla.user.email in page
    begin(world, "Carla", "Juma")
    work(world)
    assert member(world, "Carla").ended_at is not None


def test_somebody_else_under_the_same_address_keeps_their_access(world: World) -> None:
    world.sync()
    carla = world.people["Carla"]
    Membership.objects.filter(pk=carla.pk).update(employee_id="")
    Employee.objects.filter(business=world.business, remote_id=id_of(world, "Carla")).update(email=carla.user.email)
    begin(world, "Carla", "Juma", **{f"member-{carla.pk}-action": "keep"})
    work(world)
    assert member(world, "Carla").is_active
    step = OffboardingStep.objects.get(offboarding=job_of(world), kind="member")
    assert (step.state, step.sentence) == ("DONE", "It is somebody else: their access stays.")
