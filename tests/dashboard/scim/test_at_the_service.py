"""What SCIM does reaches the finance service: a deactivated user is suspended there, a deleted one is offboarded."""

from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.commands import employees
from dashboard.mirror.scopes import visible_employees
from dashboard.mirror.webhook_inbox import follow_employment
from dashboard.notifications.models import Notice
from dashboard.offboarding.models import Offboarding
from dashboard.scim.tokens import issue_token
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House
from tests.dashboard.scim.conftest import Scim
from tests.dashboard.scim.test_users import refused
from tests.dashboard.wallet_policies.conftest import policy


@pytest.fixture
def at_service(world: World, monkeypatch: pytest.MonkeyPatch) -> Scim:
    monkeypatch.setattr("dashboard.offboarding.services.enqueue_on_commit", lambda *_, **__: None)
    world.sync()
    domains = sorted({member.user.email.rpartition("@")[2] for member in world.people.values()})
    IdentityProvider.objects.create(
        business=world.business, name="Okta", issuer="https://okta.example", client_id="us", email_domains=domains
    )  # fmt: skip
    return Scim(House(world.business, world.people), issue_token(world.actor("Sam")))


def status_of(world: World, name: str) -> Any:
    return world.upstream(f"/employees/{world.employee(name)['employee_id']}")["status"]


def test_a_deactivated_user_is_suspended_there_and_activated_again(world: World, at_service: Scim) -> None:
    path = f"Users/{at_service.id_of('Carla')}"
    answer = at_service.patch(path, {"op": "replace", "path": "active", "value": False})
    assert answer.status_code == 200, answer.json()
    assert status_of(world, "Carla") == "SUSPENDED"
    assert not Membership.objects.get(pk=world.people["Carla"].pk).is_active
    answer = at_service.patch(path, {"op": "replace", "path": "active", "value": True})
    assert answer.status_code == 200, answer.json()
    assert status_of(world, "Carla") == "ACTIVE"
    assert Membership.objects.get(pk=world.people["Carla"].pk).is_active


@pytest.mark.parametrize("issuer_has_left", [False, True])
def test_the_membership_of_a_deleted_user_who_leaves_nothing_ends(
    world: World, at_service: Scim, monkeypatch: pytest.MonkeyPatch, issuer_has_left: bool
) -> None:
    monkeypatch.setattr("dashboard.scim.services.left_behind_by", lambda *_: [])
    if issuer_has_left:
        Membership.objects.filter(pk=world.people["Sam"].pk).update(is_active=False, ended_at=timezone.now())
    answer = at_service.ask("DELETE", f"Users/{at_service.id_of('Carla')}")
    assert answer.status_code == 204, answer.content
    assert not Offboarding.objects.filter(business=world.business).exists()
    assert status_of(world, "Carla") == "SUSPENDED"
    assert Membership.objects.get(pk=world.people["Carla"].pk).ended_at is not None
    assert not Notice.objects.filter(business=world.business, sentence__contains="can no longer enter").exists()


def test_whom_a_person_has_suspended_since_no_provider_lets_in_again(world: World, at_service: Scim) -> None:
    path, member = f"Users/{at_service.id_of('Carla')}", Membership.objects.filter(pk=world.people["Carla"].pk)
    assert at_service.patch(path, {"op": "replace", "path": "active", "value": False}).status_code == 200
    ada, carla = world.actor("Ada"), visible_employees(world.actor("Ada")).get(name__startswith="Carla")
    employees.activate(ada, carla, key="in")
    follow_employment(world.business, world.upstream(f"/employees/{carla.remote_id}"))
    assert (member.get().is_active, member.get().suspended_by_program) == (True, "")
    carla.refresh_from_db()
    employees.suspend(ada, carla, key="out")
    follow_employment(world.business, world.upstream(f"/employees/{carla.remote_id}"))
    at_service.patch(path, {"op": "replace", "path": "active", "value": True})
    assert not member.get().is_active
    assert status_of(world, "Carla") == "SUSPENDED"


def test_what_a_deleted_user_leaves_behind_is_nobodys_end_and_the_admins_are_told(
    world: World, at_service: Scim
) -> None:
    policy(world, "Carla")
    answer = at_service.ask("DELETE", f"Users/{at_service.id_of('Carla')}")
    assert answer.status_code == 204, answer.content
    assert status_of(world, "Carla") == "SUSPENDED"
    assert Membership.objects.get(pk=world.people["Carla"].pk).ended_at is not None
    # No offboarding that would say that nothing is left; who may begin one hears that there is something.
    assert not Offboarding.objects.filter(business=world.business).exists()
    told = Notice.objects.filter(membership=world.people["Ada"], sentence__contains="can no longer enter")
    assert told.count() == 1
    assert not Notice.objects.filter(membership=world.people["Rita"], sentence__contains="can no longer enter").exists()


def test_who_leaves_something_that_nobody_could_decide_is_kept_out_and_waits_for_heirs(
    world: World, at_service: Scim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.offboarding.services.stuck_without", lambda *_: ["Nobody could approve bills."])
    refused(at_service.ask("DELETE", f"Users/{at_service.id_of('Carla')}"), 409, "", "chooses the heirs")
    assert status_of(world, "Carla") == "SUSPENDED"
    row = Membership.objects.get(pk=world.people["Carla"].pk)
    assert (row.is_active, row.ended_at) == (False, None)
    assert not Offboarding.objects.filter(business=world.business).exists()


def test_an_outage_there_is_told_and_keeps_them_out_here(world: World, at_service: Scim) -> None:
    from dashboard.client.models import ServiceAccount

    path, out = f"Users/{at_service.id_of('Carla')}", {"op": "replace", "path": "active", "value": False}
    account = ServiceAccount.objects.filter(business=world.business)
    address = account.get().base_url
    account.update(base_url="http://localhost:9/v2")
    refused(at_service.patch(path, out), 503)
    assert not Membership.objects.get(pk=world.people["Carla"].pk).is_active
    # What the provider says again once the service answers finishes it there.
    account.update(base_url=address)
    assert at_service.patch(path, out).status_code == 200
    assert status_of(world, "Carla") == "SUSPENDED"
