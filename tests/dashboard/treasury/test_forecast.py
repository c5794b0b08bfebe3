"""The forecast's page, against the real service: from what the wallets hold to what is left, for finance alone."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.times import local
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.decisions.test_real_payments import ITEM
from tests.dashboard.markup import markup_of

HTMX = {"HX-Request": "true"}


def page(world: World, person: str = "Ada", query: str = "") -> str:
    return markup_of(world.client(person).get(world.address(f"treasury/forecast/{query}"))).replace("\xa0", " ")


def held(world: World, currency: str = "KES") -> int:
    wallet = Wallet.objects.get(business=world.business, currency=currency)
    minor: int = world.upstream(f"/accounts/{wallet.remote_id}/balance")["balances"]["available_minor"]
    return minor


def money_text(minor: int, currency: str = "KES") -> str:
    return text(minor, currency).replace("\xa0", " ")


def part(markup: str, currency: str = "KES") -> str:
    """What the page says of one currency."""
    section = markup[markup.index(f'id="cash-{currency}"') :]
    return section[: section.index("</section>")]


def planned(world: World, amount: int, days: int) -> Any:
    """A payout of a day to come that waits for votes."""
    then = (timezone.now() + timedelta(days=days)).isoformat()
    body = {"name": "Trucks", "org_wallet_ref": "1", "items": [{**ITEM, "amount": amount}], "scheduled_for": then}
    batch = service_requests.ask(world, "Ada", "POST", "/payments", body)
    return service_requests.ask(world, "Ada", "PATCH", f"/payments/{batch['batch_no']}/initiate")


def test_what_is_left_is_what_there_is_less_what_is_due(world: World) -> None:
    payment = service_requests.bill_payment(world)
    world.sync()
    before = held(world)
    markup = part(page(world))
    cost = payment["amount_minor"] + payment["fee_minor"]
    assert money_text(before) in markup
    assert f">{money_text(cost)}<" in markup
    assert money_text(before - cost) in markup
    assert payment["payment_ref"] in markup
    assert "awaiting approval, due" in markup
    assert re.search(rf'href="{world.address("approvals/payment/")}\w+/">Bill', markup)


def test_a_currency_that_runs_short_says_when_and_by_how_much(world: World) -> None:
    payment = planned(world, held(world) // 100 + 40_000, 12)
    world.sync()
    missing = payment["total_amount_minor"] + payment["total_fees_minor"] - held(world)
    then = local(timezone.now() + timedelta(days=12), world.business)
    markup = page(world)
    assert f"KES runs short on {then.day} {then:%b}" in markup
    assert f"by {money_text(missing)}<" in markup
    assert "below zero" in part(markup)


def test_money_that_is_promised_comes_in_on_its_day(world: World) -> None:
    day = local(timezone.now(), world.business).date() + timedelta(days=20)
    body = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 2500, "counterparty": "Acme", "value_date": str(day)}
    payment = service_requests.ask(world, "Ada", "POST", "/transactions/new", body)
    world.sync()
    markup = part(page(world, "Apollo"))
    assert f"value date {day.day} {day:%b}" in markup
    assert "+2,500.00" in markup
    assert f'href="{world.address("approvals/hand-transaction/")}{payment["_id"]}/"' in markup
    assert "2,500.00" not in part(page(world, query="?days=14"))


def test_nothing_due_is_said_and_the_horizon_and_zone_are_named(world: World) -> None:
    markup = page(world, "Sam")
    assert "Nothing is due in KES in the next 30 days" in markup
    assert "Africa/Nairobi (EAT)" in markup
    last = local(timezone.now(), world.business).date() + timedelta(days=14)
    assert f"to {last.day} {last:%b}" in page(world, query="?days=14")
    assert 'aria-current="true">30 days' in page(world, query="?days=7000")


def test_a_service_that_is_away_leaves_the_copy_and_says_so(proxied_world: World) -> None:
    service_requests.bill_payment(proxied_world)
    proxied_world.sync()
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    markup = page(proxied_world)
    assert "Try again" in markup
    assert "from the copy, as of" in markup
    wallet = Wallet.objects.get(business=proxied_world.business, currency="KES")
    assert money_text(wallet.available_minor or 0) in part(markup)
    assert "Bill payment BP-" in markup


def test_what_is_not_known_to_be_there_is_not_made_up(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    Wallet.objects.filter(business=proxied_world.business, currency="KES").update(available_minor=None)
    markup = part(page(proxied_world))
    assert "are not known now" in markup
    assert "Available now" not in markup


@pytest.mark.parametrize("person", ["Carla", "Rita"])
def test_it_is_for_finance_alone_and_nothing_is_sent_for_others(proxied_world: World, person: str) -> None:
    assert proxied_world.proxy is not None
    before = len(proxied_world.proxy.sent())
    assert proxied_world.client(person).get(proxied_world.address("treasury/forecast/")).status_code == 403
    assert len(proxied_world.proxy.sent()) == before
    assert "treasury/forecast/" not in markup_of(proxied_world.client(person).get(proxied_world.address("treasury/")))


def test_home_leads_to_it(world: World) -> None:
    due = world.client("Apollo").get(world.address("home/due/"), headers=HTMX).content.decode()
    assert f'href="{world.address("treasury/forecast/")}"' in due


def test_it_is_few_looks_and_as_many_calls_as_wallets(
    proxied_world: World, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    assert proxied_world.proxy is not None
    for amount in (10_000, 20_000, 30_000):
        service_requests.bill_payment(proxied_world, amount=amount)
    proxied_world.sync()
    browser, address = proxied_world.client("Ada"), proxied_world.address("treasury/forecast/")
    browser.get(address)
    before = len(proxied_world.proxy.sent())
    # Two of them for the bills without a payment, and what payments claim of them.
    with django_assert_max_num_queries(11):
        assert browser.get(address).status_code == 200
    wallets = Wallet.objects.filter(business=proxied_world.business).count()
    assert len(proxied_world.proxy.sent()) - before == wallets
