"""Limits per person: chosen in the form, read as a sentence, compared, simulated and replayed."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from dashboard.mirror.models import ApprovalRequest, Category, Expense, SpendPolicy, Team
from dashboard.policies.evaluation import Span, SpendFacts, evaluate
from dashboard.policies.models import ReplayChange
from dashboard.policies.rules import PolicyRule
from dashboard.policies.usage import MOST, Usage
from dashboard.policies.weighed_items import WeighedPeriod
from dashboard.times import local
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import (
    channel,
    confirmed,
    create_policy,
    create_workflow,
    page,
    policies_at,
    policy_at,
)
from tests.dashboard.policies.test_replay import begun, done, spend


def at(world: World, rest: str = "") -> str:
    return world.address(f"policies/{rest}")


def rule(**more: Any) -> PolicyRule:
    return PolicyRule(
        "p", "CHANNEL", "MPESA", "BLOCK", 10_000, "KES", **{"period": "MONTH", "per_person": True, **more}
    )


def test_it_is_chosen_in_the_form_and_reads_as_people_say_it(world: World) -> None:
    filed = Category.objects.filter(business=world.business).order_by("name")[0]
    team = Team.objects.filter(business=world.business).order_by("name")[0]
    made = create_workflow(world)
    typed = channel(
        target=filed.remote_id, period="PERSON_DAY", action="REQUIRE_APPROVAL", workflow_id=made["_id"],
        exempt_teams=[team.remote_id],
    )  # fmt: skip
    address = at(world, "new/SUBCATEGORY/")
    sentence = (
        f"Spending on {filed.name} above KES 5,000.00 per person and day needs approval by the workflow “Anybody”, "
        f"except {team.name}."
    )
    assert sentence in page(world.client("Ada").post(address, typed))
    assert confirmed(world, "Ada", address, typed).status_code == 302
    [row] = policies_at(world)
    assert (row["period"], row["per_person"], row["limit_minor"]) == ("DAY", True, 500_000)
    assert SpendPolicy.objects.get(remote_id=row["_id"]).per_person
    ada = world.client("Ada")
    assert sentence in page(ada.get(at(world)))
    assert '<option value="PERSON_DAY" selected>' in page(ada.get(at(world, f"categories/{row['_id']}/edit/")))
    applied = page(ada.get(f"{at(world, 'applies/')}?category={filed.remote_id}"))
    assert sentence in applied
    assert "The limit counts what each person spends." in applied
    assert "KES 5,000.00 per person and day" in page(ada.get(at(world, "all/")))


def test_a_change_says_how_the_limit_counts_then_and_goes_back(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK", name="M-Pesa")
    address, typed = at(world, f"{made['_id']}/edit/"), channel(name="M-Pesa", period="PERSON_WEEK")
    shown = page(world.client("Ada").post(address, typed))
    assert "Limit: above KES 5,000.00 a week in total becomes above KES 5,000.00 per person and week." in shown
    assert confirmed(world, "Ada", address, typed).status_code == 302
    assert policy_at(world, made["_id"])["per_person"] is True
    assert confirmed(world, "Ada", address, channel(name="M-Pesa", period="", key="k2")).status_code == 302
    row = policy_at(world, made["_id"])
    assert (row["period"], row["per_person"]) == (None, False)
    restored = at(world, f"{made['_id']}/restore/2/")
    assert "becomes above KES 5,000.00 per person and week." in page(world.client("Ada").get(restored))


def test_the_policy_of_a_category_replaces_the_one_that_counts_alike(world: World) -> None:
    filed = Category.objects.filter(business=world.business).order_by("name")[0]
    address = at(world, "categories/set/SUBCATEGORY/")
    for period, limit in (("DAY", "5,000"), ("PERSON_DAY", "500"), ("PERSON_DAY", "600")):
        typed = channel(target=filed.remote_id, period=period, limit=limit, action="FLAG", key=f"k{limit}")
        assert confirmed(world, "Ada", address, typed).status_code == 302
    limits = {row["per_person"]: row["limit_minor"] for row in policies_at(world)}
    assert limits == {False: 500_000, True: 60_000}


def test_a_limit_of_everybody_makes_one_per_person_pointless(world: World) -> None:
    create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="DAY", name="All")
    typed = channel(name="Own", period="PERSON_DAY", action="FLAG")
    assert "“Own” never decides" in page(world.client("Ada").post(at(world, "new/CHANNEL/"), typed))
    assert "never decides" not in page(
        world.client("Ada").post(at(world, "new/CHANNEL/"), typed | {"limit": "4,000", "key": "k2"})
    )


def test_the_simulator_counts_what_that_person_spent(world: World) -> None:
    create_policy(
        world, "CHANNEL", "MPESA", name="Own", action="FLAG", limit=250, currency="KES", period="DAY", per_person=True
    )
    spend(world, 200)
    spend(world, 100, employee_id=world.people["Rita"].employee_id)
    world.sync()
    shown = {}
    for name in ("Carla", "Rita"):
        typed = f"amount=100&currency=KES&person={world.people[name].employee_id}&channel=MPESA_TILL&subcategory=&kind=expense&vendor=&at="
        shown[name] = page(world.client("Apollo").get(at(world, f"simulator/?{typed}")))
    assert "“Own” decides." in shown["Carla"]
    assert "KES 300.00 of KES 250.00 per person and day" in shown["Carla"]
    assert "No policy is breached." in shown["Rita"]
    assert "KES 200.00 of KES 250.00 per person and day" in shown["Rita"]


def test_a_replay_counts_each_person_by_themselves(world: World) -> None:
    for name in ("Carla", "Rita", "Carla", "Rita", "Carla"):
        spend(world, 100, employee_id=world.people[name].employee_id)
    world.sync()
    typed = channel(limit="250", period="PERSON_DAY", action="FLAG")
    assert done(begun(world, at(world, "new/CHANNEL/"), typed)).result["changes"] == {ReplayChange.FLAGGED: 1}
    everybody = done(begun(world, at(world, "new/CHANNEL/"), typed | {"period": "DAY", "key": "k2"}))
    assert everybody.result["changes"] == {ReplayChange.FLAGGED: 3}


def test_what_was_spent_before_the_first_day_counts_for_whoever_spent_it(world: World) -> None:
    for name in ("Carla", "Rita"):
        spend(world, 60, employee_id=world.people[name].employee_id)
    world.sync()
    zone, own = ZoneInfo(world.business.time_zone), rule(period="YEAR")
    today = local(timezone.now(), world.business).date()
    last = Expense.objects.filter(business=world.business, employee_id=world.people["Carla"].employee_id)
    last.update(transaction_date=datetime(today.year, 1, 1, 12, tzinfo=UTC))
    usage = Usage.of([own], zone)
    # The tests of another year's first days have nothing before the first day.
    first = max(today, datetime(today.year, 1, 3, tzinfo=UTC).date())
    usage.load(world.business, WeighedPeriod(first, first + timedelta(days=1), zone))
    when = datetime(first.year, first.month, first.day, 12, tzinfo=zone)
    carla, zed = (SpendFacts(1, "KES", when, zone, person) for person in (world.people["Carla"].employee_id, "zed"))
    assert (usage.used(own, carla), usage.used(own, zed)) == (Span(6_000, 6_000), Span())


def test_payments_may_count_for_whoever_asked_for_them_alone(world: World) -> None:
    apollo = world.people["Apollo"].employee_id
    for number, asker in enumerate((apollo, "A client")):
        ApprovalRequest.objects.create(
            business=world.business, remote_id=f"payout-{number}", kind="payout", ref=f"PB-{number}", title="Payout",
            amount_minor=90_000, currency="KES", requested_at=timezone.now(), status="COMPLETED",
            payload={"created_by": "Ada", "initiated_by": asker}, payload_hash="x", source="POLL",
            first_seen=timezone.now(), last_seen=timezone.now(),
        )  # fmt: skip
    zone, own = ZoneInfo(world.business.time_zone), rule()
    usage = Usage.of([own], zone)
    usage.load_until(world.business, timezone.now() + timedelta(seconds=1))
    spans = {
        person: usage.used(own, SpendFacts(1, "KES", timezone.now(), zone, person))
        for person in (apollo, "", world.people["Carla"].employee_id, None)
    }
    assert spans == {
        apollo: Span(0, 90_000), "": Span(0, 90_000), world.people["Carla"].employee_id: Span(), None: Span(0, 90_000),
    }  # fmt: skip


def test_of_uses_that_happen_together_each_person_has_their_own_sum() -> None:
    zone = ZoneInfo("Africa/Nairobi")
    uses = [SpendFacts(6_000, "KES", timezone.now(), zone, person, channel="MPESA") for person in ("a", "b")]
    assert evaluate(uses, [rule()], lambda *_: Span()).decision == "ALLOW"
    assert evaluate(uses, [rule(per_person=False)], lambda *_: Span()).decision == "BLOCK"
    assert evaluate([uses[0], *uses], [rule()], lambda *_: Span()).decision == "BLOCK"


def test_a_sum_that_no_limit_reaches_does_not_overflow(world: World) -> None:
    zone, own, when = ZoneInfo("Africa/Nairobi"), rule(), timezone.now()
    usage = Usage.of([own], zone)
    for number in range(2):
        ApprovalRequest.objects.create(
            business=world.business, remote_id=f"payout-{number}", kind="payout", ref=f"PB-{number}", title="Payout",
            amount_minor=MOST, currency="KES", requested_at=when, status="COMPLETED", payload={}, payload_hash="x",
            source="POLL", first_seen=when, last_seen=when,
        )  # fmt: skip
    usage.load_until(world.business, when + timedelta(seconds=1))
    assert usage.used(own, SpendFacts(1, "KES", when, zone, "")) == Span(0, MOST)
