"""What hangs on a team, so that it is not deleted under it: its members, and the rules that name it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.mirror.models import Team
from dashboard.mirror.scopes import visible_employees, visible_spend_policies, visible_workflows

MOST_TIES = 50


@dataclass(frozen=True, slots=True)
class TeamTie:
    """Something that hangs on a team: what it is with what is to be done about it, and where that is done."""

    text: str
    address: str


def _member_count(actor: Actor, team: Team) -> int:
    return visible_employees(actor).filter(team_id=team.remote_id).exclude(status="DELETED").count()


def ties_of(actor: Actor, team: Team) -> list[TeamTie]:
    """What hangs on a team as the copy has it, MOST_TIES rules of a kind at most: members, active workflows that apply to it
    and policies that exempt it. Budgets are not among them: the service alone has those, and keeps them."""
    slug, ties = actor.business.slug, []
    if count := _member_count(actor, team):
        text = f"{count:,} member{'s' * (count != 1)}: move them to another team"
        ties.append(TeamTie(text, f"{reverse('people', args=[slug])}?team={team.remote_id}"))
    flows = visible_workflows(actor).filter(payload__conditions__team_ids__contains=[team.remote_id], is_active=True)
    for remote_id, name in flows.order_by("priority", "id").values_list("remote_id", "name")[:MOST_TIES]:
        address = reverse("workflows_item", args=[slug, remote_id])
        ties.append(TeamTie(f"The workflow “{name}” applies to it: change its conditions", address))
    policies = visible_spend_policies(actor).filter(payload__exempt__team_ids__contains=[team.remote_id])
    rows = policies.exclude(status="DELETED").order_by("sort_name", "id")
    for remote_id, name in rows.values_list("remote_id", "name")[:MOST_TIES]:
        address = reverse("policies_item", args=[slug, remote_id])
        ties.append(TeamTie(f"The policy “{name}” exempts it: end the exemption", address))
    return ties
