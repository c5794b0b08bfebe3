"""What goes wrong around a recurring top-up: nothing old is paid, nothing is promised that is not known."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.commands import allocations
from dashboard.errors import Unknown
from dashboard.mirror.models import Employee
from dashboard.notifications.models import Notice
from dashboard.top_ups import worker
from dashboard.top_ups.models import TopUp, TopUpRun
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, shown, signed_in
from tests.dashboard.top_ups.test_top_ups import due_today, has, newest_run, set_up


def killed(*_args: Any, **_options: Any) -> None:
    raise KeyboardInterrupt


def left_unsent(top_up: TopUp, monkeypatch: pytest.MonkeyPatch) -> TopUpRun:
    """The run of today as a worker leaves it that is killed before it sent anything."""
    due_today(top_up)
    with monkeypatch.context() as patched:
        patched.setattr(allocations, "allocate", killed)
        with pytest.raises(KeyboardInterrupt):
            worker.run(top_up.pk)
    assert newest_run(top_up).state == "SENDING"
    return newest_run(top_up)


def left_in_doubt(world: World, top_up: TopUp, monkeypatch: pytest.MonkeyPatch) -> TopUpRun:
    """The run of today as it stands after it was sent and not answered: it was not done."""
    due_today(top_up)
    with monkeypatch.context() as patched:
        patched.setattr(allocations, "allocate", unanswered)
        worker.run(top_up.pk)
    row = newest_run(top_up)
    OutboundOperation.objects.create(
        business=world.business, membership=row.by, operation="allocate_funds", key=row.key,
        path="/employees/allocate-funds", state="UNKNOWN", has_left=True, sent_at=timezone.now(),
    )  # fmt: skip
    assert row.state == "UNKNOWN"
    return row


def unanswered(*_args: Any, **_options: Any) -> None:
    raise Unknown


def aged(world: World) -> None:
    """The service may have forgotten the keys of all that was sent."""
    long_ago = timezone.now() - timedelta(hours=24)
    OutboundOperation.objects.filter(business=world.business).update(sent_at=long_ago)


def change(world: World, top_up: TopUp, did: str, person: str = "Apollo") -> str:
    address = world.address(f"people/top-ups/{top_up.pk}/{did}/")
    return shown(signed_in(world, person).post(address, follow=True))


@pytest.mark.parametrize("did", ["pause", "end"])
def test_a_run_of_which_nothing_was_sent_is_not_paid_once_it_is_paused_or_ended(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch, did: str
) -> None:
    top_up = set_up(world, first_wallet)
    before = has(world)
    left_unsent(top_up, monkeypatch)
    assert "it may have been allocated" not in change(world, top_up, did)
    assert str(top_up.pk) in worker.due()
    worker.run(top_up.pk)
    row = newest_run(top_up)
    assert (row.state, row.sentence, has(world)) == ("NOTHING", "Not sent: nothing was allocated.", before)
    assert str(top_up.pk) not in worker.due()


def test_the_amount_of_a_day_before_is_not_paid_but_what_is_missing_today(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    top_up = set_up(world, first_wallet, target="9,000")
    old = left_unsent(top_up, monkeypatch)
    TopUpRun.objects.filter(pk=old.pk).update(day=old.day - timedelta(days=1))
    signed_in(world, "Apollo").post(
        address_of(world, "Carla", "allocate/"),
        {"allocate-amount": "700", "allocate-wallet": first_wallet, "allocate-note": ""},
    )
    worker.run(top_up.pk)
    old.refresh_from_db()
    assert (old.state, old.sentence) == ("NOTHING", "Not sent: nothing was allocated.")
    assert (newest_run(top_up).state, top_up.runs.count(), has(world)) == ("DONE", 2, 900_000)


def test_what_was_begun_before_a_pause_is_not_sent_after_it_was_resumed(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    top_up = set_up(world, first_wallet)
    before = has(world)
    left_unsent(top_up, monkeypatch)
    change(world, top_up, "pause")
    change(world, top_up, "resume", "Zawadi")
    worker.run(top_up.pk)
    assert (newest_run(top_up).state, top_up.runs.count(), has(world)) == ("NOTHING", 1, before)


@pytest.mark.parametrize("changes", [{"state": "ENDED"}, {"lease_id": None}])
def test_no_run_is_begun_where_it_ended_or_was_taken_while_the_balance_was_read(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    top_up = set_up(world, first_wallet)
    due_today(top_up)
    before, real = has(world), worker.read_live

    def meanwhile(*args: Any, **options: Any) -> Any:
        TopUp.objects.filter(pk=top_up.pk).update(**changes)
        return real(*args, **options)

    monkeypatch.setattr(worker, "read_live", meanwhile)
    worker.run(top_up.pk)
    assert (top_up.runs.count(), has(world)) == (0, before)


@pytest.mark.parametrize("did", ["pause", "end"])
def test_where_a_run_is_in_doubt_its_end_says_so(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch, did: str
) -> None:
    top_up = set_up(world, first_wallet)
    left_in_doubt(world, top_up, monkeypatch)
    assert "it may have been allocated, or may still be" in change(world, top_up, did)


def test_a_run_is_settled_though_the_person_is_gone(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    top_up = set_up(world, first_wallet)
    left_unsent(top_up, monkeypatch)
    TopUp.objects.filter(pk=top_up.pk).update(state="ENDED")
    Employee.objects.filter(business=world.business, remote_id=top_up.employee_id).delete()
    worker.run(top_up.pk)
    assert newest_run(top_up).state == "NOTHING"


def test_a_run_in_doubt_is_asked_ever_later(world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    top_up = set_up(world, first_wallet)
    left_in_doubt(world, top_up, monkeypatch)
    assert str(top_up.pk) not in worker.due()
    monkeypatch.setattr(allocations, "allocate", unanswered)
    pauses = []
    for _ in range(4):
        TopUp.objects.filter(pk=top_up.pk).update(due_at=timezone.now())
        assert str(top_up.pk) in worker.due()
        worker.run(top_up.pk)
        top_up.refresh_from_db()
        assert top_up.due_at is not None
        pauses.append(round((top_up.due_at - timezone.now()).total_seconds() / 60))
    assert pauses == [2, 4, 8, 16]
    assert "it is asked again after" in shown(signed_in(world, "Apollo").get(address_of(world, "Carla", "top-ups/")))


@pytest.mark.parametrize("done", [True, False])
def test_a_key_too_old_is_asked_no_more_and_a_person_says_what_was_done(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    top_up = set_up(world, first_wallet)
    row = left_in_doubt(world, top_up, monkeypatch)
    aged(world)
    before, lines = has(world), AuditEntry.objects.filter(operation="allocate_funds").count()
    worker.run(top_up.pk)
    row.refresh_from_db()
    top_up.refresh_from_db()
    assert (row.state, top_up.state, has(world)) == ("IN_DOUBT", "PAUSED", before)
    assert AuditEntry.objects.filter(operation="allocate_funds").count() == lines
    assert Notice.objects.filter(business=world.business, topic="top_ups", membership=row.by).exists()
    assert str(top_up.pk) not in worker.due()
    page = shown(signed_in(world, "Apollo").get(address_of(world, "Carla", "top-ups/")))
    assert "it is not asked again" in page
    # It runs no more until somebody has said it.
    assert "First say whether" in change(world, top_up, "resume")
    address = world.address(f"people/top-ups/runs/{row.pk}/{'done' if done else 'not-done'}/")
    assert signed_in(world, "Carla").post(address).status_code == 403
    assert "is settled" in shown(signed_in(world, "Zawadi").post(address, follow=True))
    row.refresh_from_db()
    assert row.state == ("DONE" if done else "NOTHING")
    assert OutboundOperation.objects.get(key=row.key).state == ("CONFIRMED" if done else "REJECTED")
    said = AuditEntry.objects.get(chain=world.business.pk, sentence__startswith="said that the run of")
    assert said.actor_name.startswith("Zawadi")
    assert "It has changed meanwhile" in shown(signed_in(world, "Zawadi").post(address, follow=True))
    assert "It runs again." in change(world, top_up, "resume")


def test_a_run_that_is_asked_about_is_settled_by_nobody_else(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = left_in_doubt(world, set_up(world, first_wallet), monkeypatch)
    address = world.address(f"people/top-ups/runs/{row.pk}/not-done/")
    assert "It has changed meanwhile" in shown(signed_in(world, "Apollo").post(address, follow=True))
    row.refresh_from_db()
    assert row.state == "UNKNOWN"


def test_resumed_by_somebody_else_a_run_in_doubt_is_asked_as_the_member_that_sent_it(
    world: World, first_wallet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    top_up = set_up(world, first_wallet)
    left_in_doubt(world, top_up, monkeypatch)
    change(world, top_up, "pause")
    change(world, top_up, "resume", "Zawadi")
    senders = []

    def asked(actor: Any, *_args: Any, **_options: Any) -> None:
        senders.append(actor.membership_id)
        raise Unknown

    monkeypatch.setattr(allocations, "allocate", asked)
    worker.run(top_up.pk)
    assert senders == [world.people["Apollo"].pk]
