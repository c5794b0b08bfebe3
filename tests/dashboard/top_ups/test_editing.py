"""Another amount and other days of a top-up: who may, what the audit keeps, and what a worker then does."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.top_ups import worker
from dashboard.top_ups.models import RunState, TopUp, TopUpRun
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, shown, signed_in
from tests.dashboard.top_ups.test_top_ups import due_today, has, set_up


def edit(world: World, top_up: TopUp, by: str = "Apollo", **fields: str) -> Any:
    given = {"target": "7,000", "interval": "MONTHLY", "weekday": "", "month_day": "31", "key": "e" * 32}
    return signed_in(world, by).post(world.address(f"people/top-ups/{top_up.pk}/edit/"), given | fields)


def test_the_amount_and_the_day_are_changed_and_the_next_run_goes_by_them(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet)
    page = shown(signed_in(world, "Apollo").get(world.address(f"people/top-ups/{top_up.pk}/edit/")))
    assert 'value="5000.00"' in page
    assert edit(world, top_up).status_code == 302
    top_up.refresh_from_db()
    assert (top_up.target_minor, top_up.interval, top_up.day) == (700_000, "MONTHLY", 31)
    line = AuditEntry.objects.get(chain=world.business.pk, sentence__startswith="changed the recurring top-up of Carla")
    assert line.before == {"top-up": "up to KES\xa05,000.00 every Monday"}
    assert line.after == {"top-up": "up to KES\xa07,000.00 on day 31 of each month, or its last"}
    due_today(top_up)
    assert worker.run(top_up.pk)
    assert has(world) == 700_000


def test_whoever_changes_it_is_whose_rights_it_runs_with(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet)
    assert edit(world, top_up, "Zawadi").status_code == 302
    top_up.refresh_from_db()
    assert top_up.by == world.people["Zawadi"]


@pytest.mark.parametrize("by", ["Carla", "Rex", "Sam"])
def test_nobody_changes_it_who_may_not_allocate(world: World, first_wallet: str, by: str) -> None:
    top_up = set_up(world, first_wallet)
    assert edit(world, top_up, by).status_code in {403, 404}
    top_up.refresh_from_db()
    assert top_up.target_minor == 500_000


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [({"target": "0"}, ""), ({"target": "1.001"}, ""), ({"month_day": "32"}, ""), ({"month_day": ""}, "Choose a day")],
)
def test_what_cannot_be_is_said_at_its_field(
    world: World, first_wallet: str, fields: dict[str, str], sentence: str
) -> None:
    top_up = set_up(world, first_wallet)
    answer = edit(world, top_up, **fields)
    assert answer.status_code == 422
    assert sentence in shown(answer)


def test_one_with_an_unsettled_run_or_that_has_ended_is_not_changed(world: World, first_wallet: str) -> None:
    top_up = set_up(world, first_wallet)
    due_today(top_up)
    top_up.refresh_from_db()
    run = TopUpRun.objects.create(
        top_up=top_up, by=top_up.by, day=top_up.next_on, before_minor=0, amount_minor=1, state=RunState.IN_DOUBT
    )  # fmt: skip
    edit(world, top_up)
    TopUpRun.objects.filter(pk=run.pk).update(state=RunState.DONE)
    signed_in(world, "Apollo").post(world.address(f"people/top-ups/{top_up.pk}/end/"), {"key": "f" * 32})
    edit(world, top_up)
    top_up.refresh_from_db()
    assert (top_up.target_minor, top_up.state) == (500_000, "ENDED")
    assert (
        "Edit" not in shown(signed_in(world, "Apollo").get(address_of(world, "Carla", "top-ups/"))).split("<main")[-1]
    )
