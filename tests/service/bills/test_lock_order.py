"""Whoever asks for votes takes the workflows before any row: a workflow that changes meanwhile, and is followed by another
payment of the same bill, waits or is waited for, and neither is broken off. With two connections and real commits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections, transaction

from service.approvals import workflows
from service.bills import execution, retries
from service.ledger.retry import DEADLOCK, RETRIED
from service.payments.models import Batch
from tests.days import business_day
from tests.service.approvals.test_in_flight import change
from tests.service.approvals.test_workflow_race import version_of
from tests.service.approvals.test_workflows import create_workflow
from tests.service.bills.conftest import add, pay, request_votes, say, status, till
from tests.service.bills.test_payments import dated_rate, taxed
from tests.service.house import House
from tests.service.payments.conftest import draft

WAITING = "select count(*) from pg_locks where not granted and pid <> pg_backend_pid()"


def voted(house: House, row: dict[str, Any], *names: str) -> None:
    for name in names:
        assert say(house, row, "approve", by=name).status_code == 200


def wait_for_a_waiter() -> None:
    """Until another connection waits for a lock."""
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)


def beside(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, held: Callable[[], Any], late: Callable[[], Any]
) -> list[Any]:
    """Begins `late` on another connection when `held` has its rows and is about to call a function, and lets `held` go on once
    the other one waits. What both answered, or what broke them off."""
    inside, answers, real = threading.Event(), dict[str, Any](), getattr(module, name)

    def paused(*args: Any, **kwargs: Any) -> Any:
        if not inside.is_set():
            inside.set()
            wait_for_a_waiter()
        return real(*args, **kwargs)

    def run(which: str, work: Callable[[], Any]) -> None:
        try:
            answers[which] = work()
        except Exception as broken_off:
            answers[which] = broken_off
        finally:
            connections.close_all()

    monkeypatch.setattr(module, name, paused)
    first = threading.Thread(target=run, args=("held", held))
    second = threading.Thread(target=run, args=("late", late))
    first.start()
    assert inside.wait(10)
    second.start()
    for thread in (first, second):
        thread.join(20)
    return [answers["held"], answers["late"]]


@pytest.mark.parametrize("fails_first", [False, True], ids=["paid", "tried again"])
def test_a_payment_that_goes_back_to_approval_and_a_change_that_another_of_its_bill_follows(
    committed_house: House, monkeypatch: pytest.MonkeyPatch, *, fails_first: bool
) -> None:
    """Following, the other payment has its votes and is approved, for which the bill is locked."""
    house = committed_house
    made = create_workflow(house, {"role": "APPROVER", "min_approvals": 2})
    bill = taxed(house, 100_000, till=till("0001"))
    first, second = (request_votes(house, add(house, bill, 50_000).json()).json() for _ in range(2))
    voted(house, first, "Apollo", "Zawadi")
    voted(house, second, "Apollo")
    if fails_first:
        assert pay(first) == "FAILED"
    dated_rate(house, 1000, business_day())
    deadlocks = RETRIED[DEADLOCK]
    if fails_first:
        path = f"/bills/payments/{first['payment_ref']}/retry"
        went, changed = beside(
            monkeypatch, retries.policies, "recheck_policies",
            lambda: house.post(path).json()["status"], lambda: change(house, made, {"role": "APPROVER"}),
        )  # fmt: skip
    else:
        went, changed = beside(
            monkeypatch, execution.policies, "obstacle",
            lambda: execution.reserve(first["_id"]), lambda: change(house, made, {"role": "APPROVER"}),
        )  # fmt: skip
    assert went == "PENDING_APPROVAL"
    assert getattr(changed, "status_code", changed) == 200
    assert RETRIED[DEADLOCK] == deadlocks
    assert version_of(first["_id"]) == ("Bills", 2, 1)
    assert status(second) == "APPROVED"


def test_a_payout_that_waits_for_a_change_of_the_workflows_has_no_row_yet(committed_house: House) -> None:
    house, answers = committed_house, list[int]()
    batch_no = draft(house)["batch_no"]

    def initiate() -> None:
        try:
            answers.append(house.send("PATCH", f"/payments/{batch_no}/initiate").status_code)
        finally:
            connections.close_all()

    second = threading.Thread(target=initiate)
    with transaction.atomic():
        workflows.lock_for_change(house.business)
        second.start()
        wait_for_a_waiter()
        assert (
            Batch.objects.select_for_update(nowait=True).get(business=house.business, batch_no=batch_no).status
            == "DRAFT"
        )
    second.join(20)
    assert answers == [200]
