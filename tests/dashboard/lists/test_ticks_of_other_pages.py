"""What is ticked stays ticked while one searches on the pages that print their rows their own way: cards as cards, requests for
cards, what has no category."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.bulk.models import Batch
from dashboard.mirror.models import Card, Expense
from tests.dashboard.pages.conftest import House

BEFORE = "Selected before, not on this page"
SWAP = {"HX-Request": "true"}
numbers = itertools.count(1)


def card(house: House, name: str) -> Card:
    values = house._mirrored() | {
        "remote_id": f"{next(numbers):024x}", "kind": "VIRTUAL", "status": "ACTIVE", "employee_id": house.employee_id("Carla"),
        "employee_name": name, "org_wallet_ref": "1", "currency": "KES", "name": "Fuel", "last_four": "4242",
        "created_at": house._mirrored()["last_seen"],
    }  # fmt: skip
    return Card.objects.create(**values)


def body_of(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200
    return re.sub(r"[⁦-⁩]", "", answer.content.decode())


def box_of(body: str, remote_id: str) -> str:
    found = re.search(rf'name="ids"[^>]* value="([^"]*{remote_id}[^"]*)"', body)
    assert found is not None, "it has a box"
    return found[1]


def is_ticked(body: str, remote_id: str) -> bool:
    return re.search(rf'name="ids"[^>]* value="[^"]*{remote_id}[^"]*"[^>]* checked', body) is not None


def keep(client: Client, house: House, name: str, *boxes: str, **fields: Any) -> Any:
    return client.post(house.address(f"lists/{name}/plan/"), {"ids": list(boxes), "verb": "keep", **fields})


def test_a_card_of_the_gallery_stays_ticked_while_one_searches(house: House) -> None:
    first, second, client = card(house, "Brian Otieno"), card(house, "Wanjiru Kamau"), house.browser("Ada")
    body = body_of(client, house.address("cards/?q=brian"))
    assert 'name="verb" value="keep"' in body
    keep(client, house, "cards", box_of(body, first.remote_id), list="q=brian")
    for headers in ({}, SWAP):
        body = body_of(client, house.address("cards/?q=wanjiru"), **headers)
        assert is_ticked(body, first.remote_id)
        assert not is_ticked(body, second.remote_id)
        assert BEFORE in body
    # Where nothing matches there is still what is ticked, and what can be done to it.
    body = body_of(client, house.address("cards/?q=nobody"))
    assert is_ticked(body, first.remote_id)
    assert "Review bulk block" in body
    body = body_of(client, house.address("cards/?q=brian"))
    assert is_ticked(body, first.remote_id)
    assert BEFORE not in body
    # The same cards as a table have the same ticks.
    assert is_ticked(body_of(client, house.address("cards/?as=table&q=wanjiru")), first.remote_id)
    assert not is_ticked(body_of(client, house.address("cards/")), first.remote_id)
    assert not is_ticked(body_of(client, house.address("cards/?q=brian")), first.remote_id)


@pytest.mark.parametrize(
    ("page", "kind", "status"), [("orders", "card_order", "REQUESTED"), ("requests", "card_request", "PENDING")]
)
def test_a_request_for_a_card_stays_ticked_while_one_filters(house: House, page: str, kind: str, status: str) -> None:
    first = house.request(kind=kind, status=status, holder_name="Brian Otieno")
    second = house.request(kind=kind, status=status, holder_name="Wanjiru Kamau")
    client, address = house.browser("Apollo"), house.address(f"cards/{page}/")
    body = body_of(client, f"{address}?holder=brian")
    plan = house.address(f"lists/card_{page}/plan/")
    assert f'data-keeps="{plan}"' in body
    answer = keep(client, house, f"card_{page}", box_of(body, first.remote_id), at=f"{address}?holder=brian")
    assert answer["Location"] == f"{address}?holder=brian"
    body = body_of(client, f"{address}?holder=wanjiru")
    assert is_ticked(body, first.remote_id)
    assert not is_ticked(body, second.remote_id)
    assert BEFORE in body
    boxes = [box_of(body, row.remote_id) for row in (first, second)]
    plans = client.post(house.address("approvals/plan/"), {"ids": boxes, "verb": "reject"})
    assert plans.status_code == 200
    assert Batch.objects.get(business=house.business).rows.count() == 2
    # What is decided has no box, and is not shown again.
    type(first).objects.filter(pk=first.pk).update(status="REJECTED")
    body = body_of(client, f"{address}?holder=wanjiru")
    assert BEFORE not in body
    assert first.remote_id not in body


def test_who_does_not_decide_has_nothing_to_tick(house: House) -> None:
    house.request(kind="card_request", holder_id=house.employee_id("Carla"))
    body = body_of(house.browser("Carla"), house.address("cards/requests/"))
    assert "data-keeps" not in body
    assert 'name="ids"' not in body


def test_what_has_no_category_stays_ticked_while_one_searches(house: House) -> None:
    first, second = house.expense(merchant="Shell Ngong"), house.expense(merchant="Naivas")
    client, address = house.browser("Ada"), house.address("uncategorised/")
    box = box_of(body_of(client, f"{address}?q=shell"), first.remote_id)
    # Without a script the form leads back to the queue, and nowhere else.
    form = {"list": "q=shell&to_file=1"}
    assert keep(client, house, "expenses", box, at=f"{address}?q=shell", **form)["Location"] == f"{address}?q=shell"
    for elsewhere in (
        "https://elsewhere.test/",
        "//elsewhere.test/",
        f"/{house.business.slug}//\\elsewhere.test",
        "/other/",
    ):
        kept = keep(client, house, "expenses", box, at=elsewhere, **form)["Location"]
        assert "elsewhere" not in kept.replace(f"/{house.business.slug}/", "/", 1) or kept.startswith(
            f"/{house.business.slug}/"
        )
        assert not kept.startswith("//")
    body = body_of(client, f"{address}?q=naivas")
    assert is_ticked(body, first.remote_id)
    assert not is_ticked(body, second.remote_id)
    assert BEFORE in body
    # The page of an item goes on with the ticks.
    assert is_ticked(body_of(client, house.address(f"uncategorised/expense/{second.remote_id}/")), first.remote_id)
    assert is_ticked(body_of(client, f"{address}?q=nothing+of+this"), first.remote_id)
    # What has a category by now has left the queue, and its tick with it.
    Expense.objects.filter(pk=first.pk).update(subcategory_id="cat-meals", category_name="Meals")
    body = body_of(client, f"{address}?q=naivas")
    assert BEFORE not in body
    assert first.remote_id not in body
