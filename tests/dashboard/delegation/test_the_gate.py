"""Standing in opens nothing: every refusal of the gate of delegation, one by one."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.access.check import can
from dashboard.access.models import Membership
from dashboard.access.standing import forget_standing
from dashboard.audit.models import AuditEntry
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import submit_decision
from dashboard.delegation.models import Delegation
from dashboard.delegation.policy import may_decide_for, stands_in
from dashboard.delegation.selectors import read_stand_ins
from dashboard.errors import NotAllowed
from dashboard.mirror.models import Employee
from tests.dashboard.delegation.conftest import hand_over
from tests.dashboard.pages.conftest import House

EXPENSE, PAYMENT = operations.APPROVE_EXPENSE, operations.APPROVE_PAYMENT_REQUEST
BOTH = frozenset({"expense", "approval"})


def three_seats(house: House, *names: str, **given: Any) -> Any:
    seats = [{"employee_id": house.employee_id(name)} for name in names or ("Apollo", "Zawadi")]
    return house.payment(eligible=seats, approvals_required=1, **given)


def reason(house: House, subject: Any, who: str = "Zawadi", operation: Any = EXPENSE) -> str:
    actor, stand_in = house.actor(who), read_stand_ins(Delegation.objects.filter(business=house.business))[0]
    verdict = may_decide_for(actor, stand_in, operation, subject)
    assert not verdict
    assert stands_in(actor, operation, subject) is None
    return verdict.reason


def test_what_was_handed_over_is_decided_in_ones_own_name_for_the_other(house: House) -> None:
    hand_over(house, kinds=BOTH)
    for subject, operation in ((house.expense(), EXPENSE), (three_seats(house), PAYMENT)):
        zawadi = house.actor("Zawadi")
        stand_in = stands_in(zawadi, operation, subject)
        assert stand_in is not None
        assert stand_in.delegator_name == "Apollo"
        submit_decision(zawadi, operation, subject, fingerprint=fingerprint_of(subject), key=uuid.uuid4().hex)
        line = AuditEntry.objects.filter(chain=house.business.pk, object_id=subject.remote_id).latest("id")
        assert (line.actor_name, line.employee_id) == ("Zawadi", house.employee_id("Zawadi"))
        assert line.sentence.endswith(" for Apollo")
        decision = Decision.objects.get(object_id=subject.remote_id)
        assert decision.membership_id == house.people["Zawadi"].pk


def test_in_ones_own_name_alone_nothing_is_said_of_others(house: House) -> None:
    hand_over(house, kinds=frozenset({"approval"}))
    expense = house.expense()
    submit_decision(house.actor("Zawadi"), EXPENSE, expense, fingerprint=fingerprint_of(expense), key="k")
    assert not AuditEntry.objects.filter(chain=house.business.pk, sentence__contains=" for Apollo").exists()


def test_a_delegation_gives_no_right_that_was_not_there(house: House) -> None:
    expense, payment = house.expense(), three_seats(house, "Apollo", "Selma")
    before = [bool(can(house.actor(who), EXPENSE, expense)) for who in house.people]
    votes = [bool(can(house.actor(who), PAYMENT, payment)) for who in house.people]
    hand_over(house)
    hand_over(house, "Rita", "Zawadi")
    assert [bool(can(house.actor(who), EXPENSE, expense)) for who in house.people] == before
    assert [bool(can(house.actor(who), PAYMENT, payment)) for who in house.people] == votes


def test_not_the_delegators_own(house: House) -> None:
    hand_over(house, kinds=BOTH)
    assert "Apollo’s own" in reason(house, house.expense(employee_id=house.employee_id("Apollo")))
    payment = three_seats(house, requested_by_id=house.employee_id("Apollo"))
    assert "Apollo’s own" in reason(house, payment, operation=PAYMENT)
    edited = house.expense()
    edited.payload = {"last_edited_by": house.employee_id("Apollo")}
    assert "Apollo’s own" in reason(house, edited)


def test_not_ones_own(house: House) -> None:
    hand_over(house)
    assert "your own" in reason(house, house.expense(employee_id=house.employee_id("Zawadi")))


def test_not_when_nobody_knows_who_made_it(house: House) -> None:
    hand_over(house, kinds=BOTH)
    assert "not known who made this" in reason(house, three_seats(house, requested_by_id=""), operation=PAYMENT)


def test_not_above_the_cap_nor_in_another_currency(house: House) -> None:
    hand_over(house, cap_minor=500_000, currency="KES")
    assert stands_in(house.actor("Zawadi"), EXPENSE, house.expense(amount_minor=500_000)) is not None
    assert "up to KES\xa05,000" in reason(house, house.expense(amount_minor=500_001))
    assert "up to KES\xa05,000" in reason(house, house.expense(amount_minor=100, currency="USD"))


def test_not_another_kind(house: House) -> None:
    hand_over(house)
    assert "not delegated this kind" in reason(house, three_seats(house), operation=PAYMENT)


def test_not_an_ordinary_edit(house: House) -> None:
    hand_over(house)
    assert "not delegated this kind" in reason(house, house.expense(), operation=operations.CATEGORISE_EXPENSE)


def test_not_before_and_not_after(house: House) -> None:
    delegation, expense = hand_over(house), house.expense()
    stand_in, now = read_stand_ins(Delegation.objects.filter(pk=delegation.pk))[0], timezone.now()
    zawadi = house.actor("Zawadi")
    assert (
        "only from"
        in may_decide_for(zawadi, stand_in, EXPENSE, expense, now=stand_in.begins_at - timedelta(seconds=1)).reason
    )
    assert "no longer" in may_decide_for(zawadi, stand_in, EXPENSE, expense, now=stand_in.ends_at).reason
    assert may_decide_for(zawadi, stand_in, EXPENSE, expense, now=now)
    assert may_decide_for(zawadi, stand_in, EXPENSE, expense, now=stand_in.ends_at - timedelta(seconds=1))


@pytest.mark.parametrize(
    ("seats", "sentence"), [(("Apollo",), "cannot be delegated"), (("Selma",), "does not name you")]
)
def test_not_where_the_mandate_gives_no_seat_of_ones_own(house: House, seats: tuple[str, ...], sentence: str) -> None:
    hand_over(house, kinds=BOTH)
    assert sentence in reason(house, three_seats(house, *seats), operation=PAYMENT)


def test_not_above_ones_own_mandate_and_not_twice(house: House) -> None:
    hand_over(house, kinds=BOTH)
    low = {"employee_id": house.employee_id("Zawadi"), "max_amount_minor": 100}
    apollo = {"employee_id": house.employee_id("Apollo")}
    assert "above the amount" in reason(house, house.payment(eligible=[apollo, low]), operation=PAYMENT)
    voted = three_seats(house, voters=[house.employee_id("Zawadi")])
    assert "already decided on this" in reason(house, voted, operation=PAYMENT)


def test_not_what_does_not_wait_for_the_delegator(house: House) -> None:
    hand_over(house, kinds=BOTH)
    assert "does not wait for Apollo" in reason(house, three_seats(house, "Zawadi"), operation=PAYMENT)
    Delegation.objects.all().delete()
    hand_over(house, "Rita", "Zawadi")
    assert "does not wait for Rita" in reason(house, house.expense(team_id="another"))


def test_not_for_somebody_else_nor_in_another_role(house: House) -> None:
    hand_over(house)
    assert "Somebody else is the delegate" in reason(house, house.expense(), who="Ada")
    Membership.objects.filter(pk=house.people["Zawadi"].pk).update(role="ADMIN")
    house.people["Zawadi"].refresh_from_db()
    assert "Only an approver" in reason(house, house.expense())


def test_a_suspended_delegate_decides_nothing_and_a_suspended_delegator_has_nothing_to_hand_over(house: House) -> None:
    hand_over(house)
    Employee.objects.filter(remote_id=house.employee_id("Apollo")).update(status="SUSPENDED")
    forget_standing(house.business.pk, house.employee_id("Apollo"))
    assert "suspended" in reason(house, house.expense())
    Employee.objects.filter(remote_id=house.employee_id("Zawadi")).update(status="SUSPENDED")
    with pytest.raises(NotAllowed):
        house.actor("Zawadi")
