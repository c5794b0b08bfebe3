"""Plans that are kept between being looked at and being carried out: what was not seen then is not decided now."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.models import KeptPlan
from dashboard.decisions.plan import Plan
from dashboard.decisions.services import as_uuid
from dashboard.errors import NotFound

KEPT_FOR = timedelta(days=1)


def keep(actor: Actor, verb: str, query: str, plans: Sequence[Plan]) -> KeptPlan:
    """Keeps what passes of these plans, each row with what was seen of it."""
    rows = {
        planned.operation.name: {row.subject.remote_id: fingerprint_of(row.subject) for row in planned.passing}
        for planned in plans
    }
    return KeptPlan.objects.create(
        business=actor.business, membership_id=actor.member_id, verb=verb, query=query[:1000], rows=rows
    )


def kept_plan(actor: Actor, plan_id: uuid.UUID | str) -> KeptPlan:
    """One of the actor's own plans; NotFound for anybody else's, and for one that is older than a day."""
    found = KeptPlan.objects.filter(pk=as_uuid(plan_id), business=actor.business, membership_id=actor.member_id)
    plan = found.filter(created_at__gt=timezone.now() - KEPT_FOR).first()
    if plan is None:
        raise NotFound("This plan is over: look at it afresh.", code="plan_over")
    return plan


def seen_rows(plan: KeptPlan, operation: Operation) -> Mapping[str, str]:
    """The rows of a plan that one operation decides on, with what was seen of each."""
    found: Any = plan.rows.get(operation.name)
    return found if isinstance(found, dict) else {}


def forget_old_plans() -> int:
    """Deletes plans that nobody carried out within a day; how many."""
    return KeptPlan.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()[0]
