"""A suspension that the finance service has not heard of: out here at once and for good, and asked of it until it agrees."""

from datetime import timedelta

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.mirror.full_sync import FULL_SYNCS
from dashboard.mirror.webhook_inbox import follow_employment
from dashboard.notifications.models import Notice
from dashboard.scim import suspensions
from dashboard.scim.models import PendingSuspension
from dashboard.scim.tokens import end_token
from tests.dashboard.conftest import World
from tests.dashboard.scim.conftest import Scim
from tests.dashboard.scim.test_at_the_service import at_service, status_of
from tests.dashboard.scim.test_users import refused

__all__ = ["at_service"]
OUT = {"op": "replace", "path": "active", "value": False}
IN = {"op": "replace", "path": "active", "value": True}
PATH = "/suspend-employee"


@pytest.fixture
def world(proxied_world: World) -> World:
    return proxied_world


def carla(world: World) -> Membership:
    return Membership.objects.get(pk=world.people["Carla"].pk)


def failed(world: World, at_service: Scim, fault: str = "refused", status: int = 503) -> None:
    assert world.proxy is not None
    world.proxy.fail(fault, path=PATH)
    refused(at_service.patch(f"Users/{at_service.id_of('Carla')}", OUT), status)
    assert not carla(world).is_active


def pending(world: World) -> QuerySet[PendingSuspension]:
    return PendingSuspension.objects.filter(business=world.business)


def due_now(world: World) -> None:
    pending(world).update(due_at=timezone.now() - timedelta(seconds=1))


def test_what_the_service_says_meanwhile_lets_nobody_in_and_it_is_asked_until_it_agrees(
    world: World, at_service: Scim
) -> None:
    failed(world, at_service)
    # The people are read anew, and an older event of theirs comes: both say that she is active.
    FULL_SYNCS["lookups"](world.business)
    follow_employment(world.business, {"_id": world.employee("Carla")["employee_id"], "status": "ACTIVE"})
    assert not carla(world).is_active
    assert not pending(world).filter(due_at__lte=timezone.now()).exists()
    due_now(world)
    assert suspensions.finish_due() == 0
    row = pending(world).get()
    assert row.trouble
    assert row.due_at > timezone.now()
    assert world.proxy is not None
    world.proxy.heal()
    due_now(world)
    assert suspensions.finish_due() == 1
    assert status_of(world, "Carla") == "SUSPENDED"
    assert (carla(world).is_active, carla(world).kept_out_since) == (False, None)
    assert not pending(world).exists()
    # From then on the service says when she comes in again.
    follow_employment(world.business, {"_id": world.employee("Carla")["employee_id"], "status": "ACTIVE"})
    assert carla(world).is_active


def test_a_suspension_whose_answer_was_lost_is_asked_about_by_the_same_key(world: World, at_service: Scim) -> None:
    failed(world, at_service, "lost reply")
    key = pending(world).get().key
    assert world.proxy is not None
    world.proxy.heal()
    due_now(world)
    assert suspensions.finish_due() == 1
    sent = world.proxy.sent(path=PATH)
    assert len(sent) >= 2
    assert {call.headers["Idempotency-Key"] for call in sent} == {key}
    assert status_of(world, "Carla") == "SUSPENDED"


def test_whom_the_provider_lets_in_again_is_asked_about_no_more(world: World, at_service: Scim) -> None:
    failed(world, at_service)
    assert world.proxy is not None
    world.proxy.heal()
    assert at_service.patch(f"Users/{at_service.id_of('Carla')}", IN).status_code == 200
    assert not pending(world).exists()
    assert (carla(world).is_active, carla(world).kept_out_since) == (True, None)
    assert status_of(world, "Carla") == "ACTIVE"


def test_without_a_token_they_stay_out_and_it_is_written_down(world: World, at_service: Scim) -> None:
    failed(world, at_service)
    end_token(world.actor("Sam"))
    due_now(world)
    assert suspensions.finish_due() == 0
    assert "no SCIM token" in pending(world).get().trouble
    assert not carla(world).is_active


def test_one_that_goes_on_failing_is_told_once_to_whoever_suspends(world: World, at_service: Scim) -> None:
    failed(world, at_service)
    for _ in range(3):
        due_now(world)
        assert suspensions.finish_due() == 0
    rows = Notice.objects.filter(business=world.business, sentence__contains="Their cards may still work.")
    assert {row.membership for row in rows} >= {world.people["Ada"]}
    assert rows.count() == rows.values("membership").distinct().count()
    assert not rows.filter(membership=world.people["Rita"]).exists()


def test_whoever_was_let_in_again_meanwhile_is_not_suspended_any_more(world: World, at_service: Scim) -> None:
    failed(world, at_service)
    assert world.proxy is not None
    world.proxy.heal()
    Membership.objects.filter(pk=carla(world).pk).update(is_active=True, kept_out_since=None)
    due_now(world)
    suspensions.finish_due()
    assert not pending(world).exists()
    assert status_of(world, "Carla") == "ACTIVE"
