"""The busiest approver leaves on a Friday, from end to end: the worker is killed twice, and nothing is left without an heir."""

from __future__ import annotations

from collections import Counter

from dashboard.access.models import Membership
from dashboard.delegation.models import Delegation
from dashboard.mirror.full_sync import refresh_workflows
from dashboard.mirror.models import Card, Subscription
from dashboard.offboarding import worker
from dashboard.offboarding.models import Offboarding
from tests.dashboard.conftest import World
from tests.dashboard.offboarding.conftest import held, id_of, job_of, settle_in, started, states, work
from tests.dashboard.offboarding.test_resumed import kill_once
from tests.dashboard.people.conftest import shown, signed_in, wallets

CARDS, SEATS, SUBSCRIPTIONS = 5, 2, 7


def busiest(world: World) -> None:
    """Gives Apollo what he needs to be the busiest: two cards, five subscriptions and a workflow seat more."""
    settle_in(world)
    apollo = id_of(world, "Apollo")
    wallet = next(row["org_wallet_ref"] for row in world.upstream("/accounts")["docs"] if row["currency"] == "KES")
    for number in range(CARDS - 3):
        body = {"employee_id": apollo, "type": "VIRTUAL", "name": f"Online {number}", "org_wallet_ref": wallet}
        world.send("POST", "/cards", body)
    for number in range(SUBSCRIPTIONS - 2):
        body = {"name": f"Hosting {number}", "vendor": f"Hosting {number}", "amount": 400 + number, "currency": "KES"}
        more = {"billing_frequency": "MONTHLY", "employee_id": apollo}
        world.send("POST", "/subscriptions/create", body | more)
    steps = [{"order": 1, "approver_ids": [apollo, id_of(world, "Juma")]}]
    conditions = {"max_amount": 10_000, "currency": "KES"}
    world.send("POST", "/bills/workflow", {"name": "Small bills", "steps": steps, "conditions": conditions})
    world.sync()
    refresh_workflows(world.business)


def test_the_busiest_approver_leaves_and_nothing_is_left_though_the_worker_is_killed_twice(
    proxied_world: World,
) -> None:
    world = proxied_world
    busiest(world)
    counts = Counter(row.kind for row in held(world, "Apollo"))
    expected = {"card": CARDS, "workflow": SEATS, "subscription": SUBSCRIPTIONS, "delegation": 1}
    assert {kind: counts[kind] for kind in expected} == expected
    started(world)
    # Out at once: at the service, and here.
    assert world.upstream(f"/employees/{id_of(world, 'Apollo')}")["status"] == "SUSPENDED"
    assert Membership.objects.get(pk=world.people["Apollo"].pk).ended_at is not None
    assert world.proxy is not None
    for writes in (2, SUBSCRIPTIONS + 2):
        kill_once(world, writes)
        assert str(job_of(world).pk) in worker.due()
        page = shown(world.client("Ada").get(world.address(f"people/offboarding/{job_of(world).pk}/")))
        assert "Nothing is left" not in page, "what is left can be seen in between"
    work(world)
    for who in ("Zawadi", "Sam"):
        signed_in(world, who).post(world.address(f"people/offboarding/{job_of(world).pk}/continue/"))
        work(world)
    assert set(states(world).values()) == {"DONE"}, states(world)
    assert Offboarding.objects.get(pk=job_of(world).pk).finished_at is not None
    _nothing_is_left(world)
    _each_was_sent_under_one_key(world)


def _nothing_is_left(world: World) -> None:
    apollo, zawadi = id_of(world, "Apollo"), id_of(world, "Zawadi")
    assert held(world, "Apollo") == []
    cards = world.upstream(f"/cards/employee/{apollo}")["docs"]
    assert [card["status"] for card in cards].count("RETIRED") == len(cards) >= CARDS
    assert not Card.objects.filter(business=world.business, employee_id=apollo, status="ACTIVE").exists()
    heirs = Subscription.objects.filter(business=world.business, name__regex="^(Design|Hosting)")
    assert list(heirs.values_list("employee_id", flat=True)) == [zawadi] * SUBSCRIPTIONS
    workflows = {row["name"]: row["steps"] for row in world.upstream("/bills/workflow")["docs"]}
    assert workflows["Large bills"][0]["approver_ids"] == [zawadi]
    assert set(workflows["Small bills"][0]["approver_ids"]) == {zawadi, id_of(world, "Juma")}
    assert not Delegation.objects.filter(business=world.business, ended_at=None).exists()
    assert set(wallets(world, "Apollo").values()) <= {0}
    page = shown(world.client("Ada").get(world.address(f"people/offboarding/{job_of(world).pk}/")))
    assert "Nothing is left" in page


def _each_was_sent_under_one_key(world: World) -> None:
    """However often a worker began anew: so nothing was done twice."""
    assert world.proxy is not None
    writes = [call for call in world.proxy.record if "Idempotency-Key" in call.headers]
    by_call: dict[tuple[str, str, bytes | str], set[str]] = {}
    for call in writes:
        by_call.setdefault((call.method, call.path, call.body), set()).add(call.headers["Idempotency-Key"])
    assert {len(keys) for keys in by_call.values()} == {1}
