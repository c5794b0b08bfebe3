"""The demo data: repeatable from a seed, and a year that a finance team could have had."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F, Q, Sum
from django.utils import timezone

from service import storage
from service.accounts.models import Wallet
from service.bills.models import Bill
from service.businesses.models import Business, Employee, Role
from service.cards.models import Authorization, Card
from service.customers.models import Customer
from service.documents import checked_bytes
from service.events.models import AuditEvent, Event
from service.expenses.models import Expense, ExpenseStatus, Receipt
from service.ids import object_id
from service.journal.models import Transaction
from service.ledger.balances import balance
from service.ledger.invariants import breaches_seen_by
from service.periods import day_of
from service.sandbox import clock, demo
from service.sandbox.demo_decisions import Deciders
from service.sandbox.demo_plan import PLANS
from tests.service.sandbox.conftest import NOW, ON_ONE_WORKER

_, TULP = PLANS
pytestmark = ON_ONE_WORKER


def played(seed: int) -> Business:
    order = replace(demo.order_of(TULP), business_id=object_id())
    with clock.at(NOW):
        return demo.play(TULP, order, 120, seed, NOW)


def facts(business: Business) -> dict[str, list[Any]]:
    """What a seed decides: everything but ids."""
    mine: dict[str, tuple[Any, Sequence[str]]] = {
        "expenses": (Expense, ("transaction_date", "amount_minor", "currency", "receiver", "status", "employee__name")),
        "book": (Transaction, ("effective_on", "amount_minor", "direction", "counterparty", "type")),
        "bills": (Bill, ("bill_no", "total_minor", "status", "issued_on", "vendor__name")),
        "uses": (Authorization, ("created_at", "amount_minor", "currency", "merchant", "status", "card__name")),
        "limits": (Card, ("name", "org_wallet_ref", "status", "controls")),
        "customers": (Customer, ("name", "phone", "status")),
    }
    return {
        name: sorted(map(str, model.objects.filter(business=business).values_list(*columns)))
        for name, (model, columns) in mine.items()
    }


@pytest.mark.full
def test_the_same_seed_makes_the_same_and_another_one_another(db: None) -> None:
    first, second, other = facts(played(seed=7)), facts(played(seed=7)), facts(played(seed=8))
    assert all(first.values())
    assert first == second
    assert all(first[name] != other[name] for name in first)


def test_a_year_with_weekdays_and_decisions_by_those_who_may(kifaru: Business) -> None:
    rows = list(Expense.objects.filter(business=kifaru).select_related("employee"))
    days = Counter(day_of(row.transaction_date, kifaru) for row in rows)
    assert (max(days) - min(days)).days > 340
    assert max(row.transaction_date for row in rows) <= NOW
    weekend = sum(count for day, count in days.items() if day.weekday() >= 5)
    assert weekend < len(rows) * 0.2
    deciders = Deciders(kifaru)
    decided = [row for row in rows if row.status in (ExpenseStatus.APPROVED, ExpenseStatus.REJECTED)]
    assert len(decided) > len(rows) / 2
    for row in decided:
        able = {person.id for person in deciders.of(row.team_id, row.employee_id)}
        assert row.reviewed_by_id in able - {row.employee_id}
        assert row.reviewed_at is not None
        assert row.transaction_date < row.reviewed_at <= NOW
    assert AuditEvent.objects.filter(business=kifaru, action="expense.approve").count() >= len(decided) * 0.8


def test_the_money_is_in_the_ledger_and_the_book_says_the_same(kifaru: Business) -> None:
    with connection.cursor() as cursor:
        assert breaches_seen_by(cursor, sealed=False) == []
    # What is promised for a day to come is written down, and moves nothing yet.
    moved = Transaction.objects.filter(business=kifaru).exclude(status="APPROVED").values("org_wallet_ref")
    for row in Wallet.objects.filter(business=kifaru, holder_id=""):
        here = moved.filter(org_wallet_ref=row.org_wallet_ref)
        sums = here.aggregate(came=total("IN"), went=total("OUT"))
        assert balance(row.ledger_account_id).posted == sums["came"] - sums["went"] > 0


def total(direction: str) -> Sum:
    return Sum(F("amount_minor") + F("fees_minor"), default=0, filter=Q(direction=direction))


def test_receipts_are_real_files_and_shared_only_by_equal_expenses(kifaru: Business) -> None:
    by_path: dict[str, set[tuple[str, int, str]]] = {}
    kinds = set()
    for row in Receipt.objects.filter(expense__business=kifaru).select_related("expense"):
        content = storage.read(row.path)
        kinds.add(row.mime)
        assert checked_bytes(content, row.file_name).mime == row.mime
        assert len(content) == row.size
        spent = row.expense
        by_path.setdefault(row.path, set()).add((spent.receiver, spent.amount_minor, spent.currency))
    assert kinds == {"image/png", "application/pdf"}
    assert all(len(same) == 1 for same in by_path.values())
    assert len(by_path) < Receipt.objects.filter(expense__business=kifaru).count()


def test_only_what_is_recent_has_events(kifaru: Business) -> None:
    events = Event.objects.filter(business=kifaru)
    assert events.exists()
    assert not events.filter(created_at__lt=NOW - timedelta(days=15)).exists()


def test_the_command_tells_how_long_it_took_and_finds_it_again(
    db: None, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SANDBOX = True
    monkeypatch.setattr("service.sandbox.management.commands.demo.seal_all", lambda: 0)
    path, said = tmp_path / "demo.json", StringIO()
    for _ in range(2):
        call_command("demo", expenses=20, seed=41, json=path, stdout=said)
    assert said.getvalue().count("The demo businesses are ready after ") == 2
    kifaru, tulp = json.loads(path.read_text())["businesses"]
    people = kifaru["employees"] + tulp["employees"]
    assert len(people) >= 60
    assert Expense.objects.filter(business_id=kifaru["business_id"]).count() < 40
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_played_clock_goes_on_afterwards() -> None:
    with clock.at(NOW):
        assert timezone.now() == NOW
    assert abs(timezone.now() - datetime.now(UTC)) < timedelta(seconds=5)


def test_everybody_but_a_super_admin_has_a_supervisor_and_nobody_is_their_own(kifaru: Business) -> None:
    people = Employee.objects.filter(business=kifaru).select_related("supervisor")
    assert {row.role for row in people if row.supervisor is None} == {Role.SUPER_ADMIN}
    for row in people:
        above, seen = row.supervisor, {row.pk}
        while above is not None:
            assert above.pk not in seen, row.name
            seen.add(above.pk)
            above = above.supervisor
