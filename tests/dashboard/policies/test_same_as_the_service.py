"""Replay of the rules in force equals what the service decided: random policies and spending, over HTTP.

Each expense is posted at the service, which evaluates its policies; then the copy of it is weighed here, with the policies
of the copy, in the order in which they were posted. What the service let through keeps flags: ours must be the same. What
it refused is weighed as it was asked for, at its place: ours must be BLOCK.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import requests
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Category, Origin, Vendor
from dashboard.policies.evaluation import BLOCK, Span, SpendFacts, evaluate
from dashboard.policies.replay_run import current_mandates
from dashboard.policies.rulebook import Rulebook, rulebook_for
from dashboard.policies.usage import Usage
from dashboard.policies.weighed_items import Weighed, WeighedPeriod, lookups_for, weighed_expenses, weighed_payments
from dashboard.policies.weighing import policy_outcome
from dashboard.times import local
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import create_policy, create_workflow

TYPES = ("MPESA", "MPESA_TILL", "BANK", "AIRTIME", "CARD")
POSTS = 40


def post(world: World, body: dict[str, Any]) -> requests.Response:
    headers = {"x-api-key": world.made["api_key"]}
    return requests.post(f"{world.service}/v1/expenses", json=body, headers=headers, timeout=30)


def random_policies(world: World, chance: random.Random, filed: list[Category], workflow_id: str) -> None:
    """A dozen policies of every type and action; two for one target and period are refused, and left out."""
    people = [world.people[name].employee_id for name in ("Carla", "Rita")]
    targets = [
        ("CHANNEL", chance.choice(["MPESA", "CARD", "AIRTIME", "BANK"])) for _ in range(4)
    ] + [("SUBCATEGORY", chance.choice(filed).remote_id) for _ in range(3)]  # fmt: skip
    targets += [("CATEGORY", chance.choice(filed).category_id) for _ in range(2)] + [("DAY_TIME", "")]
    for type_, target in dict.fromkeys(targets):
        action = chance.choice(["BLOCK", "FLAG", "FLAG", "REQUIRE_APPROVAL"])
        more: dict[str, Any] = {
            "action": action,
            "exempt": {"employee_ids": chance.sample(people, chance.randint(0, 1))},
        }
        if action == "REQUIRE_APPROVAL":
            more["workflow_id"] = workflow_id
        if type_ == "DAY_TIME":
            # Wide enough that what is blocked outside them is not everything.
            first, last = chance.randint(0, 6), chance.randint(16, 23)
            more["window"] = {
                "weekdays": sorted(chance.sample(range(1, 8), 6)), "from": f"{first:02}:00", "to": f"{last:02}:30"
            }  # fmt: skip
        elif chance.random() < 0.8:
            period = chance.choice(["DAY", "WEEK", "MONTH", "YEAR", None])
            more |= {"limit": chance.randint(1, 900), "currency": "KES", "period": period}
            more["per_person"] = bool(period) and chance.random() < 0.5
        create_policy(world, type_, target, **more)
    # Whatever the seed: one per person and day, one per person and month beside one of everybody.
    for period, per_person in (("DAY", True), ("MONTH", True), ("MONTH", False)):
        create_policy(
            world, "CHANNEL", "MPESA_TILL", action="FLAG", limit=chance.randint(200, 900), currency="KES",
            period=period, per_person=per_person, name="Added",
        )  # fmt: skip


def random_expense(world: World, chance: random.Random, filed: list[Category], number: int) -> dict[str, Any]:
    # Half of them today and yesterday: a limit per person and day is met, too.
    hours = chance.choice([chance.randint(0, 30), chance.randint(0, 24 * 40)])
    at = datetime.now(UTC) - timedelta(hours=hours, minutes=chance.randint(0, 59))
    # One in four by nobody of the business, which counts together.
    person = chance.choice([*(world.people[name].employee_id for name in ("Carla", "Rita", "Rex")), ""])
    return {
        "amount": chance.randint(1, 400), "currency": "KES", "payment_type": chance.choice(TYPES),
        **({"employee_id": person} if person else {}),
        "transaction_ref": f"TX{number}", "transaction_date": at.isoformat(), "receiver": "Java House",
        **({"subcategory_id": chance.choice(filed).remote_id} if chance.random() < 0.8 else {}),
    }  # fmt: skip


def as_facts(world: World, body: dict[str, Any], rulebook: Rulebook, zone: ZoneInfo) -> SpendFacts:
    filed = body.get("subcategory_id", "")
    return SpendFacts(
        body["amount"] * 100, "KES", datetime.fromisoformat(body["transaction_date"]), zone,
        body.get("employee_id", ""), rulebook.employees.get(body.get("employee_id", ""), ""), body["payment_type"], filed, rulebook.categories.get(filed, ""),
    )  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_replay_of_the_rules_in_force_equals_what_was_decided(world: World, seed: int) -> None:
    chance = random.Random(seed)
    filed = list(Category.objects.filter(business=world.business).order_by("remote_id"))
    random_policies(world, chance, filed, create_workflow(world)["_id"])
    asked = []
    for number in range(POSTS):
        body = random_expense(world, chance, filed, number)
        asked.append((body, post(world, body)))
    assert all(answer.status_code in (201, 403) for _, answer in asked), {answer.text for _, answer in asked}
    world.sync()
    rulebook, zone = rulebook_for(Actor.reader_for(world.business)), ZoneInfo(world.business.time_zone)
    today = local(timezone.now(), world.business).date() + timedelta(days=1)
    period = WeighedPeriod(today - timedelta(days=90), today, zone)
    usage = Usage.of(rulebook.rules, zone)
    usage.load(world.business, period)
    posted = weighed_expenses(world.business, period, lookups_for(world.business, []))
    flags = {row["_id"]: frozenset(row["policy_flags"]) for row in world.upstream("/expenses", limit=500)["docs"]}
    decisions = {"flagged": 0, "blocked": 0, "clean": 0}
    for body, answer in asked:
        if answer.status_code == 403:
            evaluation = evaluate([as_facts(world, body, rulebook, zone)], rulebook.rules, usage.used)
            assert (evaluation.decision, evaluation.is_known) == (BLOCK, True), (body, answer.text)
            assert evaluation.deciding is not None
            assert evaluation.deciding.rule.id in answer.text
            decisions["blocked"] += 1
            continue
        item: Weighed = next(posted)
        assert item.uses[0] == replace(as_facts(world, body, rulebook, zone), at=item.at)
        evaluation = evaluate(item.uses, rulebook.rules, usage.used)
        theirs = flags[item.remote_id]
        assert (evaluation.flags, evaluation.is_known) == (theirs, True), (body, evaluation)
        decisions["flagged" if theirs else "clean"] += 1
        usage.add(item)
    assert next(posted, None) is None
    # Hours and weekdays are those of today, so one of the three may be absent; with one alone nothing would be compared.
    assert sum(count > 0 for count in decisions.values()) >= 2, decisions
    assert not Vendor.objects.filter(business=world.business, name="Java House").exists()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_bill_payment_is_decided_and_routed_as_the_service_did(world: World, seed: int) -> None:
    chance = random.Random(seed)
    filed = list(Category.objects.filter(business=world.business).order_by("remote_id"))
    seller = upstream.vendor(world)
    named = create_workflow(world, name="Named")["_id"]
    targets = [
        ("CHANNEL", "MPESA_TILL"), ("VENDOR", seller["_id"]), ("CATEGORY", filed[0].category_id),
        ("SUBCATEGORY", filed[0].remote_id), ("SUBCATEGORY", filed[1].remote_id),
    ]  # fmt: skip
    for type_, target in targets:
        action = chance.choice(["FLAG", "REQUIRE_APPROVAL"])
        more = {"workflow_id": named} if action == "REQUIRE_APPROVAL" and chance.random() < 0.6 else {}
        create_policy(world, type_, target, action=action, limit=chance.randint(100, 1500), currency="KES", **more)
    for number in range(chance.randint(0, 2)):
        least = chance.randint(200, 1500)
        create_workflow(
            world, "bills", name=f"From {least}", priority=number, conditions={"currency": "KES", "min_amount": least}
        )
    payments = []
    for _ in range(4):
        lines = [
            {"description": "Paper", "qty": 1, "unit_price": chance.randint(50, 1500), "subcategory_id": row.remote_id}
            for row in chance.sample(filed[:3], chance.randint(1, 3))
        ]
        payments.append(upstream.payment(world, upstream.bill(world, seller, line_items=lines)))
    world.sync()
    rulebook, zone = rulebook_for(Actor.reader_for(world.business)), ZoneInfo(world.business.time_zone)
    today = local(timezone.now(), world.business).date()
    period = WeighedPeriod(today - timedelta(days=5), today + timedelta(days=1), zone)
    upsert("bill_payment", world.business, payments, Origin.POLL)
    weighed = {
        item.remote_id: item for item in weighed_payments(world.business, period, lookups_for(world.business, []))
    }
    mandates = current_mandates(Actor.reader_for(world.business))
    requests_made = {row["ref"]: row for row in world.upstream("/approvals/all", limit=100)["docs"]}
    assert len(weighed) == len(payments)
    for payment in payments:
        outcome = policy_outcome(weighed[payment["_id"]], rulebook, mandates, lambda *_: Span())
        theirs = payment["policy"] or {"decision": "ALLOW", "trace": []}
        broken = {step["policy_id"] for step in theirs["trace"] if step["outcome"] == "BREACHED"}
        assert outcome.evaluation.decision == theirs["decision"]
        assert {step.rule.id for step in outcome.evaluation.breaches} == broken
        asked = requests_made.get(payment["payment_ref"])
        ours = outcome.route.workflow or outcome.route.mandate
        assert (ours.id if ours else "") == ((asked["workflow_id"] or asked["mandate_id"]) if asked else "")


@pytest.mark.parametrize("channel", ["CARD_PRESENT", "ECOMMERCE", "ATM"])
def test_a_card_purchase_is_weighed_as_it_was_when_the_card_was_used(world: World, channel: str) -> None:
    create_policy(world, "CHANNEL", "CARD", action="FLAG", limit=5, currency="KES", period="DAY")
    create_policy(world, "CHANNEL", "ATM", action="FLAG")
    filed = Category.objects.filter(business=world.business).order_by("remote_id")[0]
    create_policy(world, "SUBCATEGORY", filed.remote_id)
    answer = world.sandbox(
        "swipe", employee_id=world.people["Carla"].employee_id, amount=20, channel=channel, settle=True
    )
    assert answer["approved"], answer
    world.send("POST", f"/expenses/changeSubCategory/{answer['expense']['_id']}", {"subcategory_id": filed.remote_id})
    world.sync()
    rulebook, zone = rulebook_for(Actor.reader_for(world.business)), ZoneInfo(world.business.time_zone)
    today = local(timezone.now(), world.business).date() + timedelta(days=1)
    period, usage = WeighedPeriod(today - timedelta(days=9), today, zone), Usage.of(rulebook.rules, zone)
    [item] = weighed_expenses(world.business, period, lookups_for(world.business, []))
    evaluation = evaluate(item.uses, rulebook.rules, usage.used)
    assert evaluation.flags == frozenset(answer["expense"]["policy_flags"])
    assert len(evaluation.flags) == (2 if channel == "ATM" else 1)
