"""The last day of a top-up: shown and kept, not passed by a run, and the end of it."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.times import day_text, local
from dashboard.top_ups import worker
from dashboard.top_ups.models import TopUp, TopUpState
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, shown, signed_in
from tests.dashboard.top_ups.test_editing import edit
from tests.dashboard.top_ups.test_top_ups import due_today, form, has, set_up


def today(world: World) -> date:
    return local(timezone.now(), world.business).date()


def in_days(world: World, days: int) -> str:
    return (today(world) + timedelta(days=days)).isoformat()


def test_the_end_date_is_shown_kept_and_changed(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet, last_on=in_days(world, 40))
    assert top_up.last_on == today(world) + timedelta(days=40)
    page = shown(signed_in(world, "Apollo").get(address_of(world, "Carla", "top-ups/")))
    assert f"every Monday, until {day_text(top_up.last_on)}" in page
    page = shown(signed_in(world, "Apollo").get(world.address(f"people/top-ups/{top_up.pk}/edit/")))
    assert f'value="{top_up.last_on.isoformat()}"' in page
    assert edit(world, top_up, last_on="").status_code == 302
    top_up.refresh_from_db()
    assert top_up.last_on is None


def test_one_that_would_never_run_is_not_set_up(world: World, first_wallet: str) -> None:
    answer = signed_in(world, "Apollo").post(
        address_of(world, "Carla", "top-ups/new/"), form(first_wallet, last_on=in_days(world, 0))
    )
    assert answer.status_code == 409
    assert "It would not run any more" in shown(answer)
    assert not TopUp.objects.filter(business=world.business).exists()


def test_its_last_run_is_on_its_last_day_and_then_it_ends(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet, last_on=in_days(world, 8))
    due_today(top_up)
    TopUp.objects.filter(pk=top_up.pk).update(last_on=today(world))
    assert worker.run(top_up.pk)
    assert has(world) == 500_000
    assert str(top_up.pk) in [str(each) for each in worker.due()]
    assert worker.run(top_up.pk)
    top_up.refresh_from_db()
    assert (top_up.state, top_up.reason) == (TopUpState.ENDED, f"Its end date was {day_text(today(world))}.")
    assert AuditEntry.objects.filter(
        chain=world.business.pk, sentence__startswith="ended the recurring top-up of Carla"
    ).exists()
    assert top_up.runs.count() == 1


def test_a_run_that_was_missed_is_not_made_up_for_after_the_last_day(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet, last_on=in_days(world, 8))
    yesterday = today(world) - timedelta(days=1)
    TopUp.objects.filter(pk=top_up.pk).update(next_on=yesterday, last_on=yesterday)
    assert worker.run(top_up.pk)
    top_up.refresh_from_db()
    assert top_up.state == TopUpState.ENDED
    assert has(world) == 0
