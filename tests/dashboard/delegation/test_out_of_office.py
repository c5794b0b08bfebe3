"""Out of office without a delegate: one's items stay, who else decides is said, and dead ends warn; with one it is a
delegation as before."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.standing import forget_standing
from dashboard.audit.models import AuditEntry
from dashboard.delegation.absence import absence_sentences
from dashboard.delegation.dead_ends import dead_end_of
from dashboard.delegation.models import Delegation
from dashboard.delegation.presence import presence_of
from dashboard.delegation.presenters import inbox_lines
from dashboard.errors import NotAllowed, Rejected
from dashboard.notifications.models import Notice
from tests.dashboard.delegation.conftest import hand_over
from tests.dashboard.delegation.test_handing_over import form, inbox
from tests.dashboard.pages.conftest import House
from tests.days import business_day

BOTH = frozenset({"expense", "approval"})
ADDRESS = "delegation/"


def away(house: House, who: str = "Apollo", **given: Any) -> Delegation:
    return hand_over(house, who, **({"delegate": None, "kinds": BOTH} | given))


def page(house: House, who: str) -> str:
    return house.browser(who).get(house.address(ADDRESS)).content.decode()


def test_the_profile_leads_to_the_form_whoever_can_be_away_and_nobody_else(house: House) -> None:
    link = f'href="{house.address(ADDRESS)}#out-of-office"'
    assert link in house.browser("Apollo").get("/-/you/").content.decode()
    assert link not in house.browser("Carla").get("/-/you/").content.decode()
    assert 'id="out-of-office"' in page(house, "Apollo")


def test_it_is_set_on_the_page_of_delegations_and_audited(house: House) -> None:
    sent = form(house, delegate="0", kinds=["expense", "approval"])
    answer = house.browser("Apollo").post(house.address(ADDRESS), sent)
    assert answer.status_code == 302
    absence = Delegation.objects.get(business=house.business)
    assert (absence.delegator_id, absence.delegate) == (house.people["Apollo"].pk, None)
    assert AuditEntry.objects.filter(
        chain=house.business.pk,
        operation="give_delegation",
        sentence__startswith="is away without a delegate: expenses",
    ).exists()
    assert not Notice.objects.filter(membership__business=house.business).exists()
    assert "No delegate" in page(house, "Apollo")
    assert "No delegate" in page(house, "Sam").split('id="out-of-office"')[0]
    assert "No delegate" not in page(house, "Rita").split('id="out-of-office"')[0]


def test_the_items_stay_with_whoever_is_away(house: House) -> None:
    expense, payment = house.expense(), house.payment()
    away(house)
    for item in (expense.merchant, payment.title):
        assert item in inbox(house, "Apollo")
    assert house.actor("Apollo").stood_in_by == house.actor("Zawadi").stands_in_for == ()


def test_it_stands_above_ones_own_inbox_until_it_ends_by_itself(house: House) -> None:
    absence = away(house)
    actor, last = house.actor("Apollo"), absence.ends_at - timedelta(seconds=1)
    ((sentence, wrong),) = inbox_lines(actor, last)
    assert not wrong
    assert sentence.endswith("without a delegate: expenses and payment requests keep waiting for you.")
    assert inbox_lines(actor, absence.ends_at) == []
    assert inbox_lines(house.actor("Zawadi"), last) == []
    assert "You are out of office until" in inbox(house, "Apollo")
    alone = house.payment(eligible=[{"employee_id": house.employee_id("Apollo")}], approvals_required=1)
    assert dead_end_of(presence_of(house.business), alone)
    # Its last day is over: nothing is done to it, and it holds no longer.
    past = timezone.now() - timedelta(seconds=1)
    Delegation.objects.filter(pk=absence.pk).update(begins_at=past - timedelta(days=1), ends_at=past)
    forget_standing(house.business.pk, house.employee_id("Apollo"))
    assert "You are out of office" not in inbox(house, "Apollo")
    assert dead_end_of(presence_of(house.business), alone) == ""


def test_who_else_decides_is_said_and_whoever_is_away_too_is_not_named(house: House) -> None:
    away(house)
    expenses, payments = (sentence for sentence, _ in absence_sentences(house.actor("Apollo"), BOTH))
    assert "expenses can be decided" in expenses
    assert "payment requests can be decided" in payments
    for sentence in (expenses, payments):
        assert "Zawadi" in sentence
        assert "Apollo" not in sentence
    assert expenses in page(house, "Apollo")
    assert expenses not in page(house, "Sam")
    away(house, "Zawadi")
    assert not any("Zawadi" in sentence for sentence, _ in absence_sentences(house.actor("Apollo"), BOTH))


def test_the_dead_ends_warn_and_do_not_refuse(house: House) -> None:
    alone = house.payment(eligible=[{"employee_id": house.employee_id("Apollo")}], approvals_required=1)
    assert dead_end_of(presence_of(house.business), alone) == ""
    absence = away(house)
    assert f"Without you nobody can decide on {alone.ref}" in page(house, "Apollo")
    assert "Apollo is away until" in dead_end_of(presence_of(house.business), alone)
    absence.ended_at = timezone.now()
    absence.save()
    assert dead_end_of(presence_of(house.business), alone) == ""


def test_expenses_that_nobody_else_reviews_are_counted(house: House) -> None:
    for who in ("Zawadi", "Ada", "Sam", "Selma", "Rita"):
        house.people[who].is_active = False
        house.people[who].save()
    house.expense()
    away(house, kinds=frozenset({"expense"}))
    said = absence_sentences(house.actor("Apollo"), frozenset({"expense"}))
    assert ("Without you nobody can review 1 waiting expense.", True) in said


def test_an_absent_person_is_no_delegate_and_a_cap_needs_one(house: House) -> None:
    away(house, "Zawadi")
    with pytest.raises(Rejected, match="Zawadi is away too: without a delegate, until"):
        hand_over(house)
    with pytest.raises(Rejected, match="set that you are away until"):
        away(house, "Zawadi")
    with pytest.raises(Rejected, match="nothing to cap"):
        away(house, cap_minor=1000, currency="KES")


def test_a_delegate_ends_the_delegation_before_being_away_without_one(house: House) -> None:
    hand_over(house, kinds=BOTH)
    with pytest.raises(Rejected, match="You are the delegate of Apollo"):
        away(house, "Zawadi")


@pytest.mark.parametrize(("who", "code"), [("Apollo", 302), ("Ada", 302), ("Zawadi", 403), ("Rita", 403)])
def test_whoever_is_away_and_admins_end_it(house: House, who: str, code: int) -> None:
    absence = away(house)
    address = house.address(f"delegation/{absence.pk}/end/")
    assert house.browser(who).post(address).status_code == code
    ended = Delegation.objects.get(pk=absence.pk).ended_at is not None
    assert ended == (code == 302)
    sentence = "ended the absence of Apollo: " if ended else "tried to end the absence of Apollo"
    assert AuditEntry.objects.filter(chain=house.business.pk, sentence__startswith=sentence).exists()


def test_the_same_form_again_is_the_same_absence(house: House) -> None:
    sent = form(house, delegate="0", key=uuid.uuid4().hex, last=business_day(2).isoformat())
    for _ in range(2):
        assert house.browser("Apollo").post(house.address(ADDRESS), sent).status_code == 302
    assert Delegation.objects.filter(business=house.business).count() == 1


def test_nobody_without_an_employee_is_away(house: House) -> None:
    apollo = house.people["Apollo"]
    apollo.employee_id = ""
    apollo.save()
    with pytest.raises((Rejected, NotAllowed)):
        away(house)
