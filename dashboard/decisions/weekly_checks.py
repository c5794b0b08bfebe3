"""The second look at the weekly sample: who may check which drawn approval, and what they found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.subject import Subject, subject_of
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.decisions.models import Decision, DecisionState, WeeklySample
from dashboard.decisions.weekly import APPROVES, ItemKey, weekly_samples_of
from dashboard.errors import InvalidState, NotAllowed, NotFound
from dashboard.mirror.item_kinds import ITEM_KINDS
from dashboard.mirror.models import Mirrored
from dashboard.operations_pages import SAMPLES

CHECKED = "check_weekly_sample"
MOST_ON_HOME = 100
IN_ORDER, PROBLEM = "in order", "a problem was found"


@dataclass(frozen=True, slots=True)
class SampleView:
    """A sample as one person has it: its item (None where they may not see it, or the copy has it no more), and why they
    cannot mark it as checked ("" where they can)."""

    sample: WeeklySample
    item: Mirrored | None
    refusal: str


def sample_views(actor: Actor, samples: Sequence[WeeklySample]) -> list[SampleView]:
    """The samples as the actor has them, in their order: one query for each kind of item and one for who approved them."""
    items, approvers = _items_of(actor, samples), _approvers_of(actor, samples)
    views = []
    for sample in samples:
        key = (sample.object_type, sample.object_id)
        item = items.get(key)
        views.append(SampleView(sample, item, _refusal(actor, sample, item, actor.membership_id in approvers[key])))
    return views


def _items_of(actor: Actor, samples: Sequence[WeeklySample]) -> dict[ItemKey, Mirrored]:
    ids = defaultdict[str, list[str]](list)
    for sample in samples:
        ids[sample.object_type].append(sample.object_id)
    return {
        (kind, row.remote_id): row
        for kind, remote_ids in ids.items()
        if kind in ITEM_KINDS
        for row in ITEM_KINDS[kind].visible(actor).filter(remote_id__in=remote_ids)
    }


def _approvers_of(actor: Actor, samples: Sequence[WeeklySample]) -> defaultdict[ItemKey, set[int]]:
    """The memberships of whoever approved an item here and it was done, the earlier voters too."""
    rows = Decision.objects.filter(
        business=actor.business, state=DecisionState.DONE, operation__startswith=APPROVES,
        object_type__in={sample.object_type for sample in samples}, object_id__in={sample.object_id for sample in samples},
    )  # fmt: skip
    approvers = defaultdict[ItemKey, set[int]](set)
    for kind, remote_id, member_id in rows.values_list("object_type", "object_id", "membership_id"):
        approvers[kind, remote_id].add(member_id)
    return approvers


def _refusal(actor: Actor, weekly_sample: WeeklySample, item: Mirrored | None, has_approved: bool) -> str:
    if weekly_sample.checked_at is not None:
        return f"{weekly_sample.checked_by_name} has checked it."
    if item is None:
        return "You don't have access to this item: somebody else must check it."
    if has_approved:
        return "You approved it: somebody else must check it."
    subject = subject_of(item)
    if actor.employee_id and actor.employee_id in subject.voters:
        return "You decided on it: somebody else must check it."
    if actor.employee_id and actor.employee_id in {*(subject.makers or ()), subject.requester_id}:
        return "This is your own item: somebody else must check it."
    return ""


def count_to_check(actor: Actor) -> int:
    """How many samples wait for a check that this person can make; at most those of the newest hundred are counted."""
    waiting = list(weekly_samples_of(actor).filter(checked_at=None)[:MOST_ON_HOME])
    return sum(not view.refusal for view in sample_views(actor, waiting)) if waiting else 0


def check_weekly_sample(actor: Actor, sample_id: int, note: str, *, is_in_order: bool) -> WeeklySample:
    """Marks a sample as looked at, with what was found. NotFound where the actor may not see it, NotAllowed (audited) for
    whoever decided or asked for it, InvalidState where somebody was faster."""
    if not (verdict := can_open(actor, SAMPLES)):
        raise NotAllowed(verdict.reason)
    sample = weekly_samples_of(actor).filter(pk=sample_id).first()
    if sample is None:
        raise NotFound
    (view,) = sample_views(actor, [sample])
    if view.item is None and sample.checked_at is None:
        raise NotFound
    subject = Subject(
        business_id=actor.business.pk, kind=sample.object_type, id=sample.object_id, title=sample.title,
    )  # fmt: skip
    if refusal := view.refusal:
        if sample.checked_at is not None:
            raise InvalidState(refusal, code="checked")
        record_denial(actor, CHECKED, subject, reason=refusal, sentence="tried to check their own item")
        raise NotAllowed(refusal, code=CHECKED)
    finding = IN_ORDER if is_in_order else PROBLEM
    with transaction.atomic():
        checked = WeeklySample.objects.filter(pk=sample.pk, checked_at=None).update(
            checked_at=timezone.now(), checked_by_id=actor.member_id, checked_by_name=actor.name[:254], note=note,
            is_in_order=is_in_order,
        )  # fmt: skip
        if not checked:
            raise InvalidState("Somebody else has just checked it.", code="checked")
        record(
            actor, CHECKED, subject, Outcome.NOTED, reason=note,
            sentence=f"checked {sample.title}, drawn for the weekly sample: {finding}"[:500],
        )  # fmt: skip
    sample.refresh_from_db()
    return sample
