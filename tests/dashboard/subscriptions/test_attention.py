"""What may be paid for unused is found wherever it stands in the list, and of whoever owned it, though they are gone by now."""

from __future__ import annotations

import pytest
from django.utils import timezone

from dashboard.mirror.models import Employee, Subscription
from dashboard.pages.subscriptions import selectors
from dashboard.pages.subscriptions.selectors import attention_of
from tests.dashboard.conftest import World
from tests.dashboard.subscriptions.test_subscriptions import added, words


def copies(row: Subscription, count: int) -> None:
    """So many more like it in the copy alone, whose names come before those of others."""
    fields = [
        field.attname for field in Subscription._meta.concrete_fields if not field.primary_key and not field.generated
    ]
    values = {name: getattr(row, name) for name in fields}
    Subscription.objects.bulk_create(
        Subscription(**{**values, "remote_id": f"{number:024x}", "name": f"A {number:04}"}) for number in range(count)
    )


def test_one_whose_owner_was_deleted_has_an_owner_who_left(world: World) -> None:
    rita = world.employee("Rita")["employee_id"]
    row = added(world, employee_id=world.employee("Carla")["employee_id"])
    Subscription.objects.filter(pk=row.pk).update(employee_id=rita)
    assert attention_of(world.actor("Ada")) == ([], True)
    Employee.objects.filter(business=world.business, remote_id=rita).update(tombstoned_at=timezone.now())
    [found] = attention_of(world.actor("Ada"))[0]
    assert found.reasons == ["Its owner is no longer active"]


def test_all_are_looked_at_and_a_cut_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MAX_ATTENTION", 3)
    monkeypatch.setattr(selectors, "BATCH", 4)
    fine = added(world, employee_id=world.employee("Carla")["employee_id"])
    copies(fine, 9)
    orphan = added(world, vendor="Orphan", name="Orphan")
    [found] = attention_of(world.actor("Ada"))[0]
    assert found.row == orphan
    shown = words(world.client("Ada").get(world.address("subscriptions/attention/")))
    assert "Orphan" in shown
    assert "More than" not in shown
    Subscription.objects.filter(business=world.business).update(employee_id="")
    rows, is_whole = attention_of(world.actor("Ada"))
    assert (len(rows), is_whole) == (3, False)
    assert "these are the first" in words(world.client("Ada").get(world.address("subscriptions/attention/")))
