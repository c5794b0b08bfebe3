"""Spend policies and approval workflows as rows of the copy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, updated_at
from dashboard.mirror.models import SpendPolicy, Workflow
from dashboard.mirror.scopes import visible_spend_policies, visible_workflows
from dashboard.money import to_minor

SPEND_POLICY_KIND, WORKFLOW_KIND = "policy", "workflow"


class PolicyColumns(NamedTuple):
    """The columns of the table of SpendPolicy that its answers fill, beside what every copy has."""

    name: str
    type: str
    target: str
    action: str
    limit_minor: int | None
    currency: str
    period: str
    per_person: bool
    workflow_id: str
    status: str
    changed_at: datetime


def policy(payload: Payload, locale: str) -> PolicyColumns:
    """The columns of a spend policy (decisions B.20)."""
    currency, limit = str(payload.get("currency") or ""), payload.get("limit_minor")
    if not isinstance(limit, int):
        limit = None if payload.get("limit") is None or not currency else to_minor(payload["limit"], currency)
    return PolicyColumns(
        name=str(payload.get("name") or payload.get("type") or "")[:100],
        type=str(payload.get("type") or ""),
        target=str(payload.get("target") or ""),
        action=str(payload.get("action") or ""),
        limit_minor=limit,
        currency=currency,
        period=str(payload.get("period") or ""),
        per_person=bool(payload.get("per_person")),
        workflow_id=str(payload.get("workflow_id") or ""),
        status=str(payload.get("status") or ""),
        changed_at=updated_at(payload) or datetime.now(UTC),
    )


def policy_subject(row: SpendPolicy) -> Subject:
    """What a rule and the audit must know of a spend policy."""
    return Subject(business_id=row.business_id, kind=SPEND_POLICY_KIND, id=row.remote_id, title=row.name)


# A deleted one is shown as what it is, and can be brought back.
SPEND_POLICY = Mapper(
    SPEND_POLICY_KIND,
    SpendPolicy,
    PolicyColumns,
    policy,
    subject=policy_subject,
    item_kind=ItemKind("Spend policy", visible_spend_policies, "policies_item"),
    names_ids=True,
    lists_deleted=True,
)


class WorkflowColumns(NamedTuple):
    """The columns of the table of Workflow that its answers fill, beside what every copy has."""

    name: str
    action_type: int
    is_active: bool
    priority: int
    step_count: int
    changed_at: datetime


def workflow(payload: Payload, locale: str) -> WorkflowColumns:
    """The columns of an approval workflow (decisions B.9)."""
    return WorkflowColumns(
        name=str(payload.get("name") or "")[:100],
        action_type=int(payload.get("action_type") or 0),
        is_active=bool(payload.get("active")),
        priority=int(payload.get("priority") or 0),
        step_count=len(payload.get("steps") or []),
        changed_at=updated_at(payload) or datetime.now(UTC),
    )


def workflow_subject(row: Workflow) -> Subject:
    """What a rule and the audit must know of an approval workflow."""
    return Subject(business_id=row.business_id, kind=WORKFLOW_KIND, id=row.remote_id, title=row.name)


WORKFLOW = Mapper(
    WORKFLOW_KIND,
    Workflow,
    WorkflowColumns,
    workflow,
    subject=workflow_subject,
    item_kind=ItemKind("Approval workflow", visible_workflows, "workflows_item"),
    names_ids=True,
)
