"""What is read of business policies: within the business of the caller, and as far as they may see."""

from collections.abc import Collection

from django.db.models import QuerySet

from service import errors
from service.auth import Caller
from service.business_policies.models import BusinessPolicy, PolicyState, PolicyType

ALL_TYPES = tuple(PolicyType.values)


def policies(caller: Caller, types: Collection[str] = ALL_TYPES) -> QuerySet[BusinessPolicy]:
    """Those of the caller's business, of some types alone where they are given."""
    return BusinessPolicy.objects.filter(business_id=caller.business.id, type__in=types)


def listed(rows: QuerySet[BusinessPolicy], status: str | None) -> QuerySet[BusinessPolicy]:
    """Of one status; without one, all but the deleted."""
    return rows.filter(status=status) if status else rows.exclude(status=PolicyState.DELETED)


def get_policy(caller: Caller, policy_id: str, types: Collection[str] = ALL_TYPES) -> BusinessPolicy:
    """One policy, deleted or not; 404 when the business has none such."""
    return _get_from(policies(caller, types), policy_id)


def lock_policy(caller: Caller, policy_id: str, types: Collection[str]) -> BusinessPolicy:
    """A spend policy of one of these types of the caller's business, locked; 404 where there is none."""
    return _get_from(policies(caller, types).select_for_update(no_key=True, of=("self",)), policy_id)


def _get_from(rows: QuerySet[BusinessPolicy], policy_id: str) -> BusinessPolicy:
    row = rows.filter(id=policy_id).first()
    if row is None:
        raise errors.not_found("business policy")
    return row
