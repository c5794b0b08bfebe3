"""The policy groups of a business: made the first time somebody looks, for businesses that exist already as well."""

from collections import Counter
from typing import Any, TypedDict

from django.db.models import Count, Q

from service import errors
from service.approvals import serializers as approvals_serializers
from service.approvals import workflows
from service.approvals.models import ActionType
from service.auth import Caller
from service.business_policies import serializers
from service.business_policies.models import BusinessPolicy, PolicyGroup, PolicyState, PolicyType
from service.businesses.models import Business


class GroupWithPoliciesShape(serializers.PolicyGroupShape):
    """A group with its policies."""

    policies: list[serializers.PolicyShape]


class SummaryShape(TypedDict):
    """All that a business has of policies, in one answer."""

    business_id: str
    time_zone: str
    total: int
    by_status: dict[str, int]
    by_action: dict[str, int]
    groups: list[GroupWithPoliciesShape]
    workflows: list[approvals_serializers.WorkflowShape]


MOST = 1000
GROUPS = (
    ("CHANNEL", "Channels", "Limits and blocks by payment channel.", (PolicyType.CHANNEL,)),
    (
        "CATEGORY",
        "Categories",
        "Limits, blocks and approvals by spend category.",
        (PolicyType.SUBCATEGORY, PolicyType.CATEGORY),
    ),
    ("VENDOR", "Vendors", "Which payees are limited or blocked, one's own phone included.", (PolicyType.VENDOR,)),
    ("DAY_TIME", "Days and hours", "Days and hours in which money may be spent.", (PolicyType.DAY_TIME,)),
)


def build(business: Business) -> list[PolicyGroup]:
    """The groups of a business, not saved yet."""
    return [
        PolicyGroup(
            business=business, code=code, name=name, description=description, types=list(types), position=position
        )
        for position, (code, name, description, types) in enumerate(GROUPS, start=1)
    ]


def groups(business: Business) -> list[PolicyGroup]:
    """All groups in their order; those that are missing are made."""
    rows = PolicyGroup.objects.filter(business=business).order_by("position", "id")
    existing = list(rows)
    if len(existing) < len(GROUPS):
        PolicyGroup.objects.bulk_create(build(business), ignore_conflicts=True)
        existing = list(rows.all())
    return existing


def group(caller: Caller, group_id: str) -> PolicyGroup:
    """One group; 404 when the business has none such."""
    row = next((candidate for candidate in groups(caller.business) if candidate.id == group_id), None)
    if row is None:
        raise errors.not_found("policy group")
    return row


def of_type(business: Business, type_: str) -> PolicyGroup:
    """The group that policies of a type belong to."""
    return next(row for row in groups(business) if type_ in row.types)


def counts(business: Business) -> dict[str, tuple[int, int]]:
    """By type: how many policies are not deleted, and how many of them are active."""
    rows = BusinessPolicy.objects.filter(business=business).exclude(status=PolicyState.DELETED).values("type")
    active = Count("id", filter=Q(status=PolicyState.ACTIVE))
    return {row["type"]: (row["all"], row["active"]) for row in rows.annotate(all=Count("id"), active=active)}


def with_policies(caller: Caller, group_id: str) -> GroupWithPoliciesShape:
    """A group with its policies."""
    row = group(caller, group_id)
    policies = [serializers.policy(policy) for policy in _policies(caller).filter(group=row)[:MOST]]
    return {**serializers.policy_group(row, counts(caller.business)), "policies": policies}


def summary(caller: Caller, business_id: str) -> SummaryShape:
    """Everything in one answer; 404 for any business but the caller's."""
    if business_id != caller.business.id:
        raise errors.not_found("business")
    rows = list(_policies(caller)[:MOST])
    tally = counts(caller.business)
    steps = workflows.list_workflows(caller, ActionType.POLICY_BASED).order_by("priority", "id")[:MOST]
    return {
        "business_id": caller.business.id,
        "time_zone": caller.business.time_zone,
        "total": sum(total for total, _ in tally.values()),
        "by_status": dict(Counter(row.status for row in rows)),
        "by_action": dict(Counter(row.action for row in rows)),
        "groups": [
            {
                **serializers.policy_group(policy_group, tally),
                "policies": [serializers.policy(row) for row in rows if row.group_id == policy_group.id],
            }
            for policy_group in groups(caller.business)
        ],
        "workflows": [approvals_serializers.workflow(row) for row in steps],
    }


def _policies(caller: Caller) -> Any:
    rows = BusinessPolicy.objects.filter(business_id=caller.business.id).exclude(status=PolicyState.DELETED)
    return rows.order_by("-created_at", "-id")
