"""A light business for the pages of roles and mandates: people read, its mandates at the service."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from dashboard.proposals.models import FourEyes, Proposal
from tests.dashboard.conftest import World
from tests.dashboard.treasury.test_exchange import proven
from tests.dashboard.wallet_policies.conftest import employee, words

__all__ = ["employee", "words"]

CONFIRM = {"step": "confirm", "key": "a"}


@pytest.fixture
def guarded(world: World) -> World:
    """A business that asks for a second admin."""
    FourEyes.objects.create(business=world.business, is_on=True)
    return world


def at(world: World, rest: str = "") -> str:
    """An address of the area."""
    return world.address(f"mandates/{rest}")


def page(world: World, person: str, rest: str = "") -> str:
    """What somebody reads at an address of the area."""
    return words(world.client(person).get(at(world, rest), follow=True))


def mandates(world: World) -> list[dict[str, Any]]:
    """All that the service has."""
    found: list[dict[str, Any]] = world.send("PUT", "/permissions/mandates?limit=500")["docs"]
    return found


def mandate(world: World, needed: int = 2, action_type: int = 1, currency: str = "KES") -> dict[str, Any]:
    """One for payout batches that asks for so many."""
    key = (action_type, currency, needed)
    return next(row for row in mandates(world) if (row["action_type"], row["currency"], row["min_approvers"]) == key)


def as_sam(world: World, method: str, path: str, body: dict[str, Any]) -> Any:
    """Something that Sam does at the service itself, past the dashboard."""
    return world.send(method, f"/permissions{path}", body, {"X-Acting-Employee": employee(world, "Sam")})


def again(world: World, row: dict[str, Any]) -> dict[str, Any]:
    """A mandate as the service has it now."""
    return next(entry for entry in mandates(world) if entry["_id"] == row["_id"])


def role(world: World, role_id: str) -> dict[str, Any]:
    """A role as the service has it now."""
    return next(row for row in world.upstream("/permissions")["roles"] if row["_id"] == role_id)


def rights(world: World, person: str) -> dict[str, Any]:
    """What somebody may, as the service has it now."""
    found: dict[str, Any] = world.send("POST", f"/permissions/employees/{employee(world, person)}")
    return found


def last(world: World) -> Proposal:
    """The newest proposal."""
    return Proposal.objects.filter(business=world.business).latest("pk")


def decide(world: World, proposal: Proposal, by: str, how: str = "confirm", **form: str) -> Any:
    """Somebody confirms, declines or withdraws it."""
    return proven(world, by).post(world.address(f"wallet-policies/proposals/{proposal.pk}/{how}/"), form)


class Boxes(HTMLParser):
    """The boxes of a page: by the name of a field, each value and whether it is checked."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, dict[str, bool]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("type") == "checkbox":
            self.found.setdefault(given.get("name") or "", {})[given.get("value") or ""] = "checked" in given


def permissions_form(world: World, address: str) -> dict[str, dict[str, bool]]:
    """What the permissions form of an address offers, by field, and what of it is checked as Sam opens it."""
    found = Boxes(world.client("Sam").get(at(world, address)).content.decode()).found
    return {name: boxes for name, boxes in found.items() if name.startswith("group_")}
