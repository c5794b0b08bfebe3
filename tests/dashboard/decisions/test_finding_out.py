"""When the answer is lost: never "failed", never twice, found out by the same key or by looking."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry
from dashboard.client import breaker
from dashboard.client.models import OutboundOperation
from dashboard.decisions import services
from dashboard.decisions.alerts import open_alerts, raise_alerts
from dashboard.decisions.bulk import submit_bulk
from dashboard.decisions.dispatcher import claim_next, send_due
from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import undo
from dashboard.errors import InvalidState
from dashboard.mirror.models import Expense
from tests.dashboard.decisions.conftest import Desk


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.decisions.dispatcher.SEND_S", 2.0)
    monkeypatch.setattr("dashboard.decisions.reconcile.READ_S", 1.0)
    monkeypatch.setattr(breaker, "PAUSE_S", 0.0)


@pytest.mark.parametrize("mode", ["lost reply", "reset", "truncated", "bad json", "500", "hang"])
def test_unknown_is_found_out_once_the_service_answers_again(desk: Desk, mode: str) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    desk.proxy.fail(mode, path="/v2/expenses")
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "UNKNOWN"
    assert decision.unknown_since is not None
    assert "finding out" in decision.message
    desk.proxy.heal()
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "DONE"
    assert len(desk.service.effects) == 1
    assert {sent.headers["Idempotency-Key"] for sent in desk.proxy.sent("POST")} == {decision.key}


def test_it_is_found_by_looking_where_the_decision_itself_gets_no_answer(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    desk.proxy.fail("lost reply", path="/expenses/approve")
    desk.send()
    decision.refresh_from_db()
    assert (decision.state, decision.outcome["found_by_reading"]) == ("DONE", True)
    assert len(desk.service.effects) == 1


def test_a_service_without_keys_does_not_make_it_look_refused(desk: Desk) -> None:
    desk.service.honours_keys = False
    decision = desk.take("Rita", desk.expense())
    desk.proxy.fail("lost reply", path="/expenses/approve", times=1)
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "DONE"
    assert len(desk.service.effects) == 1


def test_nor_does_it_when_it_is_asked_again_later(desk: Desk) -> None:
    desk.service.honours_keys = False
    decision = desk.take("Rita", desk.expense())
    desk.proxy.fail("lost reply", path="/v2/expenses")
    desk.send()
    desk.proxy.heal()
    desk.send()
    decision.refresh_from_db()
    assert (decision.state, decision.outcome["found_by_reading"]) == ("DONE", True)
    assert len(desk.service.effects) == 1


def test_a_doubt_outlives_our_own_breaker_and_a_service_that_cannot_be_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    desk.proxy.fail("lost reply", method="POST", path="/v2/expenses")
    desk.proxy.fail("500", method="GET", path="/v2/expenses")
    desk.send()
    assert len(desk.service.effects) == 1
    with monkeypatch.context() as patched:
        patched.setattr(breaker.Breaker, "allows", lambda _: False)
        for _ in range(3):
            desk.send()
    # Meanwhile the copy has learned that it is approved: by whom, is for a look to tell.
    Expense.objects.filter(pk=row.pk).update(status="APPROVED", last_seen=timezone.now())
    desk.proxy.heal()
    desk.proxy.fail("500", method="GET", path="/v2/expenses")
    desk.proxy.fail("429", method="POST", path="/v2/expenses")
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "UNKNOWN"
    with pytest.raises(InvalidState):
        undo(desk.house.actor("Rita"), decision.pk)
    desk.proxy.heal()
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "DONE"
    assert OutboundOperation.objects.get(key=decision.key).state == "CONFIRMED"
    lines = AuditEntry.objects.filter(decision_id=decision.pk).values_list("outcome", "reason")
    assert not [line for line in lines if line[0] == "CANCELLED" or "Nothing was sent" in line[1]]


def test_a_doubt_that_a_look_has_settled_is_settled_in_the_outbox_too(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    desk.proxy.fail("lost reply", path="/expenses/approve")
    desk.send()
    decision.refresh_from_db()
    entry = OutboundOperation.objects.get(key=decision.key)
    assert (decision.state, entry.state, entry.error_code) == ("DONE", "CONFIRMED", "found_by_reading")


def test_done_by_somebody_else_is_lost_even_where_their_name_is_not_known(desk: Desk) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    desk.proxy.fail("500", method="POST", path="/v2/expenses")
    desk.service.decide("expense", row.remote_id, "approve", "e-somebody-of-another-office")
    desk.send()
    decision.refresh_from_db()
    assert (decision.state, decision.message) == ("LOST", "Somebody else decided first: it is approved.")


def test_a_row_of_several_that_our_own_lost_call_has_done_is_done(desk: Desk) -> None:
    desk.service.honours_keys = False
    rows = [desk.expense(), desk.expense()]
    seen = {row.remote_id: fingerprint_of(row) for row in rows}
    actor = desk.house.actor("Rita")
    submit_bulk(actor, operations.APPROVE_EXPENSE, rows, fingerprints=seen, key="several")
    desk.proxy.fail("lost reply", path="/expenses/approve", times=1)
    desk.send()
    assert desk.states() == ["DONE", "DONE"]
    assert len(desk.service.effects) == 2


def test_a_vote_that_was_lost_is_found_among_the_votes(desk: Desk) -> None:
    request = desk.approval()
    decision = desk.take("Apollo", request, operations.APPROVE_PAYMENT_REQUEST)
    desk.proxy.fail("lost reply", path="/approvals/approve")
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "DONE"
    assert len(desk.service.effects) == 1


def test_what_was_certainly_not_sent_waits_again_and_can_be_undone(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    desk.proxy.fail("429")
    desk.send()
    decision.refresh_from_db()
    assert decision.can_be_undone
    undo(desk.house.actor("Rita"), decision.pk)
    desk.proxy.heal()
    assert desk.send() == 0
    assert desk.service.effects == []


def test_after_ten_minutes_without_the_service_it_is_given_up_and_says_so(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    Decision.objects.filter(pk=decision.pk).update(created_at=timezone.now() - timedelta(minutes=11))
    desk.proxy.fail("429")
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "REFUSED"
    assert "Nothing was changed" in decision.message


def test_the_worker_killed_after_sending_is_followed_by_one_that_asks_with_the_same_key(desk: Desk) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    Decision.objects.filter(pk=decision.pk).update(due_at=timezone.now())
    claimed = claim_next(desk.house.business)
    assert claimed is not None
    # The book says "sent", the service has done it, and the worker is gone before it wrote anything more.
    OutboundOperation.objects.create(
        business=desk.house.business,
        membership_id=decision.membership_id,
        operation=decision.operation,
        key=decision.key,
        path=f"/expenses/approve/{row.remote_id}",
        body={},
        state="SENT",
    )
    desk.service.answers[decision.key] = desk.service.decide(
        "expense", row.remote_id, "approve", desk.house.employee("Rita")
    )
    Decision.objects.filter(pk=decision.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert send_due(desk.house.business) == 1
    assert desk.states() == ["DONE"]
    assert len(desk.service.effects) == 1


def test_a_right_that_was_lost_meanwhile_sends_nothing_more_but_still_finds_out(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    desk.proxy.fail("lost reply", path="/v2/expenses")
    desk.send()
    membership = desk.house.people["Rita"]
    membership.role = "CARD_USER"
    membership.save()
    posted = len(desk.proxy.sent("POST"))
    desk.proxy.heal()
    desk.send()
    decision.refresh_from_db()
    assert len(desk.proxy.sent("POST")) == posted
    assert (decision.state, decision.outcome["found_by_reading"]) == ("DONE", True)


def test_an_unknown_that_grows_old_is_put_before_its_owner_and_finance_until_it_is_settled(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    desk.proxy.fail("500", path="/v2/expenses")
    desk.send()
    raise_alerts()
    assert not open_alerts(desk.house.actor("Rita")).exists()
    Decision.objects.filter(pk=decision.pk).update(unknown_since=timezone.now() - timedelta(minutes=6))
    raise_alerts()
    raise_alerts()
    for who in ("Rita", "Apollo"):
        [alert] = open_alerts(desk.house.actor(who))
        assert "Rita approved expense" in alert.sentence
    assert not open_alerts(desk.house.actor("Rex")).exists()
    desk.proxy.heal()
    desk.send()
    assert desk.states() == ["DONE"]
    assert not open_alerts(desk.house.actor("Rita")).exists()


def test_what_was_sent_and_put_off_while_it_was_being_undone_is_not_said_to_have_stayed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    decision = desk.take("Rita", desk.expense())
    read = services.own_decision

    def read_before_it_is_sent(actor: Actor, decision_id: Any) -> Decision:
        found = read(actor, decision_id)
        desk.proxy.fail("429", path="/v2/expenses")
        desk.send()
        return found

    monkeypatch.setattr(services, "own_decision", read_before_it_is_sent)
    undone = undo(desk.house.actor("Rita"), decision.pk)
    undone.refresh_from_db()
    assert (undone.state, undone.has_left) == (DecisionState.CANCELLED, True)
    assert undone.message == "You undid it. The finance service had put it off: it was not done."
    line = AuditEntry.objects.get(decision_id=decision.pk, outcome="UNDONE")
    assert line.reason == undone.message
