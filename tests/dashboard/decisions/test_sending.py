"""Sending: everything is asked again, one sender per decision, and what the service says is what the person reads."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from dashboard import operations
from dashboard.decisions.dispatcher import claim_next, dispatch, send_due
from dashboard.decisions.models import Decision
from dashboard.decisions.selectors import has_due
from dashboard.decisions.services import undo
from dashboard.errors import InvalidState
from dashboard.mirror.models import Employee, Expense, Team
from tests.dashboard.decisions.conftest import Desk


def signed_in(desk: Desk, who: str) -> SessionStore:
    user = desk.house.people[who].user
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "any"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session


def lose_role(desk: Desk) -> None:
    membership = desk.house.people["Rita"]
    membership.role = "CARD_USER"
    membership.save()


def lose_team(desk: Desk) -> None:
    Team.objects.filter(remote_id=desk.house.north).update(reviewers=[])


def become_read_only(desk: Desk) -> None:
    seat = {"employee_id": desk.house.employee("Rita"), "read_only": True}
    Team.objects.filter(remote_id=desk.house.north).update(reviewers=[seat])


def leave(desk: Desk) -> None:
    membership = desk.house.people["Rita"]
    membership.is_active = False
    membership.save()


def be_suspended(desk: Desk) -> None:
    Employee.objects.filter(remote_id=desk.house.employee("Rita")).update(status="SUSPENDED")


def change_amount(desk: Desk) -> None:
    Expense.objects.filter(business=desk.house.business).update(amount_minor=1)


@pytest.mark.parametrize("meanwhile", [lose_role, lose_team, become_read_only, leave, be_suspended, change_amount])
def test_what_no_longer_holds_is_not_sent_and_says_why(desk: Desk, meanwhile: object) -> None:
    decision = desk.take("Rita", desk.expense())
    meanwhile(desk)  # type: ignore[operator]
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "CANCELLED"
    assert decision.message.endswith("Nothing was sent.")
    assert len(decision.message) > len("Nothing was sent.")
    assert desk.town.proxy.record == []


@pytest.mark.parametrize("ends", ["signed out", "password changed", "still there"])
def test_a_decision_ends_with_the_session_it_was_taken_in(desk: Desk, ends: str) -> None:
    session = signed_in(desk, "Rita")
    row = desk.expense()
    decision = desk.take("Rita", row)
    Decision.objects.filter(pk=decision.pk).update(session_key=session.session_key)
    if ends == "signed out":
        session.delete()
    elif ends == "password changed":
        user = desk.house.people["Rita"].user
        user.set_password("another one altogether")
        user.save()
    desk.send()
    decision.refresh_from_db()
    expected = ("DONE", None) if ends == "still there" else ("CANCELLED", "session_ended")
    assert (decision.state, decision.outcome.get("code")) == expected


def until(happened: Callable[[], object]) -> None:
    ends = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.02)


def test_the_undo_and_the_sender_race_and_one_of_them_wins(desk: Desk) -> None:
    for _ in range(10):
        row = desk.expense()
        decision = desk.take("Rita", row)
        Decision.objects.filter(pk=decision.pk).update(due_at=timezone.now())
        start, late = threading.Barrier(2), list[InvalidState]()

        def take_back(decision: Decision, start: threading.Barrier, late: list[InvalidState]) -> None:
            from django.db import connections

            start.wait()
            try:
                undo(desk.house.actor("Rita"), decision.pk)
            except InvalidState as error:
                late.append(error)
            connections.close_all()

        thread = threading.Thread(target=take_back, args=(decision, start, late))
        thread.start()
        start.wait()
        send_due(desk.house.business)
        thread.join()
        decision.refresh_from_db()
        sent = [effect for effect in desk.service.effects if effect[1] == row.remote_id]
        assert (decision.state, len(sent)) == (("DONE", 1) if late else ("CANCELLED", 0))


def test_two_senders_send_it_once(desk: Desk) -> None:
    for _ in range(5):
        desk.take("Rita", desk.expense())
    Decision.objects.filter(business=desk.house.business).update(due_at=timezone.now())
    threads = [threading.Thread(target=send_due, args=(desk.house.business,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert desk.states() == ["DONE"] * 5
    assert len(desk.service.effects) == len(desk.proxy.sent("POST")) == 5


def test_a_sender_that_died_before_sending_is_replaced_when_its_lease_ends(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    Decision.objects.filter(pk=decision.pk).update(due_at=timezone.now())
    dead = claim_next(desk.house.business)
    assert dead is not None
    assert claim_next(desk.house.business) is None
    Decision.objects.filter(pk=decision.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert send_due(desk.house.business) == 1
    dispatch(dead)
    assert desk.states() == ["DONE"]
    assert len(desk.service.effects) == 1


def test_somebody_was_faster_upstream_and_the_loser_reads_who(desk: Desk) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    desk.service.decide("expense", row.remote_id, "reject", desk.house.employee("Apollo"))
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "LOST"
    assert decision.message == "Apollo decided first: it is rejected. Your decision changed nothing."
    assert (decision.outcome["by"], decision.outcome["code"]) == ("Apollo", "invalid_state")
    assert Expense.objects.get(pk=row.pk).status == "REJECTED"


def test_one_call_that_hangs_does_not_hold_up_what_becomes_due_meanwhile(desk: Desk) -> None:
    stuck, later = desk.expense(), desk.expense()
    desk.proxy.fail("hang", path=stuck.remote_id)
    first = desk.take("Rita", stuck)
    Decision.objects.filter(pk=first.pk).update(due_at=timezone.now())
    sweep = threading.Thread(target=send_due, args=(desk.house.business,))
    sweep.start()
    until(lambda: desk.proxy.sent("POST"))
    second = desk.take("Rita", later)
    Decision.objects.filter(pk=second.pk).update(due_at=timezone.now())
    until(lambda: Decision.objects.get(pk=second.pk).state == "DONE")
    assert sweep.is_alive()
    desk.proxy.heal()
    desk.proxy.stopping.set()
    sweep.join()


def test_a_copy_that_is_a_minute_old_is_read_again_before_sending(desk: Desk) -> None:
    row = desk.expense(last_seen=timezone.now() - timedelta(seconds=61))
    decision = desk.take("Rita", row)
    desk.service.expenses[row.remote_id] |= {"amount": 99, "amount_minor": 9900, "version": 2}
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "CANCELLED"
    assert "amount: KES\xa01,250.50 → KES\xa099.00" in decision.message
    assert desk.service.effects == []


def test_money_out_does_not_wait(desk: Desk) -> None:
    request = desk.approval()
    decision = desk.take("Apollo", request, operations.APPROVE_PAYMENT_REQUEST)
    assert decision.due_at <= timezone.now()
    assert decision.is_vote
    send_due(desk.house.business)
    decision.refresh_from_db()
    assert (decision.state, decision.message) == ("DONE", "Your approval counts: 1 of 2.")


def test_one_vote_per_person_and_several_people_vote(desk: Desk) -> None:
    request = desk.approval()
    desk.take("Apollo", request, operations.APPROVE_PAYMENT_REQUEST)
    with pytest.raises(InvalidState, match="Your decision"):
        desk.take("Apollo", request, operations.APPROVE_PAYMENT_REQUEST)
    desk.take("Zawadi", request, operations.APPROVE_PAYMENT_REQUEST)
    desk.send()
    assert desk.states() == ["DONE", "DONE"]
    assert desk.service.approvals[request.remote_id]["status"] == "APPROVED"
    assert {effect[2] for effect in desk.service.effects} == {
        desk.house.employee(name) for name in ("Apollo", "Zawadi")
    }


def test_the_schedule_asks_for_a_sender_when_a_decision_is_due_and_not_before(desk: Desk) -> None:
    decision = desk.take("Apollo", desk.expense())
    others = Decision.objects.exclude(pk=decision.pk).filter(state__in=["WAITING", "UNKNOWN", "SENDING"])
    hour = timezone.now() + timedelta(hours=1)
    others.update(due_at=hour, lease_until=hour)

    assert not has_due()
    Decision.objects.filter(pk=decision.pk).update(due_at=timezone.now())
    assert has_due()
    desk.send()
    assert not has_due()
