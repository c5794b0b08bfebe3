"""What follows the role on Home: one's own cards, expenses and questions; and what is at risk in one's queue."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.mirror.models import Card
from dashboard.pages.home.selectors import risk_of
from tests.dashboard.pages.conftest import House, numbers

HTMX = {"HX-Request": "true"}


def card(house: House, holder: str, **given: Any) -> Card:
    values = {
        "remote_id": f"{next(numbers):024x}", "kind": "VIRTUAL", "status": "ACTIVE", "name": "Fuel",
        "employee_id": house.employee_id(holder), "currency": "KES", "last_four": "4021", "limit_interval": "PER_MONTH",
        "limit_minor": 2_000_000, "spent_minor": 1_234_500, "created_at": timezone.now(), "sort_holder": "",
    } | given  # fmt: skip
    return Card.objects.create(**house._mirrored(), **values)


def widget(house: House, person: str, name: str) -> str:
    answer = house.browser(person).get(house.address(f"home/{name}/"), headers=HTMX)
    assert answer.status_code == 200
    return answer.content.decode().replace("\xa0", " ")


def test_a_card_user_sees_what_is_left_of_their_own_cards(house: House, new_house: Callable[..., House]) -> None:
    card(house, "Carla")
    card(house, "Carla", name="Spent", last_four="1111", spent_minor=9_000_000)
    card(house, "Carla", name="Gone", status="RETIRED")
    card(house, "Rita", name="Of Rita")
    card(new_house(), "Carla", name="Next door")
    markup = widget(house, "Carla", "cards")
    assert "KES 7,655.00 left this month" in markup
    assert "KES 0.00 left this month" in markup
    assert "4021" in markup
    for other in ("Gone", "Of Rita", "Next door"):
        assert other not in markup


def test_a_card_that_is_blocked_or_without_a_limit_says_nothing_of_what_is_left(house: House) -> None:
    card(house, "Carla", status="BLOCKED")
    card(house, "Carla", limit_minor=None, limit_interval="")
    markup = widget(house, "Carla", "cards")
    assert "Blocked" in markup
    assert "left this month" not in markup


def test_a_card_that_spends_an_allocation_says_what_is_left_of_it(house: House) -> None:
    card(house, "Carla", funding="ALLOCATION", allocation_minor=125_000, allocation_held_minor=0)
    card(house, "Carla", funding="ALLOCATION", allocation_minor=0, limit_minor=None, limit_interval="", name="Empty")
    card(house, "Carla", funding="BUSINESS_WALLET", name="Office")
    markup = widget(house, "Carla", "cards")
    assert "KES 1,250.00 left of allocation" in markup
    assert re.search(r'class="asof red"><b>KES 0.00 left of allocation', markup)
    assert "Business wallet" in markup
    assert markup.count("KES 7,655.00 left this month") == 2
    assert "No spending limit" not in markup, "an allocation bounds what it may spend"


def test_many_cards_lead_on_to_all_of_them_and_none_to_asking_for_one(house: House) -> None:
    assert "Request a card" in widget(house, "Carla", "cards")
    for _ in range(6):
        card(house, "Carla")
    assert "All your cards, 2 more" in widget(house, "Carla", "cards")


def test_whoever_decides_has_the_widget_where_they_have_a_card(house: House) -> None:
    def home(name: str) -> str:
        return house.browser(name).get(house.address()).content.decode()

    assert "Your cards" in home("Carla")
    assert "Your latest expenses" in home("Carla")
    assert "Waiting for you" not in home("Carla")
    assert "Your cards" not in home("Apollo")
    card(house, "Apollo")
    assert "Your cards" in home("Apollo")


def test_what_is_asked_of_a_person_is_listed_and_that_of_others_is_not(house: House) -> None:
    carla = house.employee_id("Carla")
    house.expense(employee_id=carla, status="DETAILS_REQUESTED", merchant="Java House")
    bare = house.expense(employee_id=carla, merchant="Total Energies")
    bare.payload = {"receipt_required": True}
    bare.save()
    house.expense(employee_id=carla, merchant="Nothing wanted")
    house.expense(status="DETAILS_REQUESTED", merchant="Of somebody else")
    markup = widget(house, "Carla", "queue")
    assert "of your own expenses needs an answer" in markup
    assert "of your own expenses needs a receipt" in markup
    assert "Answer question:" in markup
    assert "Java House" in markup
    assert "Add receipt:" in markup
    assert "Total Energies" in markup
    assert "Nothing wanted" not in markup
    assert "Of somebody else" not in markup
    assert "of your own expenses" not in widget(house, "Rita", "queue")


def test_no_question_is_stated(house: House) -> None:
    assert "No action required." in widget(house, "Carla", "queue")
    assert "Nothing waits for you." in widget(house, "Rita", "queue")


def test_the_queue_says_what_is_at_risk_of_missing_its_cut_off(house: House, new_house: Callable[..., House]) -> None:
    now = timezone.now()
    house.payment(amount_minor=100_000, due_at=now + timedelta(hours=3))
    house.payment(amount_minor=30_000, due_at=now - timedelta(hours=3))
    house.payment(amount_minor=9_900, due_at=now + timedelta(days=3))
    house.payment(amount_minor=9_900, due_at=now + timedelta(hours=3), voters=[house.employee_id("Apollo")])
    new_house().payment(amount_minor=9_900, due_at=now + timedelta(hours=3))
    risk = risk_of(house.actor("Apollo"))
    assert (risk.soon, risk.missed) == (1, 1)
    markup = " ".join(widget(house, "Apollo", "queue").split())
    assert "at risk of missing the cut-off within a day: KES 1,000.00" in markup
    assert "past the cut-off: KES 300.00" in markup
    assert "?sort=due" in markup
    assert risk_of(house.actor("Ada")).soon == 0
    assert "cut-off" not in widget(house, "Carla", "queue")
