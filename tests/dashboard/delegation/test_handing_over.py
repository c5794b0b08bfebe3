"""Handing one's items over: what speaks against it stands beside its field; items show, and come back; it can be ended."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.standing import forget_standing
from dashboard.audit.models import AuditEntry
from dashboard.decisions.filters import Filters
from dashboard.delegation.models import Delegation
from dashboard.delegation.presenters import with_delegators
from dashboard.errors import Rejected
from dashboard.mirror.models import ApprovalRequest
from dashboard.notifications.models import Notice
from dashboard.pages.approvals.tables.inbox import inbox_page
from tests.dashboard.delegation.conftest import hand_over
from tests.dashboard.pages.conftest import House
from tests.days import business_day

BOTH = frozenset({"expense", "approval"})


def form(house: House, **given: Any) -> dict[str, Any]:
    today = business_day()
    return {
        "key": uuid.uuid4().hex, "delegate": house.people["Zawadi"].pk, "kinds": ["expense"], "first": today.isoformat(),
        "last": (today + timedelta(days=3)).isoformat(), "cap": "", "currency": "",
    } | given  # fmt: skip


def post(house: House, who: str = "Apollo", **given: Any) -> Any:
    return house.browser(who).post(house.address("delegation/"), form(house, **given))


def inbox(house: House, who: str, show: str = "mine") -> str:
    return house.browser(who).get(house.address(f"approvals/?show={show}")).content.decode()


def back(house: House) -> None:
    for member in house.people.values():
        forget_standing(house.business.pk, member.employee_id)


def test_it_is_kept_told_and_audited_once(house: House) -> None:
    sent = form(house, cap="5000", currency="kes")
    for _ in range(2):
        assert house.browser("Apollo").post(house.address("delegation/"), sent).status_code == 302
    delegation = Delegation.objects.get(business=house.business)
    assert (delegation.delegator.user.name, delegation.delegate.user.name, delegation.cap_minor) == (
        "Apollo",
        "Zawadi",
        500_000,
    )
    assert delegation.begins_at.astimezone(timezone.get_fixed_timezone(180)).strftime("%H:%M") == "00:00"
    page = house.browser("Zawadi").get(house.address("delegation/")).content.decode()
    assert "Expenses up to KES\xa05,000.00" in page
    notice = Notice.objects.get(membership=house.people["Zawadi"])
    assert notice.sentence.startswith("Apollo has delegated expenses up to KES\xa05,000.00, ")
    assert AuditEntry.objects.filter(chain=house.business.pk, operation="give_delegation").count() == 1


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"kinds": []}, "Choose what to delegate"),
        ({"delegate": ""}, "Choose a delegate"),
        ({"last": "2020-01-01", "first": "2020-01-01"}, "This date has passed"),
        ({"last": "2020-01-01"}, "before the start date"),
        ({"last": business_day(200).isoformat()}, "At most 92 days"),
        ({"cap": "5000"}, "Enter the currency"),
        ({"cap": "-5", "currency": "KES"}, "above zero"),
        ({"cap": "1.234", "currency": "KES"}, "2 digits after the point"),
        ({"kinds": ["salaries"]}, "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_told_beside_the_field_and_kept(house: House, given: dict[str, Any], sentence: str) -> None:
    answer = post(house, **given)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert 'aria-invalid="true"' in page
    assert form(house, **given)["last"] in page
    assert not Delegation.objects.filter(business=house.business).exists()


def test_only_approvers_stand_in_and_nobody_for_themselves(house: House) -> None:
    for who in ("Ada", "Rita", "Sam", "Apollo"):
        assert post(house, delegate=house.people[who].pk).status_code == 422
    with pytest.raises(Rejected, match="role is admin: only an approver"):
        hand_over(house, to="Ada")
    with pytest.raises(Rejected, match="yourself"):
        hand_over(house, to="Apollo")


def test_another_business_is_not_there(house: House, new_house: Callable[..., House]) -> None:
    other = new_house()
    assert post(house, delegate=other.people["Zawadi"].pk).status_code == 422
    with pytest.raises(Rejected, match="no longer belongs"):
        hand_over(house, delegate=other.people["Zawadi"])
    theirs = hand_over(other)
    assert house.browser("Ada").post(house.address(f"delegation/{theirs.pk}/end/")).status_code == 404


def test_nobody_hands_over_what_never_waits_for_them(house: House) -> None:
    assert post(house, "Rita", kinds=["approval"]).status_code == 422
    with pytest.raises(Rejected, match="As reviewer you cannot decide on payment requests"):
        hand_over(house, "Rita", kinds=BOTH)
    assert house.browser("Carla").get(house.address("delegation/")).status_code == 403
    assert "nothing to delegate" in house.browser("Sam").get(house.address("delegation/")).content.decode()


def test_loops_chains_and_what_is_handed_over_already(house: House) -> None:
    hand_over(house, "Apollo", "Zawadi")
    with pytest.raises(Rejected, match="delegated back"):
        hand_over(house, "Zawadi", "Apollo")
    with pytest.raises(Rejected, match="end that first"):
        hand_over(house, "Apollo", "Zawadi")
    with pytest.raises(Rejected, match="Apollo is away too"):
        hand_over(house, "Ada", "Apollo")
    house.people["Selma"].role = "APPROVER"
    house.people["Selma"].save()
    with pytest.raises(Rejected, match="cannot be delegated again"):
        hand_over(house, "Zawadi", "Selma")
    later = business_day(30)
    assert hand_over(house, "Zawadi", "Apollo", first=later, last=later)


def test_a_dead_end_is_an_error_before_anything_is_saved(house: House) -> None:
    alone = house.payment(eligible=[{"employee_id": house.employee_id("Apollo")}], approvals_required=1)
    with pytest.raises(Rejected, match=f"nobody could decide on {alone.ref}"):
        hand_over(house, kinds=BOTH)
    answer = post(house, kinds=["expense", "approval"])
    assert answer.status_code == 422
    assert "cannot give yours" in answer.content.decode()
    assert hand_over(house, kinds=BOTH, cap_minor=1000, currency="KES")


def test_the_items_show_for_whoever_stands_in_and_come_back(house: House) -> None:
    expense = house.expense()
    assert expense.merchant in inbox(house, "Apollo")
    delegation = hand_over(house)
    until = "until tonight" if delegation.ends_at - timezone.now() < timedelta(hours=1) else "until "
    assert f"for Apollo, {until}" in inbox(house, "Zawadi")
    assert expense.merchant not in inbox(house, "Apollo")
    assert expense.merchant in inbox(house, "Apollo", "others")
    pane = house.browser("Zawadi").get(house.address(f"approvals/expense/{expense.remote_id}/")).content.decode()
    assert "You decide on this for Apollo" in pane
    mine = house.browser("Apollo").get(house.address(f"approvals/expense/{expense.remote_id}/")).content.decode()
    assert "Zawadi is your delegate" in mine
    Delegation.objects.filter(pk=delegation.pk).update(
        begins_at=delegation.begins_at - timedelta(days=9), ends_at=timezone.now()
    )
    back(house)
    assert expense.merchant in inbox(house, "Apollo")
    assert "for Apollo" not in inbox(house, "Zawadi")


def test_saying_for_whom_costs_no_look_per_row(house: House, django_assert_max_num_queries: Any) -> None:
    hand_over(house)
    zawadi, _ = house.actor("Zawadi"), house.actor("Apollo")
    for _ in range(20):
        house.expense()
    rows = inbox_page(zawadi, Filters(), timezone.now()).rows
    assert len(rows) == 20
    with django_assert_max_num_queries(2):
        assert all("for Apollo" in row.about for row in with_delegators(zawadi, rows))


def test_the_mandate_that_seats_the_delegator_alone_says_why_it_cannot_be_handed_on(house: House) -> None:
    hand_over(house, kinds=BOTH)
    alone = house.payment(eligible=[{"employee_id": house.employee_id("Apollo")}], approvals_required=1)
    pane = house.browser("Zawadi").get(house.address(f"approvals/payment/{alone.remote_id}/")).content.decode()
    assert "The mandate names Apollo and not you" in pane
    assert alone.title in inbox(house, "Apollo")


@pytest.mark.parametrize(("who", "code"), [("Apollo", 302), ("Zawadi", 302), ("Ada", 302), ("Rita", 403)])
def test_who_ends_it(house: House, who: str, code: int) -> None:
    delegation = hand_over(house)
    address = house.address(f"delegation/{delegation.pk}/end/")
    assert house.browser(who).post(address).status_code == code
    ended = Delegation.objects.get(pk=delegation.pk).ended_at is not None
    assert (
        AuditEntry.objects.filter(
            chain=house.business.pk, sentence__startswith="ended the delegation from Apollo to Zawadi: expenses"
        ).exists()
        is ended
    )
    assert ended == (code == 302)
    assert house.browser(who).post(address).status_code == (409 if ended else 403)


def test_others_see_only_their_own_and_finance_sees_all(house: House) -> None:
    hand_over(house)
    assert "Zawadi" in house.browser("Sam").get(house.address("delegation/")).content.decode().split("Delegate my")[0]
    assert "No delegations" in house.browser("Rita").get(house.address("delegation/")).content.decode()


def test_what_one_word_is_enough_for_is_handed_over_too(house: House) -> None:
    order = ApprovalRequest.objects.create(
        **house._mirrored(), remote_id="c" * 24, kind="card_order", ref="CO-1", title="Card for Amina", status="REQUESTED",
        holder_id="amina", holder_name="Amina", requested_by_id="amina", requested_at=timezone.now(),
    )  # fmt: skip
    assert order.title in inbox(house, "Apollo")
    hand_over(house, kinds=frozenset({"card_order"}))
    assert "for Apollo, until" in inbox(house, "Zawadi")
    assert order.title not in inbox(house, "Apollo")
    pane = house.browser("Zawadi").get(house.address(f"approvals/card-order/{order.remote_id}/")).content.decode()
    assert "You decide on this for Apollo" in pane
    assert "Activity and comments" in pane
