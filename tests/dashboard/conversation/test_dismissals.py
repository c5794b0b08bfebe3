"""Red flags: laid aside with a reason by whoever may decide, told with who and when, back when the number changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dashboard.audit.models import AuditEntry
from dashboard.conversation.models import Dismissal
from dashboard.decisions.desk_items import desk_item_of
from dashboard.mirror.models import Approval
from tests.dashboard.pages.conftest import House

RED = [{"code": "duplicate_invoice", "weight": 35, "evidence": "PB-7, KES 486,500 on 3 Nov"}]


def red(house: House, row: Any) -> str:
    return next(flag.key for flag in desk_item_of(house.actor("Apollo"), row).flags if flag.red)


def dismiss(house: House, who: str, row: Any, **form: str) -> Any:
    kind = "approval" if isinstance(row, Approval) else "expense"
    given = {"flag": red(house, row), "reason": "The supplier sent it twice; the first was cancelled."} | form
    return house.browser(who).post(house.address(f"conversation/{kind}/{row.remote_id}/dismiss/"), given)


def pane(house: House, who: str, row: Any) -> str:
    return house.browser(who).get(house.address(f"approvals/payment/{row.remote_id}/")).content.decode()


def test_it_is_laid_aside_with_who_when_and_why(house: House) -> None:
    payment = house.payment(signals=RED)
    assert "flag red" in pane(house, "Zawadi", payment)
    assert dismiss(house, "Apollo", payment).status_code == 302
    page = pane(house, "Zawadi", payment)
    assert "flag red" not in page
    assert "Dismissed by Apollo, approver" in page
    assert "The supplier sent it twice" in page
    line = AuditEntry.objects.get(chain=house.business.pk, operation="dismiss_flag", outcome="NOTED")
    assert line.reason.startswith("The supplier")


def test_it_comes_back_when_its_number_changes(house: House) -> None:
    payment = house.payment(signals=RED)
    dismiss(house, "Apollo", payment)
    payment.signals = [RED[0] | {"evidence": "PB-7, KES 486,501 on 3 Nov"}]
    payment.save()
    assert "flag red" in pane(house, "Zawadi", payment)


def test_a_flag_that_is_not_as_it_was_seen_is_not_laid_aside(house: House) -> None:
    payment = house.payment(signals=RED)
    seen = red(house, payment)
    payment.signals = [RED[0] | {"evidence": "another number"}]
    payment.save()
    answer = dismiss(house, "Apollo", payment, flag=seen)
    assert answer.status_code == 409
    assert "has changed since you opened it" in answer.content.decode()
    assert not Dismissal.objects.filter(business=house.business).exists()


def test_a_reason_is_needed_and_asked_for_beside_the_field(house: House) -> None:
    payment = house.payment(signals=RED)
    answer = dismiss(house, "Apollo", payment, reason=" ")
    assert answer.status_code == 422
    assert "Enter what you checked" in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()


def test_only_whoever_may_decide_lays_it_aside(house: House, new_house: Callable[..., House]) -> None:
    own = house.payment(signals=RED, requested_by_id=house.employee_id("Apollo"))
    for who in ("Apollo", "Ada", "Sam"):
        assert dismiss(house, who, own).status_code == 403
        assert "Dismiss flag" not in pane(house, who, own)
    assert AuditEntry.objects.filter(chain=house.business.pk, operation="dismiss_flag", outcome="DENIED").count() == 3
    assert dismiss(house, "Carla", own).status_code == 404
    assert dismiss(house, "Zawadi", own).status_code == 302
    other = new_house()
    theirs = other.payment(signals=RED)
    address = house.address(f"conversation/approval/{theirs.remote_id}/dismiss/")
    assert house.browser("Apollo").post(address, {"flag": "x", "reason": "y"}).status_code == 404


def test_twice_is_once_and_a_flag_that_is_not_red_needs_none(house: House) -> None:
    expense = house.expense(risk=70)
    expense.payload = {"risk_notes": "3 charges in a day"}
    expense.save()
    for _ in range(2):
        assert dismiss(house, "Rita", expense).status_code == 302
    assert Dismissal.objects.filter(business=house.business).count() == 1
    calm = house.payment()
    flag = desk_item_of(house.actor("Apollo"), calm).flags[0].key
    address = house.address(f"conversation/approval/{calm.remote_id}/dismiss/")
    assert house.browser("Apollo").post(address, {"flag": flag, "reason": "why"}).status_code == 409
