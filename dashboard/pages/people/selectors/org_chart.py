"""Who supervises whom: everybody whom the actor sees, read in one query, as a forest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import CharField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from dashboard.access.actor import Actor
from dashboard.mirror.models import Team
from dashboard.mirror.scopes import visible_employees, visible_teams


@dataclass(frozen=True, slots=True)
class OrgPerson:
    """Somebody of the chart; `supervisor_id` is "" for none."""

    id: str
    name: str
    role: str
    team_id: str
    status: str
    supervisor_id: str


@dataclass
class OrgChart:
    """Everybody by id, whom each supervises by name, and who is at the top.

    `outside` are those whose supervisor the actor does not see; `circles` those who supervise each other in a circle, so
    that nobody of them is at the top.
    """

    people: dict[str, OrgPerson]
    reports: dict[str, list[OrgPerson]]
    tops: list[OrgPerson]
    outside: frozenset[str]
    circles: list[OrgPerson]
    below: dict[str, int] = field(default_factory=dict)

    def trail(self, person_id: str) -> list[OrgPerson]:
        """The supervisors of somebody, the highest first; in a circle each once."""
        above: list[OrgPerson] = []
        passed = {person_id}
        person = self.people.get(self.people[person_id].supervisor_id)
        while person is not None and person.id not in passed:
            above.append(person)
            passed.add(person.id)
            person = self.people.get(person.supervisor_id)
        return above[::-1]


def org_chart(actor: Actor, team_id: str = "") -> OrgChart:
    """The chart of all whom the actor sees, or of the members of one team among themselves."""
    supervisor = Coalesce(Cast(KeyTextTransform("supervisor_id", "payload"), CharField()), Value(""))
    rows = visible_employees(actor).exclude(status="DELETED").annotate(supervisor=supervisor)
    if team_id:
        rows = rows.filter(team_id=team_id)
    fields = rows.order_by("sort_name", "pk").values_list(
        "remote_id", "name", "role", "team_id", "status", "supervisor"
    )
    return chart_of(OrgPerson(*row) for row in fields)


def chart_of(rows: Iterable[OrgPerson]) -> OrgChart:
    """The chart of these people, who stand in the order in which they are shown."""
    people = {row.id: row for row in rows}
    reports: dict[str, list[OrgPerson]] = defaultdict(list)
    tops, outside = [], set()
    for person in people.values():
        if person.supervisor_id in people and person.supervisor_id != person.id:
            reports[person.supervisor_id].append(person)
            continue
        tops.append(person)
        if person.supervisor_id and person.supervisor_id != person.id:
            outside.add(person.id)
    chart = OrgChart(people, reports, tops, frozenset(outside), [])
    reached = _count(chart)
    chart.circles = [person for person in people.values() if person.id not in reached]
    # Whoever supervises comes first, the most people on top.
    chart.tops.sort(key=lambda person: -chart.below.get(person.id, 0))
    return chart


def _count(chart: OrgChart) -> set[str]:
    """Counts how many people are below each, and answers with all that are reached from the top."""
    order = list(chart.tops)
    for person in order:
        order.extend(chart.reports.get(person.id, ()))
    for person in reversed(order):
        reports = chart.reports.get(person.id, ())
        chart.below[person.id] = sum(1 + chart.below[row.id] for row in reports)
    return {person.id for person in order}


def team_names(actor: Actor) -> dict[str, str]:
    """The names of the teams that the actor sees, by id."""
    return dict(visible_teams(actor).values_list("remote_id", "name"))


def teams_with_reviewers(actor: Actor) -> list[Team]:
    """The teams that the actor sees, by name."""
    return list(visible_teams(actor).exclude(status="DELETED").order_by("name", "remote_id"))
