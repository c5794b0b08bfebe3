"""Bulk plans, stored between their preview and their submission: a row that was not previewed is not decided."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.models import StoredPlan
from dashboard.decisions.plan import Plan
from dashboard.decisions.services import as_uuid
from dashboard.errors import NotFound

PLAN_LIFETIME = timedelta(days=1)


def store_plan(actor: Actor, verb: str, query: str, plans: Sequence[Plan]) -> StoredPlan:
    """Stores the rows of these plans that pass: by operation name, the remote id and the fingerprint of each row."""
    rows = {
        planned.operation.name: {row.subject.remote_id: fingerprint_of(row.subject) for row in planned.passing}
        for planned in plans
    }
    return StoredPlan.objects.create(
        business=actor.business, membership_id=actor.member_id, verb=verb, query=query[:1000], rows=rows
    )


def get_stored_plan(actor: Actor, plan_id: uuid.UUID | str) -> StoredPlan:
    """One of the actor's own plans; NotFound for anybody else's, and for one that is older than a day."""
    own = StoredPlan.objects.filter(pk=as_uuid(plan_id), business=actor.business, membership_id=actor.member_id)
    plan = own.filter(created_at__gt=timezone.now() - PLAN_LIFETIME).first()
    if plan is None:
        raise NotFound("This review has expired: start again.", code="plan_over")
    return plan


def previewed_fingerprints(plan: StoredPlan, operation: Operation) -> Mapping[str, str]:
    """The rows of a stored plan that one operation decides on: remote id to the fingerprint of the preview."""
    fingerprints: Any = plan.rows.get(operation.name)
    return fingerprints if isinstance(fingerprints, dict) else {}


def forget_old_plans() -> int:
    """Deletes plans that nobody carried out within a day; how many."""
    return StoredPlan.objects.filter(created_at__lt=timezone.now() - PLAN_LIFETIME).delete()[0]
