"""Recurring bills: added, shown with their next dates, paused, resumed and ended, against the real service."""

from datetime import timedelta
from typing import Any

import pytest

from dashboard.mirror.models import Team
from dashboard.mirror.schedule import today
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World


def add(world: World, person: str = "Ada", **form: str) -> Any:
    vendor = world.upstream("/vendors")["docs"]
    vendor_id = vendor[0]["_id"] if vendor else upstream.vendor(world, "Acacia Properties")["_id"]
    world.sync("vendors")
    start = today(world.business) + timedelta(days=3)
    sent = {
        "vendor_id": vendor_id, "number_prefix": "RENT", "interval": "MONTHLY", "starts_on": start.isoformat(),
        "day": "31", "due_in_days": "14", "line-TOTAL_FORMS": "3", "line-INITIAL_FORMS": "0",
        "line-0-description": "Rent", "line-0-unit_price": "85,000", "line-0-quantity": "1", **form,
    }  # fmt: skip
    return world.client(person).post(world.address("bills/recurring/new/"), sent)


def schedules(world: World) -> list[Any]:
    rows: list[Any] = world.upstream("/bill-schedules")["docs"]
    return rows


def test_it_is_added_and_shown_with_its_next_three_dates(world: World) -> None:
    assert "No recurring bills yet" in upstream.page(world, "Ada", "bills/recurring/")
    assert "Number prefix" in upstream.page(world, "Ada", "bills/recurring/new/")
    answer = add(world)
    assert answer.status_code == 302, answer.content.decode()
    (row,) = schedules(world)
    assert (row["total_minor"], len(row["next_dates"]), row["due_in_days"]) == (8_500_000, 3, 14)
    listed = upstream.page(world, "Ada", "bills/recurring/")
    assert "Every month on the last day" in listed
    shown = upstream.page(world, "Ada", f"bills/recurring/{row['_id']}/")
    assert "KES\xa085,000.00" in shown
    assert shown.count('<span class="fig">') >= 3


def team_ids(world: World) -> dict[str, str]:
    for name in ("Fleet", "Sales"):
        world.send("POST", "/teams", {"name": name, "code": name})
    world.sync()
    return dict(Team.objects.filter(business=world.business).values_list("name", "remote_id"))


def shares(*parts: tuple[str, str]) -> dict[str, str]:
    """The fields of a split of the first line, by the ids of the teams."""
    teams = {f"line-0-split-team_{place}": team for place, (team, _) in enumerate(parts)}
    return teams | {f"line-0-split-share_{place}": share for place, (_, share) in enumerate(parts)}


def test_its_lines_are_split_over_teams_and_its_page_says_whose_share_it_is(world: World) -> None:
    ids = team_ids(world)
    assert "Split line 1 over teams" in upstream.page(world, "Ada", "bills/recurring/new/")
    answer = add(world, **shares((ids["Fleet"], "60 %"), (ids["Sales"], "40 %")))
    assert answer.status_code == 302, answer.content.decode()
    (row,) = schedules(world)
    [line] = row["line_items"]
    assert [(share["team_id"], share["percent"], share["amount_minor"]) for share in line["splits"]] == [
        (ids["Fleet"], 60, 5_100_000), (ids["Sales"], 40, 3_400_000),
    ]  # fmt: skip
    shown = upstream.page(world, "Ada", f"bills/recurring/{row['_id']}/")
    assert "Fleet 60 %: KES\xa051,000.00" in shown
    assert "Sales 40 %: KES\xa034,000.00" in shown


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        (("60 %", "30 %"), "The percentages come to 90 %, not to 100 %."),
        (("80,000", "4,000"), "The shares come to KES\xa084,000.00, the line with its tax to KES\xa085,000.00."),
    ],
)
def test_shares_that_do_not_come_to_the_line_stand_at_their_field(
    world: World, parts: tuple[str, str], problem: str
) -> None:
    ids = team_ids(world)
    answer = add(world, **shares((ids["Fleet"], parts[0]), (ids["Sales"], parts[1])))
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert 'id="id_line-0-split-share_1_error"' in shown
    assert problem in shown
    # What was typed stands, and can be seen.
    assert f'value="{parts[1]}"' in shown
    assert '<details class="whole" open' in shown
    assert schedules(world) == []


def test_it_is_paused_resumed_and_ended(world: World) -> None:
    add(world)
    row = schedules(world)[0]
    at = f"bills/recurring/{row['_id']}/"
    for verb, status in (("pause", "PAUSED"), ("resume", "ACTIVE"), ("end", "ENDED")):
        assert world.client("Apollo").post(world.address(f"{at}{verb}/")).status_code == 302
        assert schedules(world)[0]["status"] == status
    assert world.client("Ada").post(world.address(f"{at}resume/")).status_code == 409
    shown = upstream.page(world, "Ada", at)
    assert "None: it has ended." in shown
    assert "Pause recurring bill" not in shown


def test_sent_twice_it_is_one_and_a_lost_answer_is_found_again(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    upstream.vendor(world, "Acacia Properties")
    world.proxy.fail("lost reply", method="POST", path="/bill-schedules")
    assert add(world, key="the-same").status_code >= 400
    world.proxy.heal()
    for _ in range(2):
        assert add(world, key="the-same").status_code == 302
    assert len(schedules(world)) == 1


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"starts_on": "2020-01-01"}, "This day is over."),
        ({"interval": "WEEKLY", "day": "8"}, "A week has seven days."),
        ({"day": "32"}, "id_day_error"),
        ({"ends_on": "2021-01-01"}, "before the start date"),
        ({"count": "0"}, "id_count_error"),
        ({"ends_on": "2099-01-01", "count": "3"}, "either an end date or a number of bills"),
        ({"line-0-description": "", "line-0-unit_price": "", "line-0-quantity": ""}, "Enter at least one line."),
        ({"number_prefix": "--"}, "id_number_prefix_error"),
        ({"vendor_id": "nobody"}, "id_vendor_id_error"),
    ],
)
def test_what_is_none_is_said_and_nothing_is_added(world: World, form: dict[str, str], problem: str) -> None:
    answer = add(world, **form)
    assert answer.status_code == 422
    assert problem in answer.content.decode()
    assert schedules(world) == []


@pytest.mark.parametrize("person", ["Selma", "Rita", "Carla"])
def test_who_adds_none(world: World, person: str) -> None:
    assert add(world, person).status_code == 403
    assert schedules(world) == []
    listed = world.client(person).get(world.address("bills/recurring/"))
    assert listed.status_code == (200 if person == "Selma" else 403)
    assert "New recurring bill" not in listed.content.decode()
