"""What is ticked of a list stays ticked while one searches, is shown and counted, and goes into the review."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.bulk.models import Batch
from dashboard.lists import stored_ticks
from dashboard.mirror.models import Bill
from tests.dashboard.bills.upstream import bill, vendor
from tests.dashboard.bulk.conftest import no_queue
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import signed_in

__all__ = ["no_queue"]

NAMES = ("Acacia Supplies", "Baobab Print")


@pytest.fixture
def bills(world: World) -> dict[str, Bill]:
    """A bill of each vendor, as the copy has it."""
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    for place, name in enumerate(NAMES):
        bill(world, vendor(world, name, account=f"77123{place}"), amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    return {row.vendor_name: row for row in Bill.objects.filter(business=world.business)}


def shown(client: Any, world: World, query: str = "?view=all") -> str:
    return str(client.get(world.address(f"bills/{query}")).content.decode())


def box_of(page: str, row: Bill) -> str:
    found = re.search(rf'name="ids" value="({row.remote_id}:[0-9a-f]+)"[^>]*>', page)
    assert found is not None, "it is shown"
    return found[1]


def is_ticked(page: str, row: Bill) -> bool:
    return f'value="{box_of(page, row)}" aria-label="Select {row.bill_no}" checked' in re.sub(r"[⁨⁩]", "", page)


def keep(client: Any, world: World, *boxes: str, verb: str = "keep", query: str = "", **headers: str) -> Any:
    body = {"ids": list(boxes), "verb": verb, "list": query}
    return client.post(world.address("lists/bills/plan/"), body, headers=headers)


def test_a_search_keeps_what_is_ticked_and_shows_and_counts_it(world: World, bills: dict[str, Bill]) -> None:
    client = signed_in(world, "Ada")
    first, second = (bills[name] for name in NAMES)
    answer = keep(client, world, box_of(shown(client, world), first), query="q=acacia")
    assert answer.status_code == 302
    assert answer["Location"] == world.address("bills/?q=acacia")
    page = shown(client, world, "?q=acacia")
    assert is_ticked(page, first)
    assert "Selected before" not in page
    page = shown(client, world, "?q=baobab")
    assert is_ticked(page, first)
    assert not is_ticked(page, second)
    assert "Selected before, not on this page" in page
    assert "1 selected" in page
    # Where nothing matches there is still what is ticked, and what can be done to it.
    page = shown(client, world, "?q=nobody")
    assert is_ticked(page, first)
    assert "Review bulk pay" in page
    # As htmx asks for a search, and tells of a tick.
    answer = keep(client, world, box_of(page, first), box_of(shown(client, world), second), **{"HX-Request": "true"})
    assert answer.status_code == 204
    part = client.get(world.address("bills/?q=nobody"), headers={"HX-Request": "true"}).content.decode()
    assert is_ticked(part, first)
    assert is_ticked(part, second)
    assert "2 selected" in part


def test_it_goes_into_the_review_and_is_kept_no_more_once_that_is_begun(
    world: World, bills: dict[str, Bill], no_queue: list[str]
) -> None:
    client = signed_in(world, "Ada")
    boxes = [box_of(shown(client, world), row) for row in bills.values()]
    keep(client, world, boxes[0])
    page = shown(client, world, "?q=baobab")
    posted = [box_of(page, row) for row in bills.values()]
    assert posted == boxes
    client.post(world.address("lists/bills/plan/"), {"ids": posted, "verb": "pay", "list": "q=baobab"})
    batch = Batch.objects.get(business=world.business)
    assert batch.rows.count() == 2
    assert is_ticked(shown(client, world), bills[NAMES[0]])
    assert client.post(world.address(f"bulk/{batch.pk}/begin/")).status_code == 302
    assert not is_ticked(shown(client, world), bills[NAMES[0]])


def test_opened_by_its_plain_address_the_list_begins_anew(world: World, bills: dict[str, Bill]) -> None:
    client, first = signed_in(world, "Ada"), bills[NAMES[0]]
    keep(client, world, box_of(shown(client, world), first))
    assert is_ticked(shown(client, world), first)
    assert not is_ticked(shown(client, world, ""), first)
    assert not is_ticked(shown(client, world), first)


def test_it_is_cleared_by_its_button_and_is_its_persons_own(world: World, bills: dict[str, Bill]) -> None:
    client = signed_in(world, "Ada")
    first = bills[NAMES[0]]
    keep(client, world, box_of(shown(client, world), first))
    assert not is_ticked(shown(signed_in(world, "Abel"), world), first)
    page = shown(client, world)
    assert 'name="verb" value="clear"' in page
    keep(client, world, box_of(page, first), verb="clear")
    page = shown(client, world)
    assert not is_ticked(page, first)
    assert 'name="verb" value="clear"' not in page


def test_what_changed_since_it_was_ticked_says_so_in_the_review(world: World, bills: dict[str, Bill]) -> None:
    client = signed_in(world, "Ada")
    first = bills[NAMES[0]]
    keep(client, world, box_of(shown(client, world), first))
    Bill.objects.filter(pk=first.pk).update(balance_text="KES 1.00")
    box = box_of(shown(client, world, "?q=baobab"), first)
    client.post(world.address("lists/bills/plan/"), {"ids": [box], "verb": "pay", "list": ""})
    [row] = Batch.objects.get(business=world.business).rows.all()
    assert row.state == "LEFT_OUT"


def test_more_than_are_kept_are_said_to_be_too_many(
    world: World, bills: dict[str, Bill], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_ticks, "MAX_STORED", 1)
    client = signed_in(world, "Ada")
    boxes = [box_of(shown(client, world), row) for row in bills.values()]
    location = keep(client, world, *boxes)["Location"]
    assert "rows stay selected on other pages" in client.get(location).content.decode()


@pytest.mark.parametrize("box", ["", ":", "x" * 500, "%00:1", "a:b:c", "é:1"])
def test_a_box_that_is_none_is_nothing(world: World, bills: dict[str, Bill], box: str) -> None:
    client = signed_in(world, "Ada")
    assert keep(client, world, box).status_code == 302
    assert "Selected before" not in shown(client, world)
