"""A business of the real service behind a proxy that records what is sent, with a purchase of Carla's in the copy."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Expense, Origin, Transaction
from tests.dashboard.conftest import World
from tests.dashboard.expenses.conftest import spend
from tests.dashboard.expenses.conftest import world as world


@pytest.fixture
def purchase(world: World) -> Transaction:
    """A purchase of Carla's: posted, with an expense, without a document."""
    world.sync("cards", "transactions_whole")
    expense: Expense = spend(world)
    return Transaction.objects.get(business=world.business, expense_id=expense.remote_id, type="EXPENSE")


def upstream_transaction(world: World, remote_id: str) -> dict[str, Any]:
    """The transaction as the service itself says it is."""
    found: dict[str, Any] = world.upstream(f"/transactions/{remote_id}")
    return found


def brought(world: World, row: Transaction) -> Transaction:
    """The transaction, once the copy has it as the service does."""
    upsert("transaction", world.business, [upstream_transaction(world, row.remote_id)], Origin.POLL)
    row.refresh_from_db()
    return row


def workbook() -> bytes:
    file = io.BytesIO()
    book = openpyxl.Workbook()
    book.active.append(["date", "amount"])  # type: ignore[union-attr]
    book.save(file)
    return file.getvalue()
