"""Transactions, vendors, subscriptions and people: copied from the real service, listed and shown to whom they belong."""

from typing import Any

import pytest

from dashboard.access.models import Business
from dashboard.mirror.models import Employee, Subscription, Transaction, Vendor
from tests.dashboard.conftest import World
from tests.dashboard.markup import markup_of


def shown(world: World, person: str, path: str) -> str:
    return markup_of(world.client(person).get(world.address(path)))


def bought(world: World, person: str) -> Transaction:
    """Something bought on the card of a person, and its transaction as it is in the copy."""
    holder = world.employee(person)["employee_id"]
    world.sandbox("top-up", org_wallet_ref="1", amount=5000)
    world.sandbox("swipe", employee_id=holder, amount=120, merchant="Java House")
    world.sync("cards", "transactions_whole", "vendors", "subscriptions")
    return Transaction.objects.get(business=world.business, employee_id=holder)


def vendor(world: World, name: str = "Acme Paper") -> Vendor:
    account = {"channel": "MPESA_SEND_MONEY", "account": "254712345678"}
    made = world.send("POST", "/vendors", {"name": name, "country": "KE", "payment_instructions": [account]})
    world.sync("cards", "transactions_whole", "vendors", "subscriptions")
    return Vendor.objects.get(business=world.business, remote_id=made["_id"])


def subscription(world: World, person: str) -> Subscription:
    body = {"name": "Notes", "vendor": "Notes Inc", "amount": 900, "currency": "KES", "billing_frequency": "MONTHLY"}
    body["employee_id"] = world.employee(person)["employee_id"]
    made = world.send("POST", "/subscriptions/create", body)
    world.sync("cards", "transactions_whole", "vendors", "subscriptions")
    return Subscription.objects.get(business=world.business, remote_id=made["_id"])


def test_a_card_user_sees_own_transactions_and_no_others(world: World) -> None:
    row = bought(world, "Carla")
    assert row.amount_minor < 0
    address = f"transactions/{row.remote_id}/"
    assert "Java House" in shown(world, "Carla", "transactions/")
    assert "Java House" in shown(world, "Ada", "transactions/?direction=OUT")
    assert "Java House" not in shown(world, "Ada", "transactions/?direction=IN")
    one = shown(world, "Carla", address)
    assert row.amount_text in one
    assert "<dt>Person</dt><dd>Carla" in one
    assert "Java House" not in shown(world, "Apollo", "transactions/?direction=IN")
    assert world.client("Ada").get(world.address("transactions/nothing/")).status_code == 404


def test_a_list_says_what_its_rows_come_to(world: World) -> None:
    row = bought(world, "Carla")
    totals = markup_of(world.client("Carla").get(world.address("transactions/totals/"), headers={"HX-Request": "true"}))
    assert "1 transaction" in totals
    assert row.amount_text in totals


def test_a_vendor_shows_its_accounts_by_their_last_characters(world: World) -> None:
    found = vendor(world)
    assert "Acme Paper" in shown(world, "Rita", "vendors/?q=acm")
    one = shown(world, "Rita", f"vendors/{found.remote_id}/")
    assert "···5678" in one
    assert "254712345678" not in one
    assert world.client("Carla").get(world.address("vendors/")).status_code == 403


def test_a_subscription_is_its_holders_and_their_reviewers(world: World) -> None:
    found = subscription(world, "Apollo")
    for person in ("Apollo", "Ada"):
        assert "Notes" in shown(world, person, "subscriptions/")
        assert world.client(person).get(world.address(f"subscriptions/{found.remote_id}/")).status_code == 200
    assert world.client("Carla").get(world.address("subscriptions/")).status_code == 403


def test_people_are_found_by_name_with_their_team(world: World) -> None:
    carla = Employee.objects.get(business=world.business, remote_id=world.employee("Carla")["employee_id"])
    rows = shown(world, "Ada", "people/?q=carl")
    assert carla.name in rows
    assert "Apollo" not in rows[rows.index("<tbody>") : rows.index("</tbody>")]
    assert "Card user" in shown(world, "Ada", f"people/{carla.remote_id}/")


@pytest.mark.parametrize("kind", ["transactions", "vendors", "subscriptions", "people"])
def test_nothing_of_another_business_is_shown(world: World, new_world: Any, kind: str) -> None:
    made = {"transactions": bought, "subscriptions": subscription}
    other: World = new_world()
    if kind == "vendors":
        found: Any = vendor(other)
    elif kind == "people":
        found = Employee.objects.filter(business=other.business).first()
    else:
        found = made[kind](other, "Carla")
    assert world.client("Ada").get(world.address(f"{kind}/{found.remote_id}/")).status_code == 404
    assert Business.objects.filter(pk=found.business_id).exists()
