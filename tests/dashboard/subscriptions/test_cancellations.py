"""A cancellation whose answers and workers are lost, that is withdrawn while it is ended, and after its end: what is said of it is
so, and a cancelled subscription is not resumed."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction

from dashboard.audit.models import AuditEntry
from dashboard.bulk.models import Batch
from dashboard.commands.run import FormKey
from dashboard.errors import Conflict
from dashboard.mirror.models import Subscription
from dashboard.pages.subscriptions.services import resume
from dashboard.renewals import cancellations
from dashboard.renewals.models import Cancellation, CancellationStep
from dashboard.times import today_of
from tests.dashboard.bulk.conftest import plan
from tests.dashboard.conftest import World
from tests.dashboard.subscriptions.test_renewals import monthly, on_card, start, step, steps_of, withdraw
from tests.dashboard.subscriptions.test_subscriptions import added, page, upstream, words


def ready_to_end(world: World) -> Subscription:
    """A subscription whose cancellation has every step but its end."""
    row, today = added(world), today_of(world.business).isoformat()
    start(world, row)
    for name, form in (
        ("vendor", {"by": "Ada", "on": today}),
        ("none", {"reason": "Invoice"}),
        ("charge", {"until": today}),
    ):
        assert step(world, row, name, **form).status_code == 302
    return row


def ended(world: World) -> Subscription:
    row = ready_to_end(world)
    assert step(world, row, "end").status_code == 302
    row.refresh_from_db()
    assert row.status == "PAUSED"
    return row


def test_a_limit_that_is_so_already_as_after_a_lost_worker_is_noted_as_that(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, card = on_card(world)
    start(world, row)
    with monkeypatch.context() as lost:
        lost.setattr("dashboard.renewals.cancellations._tick", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            step(world, row, "limit", amount="10")
    assert monthly(world, card) == [1000]
    assert not steps_of(world)
    changed = AuditEntry.objects.filter(chain=world.business.pk, operation="update_card", outcome="DONE")
    assert changed.count() == 1
    assert step(world, row, "limit", amount="10").status_code == 302
    note = CancellationStep.objects.get(cancellation__business=world.business, name="CARD_STOPPED").note
    assert note.startswith(f"The monthly limit of card ···{card.last_four} is ")
    assert note.endswith("10.00 already")
    assert changed.count() == 1


def waits(pool: ThreadPoolExecutor, world: World, act: Any) -> Future[str]:
    """What a second worker is told that does this, once it waits for a lock that the test holds."""

    def run() -> str:
        try:
            act()
        except Conflict as refused:
            return refused.detail
        finally:
            connections.close_all()
        return ""

    told = pool.submit(run)
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return told
            cursor.execute("SELECT pg_sleep(0.05)")
    raise AssertionError("nobody waits for the lock")


@pytest.mark.parametrize("what", ["end", "step", "withdraw"])
def test_whoever_waited_for_a_withdrawal_is_told_that_nothing_is_cancelled(world: World, what: str) -> None:
    row, ada = ready_to_end(world), world.actor("Ada")
    # Nothing is asked of the service: the end is that of a subscription which is paused.
    Subscription.objects.filter(pk=row.pk).update(status="PAUSED")
    row.refresh_from_db()
    if what == "step":
        CancellationStep.objects.filter(cancellation__business=world.business, name="CARD_STOPPED").delete()
    actions = {
        "end": lambda: cancellations.end(ada, row, key=FormKey("end-1")),
        "step": lambda: cancellations.no_card(ada, row, "Invoice"),
        "withdraw": lambda: cancellations.withdraw(ada, row, "Twice"),
    }
    before = steps_of(world)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            live = Cancellation.objects.select_for_update().get(business=world.business)
            live.state = "WITHDRAWN"
            live.save(update_fields=["state"])
            told = waits(pool, world, actions[what])
        assert told.result(20) == f"{row.name} is not being cancelled."
    live.refresh_from_db()
    assert live.state == "WITHDRAWN"
    assert [name for name, _ in steps_of(world)] == [name for name, _ in before]


def test_an_end_ends_no_cancellation_that_was_started_anew(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    row = ready_to_end(world)
    pause = cancellations.subscriptions.pause

    def pause_meanwhile(*args: Any, **kwargs: Any) -> Any:
        result = pause(*args, **kwargs)
        withdraw(world, row)
        start(world, row)
        return result

    monkeypatch.setattr("dashboard.renewals.cancellations.subscriptions.pause", pause_meanwhile)
    answer = step(world, row, "end")
    assert answer.status_code == 409
    assert "Not done yet" in page(answer)
    states = Cancellation.objects.filter(business=world.business).order_by("pk").values_list("state", flat=True)
    assert list(states) == ["WITHDRAWN", "OPEN"]
    assert ("ENDED", "OPEN") not in steps_of(world)


def test_what_is_withdrawn_after_its_end_is_said_to_stay_paused(world: World) -> None:
    row = ready_to_end(world)
    checklist = world.address(f"subscriptions/{row.remote_id}/cancellation/")
    assert "The subscription goes on" in words(world.client("Ada").get(checklist))
    assert step(world, row, "end").status_code == 302
    shown = words(world.client("Ada").get(checklist))
    assert "goes on" not in shown
    assert "The subscription stays paused here until you resume it" in shown
    assert "It is still paused: resume it to keep using it." in words(withdraw(world, row))
    assert upstream(world, row)["status"] == "PAUSED"


def test_a_cancelled_one_is_not_resumed_by_a_post_nor_in_bulk(world: World) -> None:
    row, ada = ended(world), world.client("Ada")
    address = world.address(f"subscriptions/{row.remote_id}/status/")
    refused = ada.post(address, {"to": "resume", "key": "resume-1"})
    assert refused.status_code == 409
    assert "Drive is cancelled. Withdraw its cancellation first." in words(refused)
    answer = plan(world, "Ada", "subscriptions", "resume", ids=[row.remote_id])
    batch = Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])
    assert list(batch.rows.values_list("state", "why", "sentence")) == [
        ("LEFT_OUT", "cancelled", "It is cancelled. Withdraw its cancellation first.")
    ]
    assert upstream(world, row)["status"] == "PAUSED"
    withdraw(world, row)
    assert ada.post(address, {"to": "resume", "key": "resume-2"}).status_code == 302
    assert upstream(world, row)["status"] == "ACTIVE"


def test_one_that_is_cancelled_after_the_plan_is_not_resumed_by_the_worker(world: World) -> None:
    row = ended(world)
    with pytest.raises(Conflict, match="Withdraw its cancellation first"):
        resume(world.actor("Ada"), row, key="row-1", deadline=2.0)
    assert upstream(world, row)["status"] == "PAUSED"
