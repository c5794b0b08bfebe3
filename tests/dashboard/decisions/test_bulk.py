"""Deciding on several things: the plan before, one call, a result per row, the failed ones again."""

from typing import Any

import pytest

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import Plan
from dashboard.bulk.plans import plan as plan_of
from dashboard.client import breaker
from dashboard.decisions.bulk import BulkDecision, result_of, retry_failed, submit_bulk, undo_bulk
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.presenters import undone_sentence
from dashboard.decisions.verdicts import LeftOut
from dashboard.errors import InvalidState, NotFound, Rejected
from dashboard.mirror.models import Approval, Expense
from dashboard.money import Money
from tests.dashboard.decisions.conftest import Desk


def plan(actor: Actor, operation: Operation, rows: list[Any], fingerprints: dict[str, str] | None = None) -> Plan:
    return plan_of(actor, BulkDecision(operation), rows, fingerprints)


def left_out(bulk: Batch) -> set[str]:
    """Why rows were left out, as codes."""
    return {LeftOut(why).name for why in bulk.rows.filter(state="LEFT_OUT").values_list("why", flat=True)}


def seen(rows: list[Expense]) -> dict[str, str]:
    return {row.remote_id: fingerprint_of(row) for row in rows}


def mixed(desk: Desk) -> tuple[list[Expense], dict[str, str]]:
    """Two that pass, and one of everything that does not."""
    passing = [desk.expense(), desk.expense(amount_minor=100, currency="USD")]
    own, decided, changed = desk.expense("Rita"), desk.expense(status="REJECTED"), desk.expense()
    deciding, other = desk.expense(), desk.expense(team=desk.house.south)
    rows = [*passing, own, decided, changed, deciding, other]
    fingerprints = seen(rows)
    desk.take("Apollo", deciding)
    Expense.objects.filter(pk=changed.pk).update(amount_minor=1)
    return list(Expense.objects.filter(pk__in=[row.pk for row in rows]).order_by("pk")), fingerprints


def test_the_plan_says_what_will_pass_what_will_not_and_what_it_comes_to(desk: Desk) -> None:
    rows, fingerprints = mixed(desk)
    planned = plan(desk.house.actor("Rita"), operations.APPROVE_EXPENSE, rows, fingerprints)
    assert [row.why for row in planned.rows] == [
        "",
        "",
        LeftOut.OWN,
        LeftOut.DECIDED,
        LeftOut.CHANGED,
        LeftOut.DECIDING,
        LeftOut.DENIED,
    ]
    assert planned.totals == [Money(125050, "KES"), Money(100, "USD")]
    assert planned.summary.startswith(
        "2 will be approved · 1 your own · 1 changed since you looked · 1 no longer waiting"
    )
    assert all(row.sentence for row in planned.left_out)
    assert not Batch.objects.filter(business=desk.house.business).exists()


def test_a_read_only_reviewer_is_told_before_the_click(desk: Desk) -> None:
    planned = plan(desk.house.actor("Rex"), operations.APPROVE_EXPENSE, [desk.expense(), desk.expense("Rex")])
    assert planned.counts == {LeftOut.OWN: 1, LeftOut.READ_ONLY: 1}


def test_payments_show_the_balance_after_and_critical_ones_are_decided_alone(desk: Desk) -> None:
    desk.house.wallet(available_minor=12_000_000)
    rows = [desk.approval(), desk.approval(), desk.approval(risk_level="CRITICAL")]
    planned = plan(desk.house.actor("Apollo"), operations.APPROVE_PAYMENT_REQUEST, rows)
    assert planned.counts == {"": 2, LeftOut.CRITICAL: 1}
    [wallet] = planned.wallets
    assert (wallet.before.minor, wallet.after.minor) == (12_000_000, 2_000_000)
    Approval.objects.filter(pk=rows[0].pk).update(payload={**rows[0].payload, "code_required": True})
    again = plan(desk.house.actor("Apollo"), operations.APPROVE_PAYMENT_REQUEST, [rows[1], _fresh(rows[0])])
    assert again.summary.startswith("2 will be approved · 1 of them needs a code")
    rejecting = plan(desk.house.actor("Apollo"), operations.REJECT_PAYMENT_REQUEST, rows)
    assert (rejecting.counts, rejecting.wallets) == ({"": 3}, [])


def _fresh(row: Approval) -> Approval:
    return Approval.objects.get(pk=row.pk)


def test_what_passes_is_sent_in_one_call_and_the_rest_is_told(desk: Desk) -> None:
    rows, fingerprints = mixed(desk)
    desk.service.expenses.pop(rows[1].remote_id)
    bulk = submit_bulk(
        desk.house.actor("Rita"),
        operations.APPROVE_EXPENSE,
        rows,
        fingerprints=fingerprints,
        key="f",
        reason="All seen.",
    )
    assert left_out(bulk) == {"OWN", "DECIDED", "CHANGED", "DECIDING", "DENIED"}
    Decision.objects.filter(membership=desk.house.people["Apollo"]).delete()
    desk.send()
    [sent] = desk.proxy.sent("POST")
    assert sent.path.endswith("/expenses/approve")
    assert sent.json == {"ids": [rows[0].remote_id, rows[1].remote_id], "reason": "All seen."}
    result = result_of(desk.house.actor("Rita"), bulk.pk)
    assert [row.standing for row in result.rows.exclude(standing="LEFT_OUT")] == ["DONE", "REFUSED"]
    assert result.failed[0].message == "It is no longer there."
    assert Expense.objects.get(pk=rows[0].pk).status == "APPROVED"
    denied = AuditEntry.objects.filter(chain=desk.house.business.pk, outcome="DENIED")
    assert set(denied.values_list("object_id", flat=True)) == {rows[2].remote_id, rows[6].remote_id}


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        ("NOT_FOUND", "It is no longer there."),
        ("expense.not_found", "It is no longer there."),
        ("It was deleted.", "It was deleted."),
    ],
)
def test_a_code_is_no_sentence_for_a_row_that_was_refused(desk: Desk, detail: str, shown: str) -> None:
    rita, rows = desk.house.actor("Rita"), [desk.expense(), desk.expense()]
    desk.service.row_detail = detail
    desk.service.expenses.pop(rows[1].remote_id)
    bulk = submit_bulk(rita, operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f")
    desk.send()
    assert [row.message for row in result_of(rita, bulk.pk).failed] == [shown]


def test_the_failed_ones_again_and_only_those(desk: Desk) -> None:
    rita, rows = desk.house.actor("Rita"), [desk.expense(), desk.expense()]
    lost = desk.service.expenses.pop(rows[1].remote_id)
    bulk = submit_bulk(rita, operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f1")
    desk.send()
    desk.service.expenses[rows[1].remote_id] = lost
    again = retry_failed(rita, bulk.pk, key="f2")
    assert again is not None
    assert retry_failed(rita, bulk.pk, key="f2") == again
    assert left_out(again) == set()
    desk.send()
    assert [row.remote_id for row in result_of(rita, again.pk).rows] == [rows[1].remote_id]
    assert sorted(effect[1] for effect in desk.service.effects) == sorted(row.remote_id for row in rows)


def test_the_same_form_again_is_the_same_bulk_and_another_use_of_it_is_refused(desk: Desk) -> None:
    rows = [desk.expense() for _ in range(3)]
    first, second = (
        submit_bulk(desk.house.actor("Rita"), operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f")
        for _ in range(2)
    )
    assert first.pk == second.pk
    assert desk.states() == ["WAITING"] * 3
    with pytest.raises(InvalidState):
        submit_bulk(desk.house.actor("Apollo"), operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f")
    with pytest.raises(NotFound):
        result_of(desk.house.actor("Apollo"), first.pk)


def test_rows_nobody_saw_are_left_out_and_too_many_are_refused(desk: Desk) -> None:
    rows = [desk.expense(), desk.expense()]
    bulk = submit_bulk(desk.house.actor("Rita"), operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows[:1]), key="f")
    assert left_out(bulk) == {"CHANGED"}
    with pytest.raises(Rejected):
        plan(desk.house.actor("Rita"), operations.APPROVE_EXPENSE, rows * 5001)
    with pytest.raises(Rejected):
        submit_bulk(desk.house.actor("Rita"), operations.REJECT_EXPENSE, rows, fingerprints=seen(rows), key="g")


def test_a_bulk_is_undone_row_by_row_while_it_waits(desk: Desk) -> None:
    rita, rows = desk.house.actor("Rita"), [desk.expense() for _ in range(3)]
    bulk = submit_bulk(rita, operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f")
    undone = undo_bulk(rita, bulk.pk)
    assert undone_sentence(undone) == "3 undone. None of them was sent."
    assert undone_sentence(undone[:1]) == "1 undone. It was not sent."
    assert desk.send() == 0
    assert result_of(rita, bulk.pk).failed == []


def test_of_rows_that_the_service_had_put_off_nobody_says_that_they_were_not_sent(desk: Desk) -> None:
    rita, rows = desk.house.actor("Rita"), [desk.expense() for _ in range(3)]
    bulk = submit_bulk(rita, operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f")
    desk.proxy.fail("429", path="/v2/expenses")
    desk.send()
    assert desk.states() == ["WAITING"] * 3
    undone = undo_bulk(rita, bulk.pk)
    assert undone_sentence(undone) == "3 undone. The finance service had put them off: none was done."
    assert undone_sentence(undone[:1]) == "1 undone. The finance service had put it off: it was not done."
    undone[0].has_left = False
    assert undone_sentence(undone) == "3 undone. The finance service had put 2 of them off: none was done."


def test_one_row_that_changed_while_waiting_does_not_hold_up_the_others(desk: Desk) -> None:
    rita, rows = desk.house.actor("Rita"), [desk.expense() for _ in range(3)]
    bulk = submit_bulk(rita, operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f")
    Expense.objects.filter(pk=rows[0].pk).update(amount_minor=1)
    desk.send()
    states = {row.remote_id: row.standing for row in result_of(rita, bulk.pk).rows}
    assert [states[row.remote_id] for row in rows] == ["CANCELLED", "DONE", "DONE"]
    assert desk.proxy.sent("POST")[0].json["ids"] == [row.remote_id for row in rows[1:]]


@pytest.mark.parametrize("mode", ["lost reply", "hang", "bad json"])
def test_a_lost_answer_to_several_is_found_out_with_the_same_call(
    desk: Desk, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.decisions.dispatcher.SEND_S", 1.0)
    monkeypatch.setattr("dashboard.decisions.reconcile.READ_S", 0.5)
    monkeypatch.setattr(breaker, "PAUSE_S", 0.0)
    rita, rows = desk.house.actor("Rita"), [desk.expense() for _ in range(3)]
    submit_bulk(rita, operations.APPROVE_EXPENSE, rows, fingerprints=seen(rows), key="f")
    desk.proxy.fail(mode, path="/v2/expenses")
    desk.send()
    assert desk.states() == ["UNKNOWN"] * 3
    desk.proxy.heal()
    desk.send()
    assert desk.states() == ["DONE"] * 3
    assert len(desk.service.effects) == 3
    assert len({(sent.headers["Idempotency-Key"], sent.body) for sent in desk.proxy.sent("POST")}) == 1


def test_the_rows_of_a_bulk_of_votes_are_sent_one_by_one(desk: Desk) -> None:
    rows = [desk.approval() for _ in range(3)]
    fingerprints = {row.remote_id: fingerprint_of(row) for row in rows}
    submit_bulk(
        desk.house.actor("Apollo"), operations.APPROVE_PAYMENT_REQUEST, rows, fingerprints=fingerprints, key="f"
    )
    desk.send()
    assert desk.states() == ["DONE"] * 3
    assert len(desk.proxy.sent("POST", "/approvals/approve")) == 3
