"""A form of several steps posts each of them under one key: that a step was looked at never makes its lost confirmation
one that was carried out."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

import pytest

from dashboard.web.arrivals import LATE
from dashboard.web.models import Submission
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import ONE_LINE
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import channel, policies_at


def withdrawn(world: World, path: str, key: str) -> tuple[str, dict[str, Any]]:
    """A sending that was lost on its way, and what its person hears once it is withdrawn."""
    attempt = uuid.uuid4().hex
    query = urlencode({"attempt": attempt, "path": path})
    found: dict[str, Any] = world.client("Ada").post(world.address(f"submissions/{key}/?{query}")).json()
    return attempt, found


def test_a_change_that_was_only_looked_at_is_not_said_to_be_made_and_does_not_come_late(world: World) -> None:
    ada, path = world.client("Ada"), world.address("policies/new/CHANNEL/")
    assert ada.post(path, channel()).status_code == 200
    attempt, found = withdrawn(world, path, "k1")
    assert found["known"] == "withdrawn"
    assert "Nothing was changed" in found["sentence"]
    late = ada.post(path, channel(step="confirm", attempt=attempt))
    assert late.status_code == 409
    assert LATE in late.content.decode()
    assert policies_at(world) == []
    # Of the step itself it is said what it was.
    looked_at = Submission.objects.get(business=world.business, key="k1", state="REFUSED")
    query = urlencode({"attempt": looked_at.attempt, "path": path})
    step = ada.get(world.address(f"submissions/k1/?{query}")).json()
    assert (step["known"], "not done" in step["sentence"]) == ("refused", True)


@pytest.mark.parametrize("typed_on", ["add_line", "find_vendor"])
def test_a_bill_that_was_only_typed_on_is_not_said_to_be_entered(world: World, typed_on: str) -> None:
    vendor = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync("vendors", "bills_whole", "approvals")
    ada, path = world.client("Ada"), world.address("bills/new/")
    now = upstream.today(world.business).isoformat()
    typed = {"vendor_id": vendor["_id"], "bill_no": "INV-1", "issued_at": now, "due_at": "", "key": "b1", **ONE_LINE}
    assert ada.post(path, typed | {typed_on: "1"}).status_code == 200
    attempt, found = withdrawn(world, path, "b1")
    assert found["known"] == "withdrawn"
    assert ada.post(path, typed | {"attempt": attempt}).status_code == 409
    assert world.upstream("/bills")["docs"] == []
    assert ada.post(path, typed).status_code == 302
