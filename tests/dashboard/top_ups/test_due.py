"""The job of recurring top-ups: which are taken in which order, and that one that fails stops none of the others."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.errors import BadAnswer, FinanceError, Forbidden, NotFound, Rejected
from dashboard.mirror.models import Employee
from dashboard.notifications.models import Notice
from dashboard.times import local
from dashboard.top_ups import tasks, worker
from dashboard.top_ups.models import TopUp
from tests.dashboard.conftest import World
from tests.dashboard.top_ups.test_top_ups import due_today, newest_run, set_up
from tests.days import business_day


@pytest.mark.parametrize("fault", [Forbidden(), NotFound(), BadAnswer(), Rejected(), ValueError("1.005")])
def test_a_balance_that_cannot_be_read_pauses_it_and_is_told(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    top_up = set_up(world, first_wallet)
    due_today(top_up)

    def fails(*_args: Any, **_options: Any) -> None:
        raise fault

    monkeypatch.setattr(worker, "read_live", fails)
    tasks.run_due()
    top_up.refresh_from_db()
    assert (top_up.state, top_up.runs.count()) == ("PAUSED", 0)
    assert top_up.reason.startswith("What Carla")
    if isinstance(fault, FinanceError):
        assert fault.happened in top_up.reason
    assert Notice.objects.filter(business=world.business, topic="top_ups", sentence__contains="is paused").exists()


def test_one_that_fails_does_not_stop_the_others_and_waits(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = set_up(world, first_wallet), set_up(world, first_wallet, name="Rita", key="r" * 32)
    for top_up in (first, second):
        due_today(top_up)
    # In its order it comes first.
    TopUp.objects.filter(pk=first.pk).update(next_on=business_day(-3))
    real = worker.employee_of

    def fails(actor: Any, top_up: TopUp) -> Employee:
        if top_up.pk == first.pk:
            raise RuntimeError
        return real(actor, top_up)

    monkeypatch.setattr(worker, "employee_of", fails)
    assert tasks.run_due() == 2
    assert newest_run(second).state == "DONE"
    assert str(first.pk) not in worker.due()
    assert not worker.has_due()


def test_the_end_of_the_workers_time_stops_it(world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    due_today(set_up(world, first_wallet))

    def over(*_args: Any) -> bool:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(worker, "run", over)
    with pytest.raises(SoftTimeLimitExceeded):
        tasks.run_due()


def test_what_is_due_takes_one_query_and_at_most_so_many_the_oldest_first(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    top_up = set_up(world, first_wallet)
    today = local(timezone.now(), world.business).date()
    rows = [
        TopUp(
            business=world.business, by=top_up.by, employee_id=f"e{number}", employee_name="Somebody", currency="KES",
            org_wallet_ref=first_wallet, target_minor=1, interval="WEEKLY", day=1, key=f"k{number}",
            next_on=today - timedelta(days=number % 7),
        )
        for number in range(60)
    ]  # fmt: skip
    TopUp.objects.bulk_create(rows)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        ids = worker.due()
    selects = [query for query in queries.captured_queries if "SELECT" in query["sql"].upper()]
    assert (len(ids), len(selects)) == (50, 1)
    assert ids == [str(row.pk) for row in sorted(rows, key=lambda row: (row.next_on, row.pk))][:50]
