"""A proposed change of access: what would follow as things stand now, and the page of what it is about."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.errors import FinanceError
from dashboard.impact import role_changes
from dashboard.impact.consequences import Consequence, PolicyChangeImpact, consequences_of
from dashboard.impact.mandate_reads import mandate_of, mandates_of, rights_of, roles_of
from dashboard.impact.mandate_text import as_changed
from dashboard.impact.mandates import of_mandate
from dashboard.impact.wallet_policies import as_proposed
from dashboard.impact.wallet_rights import open_policies
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees, visible_holders, visible_wallets
from dashboard.proposals.models import (
    BANK_DIFFERENCE,
    BANK_STATEMENT,
    CATEGORY_MOVE,
    JOURNAL_EXPORT,
    OF_MEMBERS,
    POLICY,
    VENDOR_MERGE,
    WORKFLOW,
    Proposal,
    ProposalState,
)
from dashboard.proposals.snapshots import NO_POLICY
from dashboard.proposals.targets import CREATIONS, MANDATE, RIGHTS, ROLE
from dashboard.schemas.permissions import EmployeeRights, Overview

# The rooms of what else is proposed.
GOVERNED = {
    POLICY: "policies", WORKFLOW: "workflows", JOURNAL_EXPORT: "journal-exports", VENDOR_MERGE: "vendors",
    CATEGORY_MOVE: "categories",
}  # fmt: skip
TONES = {
    ProposalState.WAITING: "info", ProposalState.CONFIRMED: "info", ProposalState.APPLIED: "ok", ProposalState.DECLINED: "bad", ProposalState.WITHDRAWN: "",
    ProposalState.STALE: "warn", ProposalState.REFUSED: "bad", ProposalState.UNKNOWN: "warn",
}  # fmt: skip


def proposal_address(proposal: Proposal) -> str:
    """The address of the page of what a proposal is about."""
    slug = proposal.business.slug
    if proposal.target_type == BANK_DIFFERENCE:
        return reverse("reconciliation_wallet", args=[slug, proposal.target_id])
    if proposal.target_type == BANK_STATEMENT:
        return reverse("reconciliation", args=[slug])
    if proposal.target_type == MANDATE:
        return reverse("mandates_item", args=[slug, proposal.target_id])
    if proposal.target_type in GOVERNED:
        return _governed_address(proposal)
    if proposal.target_type == RIGHTS:
        return reverse("mandates_person", args=[slug, proposal.target_id])
    return reverse("mandates_roles", args=[slug])


def _governed_address(proposal: Proposal) -> str:
    """The page of a policy, a workflow, an export, a vendor or a category; their list for one that is not there yet."""
    room, slug = GOVERNED[proposal.target_type], proposal.business.slug
    is_new = proposal.operation in CREATIONS and proposal.seen in ({}, NO_POLICY)
    return reverse(room, args=[slug]) if is_new else reverse(f"{room}_item", args=[slug, proposal.target_id])


@dataclass(frozen=True)
class ProposalImpact:
    """What follows from a proposal; `is_current` where that was found now, else it is as it was when it was proposed."""

    consequences: list[Consequence]
    is_current: bool


def impact_of_proposal(actor: Actor, proposal: Proposal) -> ProposalImpact:
    """What follows from a proposal: found now while it waits and as far as it can be, else as it was stored."""
    now = _impact_now(actor, proposal)
    if now is None:
        return ProposalImpact([Consequence(sentence) for sentence in proposal.consequences], is_current=False)
    return ProposalImpact(now, is_current=True)


def _impact_now(actor: Actor, proposal: Proposal) -> list[Consequence] | None:
    if proposal.is_waiting and proposal.target_type and proposal.operation not in OF_MEMBERS:
        return _of_target(actor, proposal)
    person = visible_holders(actor).filter(remote_id=proposal.employee_id).first()
    wallet = visible_wallets(actor).filter(remote_id=proposal.wallet_id).first()
    if not proposal.is_waiting or person is None or wallet is None:
        return None
    target = {"employee_id": proposal.employee_id, "wallet_id": proposal.wallet_id}
    policy = open_policies(actor).filter(**target).first()
    return consequences_of(
        actor, wallet, [PolicyChangeImpact(person, policy, as_proposed(proposal, person, wallet, policy))]
    )


def _of_target(actor: Actor, proposal: Proposal) -> list[Consequence] | None:
    try:
        return _as_of_now(actor, proposal)
    except FinanceError:
        return None


def _as_of_now(actor: Actor, proposal: Proposal) -> list[Consequence] | None:
    body = proposal.body or {}
    if proposal.target_type in {*GOVERNED, BANK_DIFFERENCE, BANK_STATEMENT}:
        # What the rules alone say, and what a replay came to, were found when it was proposed.
        return None
    if proposal.target_type == MANDATE:
        before = mandate_of(actor, proposal.target_id).value
        names = {seat["approver_id"]: "" for seat in body.get("approvers", ())}
        rows = visible_employees(actor).filter(remote_id__in=names)
        names = dict(rows.values_list("remote_id", "name"))
        return of_mandate(actor, before, as_changed(before, proposal.path, proposal.required_body, names))
    overview = roles_of(actor).value
    if proposal.target_type == ROLE:
        role = overview.role(proposal.target_id)
        was = role.permissions if role else []
        return role_changes.of_role(actor, overview, proposal.target_id, was, body.get("permissions", []))
    person: Employee | None = visible_employees(actor).filter(remote_id=proposal.target_id).first()
    rights = rights_of(actor, person).value if person else None
    if person is None or rights is None:
        return None
    if proposal.operation == operations.CHANGE_ROLE.name:
        return consequences_of_role_change(actor, person, overview, rights, body["role"])
    after = (set(rights.permissions) | set(body.get("add", ()))) - set(body.get("remove", ()))
    return role_changes.of_person(actor, person, overview, rights.permissions, sorted(after))


def consequences_of_role_change(
    actor: Actor, person: Employee, overview: Overview, rights: EmployeeRights, role: str
) -> list[Consequence]:
    """What follows where an employee gets another role: for votes, wallets and permissions."""
    after = role_changes.held_as(overview, rights, role)
    consequences = role_changes.of_leaving(actor, person, role, mandates_of(actor).value)
    consequences += role_changes.with_wallets(actor, person, rights.role, role)
    return [*consequences, *role_changes.of_person(actor, person, overview, rights.permissions, after)]
