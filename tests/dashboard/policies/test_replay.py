"""Replays: begun from a preview, found again, stopped, taken up after a lost worker; what they count and do not guess."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
import requests
from django.utils import timezone

from dashboard.mirror.models import ApprovalRequest, Category
from dashboard.policies import replay_run, replays
from dashboard.policies.models import Replay, ReplayChange, ReplayState
from dashboard.worker_lease import LeaseLostError, renew
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import channel, create_policy, create_workflow, flow, page

REPLAY = {"step": "replay"}


def at(world: World, rest: str = "") -> str:
    return world.address(f"policies/{rest}")


def spend(world: World, amount: int, **more: Any) -> dict[str, Any]:
    """An expense of the old interface, of Carla, by M-Pesa."""
    body = {
        "amount": amount,
        "currency": "KES",
        "employee_id": world.people["Carla"].employee_id,
        "payment_type": "MPESA",
    }
    headers = {"x-api-key": world.made["api_key"]}
    answer = requests.post(f"{world.service}/v1/expenses", json=body | more, headers=headers, timeout=30)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def begun(world: World, address: str, typed: dict[str, Any], by: str = "Ada") -> Replay:
    answer = world.client(by).post(address, typed | REPLAY)
    assert answer.status_code == 302, page(answer)
    return Replay.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[1])


def done(replay: Replay) -> Replay:
    assert replay_run.run(replay.pk)
    replay.refresh_from_db()
    assert replay.state == ReplayState.DONE, replay.trouble
    return replay


def test_a_draft_is_replayed_its_items_are_links_and_its_result_is_an_impact_of_the_change(world: World) -> None:
    for amount in (100, 200, 300):
        spend(world, amount)
    world.sync()
    typed = channel(limit="450", period="")
    typed["limit"], typed["period"] = "250", ""
    replay = done(begun(world, at(world, "new/CHANNEL/"), typed))
    assert replay.result["weighed"] == {"expense": 3}
    assert replay.result["changes"] == {ReplayChange.BLOCKED: 1}
    shown = page(world.client("Apollo").get(at(world, f"replays/{replay.pk}/")))
    assert "1 of 3 expenses would have been decided differently." in shown
    assert "1 would have been blocked." in shown
    [item] = replay.items.all()
    assert (item.amount_minor, item.before) == (30_000, "No approval needed")
    assert f"/expenses/{item.remote_id}/" in shown
    assert "Carla" in shown
    again = page(world.client("Ada").post(at(world, "new/CHANNEL/"), typed))
    assert "1 of 3 expenses would have been decided differently." in again


def test_a_limit_over_a_period_counts_what_went_before(world: World) -> None:
    for amount in (100, 200, 300):
        spend(world, amount)
    world.sync()
    replay = done(begun(world, at(world, "new/CHANNEL/"), channel(limit="250", period="YEAR", action="FLAG")))
    assert replay.result["changes"] == {ReplayChange.FLAGGED: 2}
    assert replay.result["votes"] == 0


def test_what_is_sent_for_approval_counts_votes_and_hours_and_nobody_is_said(world: World) -> None:
    made = create_workflow(world, steps=[{"order": 1, "role": "APPROVER", "min_approvals": 2}])
    spend(world, 300)
    world.sync()
    typed = channel(limit="250", period="", action="REQUIRE_APPROVAL", workflow_id=made["_id"])
    replay = done(begun(world, at(world, "new/CHANNEL/"), typed))
    assert replay.result["changes"] == {ReplayChange.APPROVAL: 1}
    assert replay.result["votes"] == 2
    shown = page(world.client("Ada").get(at(world, f"replays/{replay.pk}/")))
    assert "2 more approvals: about 0.1 hours of approvers, estimated at 4 minutes each." in shown
    typed = flow({"who": "role", "votes": "20"}, name="Impossible", currency="", min_amount="", key="w7")
    other = world.client("Ada").post(at(world, f"workflows/policies/{made['_id']}/edit/"), typed)
    assert "20 approvals" in page(other)


def test_a_workflow_of_bills_is_replayed_over_bills_and_says_who_finds_nobody(world: World) -> None:
    seller = upstream.vendor(world, "Tyre house")
    for number, amount in enumerate((5_000, 50_000), 1):
        upstream.bill(world, seller, amount=amount, number=f"B-{number}")
    world.sync()
    replay = done(begun(world, at(world, "workflows/bills/new/"), flow()))
    assert replay.result["weighed"] == {"bill": 2}
    changes = replay.result["changes"]
    assert sum(changes.values()) == 1, changes
    [item] = replay.items.all()
    assert item.title == "B-2 · Tyre house"
    assert "“Large bills”" in item.after


def test_what_payouts_may_have_used_is_never_guessed(world: World) -> None:
    spend(world, 100)
    world.sync()
    ApprovalRequest.objects.create(
        business=world.business, remote_id="payout-1", kind="payout", ref="PB-1", title="Payout", amount_minor=90_000,
        currency="KES", requested_at=timezone.now(), status="COMPLETED", payload={}, payload_hash="x", source="POLL",
        first_seen=timezone.now(), last_seen=timezone.now(),
    )  # fmt: skip
    replay = done(begun(world, at(world, "new/CHANNEL/"), channel(limit="500", period="YEAR")))
    assert replay.result["changes"] == {ReplayChange.UNWEIGHED: 1}
    assert "1 could not be weighed" in page(world.client("Ada").get(at(world, f"replays/{replay.pk}/")))
    assert replay.items.get().after.startswith("Not known:")
    cards = done(begun(world, at(world, "new/CHANNEL/"), channel(target="CARD", limit="500", period="YEAR", key="k5")))
    assert cards.result["changes"] == {}


def test_the_way_back_from_a_replay_holds_what_was_typed(world: World) -> None:
    typed = channel(name="Careful", limit="450")
    replay = begun(world, at(world, "new/CHANNEL/"), typed)
    shown = page(world.client("Ada").get(at(world, f"replays/{replay.pk}/")))
    assert "You can leave this page" in shown
    fields = dict(re.findall(r'<input type="hidden" name="([\w]+)" value="([^"]*)">', shown))
    assert fields["name"] == "Careful"
    back = page(world.client("Ada").post(replay.form["address"], fields))
    assert "Spending by M-Pesa above KES 450.00 a week in total is blocked." in back
    assert str(replay.pk) in back


def test_the_same_draft_is_not_begun_twice_and_whoever_began_it_stops_it(world: World) -> None:
    first = begun(world, at(world, "new/CHANNEL/"), channel())
    assert begun(world, at(world, "new/CHANNEL/"), channel()).pk == first.pk
    address = at(world, f"replays/{first.pk}/stop/")
    world.client("Apollo").post(address)
    first.refresh_from_db()
    assert first.state == ReplayState.QUEUED
    world.client("Ada").post(address)
    first.refresh_from_db()
    assert first.state == ReplayState.CANCELLED
    assert not replay_run.run(first.pk)


def test_a_lost_worker_is_replaced_and_writes_nothing_more(world: World) -> None:
    spend(world, 300)
    world.sync()
    replay = begun(world, at(world, "new/CHANNEL/"), channel(limit="250", period=""))
    Replay.objects.filter(pk=replay.pk).update(
        state=ReplayState.RUNNING, lease_id=uuid.uuid4(), attempts=1, heartbeat_at=timezone.now() - timedelta(minutes=5)
    )
    lost = Replay.objects.get(pk=replay.pk)
    assert str(replay.pk) in replays.lost()
    assert done(replay).result["changes"] == {ReplayChange.BLOCKED: 1}
    with pytest.raises(LeaseLostError):
        renew(lost, items_done=1)
    assert replay.items.count() == 1


def test_a_worker_that_was_only_slow_stores_no_item_beside_those_of_its_successor(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(world, 300)
    world.sync()
    replay = begun(world, at(world, "new/CHANNEL/"), channel(limit="250", period=""))
    weighed, successors = replay_run.replayed, []

    def slowly(*of: Any) -> Any:
        yield from weighed(*of)
        if successors:
            return
        # All weighed, nothing stored: meanwhile it is taken for lost, and another one does it all.
        successors.append(replay.pk)
        Replay.objects.filter(pk=replay.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
        assert replay_run.run(replay.pk)

    monkeypatch.setattr(replay_run, "replayed", slowly)
    assert replay_run.run(replay.pk) is False
    replay.refresh_from_db()
    assert successors
    assert (replay.state, replay.items.count()) == (ReplayState.DONE, 1)


def test_only_finance_sees_what_people_spent(world: World) -> None:
    replay = begun(world, at(world, "new/CHANNEL/"), channel())
    assert world.client("Rita").get(at(world, f"replays/{replay.pk}/")).status_code == 403
    assert world.client("Apollo").get(at(world, f"replays/{replay.pk}/")).status_code == 200


def test_the_simulator_names_the_rule_that_decides_and_traces_the_others(world: World) -> None:
    filed = Category.objects.filter(business=world.business).order_by("name")[0]
    create_policy(
        world, "SUBCATEGORY", filed.remote_id, name="Lunches", action="FLAG", limit=100, currency="KES", period="WEEK"
    )
    create_policy(world, "CHANNEL", "MPESA", name="Small only", limit=500, currency="KES")
    create_policy(world, "CHANNEL", "ATM", name="No cash")
    spend(world, 80, subcategory_id=filed.remote_id)
    world.sync()
    carla, apollo = world.people["Carla"].employee_id, world.client("Apollo")
    typed = f"amount=50&currency=KES&person={carla}&channel=MPESA_TILL&subcategory={filed.remote_id}&kind=expense&vendor=&at="
    shown = page(apollo.get(at(world, f"simulator/?{typed}")))
    assert "“Lunches” decides." in shown
    assert "Allowed and flagged" in shown
    assert "KES 130.00 of KES 100.00 a week" in shown
    assert "KES 50.00 of KES 500.00" in shown
    assert "1 other policy is not about it." in shown
    more = page(apollo.get(at(world, f"simulator/?{typed.replace('amount=50', 'amount=600')}")))
    assert "“Small only” decides." in more
    assert "Blocked" in more
    wrong = apollo.get(at(world, f"simulator/?{typed.replace('amount=50', 'amount=x')}"))
    assert wrong.status_code == 422
