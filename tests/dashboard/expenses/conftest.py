"""A business of the real service in which Carla has spent, and files that are receipts and files that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Expense, Origin
from tests.dashboard.conftest import World
from tests.dashboard.expenses.files import PNG
from tests.dashboard.pages.conftest import house as house
from tests.dashboard.pages.conftest import new_house as new_house

Spent = Callable[..., Expense]


def file(name: str = "lunch.png", content: bytes = PNG) -> SimpleUploadedFile:
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, content)


def upstream_expense(world: World, expense: Expense) -> dict[str, Any]:
    """The expense as the service itself says it is."""
    rows = world.upstream("/expenses", limit=1000)["docs"]
    found: dict[str, Any] = next(row for row in rows if row["_id"] == expense.remote_id)
    return found


def brought(world: World, expense: Expense) -> Expense:
    """The expense, once the copy has it as the service does."""
    upsert("expense", world.business, [upstream_expense(world, expense)], Origin.POLL)
    expense.refresh_from_db()
    return expense


def ask(world: World, expense: Expense, reason: str = "Which client was this for?", by: str = "Rita") -> Expense:
    """A reviewer's question, asked at the service."""
    acting = {"X-Acting-Employee": world.employee(by)["employee_id"]}
    world.send("POST", f"/expenses/requestDetails/{expense.remote_id}", {"reason": reason}, acting)
    return brought(world, expense)


def spend(world: World, name: str = "Carla") -> Expense:
    """An expense of somebody, posted and without a receipt, in the copy with its transaction."""
    people = [world.employee(name)["employee_id"]]
    [found] = world.sandbox("expenses", count=1, receipts=False, employee_ids=people)["expenses"]
    upsert("expense", world.business, [found], Origin.POLL)
    rows = [row for row in world.upstream("/transactions", limit=1000)["docs"] if row["expense_id"] == found["_id"]]
    upsert("transaction", world.business, rows, Origin.POLL)
    return Expense.objects.get(business=world.business, remote_id=found["_id"])


@pytest.fixture
def world(new_world: Callable[..., World]) -> World:
    """A fresh business behind a proxy that records what is sent."""
    return new_world(proxied=True)


@pytest.fixture
def spent(world: World) -> Spent:
    """`spent("Carla")`: an expense of that person."""
    return lambda name="Carla": spend(world, name)
