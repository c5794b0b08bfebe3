"""The copy equals the service after a look at the feed or a cycle of reading, and says so when it does not."""

from datetime import date
from typing import Any

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.mirror.apply import upsert
from dashboard.mirror.list_reads import read_list
from dashboard.mirror.models import Drift, Employee, Expense, Origin, SyncCursor, Team, Wallet
from dashboard.mirror.sync import follow_feed, refresh_day, run_band
from tests.dashboard.conftest import World


def ours(world: World) -> dict[str, tuple[str, int | None]]:
    rows = Expense.objects.filter(business=world.business, tombstoned_at=None)
    return {row.remote_id: (row.status, row.amount_minor) for row in rows}


def theirs(world: World) -> dict[str, tuple[str, int]]:
    rows = world.upstream("/expenses", limit=1000)["docs"]
    return {row["_id"]: (row["status"], row["amount_minor"]) for row in rows}


def test_a_first_look_brings_everything(world: World) -> None:
    world.sandbox("expenses", count=7)
    world.sync()
    assert ours(world) == theirs(world)
    assert len(ours(world)) == 7
    assert Employee.objects.filter(business=world.business).count() == len(world.made["employees"])
    assert Team.objects.filter(business=world.business).count() == len(world.made["teams"])
    assert Wallet.objects.filter(business=world.business).count() == len(world.made["wallets"])


def test_the_feed_brings_what_is_new_and_what_changed(world: World) -> None:
    world.sandbox("expenses", count=2)
    assert wait_for_feed(world) >= 2
    assert ours(world) == theirs(world)
    assert SyncCursor.objects.get(business=world.business).has_feed is True
    assert follow_feed(world.business) == 0


def wait_for_feed(world: World) -> int:
    """Events are numbered by the service's relay within a second or so."""
    import time

    deadline, applied = time.monotonic() + 20, 0
    while time.monotonic() < deadline:
        applied += follow_feed(world.business)
        if applied and ours(world) == theirs(world):
            break
        time.sleep(0.2)
    return applied


def day_of(world: World, expense: Any) -> date:
    """The day of an expense at its business, whose day may be another than that of this machine."""
    return times.local(expense.transaction_date, world.business).date()


def test_reading_a_day_twice_tombstones_what_is_gone(world: World) -> None:
    world.sandbox("expenses", count=3)
    world.sync()
    real = Expense.objects.filter(business=world.business).first()
    assert real is not None
    gone = dict(real.payload, _id="f" * 24, transaction_ref="never-was")
    upsert("expense", world.business, [gone], Origin.FEED)
    reader = Actor.reader_for(world.business)
    day = day_of(world, real)

    assert refresh_day(reader, real.org_wallet_ref, day)
    kept = Expense.objects.get(business=world.business, remote_id="f" * 24)
    assert kept.missing_since is not None
    assert kept.tombstoned_at is None
    assert Drift.objects.filter(business=world.business, closed_at=None).count() == 1

    assert refresh_day(reader, real.org_wallet_ref, day)
    kept.refresh_from_db()
    assert kept.tombstoned_at is not None
    assert not Drift.objects.filter(business=world.business, closed_at=None).exists()
    assert ours(world) == theirs(world)


def test_a_failing_wallet_tombstones_nothing(new_world: Any) -> None:
    world = new_world(proxied=True)
    world.sandbox("expenses", count=3)
    world.sync()
    before = ours(world)
    assert len(before) == 3
    world.proxy.fail("500", path="/expenses")
    wallet = Wallet.objects.filter(business=world.business).first()
    day = day_of(world, Expense.objects.filter(business=world.business).first())
    assert refresh_day(Actor.reader_for(world.business), wallet.org_wallet_ref, day) is False
    assert ours(world) == before
    assert SyncCursor.objects.get(business=world.business).failing_since is not None
    world.proxy.heal()
    run_band(world.business, "hot")
    assert SyncCursor.objects.get(business=world.business).failing_since is None


def test_pages_are_walked_to_the_end(world: World) -> None:
    world.sandbox("expenses", count=30)
    reader = Actor.reader_for(world.business)
    rows = list(read_list(reader, operations.LIST_EXPENSES))
    assert len({row["_id"] for row in rows}) == 30


def test_a_webhook_is_stored_before_it_is_acknowledged_and_applied_once(world: World) -> None:
    from datetime import UTC, datetime

    from django.test import Client
    from standardwebhooks import Webhook

    from dashboard.access.secrets import seal
    from dashboard.client.json import write_json
    from dashboard.client.models import ServiceAccount
    from dashboard.mirror.models import InboxEvent
    from dashboard.mirror.webhook_inbox import apply_received

    secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    ServiceAccount.objects.filter(business=world.business).update(webhook_secret_sealed=seal(secret))
    world.sandbox("expenses", count=1)
    row = world.upstream("/expenses")["docs"][0]
    body = write_json({"type": "expense.created", "sequence": 5, "data": {"object": row}}).decode()
    now = datetime.now(UTC)
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign("msg_1", now, body),
    }
    client, address = Client(), f"/-/hooks/{world.business.pk}/"
    for _ in range(2):
        assert client.post(address, body, content_type="application/json", headers=headers).status_code == 204
    assert InboxEvent.objects.filter(business=world.business).count() == 1
    apply_received()
    assert row["_id"] in ours(world)

    forged = headers | {"webhook-signature": "v1,AAAA", "webhook-id": "msg_2"}
    assert client.post(address, body, content_type="application/json", headers=forged).status_code == 400
    assert not InboxEvent.objects.filter(business=world.business, webhook_id="msg_2").exists()
