"""Spend policies and approval workflows as rows of the copy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, updated_at
from dashboard.mirror.models import SpendPolicy, Workflow
from dashboard.mirror.scopes import visible_spend_policies, visible_workflows
from dashboard.money import to_minor

SPEND_POLICY_KIND, WORKFLOW_KIND = "policy", "workflow"


def policy(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a spend policy (decisions B.20)."""
    currency, limit = str(payload.get("currency") or ""), payload.get("limit_minor")
    if not isinstance(limit, int):
        limit = None if payload.get("limit") is None or not currency else to_minor(payload["limit"], currency)
    return (
        str(payload.get("name") or payload.get("type") or "")[:100],
        str(payload.get("type") or ""),
        str(payload.get("target") or ""),
        str(payload.get("action") or ""),
        limit,
        currency,
        str(payload.get("period") or ""),
        str(payload.get("workflow_id") or ""),
        str(payload.get("status") or ""),
        updated_at(payload) or datetime.now(UTC),
    )


def policy_subject(row: SpendPolicy) -> Subject:
    """What a rule and the audit must know of a spend policy."""
    return Subject(business_id=row.business_id, kind=SPEND_POLICY_KIND, id=row.remote_id, title=row.name)


# A deleted one is shown as what it is, and can be brought back.
SPEND_POLICY = Mapper(
    SPEND_POLICY_KIND,
    SpendPolicy,
    ("name", "type", "target", "action", "limit_minor", "currency", "period", "workflow_id", "status", "changed_at"),
    policy,
    subject=policy_subject,
    item_kind=ItemKind("Spend policy", visible_spend_policies, "policies_item"),
    names_ids=True,
    lists_deleted=True,
)


def workflow(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of an approval workflow (decisions B.9)."""
    return (
        str(payload.get("name") or "")[:100],
        int(payload.get("action_type") or 0),
        bool(payload.get("active")),
        int(payload.get("priority") or 0),
        len(payload.get("steps") or []),
        updated_at(payload) or datetime.now(UTC),
    )


def workflow_subject(row: Workflow) -> Subject:
    """What a rule and the audit must know of an approval workflow."""
    return Subject(business_id=row.business_id, kind=WORKFLOW_KIND, id=row.remote_id, title=row.name)


WORKFLOW = Mapper(
    WORKFLOW_KIND,
    Workflow,
    ("name", "action_type", "is_active", "priority", "step_count", "changed_at"),
    workflow,
    subject=workflow_subject,
    item_kind=ItemKind("Approval workflow", visible_workflows, "workflows_item"),
    names_ids=True,
)
