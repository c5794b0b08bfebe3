"""The organisation chart: by supervisor and team, never larger than a page, whatever stands in the data."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dashboard.mirror.models import Employee, Team
from dashboard.pages.people.presenters.org_chart import MOST_NODES, TOPS, _nodes
from dashboard.pages.people.selectors.org_chart import OrgPerson, chart_of
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import employee, shown


def supervised(world: World, name: str, by: str) -> None:
    row = employee(world, name)
    row.payload = {**row.payload, "supervisor_id": world.employee(by)["employee_id"] if by else None}
    row.save()


def person(number: int, supervisor: int | None = None) -> OrgPerson:
    return OrgPerson(
        f"{number}", f"Person {number:05}", "CARD_USER", "", "ACTIVE", "" if supervisor is None else f"{supervisor}"
    )


def chart(world: World, query: str = "", by: str = "Ada") -> Any:
    return world.client(by).get(world.address(f"people/org-chart/{query}"))


def test_who_supervises_whom_is_drawn_and_said_in_words(world: World) -> None:
    for name, by in (("Rita", "Ada"), ("Carla", "Rita"), ("Rex", "Rita")):
        supervised(world, name, by)
    page = shown(chart(world))
    carla, rita, ada = (employee(world, name).name for name in ("Carla", "Rita", "Ada"))
    assert page.index(f"<bdi>{ada}</bdi>") < page.index(f"<bdi>{rita}</bdi>") < page.index(f"<bdi>{carla}</bdi>")
    assert "1 direct, 3 in total" in page
    assert f"{rita} (Reviewer" in page
    assert f"supervises 2 people directly: {carla} and {employee(world, 'Rex').name}." in page


def test_from_somebody_down_the_way_up_stands_above(world: World) -> None:
    supervised(world, "Rita", "Ada")
    supervised(world, "Carla", "Rita")
    page = shown(chart(world, f"?from={world.employee('Rita')['employee_id']}"))
    supervisors = page.split('aria-label="Supervisors"')[1].split("</nav>")[0]
    assert employee(world, "Ada").name in supervisors
    assert employee(world, "Carla").name in page
    assert employee(world, "Apollo").name not in page.split('<section class="org"')[1]
    assert "supervises nobody" in shown(chart(world, f"?from={world.employee('Carla')['employee_id']}"))


def test_who_supervises_each_other_in_a_circle_is_shown_and_ends_nowhere_else(world: World) -> None:
    for name, by in (("Rita", "Rex"), ("Rex", "Rita"), ("Carla", "Carla")):
        supervised(world, name, by)
    page = shown(chart(world))
    circles = page.split('id="circles"')[1]
    assert employee(world, "Rita").name in circles
    assert employee(world, "Rex").name in circles
    assert employee(world, "Carla").name not in circles
    assert chart(world, f"?from={world.employee('Rita')['employee_id']}").status_code == 200


def test_by_team_each_has_its_members_and_reviewers(world: World) -> None:
    team = Team.objects.filter(business=world.business).exclude(reviewers=[]).first()
    assert team is not None
    members = Employee.objects.filter(business=world.business, team_id=team.remote_id)
    page = shown(chart(world, "?by=team"))
    assert team.name in page
    assert f"{members.count()} member" in page
    one = shown(chart(world, f"?team={team.remote_id}"))
    assert "Reviewed by" in one
    for row in members:
        assert row.name in one


def test_a_reviewer_sees_their_teams_and_who_has_no_list_nothing(world: World) -> None:
    supervised(world, "Carla", "Ada")
    page = shown(chart(world, by="Rita"))
    assert employee(world, "Apollo").name not in page.split('<div class="body wide">')[1]
    assert chart(world, by="Carla").status_code == 403


@pytest.mark.parametrize("query", ["?from=none", "?team=none", f"?from={'5f' * 12}"])
def test_nobody_like_that_is_404(world: World, query: str) -> None:
    assert chart(world, query).status_code == 404


def test_ten_thousand_people_are_one_query_and_a_page_of_them() -> None:
    people = [person(0), *(person(number, (number - 1) // 8) for number in range(1, 10_000))]
    whole = chart_of(people)
    assert whole.below["0"] == 9_999
    nodes = _nodes(whole, whole.tops, {})

    def count(rows: Any) -> int:
        return sum(1 + count(row.reports) for row in rows)

    assert count(nodes) <= MOST_NODES
    assert nodes[0].direct == 8
    # A chain of ten thousand is no deeper for the machine than for the reader.
    assert chart_of([person(0), *(person(number, number - 1) for number in range(1, 10_000))]).below["0"] == 9_999


def test_the_queries_do_not_grow_with_the_people(world: World) -> None:
    browser = world.client("Ada")
    browser.get(world.address("people/org-chart/"))

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert browser.get(world.address("people/org-chart/")).status_code == 200
        return len(seen)

    few = queries()
    like = employee(world, "Carla")
    Employee.objects.bulk_create(
        Employee(
            business=world.business, remote_id=f"many-{number}", name=f"Many {number:04}", role="CARD_USER",
            team_id=like.team_id, status="ACTIVE", payload={"supervisor_id": like.remote_id if number % 2 else None},
            payload_hash="", source="POLL", first_seen=like.first_seen, last_seen=like.last_seen,
        )
        for number in range(400)
    )  # fmt: skip
    assert queries() == few
    page = shown(browser.get(world.address("people/org-chart/")))
    assert page.count('class="node') <= MOST_NODES
    assert "Page 1 of" in page
    assert TOPS < 200
