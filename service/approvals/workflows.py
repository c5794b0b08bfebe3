"""Approval workflows: which one a bill or an expense falls under, and what can be done with them (decisions B.9).

Bills (action_type 3) and policies (action_type 11) share them; each has its own paths over these services.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypedDict

from django.db.models import ProtectedError, QuerySet

from service import errors, money, sql
from service.approvals import open_requests, serializers
from service.approvals.models import ActionType
from service.approvals.models import Workflow as Workflow
from service.approvals.schemas_workflows import Conditions, NewWorkflow, StepIn, WorkflowChange
from service.approvals.steps import TEAM_REVIEWER, StoredStep, refuse_for_every_team
from service.auth import Caller
from service.businesses.models import Business, Employee, Role, Team
from service.categories.models import Subcategory
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import JsonObject
from service.vendors.models import Vendor


@dataclass(frozen=True, slots=True)
class WorkflowFacts:
    """What conditions are compared with: an amount in minor units, and what it is about (a bill may be of several)."""

    amount_minor: int
    currency: str
    team_ids: frozenset[str] = frozenset()
    subcategory_ids: frozenset[str] = frozenset()
    vendor_ids: frozenset[str] = frozenset()


class StoredConditions(TypedDict, total=False):
    """The conditions of a workflow as its row has them: amounts in minor units, None and no ids where any will do."""

    currency: str | None
    min_amount_minor: int | None
    max_amount_minor: int | None
    team_ids: list[str]
    subcategory_ids: list[str]
    vendor_ids: list[str]


# An advisory lock of this class and of the business's id.
LOCK_CLASS = 7_305_003
USE = "select pg_advisory_xact_lock_shared(%s, hashtext(%s))"
CHANGE = "select pg_advisory_xact_lock(%s, hashtext(%s))"


def lock_for_use(business: Business) -> None:
    """Before a workflow is looked for under which votes are asked for: until the end of the transaction none of the business
    is made, changed or deleted, and one that is being changed is waited for.

    Else a request that is not committed yet, and is not seen by a change that is to hold for those in flight, would go on
    by the steps as they were. A row's lock would not do: a new workflow has no row to wait for. Comes before every lock that
    following those in flight takes: requests, bills, payments and expenses. 55P03 after the database's lock_timeout.
    """
    sql.row(USE, [LOCK_CLASS, business.id])


def lock_for_change(business: Business) -> None:
    """Before a workflow is made, changed or deleted: waits for the requests that are being made, and those that come wait."""
    sql.row(CHANGE, [LOCK_CLASS, business.id])


def match(business: Business, action_type: int, workflow_facts: WorkflowFacts) -> Workflow | None:
    """The active workflow of the lowest priority whose conditions the facts meet (of equals the older one)."""
    return first_met(in_order(business, action_type), workflow_facts)


def in_order(business: Business, action_type: int) -> QuerySet[Workflow]:
    """The active workflows of an action type, in the order in which they are compared."""
    rows = Workflow.objects.filter(business=business, action_type=action_type, active=True)
    return rows.order_by("priority", "id")


def first_met(rows: Iterable[Workflow], workflow_facts: WorkflowFacts) -> Workflow | None:
    """The first of some workflows whose conditions the facts meet; None where there is none."""
    return next((row for row in rows if meets(row.conditions, workflow_facts)), None)


def active_for_team(team: Team) -> list[str]:
    """The names of the active workflows whose conditions name a team, in the order in which they are compared."""
    rows = Workflow.objects.filter(business_id=team.business_id, active=True)
    named = rows.filter(conditions__team_ids__contains=[team.id]).order_by("priority", "id")
    return list(named.values_list("name", flat=True))


def meets(conditions: StoredConditions, workflow_facts: WorkflowFacts) -> bool:
    """Whether facts meet conditions: everything that is given must hold."""
    currency = conditions.get("currency")
    least, most = conditions.get("min_amount_minor"), conditions.get("max_amount_minor")
    if currency is not None and currency != workflow_facts.currency:
        return False
    if least is not None and workflow_facts.amount_minor < least:
        return False
    if most is not None and workflow_facts.amount_minor > most:
        return False
    named = (
        (conditions.get("team_ids"), workflow_facts.team_ids),
        (conditions.get("subcategory_ids"), workflow_facts.subcategory_ids),
        (conditions.get("vendor_ids"), workflow_facts.vendor_ids),
    )
    return all(not accepted or not given.isdisjoint(accepted) for accepted, given in named)


def list_workflows(caller: Caller, action_type: ActionType) -> QuerySet[Workflow]:
    """The workflows of the business for one kind of action."""
    return Workflow.objects.filter(business_id=caller.business.id, action_type=action_type)


def get_workflow(caller: Caller, action_type: ActionType, workflow_id: str) -> Workflow:
    """One workflow; 404 where the business has none such of that kind."""
    return _get_from(list_workflows(caller, action_type), workflow_id)


def create(caller: Caller, action_type: ActionType, new: NewWorkflow) -> Workflow:
    """A new workflow. 422 for approvers who are none, and for teams, subcategories or vendors of nobody's; 409
    approvers_insufficient where a step asks for more votes than there are people who could give them. Inside a transaction."""
    lock_for_change(caller.business)
    row = Workflow.objects.create(
        business=caller.business,
        action_type=action_type,
        name=new.name,
        active=new.active,
        priority=new.priority,
        conditions=_conditions(caller, new.conditions),
        steps=_steps(caller, action_type, new.steps),
    )
    _record_change(caller, row, "created", {})
    return row


def change(caller: Caller, action_type: ActionType, workflow_id: str, changes: WorkflowChange) -> Workflow:
    """Changes what is given; requests that run already keep the copy they were made with, unless it is to hold for what
    is `also_waiting`: of bills here, of policies in their own area. Inside a transaction.

    Refusals as for `create`; one that is turned on must be possible with the people there are now, and 409 approvers_insufficient
    where a request in flight could not get its votes.
    """
    lock_for_change(caller.business)
    row = _get_from(list_workflows(caller, action_type).select_for_update(no_key=True, of=("self",)), workflow_id)
    before = serializers.workflow(row)
    for name in ("name", "active", "priority"):
        if getattr(changes, name) is not None:
            setattr(row, name, getattr(changes, name))
    if changes.conditions is not None:
        row.conditions = _conditions(caller, changes.conditions)
    elif changes.active:
        # While it was out of use a team that it names could be deleted.
        _known("conditions.team_ids", row.conditions.get("team_ids", ()), _teams(caller))
    if changes.steps is not None:
        row.steps = _steps(caller, action_type, changes.steps)
    elif changes.active:
        refuse_for_every_team(caller.business.id, row.steps)
    row.version += 1
    row.save()
    _record_change(caller, row, "updated", before)
    if changes.also_waiting and action_type == ActionType.BILL_PAYMENT:
        open_requests.follow(caller, row)
    return row


def delete(caller: Caller, action_type: ActionType, workflow_id: str) -> Workflow:
    """Deletes a workflow; 409 in_use while a policy names it. Inside a transaction."""
    lock_for_change(caller.business)
    row = _get_from(list_workflows(caller, action_type).select_for_update(no_key=True, of=("self",)), workflow_id)
    before = serializers.workflow(row)
    try:
        Workflow.objects.filter(pk=row.pk).delete()
    except ProtectedError:
        raise errors.conflict("in_use", "A policy asks for this workflow: change the policy first.") from None
    _record_change(caller, row, "deleted", before)
    return row


def _get_from(rows: QuerySet[Workflow], workflow_id: str) -> Workflow:
    workflow = rows.filter(id=workflow_id).first()
    if workflow is None:
        raise errors.not_found("workflow")
    return workflow


def _record_change(caller: Caller, row: Workflow, what: str, before: JsonObject) -> None:
    payload: JsonObject = serializers.workflow(row)
    changed = {name: value for name, value in before.items() if payload[name] != value}
    record_event(caller.business, f"workflow.{what}", payload, previous=changed, actor=caller)
    verb = {"created": "create", "updated": "update", "deleted": "delete"}[what]
    record_audit(caller, f"workflow.{verb}", "workflow", row.id, before or None, None if what == "deleted" else payload)


def _conditions(caller: Caller, new_conditions: Conditions) -> StoredConditions:
    """As they are stored; the ids are the business's own."""
    currency = new_conditions.currency or ""
    least = None if new_conditions.min_amount is None else _minor(new_conditions.min_amount, currency, "min_amount")
    most = None if new_conditions.max_amount is None else _minor(new_conditions.max_amount, currency, "max_amount")
    if new_conditions.currency is not None:
        _minor(0, new_conditions.currency, "currency")
    _known("conditions.team_ids", new_conditions.team_ids, _teams(caller))
    _known(
        "conditions.subcategory_ids",
        new_conditions.subcategory_ids,
        Subcategory.objects.filter(business=caller.business.id),
    )
    _known("conditions.vendor_ids", new_conditions.vendor_ids, Vendor.objects.filter(business_id=caller.business.id))
    return {
        "currency": new_conditions.currency,
        "min_amount_minor": least,
        "max_amount_minor": most,
        "team_ids": sorted(set(new_conditions.team_ids)),
        "subcategory_ids": sorted(set(new_conditions.subcategory_ids)),
        "vendor_ids": sorted(set(new_conditions.vendor_ids)),
    }


def _teams(caller: Caller) -> QuerySet[Team]:
    return Team.objects.filter(business_id=caller.business.id).exclude(status=Team.Status.DELETED)


def _minor(amount: Any, currency: str, name: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed(f"conditions.{name}", str(refusal)) from None


def _known(field: str, ids: Collection[str], rows: QuerySet[Any]) -> None:
    if ids and rows.filter(id__in=set(ids)).count() < len(set(ids)):
        raise errors.validation_failed(field, "The business has no such thing.", "unknown")


def _steps(caller: Caller, action_type: ActionType, given: Collection[StepIn]) -> list[StoredStep]:
    """As they are kept, in their order; nobody sits in two steps, for nobody votes twice."""
    if len({step.order for step in given}) < len(given):
        raise errors.validation_failed("steps", "Two steps have the same order.", "duplicate")
    if action_type != ActionType.POLICY_BASED and any(step.role == TEAM_REVIEWER for step in given):
        raise errors.validation_failed(
            "steps.role", "Only a workflow of policies asks the reviewers of the spender's team.", "not_allowed"
        )
    named = [approver_id for step in given for approver_id in dict.fromkeys(step.approver_ids or ())]
    if len(set(named)) < len(named):
        raise errors.validation_failed("steps", "Somebody is named in two steps, and approves once.", "duplicate")
    approvers = Employee.objects.filter(
        business_id=caller.business.id, role=Role.APPROVER, status=Employee.Status.ACTIVE
    )
    _known("steps.approver_ids", named, approvers)
    stored: list[StoredStep] = [
        {
            "order": step.order,
            "approver_ids": list(dict.fromkeys(step.approver_ids)) if step.approver_ids else None,
            "role": step.role,
            "min_approvals": step.min_approvals,
        }
        for step in sorted(given, key=attrgetter("order"))
    ]
    refuse_for_every_team(caller.business.id, stored)
    return stored
