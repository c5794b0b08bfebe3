"""Bulk actions against the real service: rows made there and copied, ticked as the page's own boxes say, carried out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from dashboard.bulk import worker
from dashboard.bulk.models import Batch
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Customer, Origin
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House, house

__all__ = ["house"]
BOX = re.compile(r'name="ids" value="([^"]+)"')


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was handed to the worker: the tests are the worker."""
    handed: list[str] = []
    monkeypatch.setattr("dashboard.bulk.batches.enqueue_on_commit", lambda _, batch, **__: handed.append(batch))
    return handed


def customers(world: World, count: int, name: str = "Mary") -> list[Customer]:
    """So many customers at the service and in the copy."""
    rows = [world.send("POST", "/customers", {"name": f"{name} {at:02}"}) for at in range(count)]
    upsert("customer", world.business, rows, Origin.POLL)
    return list(Customer.objects.filter(business=world.business, name__startswith=name).order_by("name"))


def boxes(world: World | House, person: str, path: str) -> list[str]:
    """The values of the boxes on a list, as its page has them."""
    browser = world.client(person) if isinstance(world, World) else world.browser(person)
    return BOX.findall(browser.get(world.address(path)).content.decode())


def plan(world: World | House, person: str, list_name: str, verb: str, **form: Any) -> Any:
    browser = world.client(person) if isinstance(world, World) else world.browser(person)
    return browser.post(world.address(f"lists/{list_name}/plan/"), {"verb": verb} | form)


def planned(world: World, person: str, list_name: str, verb: str, **form: Any) -> Batch:
    """The plan of what was ticked."""
    answer = plan(world, person, list_name, verb, **form)
    assert answer.status_code == 302, answer.content.decode()
    return Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])


def batch_page(world: World, person: str, batch: Batch, query: str = "") -> str:
    """The page of a bulk action, its white space made one."""
    answer = world.client(person).get(world.address(f"bulk/{batch.pk}/{query}"))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def carried_out(world: World, person: str, batch: Batch, **form: str) -> Batch:
    """Begun by its button and worked on until it is over."""
    answer = world.client(person).post(world.address(f"bulk/{batch.pk}/begin/"), form)
    assert answer.status_code == 302, answer.content.decode()
    work(batch)
    return batch


def work(batch: Batch) -> None:
    while worker.run(batch.pk):
        pass
    batch.refresh_from_db()


def states(batch: Batch) -> dict[str, str]:
    """What became of each row, by title."""
    return dict(batch.rows.order_by("number").values_list("title", "state"))


Worlds = Callable[..., World]
