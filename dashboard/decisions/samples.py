"""The sample of what was approved because it looked clean: drawn by lot, looked at again by somebody else.

Of each batch (what was approved in one bulk, or by one person one by one on a day) the business's share is drawn, one at
least, once all of it is settled. The lot is a hash of the decision's id, which nobody can choose, and the draw is written
down: it is made once, and made again it would be the same.
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision, DecisionState, DrawnBatch, Sample
from dashboard.decisions.services import subject_of_decision
from dashboard.errors import InvalidState, NotAllowed, NotFound
from dashboard.mirror.scopes import visible_expenses
from dashboard.operations_pages import SAMPLE_SHARE, SAMPLES
from dashboard.times import local

DRAWN, CHECKED, SHARE = "draw_sample", "check_sample", "change_sample_share"
# A batch that was settled longer ago has been drawn, or never will be.
WITHIN = timedelta(days=7)
LARGEST_SHARE = 100
# What a second look finds, in the words of the audit log.
IN_ORDER, PROBLEM = "in order", "a problem was found"


def draw_samples() -> int:
    """Draws the sample of every batch that is complete and has none yet; how many approvals were drawn."""
    since = timezone.now() - WITHIN
    clean = Decision.objects.filter(looked_clean=True, created_at__gt=since)
    businesses = Business.objects.filter(pk__in=clean.filter(state=DecisionState.DONE).values("business_id").distinct())
    return sum(_draw_batches(business, clean.filter(business=business)) for business in businesses)


def _draw_batches(business: Business, clean: QuerySet[Decision]) -> int:
    names = _batches(business, clean)
    drawn = set(DrawnBatch.objects.filter(business=business, name__in=names).values_list("name", flat=True))
    return sum(_draw(business, name, batch) for name, batch in names.items() if name not in drawn)


def _batches(business: Business, clean: QuerySet[Decision]) -> dict[str, list[Decision]]:
    """The complete batches by name, each with its approvals that were done."""
    today = local(timezone.now(), business).date()
    batches: dict[str, list[Decision]] = defaultdict(list)
    incomplete = set()
    for decision in clean.only("id", "bulk_id", "membership_id", "created_at", "state").order_by("created_at"):
        day = local(decision.created_at, business).date()
        name = str(decision.bulk_id or f"{decision.membership_id}:{day.isoformat()}")
        if decision.state in OPEN_DECISION_STATES or (decision.bulk_id is None and day >= today):
            incomplete.add(name)
        elif decision.state == DecisionState.DONE:
            batches[name].append(decision)
    return {name: batch for name, batch in batches.items() if name not in incomplete}


def _draw(business: Business, name: str, batch: Sequence[Decision]) -> int:
    drawn = drawn_of(batch, business.sample_percent)
    reader = Actor.reader_for(business)
    try:
        with transaction.atomic():
            DrawnBatch.objects.create(business=business, name=name)
            for decision in Decision.objects.filter(pk__in=[decision.pk for decision in drawn]):
                Sample.objects.create(business=business, decision=decision)
                record(
                    reader, DRAWN, subject_of_decision(decision), Outcome.NOTED, decision_id=decision.pk,
                    sentence=f"drew the approval of {decision.title} for a second look",
                    after={"share": f"{business.sample_percent} %", "approvals": len(batch), "drawn": len(drawn)},
                )  # fmt: skip
    except IntegrityError:
        # Another worker was faster.
        return 0
    return len(drawn)


def drawn_of(batch: Sequence[Decision], percent: int) -> list[Decision]:
    """The share of the batch that is drawn, one at least: those with the smallest hashes of their ids."""
    count = max(1, ceil(len(batch) * percent / 100)) if batch else 0
    return sorted(batch, key=lambda decision: hashlib.sha256(decision.pk.bytes).digest())[:count]


def samples_of(actor: Actor) -> QuerySet[Sample]:
    """The samples of expenses that the actor may see: those to check first, the newest first."""
    visible = visible_expenses(actor).values("remote_id")
    rows = Sample.objects.filter(business=actor.business, decision__object_id__in=visible)
    return rows.select_related("decision__membership__user").order_by("-checked_at", "-drawn_at", "-id")


def to_check(actor: Actor) -> QuerySet[Sample]:
    """The samples that wait for the actor's look: nobody has checked them, and they have neither approved nor spent them."""
    own = visible_expenses(actor).filter(employee_id=actor.employee_id or "-").values("remote_id")
    others = samples_of(actor).exclude(decision__membership_id=actor.member_id).exclude(decision__object_id__in=own)
    return others.filter(checked_at=None)


def problems_since(actor: Actor, since: datetime) -> int:
    """In how many samples that the actor may see a problem was found since a moment."""
    return samples_of(actor).filter(is_in_order=False, checked_at__gte=since).count()


def why_not_checked(actor: Actor, sample: Sample) -> str:
    """Why this person cannot mark the sample as checked; "" where they can."""
    if sample.checked_at is not None:
        return f"{sample.checked_by_name} has checked it."
    if sample.decision.membership_id == actor.member_id:
        return "You approved it: somebody else must check it."
    spender = visible_expenses(actor).filter(remote_id=sample.decision.object_id).values_list("employee_id", flat=True)
    if actor.employee_id and spender.first() == actor.employee_id:
        return "This is your own expense: somebody else must check it."
    return ""


def check_sample(actor: Actor, sample_id: int, note: str, *, is_in_order: bool) -> Sample:
    """Marks a sample as looked at, with what was found: whether the approval is in order, and in words. NotFound where the actor may not see it, NotAllowed (audited) for
    whoever approved or spent it, InvalidState where somebody was faster."""
    if not (verdict := can_open(actor, SAMPLES)):
        raise NotAllowed(verdict.reason)
    sample = samples_of(actor).filter(pk=sample_id).first()
    if sample is None:
        raise NotFound
    subject = subject_of_decision(sample.decision)
    if refusal := why_not_checked(actor, sample):
        if sample.checked_at is not None:
            raise InvalidState(refusal, code="checked")
        record_denial(actor, CHECKED, subject, reason=refusal, sentence="tried to check their own approval")
        raise NotAllowed(refusal, code=CHECKED)
    finding = IN_ORDER if is_in_order else PROBLEM
    with transaction.atomic():
        checked = Sample.objects.filter(pk=sample.pk, checked_at=None).update(
            checked_at=timezone.now(),
            checked_by_id=actor.member_id,
            checked_by_name=actor.name[:254],
            note=note,
            is_in_order=is_in_order,
        )
        if not checked:
            raise InvalidState("Somebody else has just checked it.", code="checked")
        record(
            actor, CHECKED, subject, Outcome.NOTED, reason=note, decision_id=sample.decision_id,
            sentence=f"checked the approval of {sample.decision.title}, drawn for a second look: {finding}",
        )  # fmt: skip
    sample.refresh_from_db()
    return sample


def change_share(actor: Actor, percent: int) -> None:
    """Sets the share of the business, in percent from 1 to LARGEST_SHARE; nothing is written where it stays."""
    if not (verdict := can_open(actor, SAMPLE_SHARE)):
        raise NotAllowed(verdict.reason)
    before = actor.business.sample_percent
    if not 1 <= percent <= LARGEST_SHARE:
        raise ValueError(f"{percent} is no share")
    if percent == before:
        return
    with transaction.atomic():
        Business.objects.filter(pk=actor.business.pk).update(sample_percent=percent)
        record(
            actor, SHARE, None, Outcome.DONE, sentence="changed the share of clean approvals that is sampled",
            before={"share": f"{before} %"}, after={"share": f"{percent} %"},
        )  # fmt: skip
