"""Until what forms offer was read once, every page says so, names what is missing, and claims no check; then no page says it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import pytest
from django.utils import timezone

from dashboard.mirror.models import Employee, Origin, SyncCursor
from dashboard.mirror.schedule import INTERVALS_S, cursor_of, due, is_filled, ran
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.web.templatetags import copy_tags
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import flow
from tests.dashboard.test_addresses import TABLE

INCOMPLETE = "the choices and the checks of this page are not complete"
NO_DEAD_ENDS = "No dead ends"
ROLE = {"who": "role", "votes": "1"}


@pytest.fixture
def unread(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A business that was connected a moment ago: of the copy nothing was read whole yet."""
    monkeypatch.setattr(copy_tags, "_known_until", {})
    SyncCursor.objects.filter(business=world.business).update(bands={})
    return world


def page(world: World, rest: str, who: str = "Ada") -> str:
    return re.sub(r"\s+", " ", world.client(who).get(world.address(rest)).content.decode())


def said(world: World, rest: str, who: str = "Ada") -> str:
    """What a page says is still being read; "" for nothing."""
    found = re.search(
        rf"The ([^<.]+) are still being read from the finance service\. Until then the lists, {INCOMPLETE}",
        page(world, rest, who),
    )
    return found[1] if found else ""


def forms() -> Iterator[str]:
    """Every address of a business that names nothing else and begins, changes or chooses something."""
    with TABLE.open() as file:
        for row in csv.DictReader(file):
            rest = row["address"].removeprefix("/<slug:business>/")
            if (
                row["method"] == "GET"
                and row["Ada"] == "200"
                and "<" not in rest
                and re.search(
                    r"(^|/)(new|several|change|copy|simulator|move|many|from|request|import|exchange|transfer)/", rest
                )
            ):
                yield rest


def test_every_form_says_what_is_still_being_read_and_none_says_so_once_it_was(unread: World) -> None:
    frames = {rest: shown for rest in forms() if '<main id="main"' in (shown := page(unread, rest))}
    assert len(frames) > 20
    silent = [rest for rest, shown in frames.items() if INCOMPLETE not in shown]
    assert silent == []
    now = timezone.now().isoformat()
    SyncCursor.objects.filter(business=unread.business).update(bands=dict.fromkeys(INTERVALS_S, now))
    assert [rest for rest in frames if INCOMPLETE in page(unread, rest)] == []


def test_what_was_read_is_named_no_more_and_nobody_is_told_of_what_they_are_not_offered(unread: World) -> None:
    everything = "people, teams, wallets, categories, vendors, cards, workflows and fund accounts"
    assert said(unread, "bills/new/") == everything
    assert said(unread, "cards/mine/", "Carla") == "categories"
    ran("lookups", unread.business)
    assert said(unread, "bills/new/") == "vendors, cards, workflows and fund accounts"
    assert said(unread, "cards/mine/", "Carla") == ""
    for band in INTERVALS_S:
        ran(band, unread.business)
    assert said(unread, "bills/new/") == ""


def words(world: World) -> str:
    answer = world.client("Ada").post(world.address("policies/workflows/policies/sentences/"), flow(ROLE))
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_workflow_has_no_verdict_on_dead_ends_before_people_and_teams_were_read(unread: World) -> None:
    shown = words(unread)
    assert "Dead ends are not known yet: the people, teams" in shown
    assert NO_DEAD_ENDS not in shown
    # Its review says so, too: on the frame of the page.
    review = unread.client("Ada").post(unread.address("policies/workflows/policies/new/"), flow(ROLE)).content.decode()
    assert INCOMPLETE in re.sub(r"\s+", " ", review)
    for band in INTERVALS_S:
        ran(band, unread.business)
    assert "Dead ends are not known yet" not in words(unread)
    assert NO_DEAD_ENDS in words(unread)


def test_what_is_to_be_read_again_was_read_before(unread: World) -> None:
    """A category that changes has its list read anew: for as long, people and teams are not said to be missing."""
    for band in INTERVALS_S:
        ran(band, unread.business)
    apply_event(unread.business, {"type": "category.updated", "data": {"object": {"_id": "c"}}}, Origin.WEBHOOK)
    assert "lookups" in due(unread.business, cursor_of(unread.business))
    assert is_filled(unread.business, Employee)
    assert said(unread, "bills/new/") == ""
    ran("lookups", unread.business)
    assert "lookups" not in due(unread.business, cursor_of(unread.business))
