"""The whole way: a decision taken here, carried out by the running finance service, seen in the copy."""

import threading
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry
from dashboard.audit.seal import seal_chain
from dashboard.audit.verify import verify
from dashboard.client.connection import test_connection
from dashboard.decisions.bulk import submit_bulk
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import submit_decision
from dashboard.mirror.apply import upsert_expenses
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses
from tests.dashboard.conftest import World


def expenses(world: World, count: int = 1, of: str = "Carla") -> list[Expense]:
    """Fresh ones, made at the service by somebody of the cast, and brought into the copy as its feed would."""
    created = world.sandbox("expenses", count=count, employee_ids=[world.employee(of)["employee_id"]])["expenses"]
    upsert_expenses(world.business, created, "FEED")
    ids = [expense["_id"] for expense in created]
    return list(Expense.objects.filter(business=world.business, remote_id__in=ids).order_by("pk"))


def decide(
    world: World, who: str, row: Any, operation: Operation = operations.APPROVE_EXPENSE, **more: Any
) -> Decision:
    given = {"fingerprint": fingerprint_of(row), "key": str(uuid.uuid4()), **more}
    return submit_decision(world.actor(who), operation, row, **given)


def send(world: World) -> None:
    Decision.objects.filter(business=world.business, state__in=["WAITING", "UNKNOWN"]).update(due_at=timezone.now())
    send_due(world.business)


def upstream(world: World, row: Expense) -> dict[str, Any]:
    day = {
        "from": (row.transaction_date - timedelta(days=1)).date(),
        "to": (row.transaction_date + timedelta(days=1)).date(),
    }
    docs: list[dict[str, Any]] = world.upstream("/expenses", limit=1000, **day)["docs"]
    return next(doc for doc in docs if doc["_id"] == row.remote_id)


@pytest.mark.parametrize(
    ("operation", "becomes"),
    [
        (operations.APPROVE_EXPENSE, "APPROVED"),
        (operations.REJECT_EXPENSE, "REJECTED"),
        (operations.REQUEST_EXPENSE_DETAILS, "DETAILS_REQUESTED"),
    ],
)
def test_a_reviewer_decides_and_the_service_knows_who_it_was(world: World, operation: Operation, becomes: str) -> None:
    [row] = expenses(world)
    assert visible_expenses(world.actor("Rita")).filter(pk=row.pk).exists()
    decision = decide(world, "Rita", row, operation, reason="As agreed.")
    send(world)
    decision.refresh_from_db()
    assert (decision.state, decision.message) == ("DONE", "Done.")
    there = upstream(world, row)
    assert (there["status"], there["reviewed_by"]) == (becomes, world.employee("Rita")["employee_id"])
    assert there["review_reason"] == "As agreed."
    row.refresh_from_db()
    assert row.status == becomes
    seal_chain(world.business.pk)
    assert verify(world.business).ok


def test_several_in_one_call(world: World) -> None:
    rows = expenses(world, 5)
    seen = {row.remote_id: fingerprint_of(row) for row in rows}
    bulk = submit_bulk(world.actor("Rita"), operations.APPROVE_EXPENSE, rows, fingerprints=seen, key=str(uuid.uuid4()))
    send(world)
    assert {decision.state for decision in bulk.decisions.all()} == {"DONE"}
    assert {row.status for row in Expense.objects.filter(pk__in=[row.pk for row in rows])} == {"APPROVED"}
    assert {upstream(world, row)["status"] for row in rows} == {"APPROVED"}


def test_two_approvers_at_once_make_one_decision_and_the_loser_reads_who_won(world: World) -> None:
    [row] = expenses(world)
    start, messages = threading.Barrier(2), dict[str, str]()

    def post(who: str) -> None:
        from django.db import connections

        actor_ready = world.actor(who)
        start.wait()
        try:
            submit_decision(
                actor_ready,
                operations.APPROVE_EXPENSE,
                row,
                fingerprint=fingerprint_of(row),
                key=str(uuid.uuid4()),
            )
            messages[who] = ""
        except Exception as error:
            messages[who] = str(error)
        connections.close_all()

    threads = [threading.Thread(target=post, args=(who,)) for who in ("Rita", "Apollo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [loser] = [who for who, message in messages.items() if message]
    [winner] = [who for who, message in messages.items() if not message]
    assert f"{winner}" in messages[loser]
    assert "decided first" in messages[loser]
    send(world)
    assert upstream(world, row)["reviewed_by"] == world.employee(winner)["employee_id"]


def test_what_was_decided_elsewhere_is_seen_before_it_is_decided_again(world: World) -> None:
    [row] = expenses(world)
    stale = Expense.objects.get(pk=row.pk)
    first = decide(world, "Apollo", row, operations.REJECT_EXPENSE, reason="No.")
    send(world)
    first.refresh_from_db()
    assert first.state == "DONE"
    # A copy that has not heard of it: the service itself would let a rejected expense be approved after all.
    old = timezone.now() - timedelta(seconds=61)
    Expense.objects.filter(pk=row.pk).update(status=stale.status, remote_version=1, last_seen=old, payload_hash="")
    second = decide(world, "Rita", stale)
    send(world)
    second.refresh_from_db()
    assert second.state == "LOST"
    assert "Apollo" in second.message, second.message
    assert upstream(world, row)["status"] == "REJECTED"


@pytest.mark.parametrize("mode", ["lost reply", "truncated", "bad json", "reset"])
def test_a_lost_answer_is_found_out_and_done_once(proxied_world: World, mode: str) -> None:
    world = proxied_world
    assert world.proxy is not None
    [row] = expenses(world)
    decision = decide(world, "Rita", row)
    world.proxy.fail(mode, path="/expenses")
    send(world)
    decision.refresh_from_db()
    assert decision.state == "UNKNOWN"
    version = upstream(world, row)["version"]
    world.proxy.heal()
    send(world)
    decision.refresh_from_db()
    assert decision.state == "DONE"
    assert upstream(world, row)["version"] <= max(version, row.remote_version + 1 if row.remote_version else version)
    assert upstream(world, row)["status"] == "APPROVED"


def test_what_the_gate_refuses_the_service_never_hears_of(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    [row] = expenses(world)
    for who in ("Rex", "Sam", "Carla"):
        with pytest.raises(Exception, match=r"read-only|This is for"):
            decide(world, who, row)
    assert world.proxy.sent("POST") == []
    denied = AuditEntry.objects.filter(chain=world.business.pk, outcome="DENIED")
    assert [line.actor_name.split()[0] for line in denied.order_by("id")] == ["Rex", "Sam", "Carla"]


def test_the_connection_is_found_whole(world: World) -> None:
    connection = test_connection(world.actor("Selma"))
    assert (connection.ok, connection.entitled, connection.missing_scopes, connection.clock_is_right) == (
        True,
        True,
        [],
        True,
    )
