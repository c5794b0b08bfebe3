"""The organisation chart: as a picture of nested lists that is never larger than a page, and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from django.core.paginator import Page, Paginator

from dashboard.access.actor import Actor
from dashboard.pages.people.presenters.labels import role_name
from dashboard.pages.people.selectors.org_chart import (
    OrgChart,
    OrgPerson,
    org_chart,
    team_names,
    teams_with_reviewers,
)

# So many people at the top stand on a page, and so many on it at all: whoever is further down is a link away.
TOPS, MOST_NODES, LEVELS = 40, 240, 4
NAMED = 5


@dataclass(slots=True)
class OrgNode:
    """Somebody as they stand in the picture: `reports` those below them that are on this page."""

    id: str
    name: str
    sub: str
    direct: int
    below: int
    is_active: bool
    is_outside: bool
    reports: list[OrgNode] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TeamNode:
    """A team with how many people are in it, and who reviews it by name ("" where nobody whom the actor sees does)."""

    id: str
    name: str
    members: int
    reviewers: str


class OrgChartContext(TypedDict):
    """What people/org_chart.html reads; `words` are the sentences that say the same as the picture."""

    by: str
    person: OrgPerson | None
    trail: list[OrgPerson]
    team: TeamNode | None
    teams: list[TeamNode]
    nodes: list[OrgNode]
    circles: list[OrgNode]
    words: list[str]
    pages: Page[OrgPerson]
    query: str
    total: int


def org_chart_context(
    actor: Actor, *, by: str = "", person_id: str = "", team_id: str = "", number: str | None = None
) -> OrgChartContext | None:
    """The chart from the top, from somebody down, by team, or of one team; None where there is no such person or team."""
    names = team_names(actor)
    if team_id and team_id not in names:
        return None
    chart = org_chart(actor, team_id)
    person = chart.people.get(person_id) if person_id else None
    if person_id and person is None:
        return None
    teams = _teams(actor, chart, names) if by == "team" or team_id else []
    tops = chart.reports.get(person_id, []) if person else chart.tops
    pages = Paginator(tops, TOPS).get_page(number)
    nodes = _nodes(chart, list(pages), names)
    circles = [] if person or pages.number > 1 else [_node(chart, row, names) for row in chart.circles[:TOPS]]
    lists_teams = by == "team" and not team_id
    return {
        "by": by,
        "person": person,
        "trail": chart.trail(person_id) if person else [],
        "team": next((team for team in teams if team.id == team_id), None),
        "teams": teams if lists_teams else [],
        "nodes": [] if lists_teams else nodes,
        "circles": [] if lists_teams else circles,
        "words": _words(nodes, person) if not lists_teams else [],
        "pages": pages,
        "query": f"from={person_id}" if person else f"team={team_id}" if team_id else "",
        "total": len(chart.people),
    }


def _nodes(chart: OrgChart, tops: Sequence[OrgPerson], names: Mapping[str, str]) -> list[OrgNode]:
    """The nodes of a page: LEVELS levels, until there are MOST_NODES; a person's reports all or none."""
    nodes = [_node(chart, person, names) for person in tops]
    level, count = nodes, len(nodes)
    for _ in range(LEVELS - 1):
        following: list[OrgNode] = []
        for node in level:
            reports = chart.reports.get(node.id, ())
            if count + len(reports) <= MOST_NODES:
                node.reports = [_node(chart, person, names) for person in reports]
                count += len(reports)
                following += node.reports
        level = following
    return nodes


def _node(chart: OrgChart, org_person: OrgPerson, names: Mapping[str, str]) -> OrgNode:
    parts = (role_name(org_person.role), names.get(org_person.team_id, ""))
    return OrgNode(
        org_person.id, org_person.name, " · ".join(part for part in parts if part), len(chart.reports.get(org_person.id, ())),
        chart.below.get(org_person.id, 0), org_person.status == "ACTIVE", org_person.id in chart.outside,
    )  # fmt: skip


def _teams(actor: Actor, chart: OrgChart, names: Mapping[str, str]) -> list[TeamNode]:
    members = Counter(person.team_id for person in chart.people.values())
    people = chart.people

    def reviewers(seats: Sequence[Mapping[str, object]]) -> str:
        return _listed([people[str(seat["employee_id"])].name for seat in seats if str(seat["employee_id"]) in people])

    return [
        TeamNode(team.remote_id, team.name, members[team.remote_id], reviewers(team.reviewers))
        for team in teams_with_reviewers(actor)
    ]


def _words(nodes: Sequence[OrgNode], org_person: OrgPerson | None) -> list[str]:
    """A sentence for each person with reports in the picture, from the top down, and one for those without any."""
    sentences, queue = [], list(nodes)
    if org_person is not None:
        sentences.append(
            _sentence(org_person.name, [node.name for node in nodes], len(nodes), sum(1 + node.below for node in nodes))
        )
    for node in queue:
        if node.direct:
            names = [row.name for row in node.reports]
            sentences.append(_sentence(f"{node.name} ({node.sub})", names, node.direct, node.below))
            queue.extend(node.reports)
    alone = [node.name for node in nodes if not node.direct]
    if alone and org_person is None:
        sentences.append(f"{len(alone)} on this page with neither a supervisor nor reports: {_listed(alone)}.")
    return [sentence for sentence in sentences if sentence]


def _sentence(name: str, reports: Sequence[str], direct: int, below: int) -> str:
    if not direct:
        return f"{name} supervises nobody."
    whom = f": {_listed(reports)}" if reports else ""
    more = f", {below} with those below them" if below > direct else ""
    return f"{name} supervises {direct} {'person' if direct == 1 else 'people'} directly{more}{whom}."


def _listed(names: Sequence[str]) -> str:
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
