"""A proposal about a mandate, a role or somebody's rights: what would follow as things stand now, and where to look."""

from __future__ import annotations

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.errors import FinanceError
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.mandates import effects
from dashboard.pages.mandates.follows import of_mandate
from dashboard.pages.mandates.reading import mandate_of, rights_of, roles_of
from dashboard.pages.mandates.rights import follows_of_role
from dashboard.pages.mandates.words import as_changed
from dashboard.pages.wallet_policies.consequences import Consequence
from dashboard.proposals.models import Proposal
from dashboard.proposals.targets import MANDATE, RIGHTS, ROLE


def address_of(proposal: Proposal) -> str:
    """The page of what it is about."""
    slug = proposal.business.slug
    if proposal.target_type == MANDATE:
        return reverse("mandates_item", args=[slug, proposal.target_id])
    if proposal.target_type == RIGHTS:
        return reverse("mandates_person", args=[slug, proposal.target_id])
    return reverse("mandates_roles", args=[slug])


def follows_of(actor: Actor, proposal: Proposal) -> list[Consequence]:
    """What follows today; as it was found when it was proposed where that cannot be found out now."""
    try:
        return _follows(actor, proposal)
    except FinanceError:
        return [Consequence(sentence) for sentence in proposal.consequences]


def _follows(actor: Actor, proposal: Proposal) -> list[Consequence]:
    body = proposal.body or {}
    if proposal.target_type == MANDATE:
        before = mandate_of(actor, proposal.target_id).found
        names = {seat["approver_id"]: "" for seat in body.get("approvers", ())}
        rows = visible_employees(actor).filter(remote_id__in=names)
        names = dict(rows.values_list("remote_id", "name"))
        return of_mandate(actor, before, as_changed(before, proposal.operation, proposal.path, body, names))
    overview = roles_of(actor).found
    if proposal.target_type == ROLE:
        role = overview.role(proposal.target_id)
        was = role.permissions if role else []
        return effects.of_role(actor, overview, proposal.target_id, was, body.get("permissions", []))
    person: Employee | None = visible_employees(actor).filter(remote_id=proposal.target_id).first()
    rights = rights_of(actor, person).found if person else None
    if person is None or rights is None:
        return [Consequence(sentence) for sentence in proposal.consequences]
    if proposal.operation == operations.CHANGE_ROLE.name:
        return follows_of_role(actor, person, overview, rights, body["role"])
    after = (set(rights.permissions) | set(body.get("add", ()))) - set(body.get("remove", ()))
    return effects.of_person(actor, person, overview, rights.permissions, sorted(after))
