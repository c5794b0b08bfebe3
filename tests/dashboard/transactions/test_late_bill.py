"""A bill of an earlier month that is paid now: its transaction says whose month it is of."""

from __future__ import annotations

import re
import time
from datetime import timedelta

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin, Transaction
from dashboard.mirror.schedule import today
from dashboard.times import day_text
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

PAID_S = 60


def paid(world: World, issued: int) -> str:
    """The id of the transaction that pays a bill which was issued so many days ago."""
    made = upstream.bill(world, issued=-issued)
    payment = upstream.payment(world, made)
    ref = payment["payment_ref"]
    for voter in ("Apollo", "Zawadi"):
        if world.upstream(f"/bills/payments/{ref}/status")["status"] == "PENDING_APPROVAL":
            ask(world, voter, "POST", f"/bills/{made['_id']}/payments/{ref}/approve")
    ends = time.monotonic() + PAID_S
    while time.monotonic() < ends:
        rows = [row for row in world.upstream("/transactions", limit=50)["docs"] if row["ref"] == ref]
        if rows:
            world.sync()
            upsert("transaction", world.business, rows, Origin.POLL)
            return str(rows[0]["_id"])
        time.sleep(0.2)
    raise AssertionError("it is not paid")


def posted(world: World, transaction_id: str) -> str:
    page = world.client("Apollo").get(world.address(f"transactions/{transaction_id}/")).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_its_payment_is_counted_in_its_own_period_and_says_so(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=1_000_000)
    now = today(world.business)
    earlier = now.day + 3
    late, this = paid(world, earlier), paid(world, 0)
    said = f"{day_text(now)}: the bill is of {day_text(now - timedelta(days=earlier))}, and counted in the period of its payment"
    assert said in posted(world, late)
    assert "the bill is of" not in posted(world, this)
    assert Transaction.objects.get(business=world.business, remote_id=late).ref
