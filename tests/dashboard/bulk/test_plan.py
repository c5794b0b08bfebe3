"""The plan of a bulk action: what passes, what is left out with its sentence; nothing is sent before it is confirmed."""

import pytest

from dashboard.bulk import plans
from dashboard.bulk.models import Batch
from dashboard.mirror.models import Customer
from tests.dashboard.bulk.conftest import Worlds, batch_page, boxes, customers, plan, planned, states
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House


def test_what_passes_and_what_does_not_is_told_and_nothing_is_sent(new_world: Worlds) -> None:
    world = new_world(proxied=True)
    assert world.proxy is not None
    customers(world, 4)
    ticks = boxes(world, "Ada", "customers/")
    Customer.objects.filter(business=world.business, name="Mary 01").update(status="DELETED")
    Customer.objects.filter(business=world.business, name="Mary 02").update(phone="254700000009")
    before = len(world.proxy.sent())
    batch = planned(world, "Ada", "customers", "delete", ids=ticks)
    page = batch_page(world, "Ada", batch)
    assert "2 will be deleted · 1 already deleted · 1 changed since you looked" in page
    assert "It is already deleted." in page
    assert "It changed after the list was shown to you." in page
    assert "Delete 2 customers" in page
    assert states(batch) == {"Mary 00": "WAITING", "Mary 01": "LEFT_OUT", "Mary 02": "LEFT_OUT", "Mary 03": "WAITING"}
    assert len(world.proxy.sent()) == before


def test_all_that_match_are_those_of_the_filter_on_every_page(world: World) -> None:
    customers(world, 52)
    customers(world, 2, "John")
    batch = planned(world, "Ada", "customers", "delete", all="matching", list="q=mary", ids=[])
    assert batch.whole
    assert set(states(batch).values()) == {"WAITING"}
    assert all(title.startswith("Mary") for title in states(batch))
    assert batch.rows.count() == 52
    page = batch_page(world, "Ada", batch, "?page=1")
    assert "Delete 52 customers" in page
    assert "customers/?q=mary" in page


def test_more_than_the_most_are_refused_with_a_sentence(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert plans.MOST == 10_000
    monkeypatch.setattr(plans, "MOST", 2)
    for at in range(3):
        house.expense(merchant=f"Shell {at}")
    answer = plan(house, "Ada", "expenses", "file", all="matching", list="")
    assert answer.status_code == 422
    assert "More than 2 expenses match: narrow the filters" in answer.content.decode()
    assert not Batch.objects.filter(business=house.business).exists()


def test_rows_of_another_business_are_left_out_and_counted(new_world: Worlds) -> None:
    world, other = new_world(), new_world()
    mine, theirs = customers(world, 1), customers(other, 1, "Theirs")
    batch = planned(world, "Ada", "customers", "delete", ids=[mine[0].remote_id, theirs[0].remote_id])
    assert states(batch) == {"Mary 00": "WAITING"}
    assert "1 will be deleted · 1 no access, or deleted" in batch_page(world, "Ada", batch)
    answer = world.client("Ada").post(
        world.address("lists/customers/plan/"), {"verb": "delete", "ids": [theirs[0].remote_id, "a%00"]}, follow=True
    )
    assert "Nothing you have access to is selected. Nothing was changed." in answer.content.decode()


def test_a_plan_is_ones_own_and_lasts_a_day(world: World) -> None:
    customers(world, 1)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    for person in ("Apollo", "Carla"):
        assert world.client(person).get(world.address(f"bulk/{batch.pk}/")).status_code == 404
        assert world.client(person).post(world.address(f"bulk/{batch.pk}/begin/")).status_code == 404
    Batch.objects.filter(pk=batch.pk).update(created_at=batch.created_at - plans.PLAN_LIFETIME)
    answer = world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"), follow=True)
    assert "This review has expired" in answer.content.decode()
    assert plans.forget_old() >= 1
    assert not Batch.objects.filter(pk=batch.pk).exists()


def test_totals_are_per_currency_and_of_what_passes(house: House) -> None:
    house.expense(amount_minor=100_00, currency="KES")
    house.expense(amount_minor=50_00, currency="KES")
    house.expense(amount_minor=7_00, currency="USD")
    answer = plan(house, "Ada", "expenses", "file", all="matching", list="")
    batch = Batch.objects.get(business=house.business)
    assert [total.replace("\xa0", " ") for total in batch.totals] == ["KES 150.00", "USD 7.00"]
    page = house.browser("Ada").get(answer["Location"]).content.decode().replace("\xa0", " ")
    assert "KES 150.00" in page
    assert "USD 7.00" in page
