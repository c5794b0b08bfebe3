"""A spender who is to add a receipt comes to its form from the card, from Home and from the notification, and adds it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Expense, Origin
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.notifications.models import Notice
from tests.dashboard.cards.conftest import give_card, swiped
from tests.dashboard.conftest import World
from tests.dashboard.expenses.conftest import ask, file, spend, upstream_expense
from tests.dashboard.expenses.files import PNG


def from_the_card(world: World, client: Client) -> tuple[str, str]:
    card = give_card(world)
    use = swiped(world, card)
    upsert("expense", world.business, [{**use["expense"], "receipt_required": True}], Origin.POLL)
    page = client.get(world.address(f"cards/{card.remote_id}/")).content.decode()
    link = re.search(r'href="([^"]+)#receipts">\s*Add receipt', page)
    assert link is not None
    return link[1], use["expense"]["_id"]


def from_home(world: World, client: Client) -> tuple[str, str]:
    expense = spend(world)
    Expense.objects.filter(pk=expense.pk).update(payload={**expense.payload, "receipt_required": True})
    page = client.get(world.address("home/queue/"), headers={"HX-Request": "true"}).content.decode()
    link = re.search(r'href="([^"]+)#receipts"', page)
    assert link is not None
    return link[1], expense.remote_id


def from_the_notification(world: World, client: Client) -> tuple[str, str]:
    expense = ask(world, spend(world), "Where is the receipt?")
    event = {"id": "e1", "sequence": 1, "type": "expense.details_requested", "occurred_at": "2026-11-24T06:00:00Z"}
    apply_event(world.business, {**event, "data": {"object": upstream_expense(world, expense)}}, Origin.FEED)
    notice = Notice.objects.get(membership=world.people["Carla"], topic="asked")
    answer = client.post(world.address(f"notifications/{notice.pk}/"))
    return str(answer["Location"]), expense.remote_id


@pytest.mark.parametrize("way", [from_the_card, from_home, from_the_notification])
def test_the_spender_comes_to_the_form_and_adds_it(
    world: World, way: Callable[[World, Client], tuple[str, str]]
) -> None:
    client = world.client("Carla")
    address, expense_id = way(world, client)
    assert address == world.address(f"expenses/{expense_id}/")
    page = client.get(address).content.decode()
    form = page[page.index('id="receipts"') :]
    action = re.search(r'action="([^"]+)"', form)
    key = re.search(r'name="key" value="([^"]+)"', form)
    assert action is not None
    assert key is not None
    answer: Any = client.post(action[1], {"key": key[1], "receipts": [file("lunch.png", PNG)]})
    assert answer.status_code == 302, answer.content.decode()[-6000:]
    assert answer["Location"] == address
    expense = Expense.objects.get(business=world.business, remote_id=expense_id)
    assert [row["file_name"] for row in upstream_expense(world, expense)["receipts"]] == ["lunch.png"]


def test_the_form_comes_first_for_the_spender_and_after_the_expense_for_who_only_reads_it(world: World) -> None:
    expense = spend(world)
    places = {}
    for who in ("Carla", "Rita"):
        page = world.client(who).get(world.address(f"expenses/{expense.remote_id}/")).content.decode()
        places[who] = page.index('id="receipts"') < page.index('id="expense"')
    assert places == {"Carla": True, "Rita": False}
