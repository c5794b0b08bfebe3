"""Taking a decision: checked, kept, waited for, undone; one per thing, one per form."""

import threading
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.audit.models import AuditEntry
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import differences, fingerprint_of
from dashboard.decisions.services import submit_decision, undo, wait_for_outcome
from dashboard.errors import Conflict, InvalidState, NotAllowed, NotFound, Rejected, Stale
from dashboard.mirror.models import Expense
from tests.dashboard.decisions.conftest import Desk


def outcomes(desk: Desk) -> list[str]:
    lines = AuditEntry.objects.filter(chain=desk.house.business.pk).order_by("id")
    return list(lines.values_list("outcome", flat=True))


def test_it_waits_ten_seconds_and_is_then_sent_once(desk: Desk) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    assert decision.can_be_undone
    assert timedelta(seconds=9) < decision.due_at - timezone.now() <= timedelta(seconds=10)
    assert desk.town.proxy.record == []
    desk.send()
    decision.refresh_from_db()
    assert (decision.state, decision.message) == ("DONE", "Done.")
    assert decision.outcome["request_id"] == "r-upstream"
    assert desk.service.effects == [("approve", row.remote_id, desk.house.employee("Rita"))]
    assert Expense.objects.get(pk=row.pk).status == "APPROVED"
    assert outcomes(desk) == ["TAKEN", "ATTEMPT", "DONE"]
    lines = AuditEntry.objects.filter(chain=desk.house.business.pk)
    assert set(lines.values_list("decision_id", flat=True)) == {decision.pk}


def test_an_undone_decision_is_never_sent(desk: Desk) -> None:
    row = desk.expense()
    decision = undo(desk.house.actor("Rita"), desk.take("Rita", row).pk)
    assert decision.state == "CANCELLED"
    assert desk.send() == 0
    assert desk.town.proxy.record == []
    assert outcomes(desk) == ["TAKEN", "UNDONE"]
    assert undo(desk.house.actor("Rita"), decision.pk).state == "CANCELLED"
    assert desk.take("Rita", row).state == "WAITING"


def test_nobody_undoes_for_somebody_else_and_nobody_undoes_what_is_done(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    for who, decision_id in (("Apollo", decision.pk), ("Rita", uuid.uuid4()), ("Rita", "no-such-id")):
        with pytest.raises(NotFound):
            undo(desk.house.actor(who), decision_id)
    desk.send()
    with pytest.raises(InvalidState):
        undo(desk.house.actor("Rita"), decision.pk)


@pytest.mark.parametrize(
    ("who", "of", "error"), [("Rita", "Rita", NotAllowed), ("Rex", "Carla", NotAllowed), ("Sam", "Carla", NotAllowed)]
)
def test_a_denied_decision_is_not_kept_and_leaves_a_line(desk: Desk, who: str, of: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        desk.take(who, desk.expense(of))
    assert desk.states() == []
    assert outcomes(desk) == ["DENIED"]


def test_what_changed_since_it_was_seen_is_said_and_nothing_is_kept(desk: Desk) -> None:
    row = desk.expense()
    seen = fingerprint_of(row)
    Expense.objects.filter(pk=row.pk).update(amount_minor=225050, payload={"receipts": [{"file_name": "b.pdf"}]})
    row.refresh_from_db()
    with pytest.raises(Stale, match=r"amount: KES.1,250\.50 → KES.2,250\.50; documents: nothing → b\.pdf"):
        desk.take("Rita", row, fingerprint=seen)
    assert [difference.field for difference in differences("garbled!", row)] == ["page"]
    assert desk.states() == []


def test_a_rejection_says_why(desk: Desk) -> None:
    with pytest.raises(Rejected):
        desk.take("Rita", desk.expense(), operations.REJECT_EXPENSE, reason="  ")
    row = desk.expense()
    desk.take("Rita", row, operations.REJECT_EXPENSE, reason="Not ours.")
    desk.send()
    assert desk.service.requests[-1][3] == {"reason": "Not ours."}


def test_what_is_decided_already_is_not_decided_again(desk: Desk) -> None:
    with pytest.raises(InvalidState, match="approved already"):
        desk.take("Rita", desk.expense(status="APPROVED"))


def test_one_open_decision_per_expense_and_it_says_whose(desk: Desk) -> None:
    row = desk.expense()
    desk.take("Rita", row)
    with pytest.raises(InvalidState, match="Rita decided first and approved expense"):
        desk.take("Apollo", row)
    with pytest.raises(InvalidState, match="Your decision"):
        desk.take("Rita", row)


def test_the_same_form_posted_20_times_at_once_is_one_decision(desk: Desk) -> None:
    row = desk.expense()
    actor, seen, key = desk.house.actor("Rita"), fingerprint_of(row), str(uuid.uuid4())
    start, results = threading.Barrier(20), list[Decision | Exception]()

    def post() -> None:
        from django.db import connections

        start.wait()
        try:
            results.append(submit_decision(actor, operations.APPROVE_EXPENSE, row, fingerprint=seen, key=key))
        except Exception as error:
            results.append(error)
        connections.close_all()

    threads = [threading.Thread(target=post) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {result.pk if isinstance(result, Decision) else repr(result) for result in results} == {
        Decision.objects.get(business=desk.house.business).pk
    }
    desk.send()
    assert len(desk.service.effects) == 1


def test_a_form_is_for_one_thing_and_one_person(desk: Desk) -> None:
    first = desk.take("Rita", desk.expense(), key="k")
    assert first.state == "WAITING"
    with pytest.raises(Conflict):
        desk.take("Rita", desk.expense(), key="k")
    with pytest.raises(Conflict):
        desk.take("Apollo", Expense.objects.get(remote_id=first.object_id), key="k")


def test_waiting_for_the_outcome_ends_at_once_where_there_is_time_to_undo(desk: Desk) -> None:
    decision = desk.take("Rita", desk.expense())
    before = timezone.now()
    assert wait_for_outcome(decision).state == "WAITING"
    assert timezone.now() - before < timedelta(seconds=0.5)
