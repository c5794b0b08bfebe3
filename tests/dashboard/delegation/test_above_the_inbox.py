"""Above the inbox stands to whom one has delegated and for whom one decides: as it holds now, and no longer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.access.standing import forget_standing
from dashboard.delegation.models import Delegation
from dashboard.delegation.policy import kinds_in_words
from dashboard.delegation.presenters import inbox_lines
from dashboard.delegation.services import close_delegation
from tests.dashboard.delegation.conftest import hand_over
from tests.dashboard.pages.conftest import House
from tests.days import business_day

BOTH = frozenset({"expense", "approval"})


def sentences(house: House, who: str) -> list[str]:
    return [sentence for sentence, _ in inbox_lines(house.actor(who), timezone.now())]


def inbox(house: House, who: str) -> str:
    return house.browser(who).get(house.address("approvals/")).content.decode()


def test_the_delegator_reads_to_whom_and_until_when_and_the_delegate_for_whom(house: House) -> None:
    house.expense()
    hand_over(house, kinds=BOTH)
    (given,), (held,) = sentences(house, "Apollo"), sentences(house, "Zawadi")
    assert given.startswith("You have delegated expenses and payment requests to Zawadi until ")
    assert held.startswith("You decide for Apollo on expenses and payment requests until ")
    assert given in inbox(house, "Apollo")
    assert held in inbox(house, "Zawadi")
    assert house.address("delegation/") in inbox(house, "Zawadi")


def test_three_kinds_are_a_list_in_a_sentence() -> None:
    assert kinds_in_words(frozenset({"expense"})) == "expenses"
    assert kinds_in_words(BOTH | {"card_order"}) == "expenses, payment requests and card orders"


def test_a_cap_is_said_with_its_currency(house: House) -> None:
    hand_over(house, cap_minor=500_000, currency="KES")
    assert "expenses up to KES\xa05,000.00 to Zawadi" in sentences(house, "Apollo")[0]
    assert "on expenses up to KES\xa05,000.00 until" in sentences(house, "Zawadi")[0]


@pytest.mark.parametrize("who", ["Ada", "Rita", "Sam"])
def test_nobody_else_reads_it(house: House, who: str) -> None:
    hand_over(house)
    assert sentences(house, who) == []
    assert "data-delegation" not in inbox(house, who)


def test_it_goes_when_the_delegation_ends_even_while_the_standing_is_remembered(house: House) -> None:
    delegation = hand_over(house)
    apollo, zawadi = house.actor("Apollo"), house.actor("Zawadi")
    for actor in (apollo, zawadi):
        assert len(inbox_lines(actor, delegation.ends_at - timedelta(seconds=1))) == 1
        assert inbox_lines(actor, delegation.ends_at) == []
    close_delegation(apollo, delegation)
    assert "data-delegation" not in inbox(house, "Apollo")
    assert "data-delegation" not in inbox(house, "Zawadi")


def test_it_is_not_there_before_the_delegation_begins(house: House) -> None:
    later = business_day(30)
    hand_over(house, first=later, last=later)
    assert sentences(house, "Apollo") == sentences(house, "Zawadi") == []


def test_a_delegate_who_lost_the_role_reads_nothing_and_the_delegator_that_they_cannot(house: House) -> None:
    hand_over(house)
    zawadi = house.people["Zawadi"]
    zawadi.role = "REVIEWER"
    zawadi.save()
    forget_standing(house.business.pk, zawadi.employee_id)
    assert sentences(house, "Zawadi") == []
    ((sentence, wrong),) = inbox_lines(house.actor("Apollo"), timezone.now())
    assert wrong
    assert sentence.endswith("who can no longer decide.")
    assert Delegation.objects.filter(business=house.business, ended_at=None).exists()


def test_a_delegator_who_was_suspended_hands_nothing_over(house: House) -> None:
    hand_over(house)
    apollo = house.people["Apollo"]
    apollo.is_active = False
    apollo.save()
    forget_standing(house.business.pk, house.employee_id("Zawadi"))
    assert sentences(house, "Zawadi") == []
