"""What waits stands on Home with its reason and its cut-off, the most urgent first, and leads to the item."""

from datetime import timedelta

from django.utils import timezone

from dashboard.pages.home.presenters.urgent import MOST_URGENT, most_urgent
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_home_own import widget


def test_the_nearest_cut_off_is_first_then_the_greatest_risk(house: House) -> None:
    now = timezone.now()
    house.payment(title="Later", due_at=now + timedelta(days=3), risk=90)
    house.payment(title="Calm", due_at=None, risk=10)
    house.payment(title="Risky", due_at=None, risk=80)
    house.payment(title="Missed", due_at=now - timedelta(hours=3), risk=0)
    house.payment(title="In three weeks", due_at=now + timedelta(days=21), risk=20)
    found = most_urgent(house.actor("Apollo"))
    assert [item.title for item in found] == ["Missed", "Later", "Risky", "In three weeks", "Calm"]
    assert [item.urgency for item in found] == ["late", "", "", "", ""]
    assert found[1].risk == "critical 90"
    assert found[4].cut_off == ""


def test_it_says_the_heaviest_flag_in_words_and_leads_to_the_item(house: House) -> None:
    payment = house.payment(
        signals=[
            {"code": "odd_time", "weight": 5, "evidence": {}},
            {"code": "new_vendor_first_payment", "weight": 20, "evidence": {}},
        ]
    )
    markup = widget(house, "Apollo", "queue")
    assert "First payment to this payee" in markup
    assert "outside business hours" not in markup
    address = house.address(f"approvals/payment/{payment.remote_id}/")
    assert f'href="{address}"' in markup
    assert house.browser("Apollo").get(address).status_code == 200


def test_only_the_first_few_and_nothing_of_ones_own_or_for_a_card_user(house: House) -> None:
    for _ in range(MOST_URGENT + 2):
        house.expense()
    house.expense(employee_id=house.employee_id("Ada"), merchant="Own lunch", risk=99)
    found = most_urgent(house.actor("Ada"))
    assert len(found) == MOST_URGENT
    assert "Own lunch" not in [item.title for item in found]
    assert 'class="urgent"' not in widget(house, "Carla", "queue")
