"""Spend policies, their groups and evaluations as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.business_policies.models import BusinessPolicy, PolicyGroup, PolicyType
from service.respond import JsonObject


class ExemptShape(TypedDict):
    """For whom a policy does not count."""

    team_ids: list[str]
    employee_ids: list[str]


class PolicyShape(TypedDict):
    """A policy as the interface shows it."""

    _id: str
    policy_id: str
    type: str
    name: str
    target: str
    limit: Decimal | None
    limit_minor: int | None
    currency: str | None
    period: str | None
    per_person: bool
    window: JsonObject | None
    action: str
    workflow_id: str | None
    exempt: ExemptShape
    status: str
    created_by: str
    version: int
    createdAt: datetime
    updatedAt: datetime


class PolicyGroupShape(TypedDict):
    """A group, how many policies it has and how many of them are active."""

    _id: str
    code: str
    name: str
    description: str
    types: list[str]
    policy_count: int
    active_count: int


class PolicyTypeShape(TypedDict):
    """A type of policy, how many there are of it and how many of them are active."""

    type: str
    name: str
    policy_count: int
    active_count: int


class GroupWithTypesShape(PolicyGroupShape):
    """A group of spend policies, with the types that it has and how many policies there are of each."""

    policy_types: list[PolicyTypeShape]


def policy(row: BusinessPolicy) -> PolicyShape:
    """A policy as the interface shows it."""
    return {
        "_id": row.id,
        "policy_id": row.group_id,
        "type": row.type,
        "name": row.name,
        "target": row.target,
        "limit": None if row.limit_minor is None else money.to_number(row.limit_minor, row.currency),
        "limit_minor": row.limit_minor,
        "currency": row.currency or None,
        "period": row.period or None,
        "per_person": row.per_person,
        "window": row.window or None,
        "action": row.action,
        "workflow_id": row.workflow_id,
        "exempt": {"team_ids": row.exempt_team_ids, "employee_ids": row.exempt_employee_ids},
        "status": row.status,
        "created_by": row.created_by,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def policy_group(row: PolicyGroup, counts: dict[str, tuple[int, int]]) -> PolicyGroupShape:
    """A group; `counts` has how many policies, and how many active ones, there are of each type."""
    type_counts = [counts.get(policy_type, (0, 0)) for policy_type in row.types]
    return {
        "_id": row.id,
        "code": row.code,
        "name": row.name,
        "description": row.description,
        "types": row.types,
        "policy_count": sum(total for total, _ in type_counts),
        "active_count": sum(active for _, active in type_counts),
    }


def group_with_types(row: PolicyGroup, counts: dict[str, tuple[int, int]]) -> GroupWithTypesShape:
    """A group of spend policies; `counts` are (all, active) by type, none where a type is missing."""
    types: list[PolicyTypeShape] = [
        {
            "type": policy_type,
            "name": PolicyType(policy_type).label,
            "policy_count": counts.get(policy_type, (0, 0))[0],
            "active_count": counts.get(policy_type, (0, 0))[1],
        }
        for policy_type in row.types
    ]
    return {**policy_group(row, counts), "policy_types": types}


def evaluation(stored: JsonObject) -> JsonObject | None:
    """From what a payment keeps; None where nobody has asked yet."""
    return stored or None
