"""Recurring top-ups: what is missing is allocated once for each day, by whoever set it up and with their rights alone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.commands import allocations
from dashboard.mirror.models import Employee
from dashboard.notifications.models import Notice
from dashboard.times import local
from dashboard.top_ups import worker
from dashboard.top_ups.models import TopUp, TopUpRun
from dashboard.top_ups.schedule import next_day, schedule_text
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, shown, signed_in, wallets


def form(org_wallet: str, **more: str) -> dict[str, str]:
    fields = {
        "target": "5,000",
        "wallet": org_wallet,
        "interval": "WEEKLY",
        "weekday": "1",
        "month_day": "",
        "key": "t" * 32,
    }
    return fields | more


def set_up(world: World, wallet: str, name: str = "Carla", by: str = "Apollo", **more: str) -> TopUp:
    answer = signed_in(world, by).post(address_of(world, name, "top-ups/new/"), form(wallet, **more))
    assert answer.status_code == 302, shown(answer)
    return TopUp.objects.get(business=world.business, key=more.get("key", "t" * 32))


def due_today(top_up: TopUp) -> None:
    today = local(timezone.now(), top_up.business).date()
    TopUp.objects.filter(pk=top_up.pk).update(next_on=today)


def newest_run(top_up: TopUp) -> TopUpRun:
    return TopUpRun.objects.filter(top_up=top_up).latest("day")


def has(world: World, name: str = "Carla") -> int:
    return wallets(world, name).get("KES", 0)


def test_what_is_missing_is_allocated_and_said(world: World, first_wallet: str) -> None:
    apollo = signed_in(world, "Apollo")
    apollo.post(
        address_of(world, "Carla", "allocate/"),
        {"allocate-amount": "1,200.50", "allocate-wallet": first_wallet, "allocate-note": ""},
    )
    before = has(world)
    top_up = set_up(world, first_wallet, target="9,000.75")
    assert str(top_up.pk) not in worker.due()
    due_today(top_up)
    assert str(top_up.pk) in worker.due()
    assert worker.run(top_up.pk)
    assert has(world) == 900_075
    row = newest_run(top_up)
    assert (row.state, row.before_minor, row.amount_minor) == ("DONE", before, 900_075 - before)
    top_up.refresh_from_db()
    assert top_up.next_on > local(timezone.now(), world.business).date()
    assert not worker.run(top_up.pk)
    line = AuditEntry.objects.get(chain=world.business.pk, sentence__startswith="ran the recurring top-up of Carla")
    assert line.actor_name.startswith("Apollo")
    page = shown(apollo.get(address_of(world, "Carla", "top-ups/")))
    assert "Up to KES 9,000.75 every Monday" in page
    assert "allocated." in page


def test_where_it_is_there_already_nothing_is_sent(world: World, first_wallet: str) -> None:
    signed_in(world, "Apollo").post(
        address_of(world, "Carla", "allocate/"),
        {"allocate-amount": "700", "allocate-wallet": first_wallet, "allocate-note": ""},
    )
    before = has(world)
    top_up = set_up(world, first_wallet, target="100")
    due_today(top_up)
    worker.run(top_up.pk)
    assert (newest_run(top_up).state, has(world)) == ("NOTHING", before)
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence__contains="were there already").exists()


@pytest.mark.parametrize("sent", [False, True])
def test_a_worker_killed_before_or_after_it_sent_never_doubles_it(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch, sent: bool
) -> None:
    before = has(world)
    top_up = set_up(world, first_wallet, target="90,000")
    due_today(top_up)
    real = allocations.allocate

    def killed(*args: Any, **options: Any) -> None:
        if sent:
            real(*args, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(allocations, "allocate", killed)
        with pytest.raises(KeyboardInterrupt):
            worker.run(top_up.pk)
    assert newest_run(top_up).state == "SENDING"
    assert has(world) == (9_000_000 if sent else before)
    # The lease of a killed worker ends by itself.
    TopUp.objects.filter(pk=top_up.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert str(top_up.pk) in worker.due()
    for _ in range(3):
        worker.run(top_up.pk)
    assert (has(world), newest_run(top_up).state, top_up.runs.count()) == (9_000_000, "DONE", 1)


def test_a_lost_answer_is_asked_for_under_the_same_key(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    wallet = next(row["org_wallet_ref"] for row in world.upstream("/accounts")["docs"] if row["currency"] == "KES")
    top_up = set_up(world, wallet, target="90,000")
    due_today(top_up)
    world.proxy.fail("lost reply", path="/employees/allocate-funds")
    worker.run(top_up.pk)
    assert newest_run(top_up).state in {"UNKNOWN", "SENDING"}
    page = shown(world.client("Apollo").get(address_of(world, "Carla", "top-ups/")))
    assert "0.00 allocated" not in page
    world.proxy.heal()
    worker.run(top_up.pk)
    assert (has(world), newest_run(top_up).state, top_up.runs.count()) == (9_000_000, "DONE", 1)


def test_suspended_it_pauses_and_says_so_and_a_person_resumes_it(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet)
    before = has(world)
    signed_in(world, "Ada").post(address_of(world, "Carla", "suspend/"))
    due_today(top_up)
    worker.run(top_up.pk)
    top_up.refresh_from_db()
    assert (top_up.state, top_up.reason[-14:], top_up.runs.count(), has(world)) == (
        "PAUSED",
        "is not active.",
        0,
        before,
    )
    assert Notice.objects.filter(business=world.business, topic="top_ups", membership=world.people["Apollo"]).exists()
    apollo = signed_in(world, "Apollo")
    resume = world.address(f"people/top-ups/{top_up.pk}/resume/")
    assert "activate them first" in shown(apollo.post(resume, follow=True))
    signed_in(world, "Ada").post(address_of(world, "Carla", "activate/"))
    top_up.refresh_from_db()
    assert top_up.state == "PAUSED"
    apollo.post(resume)
    top_up.refresh_from_db()
    assert (top_up.state, top_up.next_on > local(timezone.now(), world.business).date()) == ("ACTIVE", True)


def test_it_runs_with_the_rights_of_whoever_set_it_up_and_no_others(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet)
    Membership.objects.filter(pk=world.people["Apollo"].pk).update(role="CARD_USER")
    due_today(top_up)
    before = has(world)
    worker.run(top_up.pk)
    top_up.refresh_from_db()
    assert (top_up.state, has(world)) == ("PAUSED", before)
    assert "can no longer allocate" in top_up.reason
    # Another approver resumes it, as themselves.
    signed_in(world, "Zawadi").post(world.address(f"people/top-ups/{top_up.pk}/resume/"))
    top_up.refresh_from_db()
    assert top_up.by == world.people["Zawadi"]
    due_today(top_up)
    worker.run(top_up.pk)
    assert has(world) == 500_000


def test_more_than_the_wallet_has_is_refused_and_told(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet, target="900,000,000")
    due_today(top_up)
    before = has(world)
    worker.run(top_up.pk)
    row = newest_run(top_up)
    assert (row.state, has(world)) == ("REFUSED", before)
    assert row.sentence
    assert Notice.objects.filter(business=world.business, topic="top_ups").exists()
    assert not worker.run(top_up.pk)


@pytest.mark.parametrize("person", ["Carla", "Rita", "Ada", "Sam"])
def test_nobody_but_an_approver_sets_one_up_or_changes_it(world: World, first_wallet: str, person: str) -> None:
    top_up = set_up(world, first_wallet)
    client = signed_in(world, person)
    assert client.post(address_of(world, "Rita", "top-ups/new/"), form(first_wallet, key="u" * 32)).status_code == 403
    for did in ("pause", "resume", "end"):
        assert client.post(world.address(f"people/top-ups/{top_up.pk}/{did}/")).status_code == 403
    assert TopUp.objects.filter(business=world.business).count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"target": "0"}, "target"), ({"target": "1.005"}, "target"), ({"weekday": ""}, "weekday"),
     ({"interval": "MONTHLY", "month_day": "32"}, "month_day"), ({"interval": "MONTHLY"}, "month_day"),
     ({"wallet": "none"}, "wallet"), ({"interval": "DAILY"}, "interval")],
)  # fmt: skip
def test_what_is_wrong_stands_at_its_field(world: World, first_wallet: str, wrong: dict[str, str], field: str) -> None:
    answer = signed_in(world, "Apollo").post(address_of(world, "Carla", "top-ups/new/"), form(first_wallet, **wrong))
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in shown(answer)
    assert not TopUp.objects.filter(business=world.business).exists()


def test_one_per_person_and_currency_the_same_form_once_and_after_its_end_another(
    world: World, first_wallet: str
) -> None:
    top_up = set_up(world, first_wallet)
    set_up(world, first_wallet)
    apollo = signed_in(world, "Apollo")
    again = apollo.post(address_of(world, "Carla", "top-ups/new/"), form(first_wallet, key="v" * 32))
    assert again.status_code == 409
    assert "has a recurring top-up in KES already" in shown(again)
    apollo.post(world.address(f"people/top-ups/{top_up.pk}/end/"))
    due_today(top_up)
    assert str(top_up.pk) not in worker.due()
    assert set_up(world, first_wallet, key="v" * 32).pk != top_up.pk


def test_setting_one_up_takes_verifying_that_it_is_oneself(world: World, first_wallet: str) -> None:
    answer = world.client("Apollo").post(address_of(world, "Carla", "top-ups/new/"), form(first_wallet))
    assert "reauthenticate" in answer["Location"]
    assert not TopUp.objects.filter(business=world.business).exists()
    assert Employee.objects.filter(business=world.business).exists()


@pytest.mark.parametrize(
    ("interval", "day", "after", "expected"),
    [
        ("WEEKLY", 1, date(2026, 11, 23), date(2026, 11, 30)), ("WEEKLY", 3, date(2026, 11, 23), date(2026, 11, 25)),
        ("WEEKLY", 7, date(2026, 11, 22), date(2026, 11, 29)), ("MONTHLY", 31, date(2027, 1, 31), date(2027, 2, 28)),
        ("MONTHLY", 31, date(2028, 2, 1), date(2028, 2, 29)), ("MONTHLY", 5, date(2026, 12, 5), date(2027, 1, 5)),
        ("MONTHLY", 5, date(2026, 12, 4), date(2026, 12, 5)),
    ],
)  # fmt: skip
def test_the_next_day(interval: str, day: int, after: date, expected: date) -> None:
    assert next_day(interval, day, after) == expected
    assert schedule_text(interval, day).startswith("every" if interval == "WEEKLY" else "on day")
