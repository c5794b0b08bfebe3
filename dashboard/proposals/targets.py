"""What a proposal can be about beside a wallet policy: a mandate, a role, somebody's rights, a membership; as it is now."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from dashboard import operations, operations_accounting, operations_extra, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.client.connection import snapshot_of_connection
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import NotFound
from dashboard.proposals.models import (
    BANK_DIFFERENCE,
    BANK_STATEMENT,
    CATEGORY_MOVE,
    JOURNAL_EXPORT,
    POLICY,
    VENDOR_MERGE,
    WORKFLOW,
    Proposal,
)
from dashboard.proposals.snapshots import (
    SeenCategoryPolicy,
    difference_of,
    move_seen,
    snapshot_of,
    snapshot_of_invitation,
    snapshot_of_member,
    statement_lines_of,
    versions_of,
)
from dashboard.schemas.categories import CategoryMovePlan
from dashboard.schemas.journal_exports import JournalExport
from dashboard.schemas.permissions import EmployeeRights, Overview
from dashboard.schemas.policies import NewPolicyBody, SpendPolicy
from dashboard.schemas.reconciliation import BankStatement, Proof
from dashboard.schemas.vendors import Vendor
from dashboard.schemas.wallet_policies import Mandate
from dashboard.schemas.workflows import OF_BILLS, OF_POLICIES, Workflow
from dashboard.single_sign_on.selectors import snapshot_of_provider

MANDATE, ROLE, RIGHTS = "mandate", "role", "employee"
# Of this dashboard alone: a membership by its id, and an invitation by what its address is hashed to.
MEMBER, INVITATION = "member", "invitation"
# And the roles that may approve what a policy blocks.
OVERRIDE_ROLES = "override_roles"
# And the identity provider that people sign in at.
SINGLE_SIGN_ON = "single_sign_on"
# And the connection to the finance service, the roles that need a second factor, and the token of SCIM.
SERVICE_CONNECTION, SECOND_FACTOR, SCIM_TOKEN = "connection", "second_factor", "scim_token"
# What changes spend policies and workflows, undoes exports, accepts differences or withdraws that, merges vendors and moves
# subcategories; the
# operations that make one are about nothing that was there.
CREATIONS = frozenset(
    operation.name
    for operation in (
        operations.CREATE_POLICY, operations.SET_CATEGORY_POLICY, operations.CREATE_BILL_WORKFLOW,
        operations.CREATE_POLICY_WORKFLOW,
    )
)  # fmt: skip
GOVERNING: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        operations.CREATE_POLICY, operations.UPDATE_POLICY, operations.DELETE_POLICY, operations.SET_CATEGORY_POLICY,
        operations.UPDATE_CATEGORY_POLICY, operations.DELETE_CATEGORY_POLICY, operations.CREATE_BILL_WORKFLOW,
        operations.UPDATE_BILL_WORKFLOW, operations.DELETE_BILL_WORKFLOW, operations.CREATE_POLICY_WORKFLOW,
        operations_extra.UPDATE_POLICY_WORKFLOW, operations_extra.DEACTIVATE_POLICY_WORKFLOW,
        operations_accounting.UNDO_JOURNAL_EXPORT, operations_accounting.ACCEPT_BANK_DIFFERENCE,
        operations_accounting.WITHDRAW_BANK_DIFFERENCE, operations_accounting.REMOVE_BANK_STATEMENT, operations_payables.MERGE_VENDOR,
        operations_extra.MOVE_SUBCATEGORIES,
    )
}  # fmt: skip
# Every operation that a proposal can be about, by name.
PROPOSABLE: dict[str, Operation] = {**operations.OPERATIONS, **GOVERNING}
READ_S = 4.0
MOST = 500


def read_mandate(actor: Actor, mandate_id: str, deadline: float = READ_S) -> Mandate:
    """A mandate as it is now; the interface gives them as a list alone. NotFound where it is none of them."""
    answer = read_live(actor, operations.LIST_MANDATES, query={"limit": MOST}, deadline=deadline)
    row = next((payload for payload in read_page(answer.data).rows if payload.get("_id") == mandate_id), None)
    if row is None:
        raise NotFound("The mandate no longer exists.", code="not_found")
    return typed([row], Mandate)[0]


def read_policy(actor: Actor, policy_id: str, deadline: float = READ_S) -> SpendPolicy:
    """A spend policy as it is now, deleted or not. NotFound where there is none such."""
    path = {"businessPolicyId": policy_id}
    return typed([read_live(actor, operations.READ_POLICY, path=path, deadline=deadline).data], SpendPolicy)[0]


def read_export(actor: Actor, export_id: str, deadline: float = READ_S) -> JournalExport:
    """A journal export as it is now, undone or not. NotFound where there is none such."""
    answer = read_live(actor, operations_accounting.READ_JOURNAL_EXPORT, path={"id": export_id}, deadline=deadline)
    return typed([answer.data], JournalExport)[0]


def read_proof(actor: Actor, statement_id: str, deadline: float = READ_S) -> Proof:
    """The proof of a bank statement as it is now. NotFound where there is none such."""
    answer = read_live(actor, operations_accounting.READ_BANK_PROOF, path={"id": statement_id}, deadline=deadline)
    return typed([answer.data], Proof)[0]


def read_bank_statement(actor: Actor, statement_id: str, deadline: float = READ_S) -> BankStatement:
    """A bank statement as it is now. NotFound where there is none such."""
    answer = read_live(actor, operations_accounting.READ_BANK_STATEMENT, path={"id": statement_id}, deadline=deadline)
    return typed([answer.data], BankStatement)[0]


def read_move(
    actor: Actor, category_id: str, subcategory_ids: Sequence[str], deadline: float = READ_S
) -> CategoryMovePlan:
    """What moving subcategories into a category would do, as the service says it now. Raises the FinanceError tree."""
    query, path = {"subcategory_ids": ",".join(subcategory_ids)}, {"categoryId": category_id}
    answer = read_live(actor, operations_extra.READ_CATEGORY_MOVE, path=path, query=query, deadline=deadline)
    return typed([answer.data], CategoryMovePlan)[0]


def read_vendor(actor: Actor, vendor_id: str, deadline: float = READ_S) -> Vendor:
    """A vendor as it is now, deleted or not. NotFound where there is none such."""
    answer = read_live(actor, operations.READ_VENDOR, path={"id": vendor_id}, deadline=deadline)
    return typed([answer.data], Vendor)[0]


def read_workflow(actor: Actor, action_type: int, workflow_id: str, deadline: float = READ_S) -> Workflow:
    """A workflow as it is now; the interface gives them as a list alone. NotFound where it is none of them."""
    operation = operations.READ_BILL_WORKFLOW if action_type == OF_BILLS else operations.LIST_POLICY_WORKFLOWS
    answer = read_live(actor, operation, query={"limit": MOST}, deadline=deadline)
    row = next((payload for payload in read_page(answer.data).rows if payload.get("_id") == workflow_id), None)
    if row is None:
        raise NotFound("The workflow no longer exists.", code="not_found")
    return typed([row], Workflow)[0]


def read_roles(actor: Actor, deadline: float = READ_S) -> Overview:
    """The permissions and the roles with theirs, read live."""
    return typed([read_live(actor, operations.LIST_PERMISSIONS, deadline=deadline).data], Overview)[0]


def read_rights(actor: Actor, subject: object, employee_id: str, deadline: float = READ_S) -> EmployeeRights:
    """The rights of an employee, read live."""
    path = {"employee_id": employee_id}
    answer = read_live(actor, operations.READ_EMPLOYEE_PERMISSIONS, path=path, subject=subject, deadline=deadline)
    return typed([answer.data], EmployeeRights)[0]


def duplicate_of(proposal: Proposal) -> str:
    """The id of the vendor that goes in a merge."""
    return str((proposal.body or {})["duplicate_id"])


def changed_since(actor: Actor, proposal: Proposal, subject: Subject) -> str:
    """What has happened to it since the proposer looked; empty where it is as it was."""
    if proposal.operation in CREATIONS and not proposal.seen:
        return ""
    try:
        now, change = _now(actor, proposal, subject)
    except NotFound:
        return "The subject of this proposal no longer exists."
    return "" if now == proposal.seen else f"{change} since this was proposed."


def target_of_category_policy(body: NewPolicyBody) -> str:
    """What names the policy of a category, of a currency and period, per person or not: two proposals of it do not wait at
    once."""
    parts = [body["type"], body["target"], body.get("currency") or "", body.get("period") or ""]
    parts += ["per person"] * bool(body.get("per_person"))
    return hashlib.sha256("\n".join(str(part) for part in parts).encode()).hexdigest()


def category_policy_now(actor: Actor, body: NewPolicyBody, deadline: float = READ_S) -> SeenCategoryPolicy:
    """The policy that setting this one would change, read live."""
    query: dict[str, str | int] = {"type": str(body["type"]), "limit": MOST}
    answer = read_live(actor, operations.LIST_CATEGORY_POLICIES, query=query, deadline=deadline)
    key = (body["target"], body.get("currency") or "", body.get("period") or "", bool(body.get("per_person")))
    rows = typed(read_page(answer.data).rows, SpendPolicy)
    current = (row for row in rows if row.status != "DELETED")
    same = (row.id for row in current if (row.target, row.currency, row.period, row.per_person) == key)
    return {"policy": next(same, "")}


def _now(actor: Actor, proposal: Proposal, subject: Subject) -> tuple[Mapping[str, object], str]:
    if proposal.target_type == MEMBER:
        return snapshot_of_member(actor.business, proposal.target_id), "Their role has changed"
    if proposal.target_type == OVERRIDE_ROLES:
        roles = Business.objects.values_list("override_roles", flat=True).get(pk=actor.business.pk)
        return {"roles": sorted(roles)}, "The roles have changed"
    if proposal.target_type == SINGLE_SIGN_ON:
        return snapshot_of_provider(actor.business), "Single sign-on has changed"
    if proposal.target_type == SERVICE_CONNECTION:
        return snapshot_of_connection(actor.business), "The connection has changed"
    if proposal.target_type == SECOND_FACTOR:
        roles = Business.objects.values_list("second_factor_roles", flat=True).get(pk=actor.business.pk)
        return {"roles": sorted(roles)}, "The roles have changed"
    if proposal.target_type == SCIM_TOKEN:
        return {}, ""
    if proposal.target_type == INVITATION:
        return snapshot_of_invitation(actor.business, (proposal.body or {})["email"]), "They have been invited"
    if proposal.target_type == MANDATE:
        return snapshot_of(read_mandate(actor, proposal.target_id)), "The mandate has changed"
    if proposal.operation == operations.SET_CATEGORY_POLICY.name and "policy" in proposal.seen:
        return category_policy_now(actor, proposal.required_body), "The policy of this category has been set"
    if proposal.target_type == POLICY:
        return snapshot_of(read_policy(actor, proposal.target_id)), "The policy has changed"
    if proposal.target_type == JOURNAL_EXPORT:
        return snapshot_of(read_export(actor, str(proposal.path["id"]))), "The export was undone"
    if proposal.target_type == BANK_DIFFERENCE:
        return difference_of(read_proof(actor, str(proposal.path["id"]))), "The difference has changed"
    if proposal.target_type == BANK_STATEMENT:
        return dict(
            statement_lines_of(read_bank_statement(actor, proposal.target_id))
        ), "The statement's lines or matches have changed"
    if proposal.target_type == VENDOR_MERGE:
        both = read_vendor(actor, proposal.target_id), read_vendor(actor, duplicate_of(proposal))
        return dict(versions_of(*both)), "One of the vendors has changed"
    if proposal.target_type == CATEGORY_MOVE:
        plan = read_move(actor, proposal.target_id, (proposal.body or {})["subcategory_ids"])
        return dict(move_seen(plan)), "The category or one of the subcategories has changed"
    if proposal.target_type == WORKFLOW:
        return snapshot_of(
            read_workflow(actor, action_type_of(proposal), proposal.target_id)
        ), "The workflow has changed"
    if proposal.target_type == ROLE:
        role = read_roles(actor).role(proposal.target_id)
        if role is None:
            raise NotFound(code="not_found")
        return snapshot_of(role), "The permissions of the role have changed"
    return snapshot_of(read_rights(actor, subject, proposal.target_id)), "Their role or permissions have changed"


def is_applied(actor: Actor, proposal: Proposal) -> bool:
    """Whether an earlier try applied it: a removal gives no answer a second time, but what was removed is not there."""
    if proposal.operation in {operations.DELETE_BILL_WORKFLOW.name, operations_accounting.REMOVE_BANK_STATEMENT.name}:
        return _is_gone(actor, proposal)
    if proposal.target_type == VENDOR_MERGE:
        return read_vendor(actor, duplicate_of(proposal)).merged_into == proposal.target_id
    if proposal.operation != operations.REMOVE_MANDATE_APPROVERS.name:
        return False
    removed = set((proposal.body or {}).get("approver_ids", ()))
    return removed.isdisjoint(seat.approver_id for seat in read_mandate(actor, proposal.target_id).approvers)


def _is_gone(actor: Actor, proposal: Proposal) -> bool:
    try:
        if proposal.target_type == BANK_STATEMENT:
            read_bank_statement(actor, proposal.target_id)
        else:
            read_workflow(actor, OF_BILLS, proposal.target_id)
    except NotFound:
        return True
    return False


def action_type_of(proposal: Proposal) -> int:
    """Which action type the workflow of a proposal is of, by its operation."""
    of_bills = {operations.UPDATE_BILL_WORKFLOW.name, operations.DELETE_BILL_WORKFLOW.name}
    return OF_BILLS if proposal.operation in of_bills else OF_POLICIES
