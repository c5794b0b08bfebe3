"""Carried out: each row with a key of its own, what is refused beside what is done, only what failed again."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import escape

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.bulk import plans, worker
from dashboard.bulk.actions import QueuedAction, action_of
from dashboard.bulk.models import Batch, BatchRow
from dashboard.errors import Unavailable, Unknown
from dashboard.mirror.models import Customer
from tests.dashboard.bulk.conftest import Worlds, batch_page, carried_out, customers, planned, states, work
from tests.dashboard.conftest import World


def deleted(world: World) -> set[str]:
    return {row["name"] for row in world.upstream("/customers?status=DELETED")["docs"]}


def test_what_passes_is_done_at_the_service_shown_and_audited(world: World) -> None:
    customers(world, 3)
    batch = carried_out(world, "Ada", planned(world, "Ada", "customers", "delete", all="matching"))
    assert (batch.state, set(states(batch).values())) == ("DONE", {"DONE"})
    assert deleted(world) == {"Mary 00", "Mary 01", "Mary 02"}
    assert not Customer.objects.filter(business=world.business, status="ACTIVE").exists()
    assert "3 customers deleted" in batch_page(world, "Ada", batch)
    done = AuditEntry.objects.filter(chain=world.business.pk, operation="delete_customer", outcome="DONE")
    assert {line.sentence for line in done} == {f"deleted customer Mary 0{at}" for at in range(3)}
    history = world.client("Ada").get(world.address("bulk/")).content.decode()
    assert f"bulk/{batch.pk}/" in history
    restored = carried_out(
        world, "Ada", planned(world, "Ada", "customers", "restore", all="matching", list="status=DELETED")
    )
    assert set(states(restored).values()) == {"DONE"}
    assert deleted(world) == set()


def test_begun_twice_it_is_sent_once(new_world: Worlds, no_queue: list[str]) -> None:
    world = new_world(proxied=True)
    assert world.proxy is not None
    customers(world, 1)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    for _ in range(2):
        assert world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/")).status_code == 302
    assert no_queue == [str(batch.pk)]
    work(batch)
    work(batch)
    (sent,) = world.proxy.sent("DELETE", "/customers/")
    assert sent.headers["Idempotency-Key"] == batch.rows.get().key


def test_what_changed_after_the_plan_is_left_alone_and_said(world: World) -> None:
    rows = customers(world, 2)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    Customer.objects.filter(pk=rows[0].pk).update(name="Mary Wanjiku")
    carried_out(world, "Ada", batch)
    assert states(batch) == {"Mary 00": "CHANGED", "Mary 01": "DONE"}
    assert "It changed since you looked: Name: Mary 00 → Mary Wanjiku." in batch_page(world, "Ada", batch)


def test_a_refusal_is_told_in_the_services_words_with_its_request_and_only_it_is_retried(new_world: Worlds) -> None:
    world = new_world(proxied=True)
    assert world.proxy is not None
    rows = customers(world, 3)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.proxy.fail("403", path=rows[1].remote_id, times=1)
    carried_out(world, "Ada", batch)
    assert states(batch) == {"Mary 00": "DONE", "Mary 01": "REFUSED", "Mary 02": "DONE"}
    refused = batch.rows.get(state="REFUSED")
    page = batch_page(world, "Ada", batch, "?only=REFUSED")
    assert escape(refused.sentence) in page
    assert f"Request {refused.request_id}" in page
    assert "Mary 00" not in page
    assert "Review retry of 1" in page

    answer = world.client("Ada").post(world.address(f"bulk/{batch.pk}/retry/"))
    again = Batch.objects.get(retry_of=batch)
    assert answer["Location"] == world.address(f"bulk/{again.pk}/")
    assert states(again) == {"Mary 01": "WAITING"}
    carried_out(world, "Ada", again)
    assert states(again) == {"Mary 01": "DONE"}
    assert deleted(world) == {"Mary 00", "Mary 01", "Mary 02"}
    assert len(world.proxy.sent("DELETE", rows[0].remote_id)) == 1


def test_a_lost_reply_is_asked_again_with_the_same_key_and_not_done_twice(new_world: Worlds) -> None:
    world = new_world(proxied=True)
    assert world.proxy is not None
    customers(world, 1)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.proxy.fail("lost reply", method="DELETE", times=1)
    carried_out(world, "Ada", batch)
    assert states(batch) == {"Mary 00": "DONE"}
    assert {row.headers["Idempotency-Key"] for row in world.proxy.sent("DELETE")} == {batch.rows.get().key}


def test_when_the_service_asks_to_slow_down_it_waits_and_goes_on(new_world: Worlds) -> None:
    world = new_world(proxied=True)
    assert world.proxy is not None
    customers(world, 2)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.proxy.fail("429")
    carried_out(world, "Ada", batch)
    assert (batch.state, batch.lease_id, set(states(batch).values())) == ("RUNNING", None, {"WAITING"})
    assert "It continues within a minute." in batch_page(world, "Ada", batch)
    world.proxy.heal()
    Batch.objects.filter(pk=batch.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert str(batch.pk) in worker.lost()
    work(batch)
    assert (batch.state, set(states(batch).values())) == ("DONE", {"DONE"})


def test_what_cannot_be_done_for_hours_is_given_up_and_can_be_tried_again(world: World) -> None:
    customers(world, 1)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    old = timezone.now() - timedelta(hours=3)
    Batch.objects.filter(pk=batch.pk).update(begun_at=old, heartbeat_at=old)
    assert str(batch.pk) not in worker.lost()
    batch.refresh_from_db()
    assert (batch.state, states(batch)) == ("DONE", {"Mary 00": "NOT_DONE"})
    assert "Review retry of 1" in batch_page(world, "Ada", batch)


def test_stopped_it_keeps_what_was_done_and_leaves_the_rest(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    customers(world, 3)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    carry_out = worker._carry_out

    def stopped_after_the_first(*given: Any) -> None:
        carry_out(*given)
        world.client("Ada").post(world.address(f"bulk/{batch.pk}/stop/"))

    monkeypatch.setattr(worker, "_carry_out", stopped_after_the_first)
    carried_out(world, "Ada", batch)
    assert batch.state == "STOPPED"
    assert states(batch) == {"Mary 00": "DONE", "Mary 01": "NOT_DONE", "Mary 02": "NOT_DONE"}
    assert deleted(world) == {"Mary 00"}


def test_one_whose_worker_was_lost_is_tried_again_with_its_key_after_it_was_stopped(world: World) -> None:
    customers(world, 1)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    batch.rows.update(state="SENDING", tries=1)
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/stop/"))
    assert "Review retry of 1" in batch_page(world, "Ada", batch)
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/retry/"))
    again = Batch.objects.get(retry_of=batch)
    assert again.rows.get().key == batch.rows.get().key
    carried_out(world, "Ada", again)
    assert deleted(world) == {"Mary 00"}


def test_results_are_forgotten_after_ninety_days(world: World) -> None:
    customers(world, 1)
    batch = carried_out(world, "Ada", planned(world, "Ada", "customers", "delete", all="matching"))
    plans.forget_old()
    assert Batch.objects.filter(pk=batch.pk).exists()
    Batch.objects.filter(pk=batch.pk).update(finished_at=timezone.now() - timedelta(days=91))
    plans.forget_old()
    assert not Batch.objects.filter(pk=batch.pk).exists()
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="delete_customer", outcome="DONE").exists()


def test_who_has_left_meanwhile_has_nothing_done(world: World) -> None:
    customers(world, 1)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    Membership.objects.filter(pk=world.people["Ada"].pk).update(role="REVIEWER")
    work(batch)
    assert (batch.state, states(batch)) == ("DONE", {"Mary 00": "NOT_DONE"})
    assert deleted(world) == set()


def test_two_workers_at_once_do_nothing_twice(world: World) -> None:
    customers(world, 1)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    Batch.objects.filter(pk=batch.pk).update(state="RUNNING", lease_id=uuid.uuid4(), heartbeat_at=timezone.now())
    assert worker.run(batch.pk) is False
    assert BatchRow.objects.get(batch=batch).state == "WAITING"


def sent_by_a_lost_worker(world: World) -> Batch:
    """One row that was done by a worker that died before it noted it; the copy has not heard of it either."""
    rows = customers(world, 1)
    batch = carried_out(world, "Ada", planned(world, "Ada", "customers", "delete", all="matching"))
    assert set(states(batch).values()) == {"DONE"}
    Customer.objects.filter(pk=rows[0].pk).update(status="ACTIVE")
    batch.rows.update(state="SENDING", tries=1)
    Batch.objects.filter(pk=batch.pk).update(
        state="RUNNING", finished_at=None, heartbeat_at=timezone.now() - timedelta(minutes=3)
    )
    return batch


def test_what_a_lost_worker_had_done_is_not_called_refused(new_world: Worlds) -> None:
    world = new_world(proxied=True)
    assert world.proxy is not None
    batch = sent_by_a_lost_worker(world)
    world.proxy.fail("lost reply", method="DELETE")
    work(batch)
    assert set(states(batch).values()) == {"DONE"}, batch.rows.get().sentence


def test_a_row_of_two_calls_of_which_one_was_done_is_not_as_if_it_had_never_been_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    customers(world, 2)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    action = action_of(batch)
    assert isinstance(action, QueuedAction)
    carry_out_first = type(action).carry_out

    def gone_before_the_second_call(self: Any, *given: Any, **named: Any) -> Any:
        carry_out_first(self, *given, **named)
        raise Unavailable

    with monkeypatch.context() as away:
        away.setattr(type(action), "carry_out", gone_before_the_second_call)
        work(batch)
    first, second = batch.rows.order_by("number")
    assert ((first.state, first.tries), (second.state, second.tries)) == (("SENDING", 1), ("WAITING", 0))
    old = timezone.now() - timedelta(hours=3)
    Batch.objects.filter(pk=batch.pk).update(begun_at=old, heartbeat_at=old)
    worker.lost()
    first, second = batch.rows.order_by("number")
    assert (first.state, second.state) == ("UNKNOWN", "NOT_DONE")
    assert "it is not known how far it came" in first.sentence


def test_a_row_that_may_be_done_and_is_out_of_sight_stays_unknown(world: World) -> None:
    batch = sent_by_a_lost_worker(world)
    Customer.objects.filter(business=world.business).delete()
    work(batch)
    assert set(states(batch).values()) == {"UNKNOWN"}, batch.rows.get().sentence


def slowly_done(
    monkeypatch: pytest.MonkeyPatch, batch: Batch, meanwhile: Callable[[], object], comes_of_it: Exception | None
) -> None:
    """The first call of the batch hangs: something happens meanwhile, and then the worker is back with what came of it."""
    attempt, slow = worker._attempt, []

    def slowly(*given: Any) -> Any:
        if slow:
            return attempt(*given)
        slow.append(given)
        outcome = None if comes_of_it else attempt(*given)
        meanwhile()
        if comes_of_it:
            raise comes_of_it
        return outcome

    monkeypatch.setattr(worker, "_attempt", slowly)


def test_a_worker_that_was_only_slow_writes_nothing_over_what_its_successor_found_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    customers(world, 2)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))

    def successor_finishes() -> None:
        # It is taken for lost, and another worker carries everything out.
        Batch.objects.filter(pk=batch.pk).update(heartbeat_at=timezone.now() - 2 * worker.LOST_AFTER)
        assert worker.run(batch.pk) is False
        assert set(states(batch).values()) == {"DONE"}

    slowly_done(monkeypatch, batch, successor_finishes, Unknown("No answer came."))
    assert worker.run(batch.pk) is False
    assert set(states(batch).values()) == {"DONE"}
    batch.refresh_from_db()
    assert (batch.state, batch.lease_id) == ("DONE", None)


def test_stopped_while_a_row_is_on_its_way_that_one_says_what_came_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    customers(world, 2)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    stop = world.address(f"bulk/{batch.pk}/stop/")
    slowly_done(monkeypatch, batch, lambda: world.client("Ada").post(stop), None)
    assert worker.run(batch.pk) is False
    assert states(batch) == {"Mary 00": "DONE", "Mary 01": "NOT_DONE"}
