"""Approvals that were drawn for a second look which a leaver could give: others check them, where anybody else can."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.decisions import samples, weekly_checks
from dashboard.decisions.models import Sample, WeeklySample
from dashboard.decisions.weekly import weekly_samples_of
from dashboard.errors import Conflict, NotAllowed
from dashboard.mirror.models import Employee
from dashboard.offboarding.labels import KEEP_CHECKING, LeftBehind
from dashboard.offboarding.models import OffboardingStep
from dashboard.offboarding.outcome import Carried, StepAction
from dashboard.operations_pages import SAMPLES as SAMPLES_PAGE

CLEAN, WEEKLY = "clean", "weekly"
TITLES = {CLEAN: "that looked clean", WEEKLY: "of past weeks"}
CHECKED_BY_OTHERS = "Somebody else can check each of them."


def samples_left(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    """How many drawn approvals of each sample an employee could check, where it is any."""
    theirs = [other for row in _members(actor, employee.remote_id) if (other := _actor(row))]
    for source, title in TITLES.items():
        count = len({pk for other in theirs for pk in _checkable(other, source, _waiting(actor, source))})
        if count:
            named = f"{count} drawn approval{'s' * (count != 1)} {title}"
            yield LeftBehind("sample", source, named, (KEEP_CHECKING,))


def _members(actor: Actor, employee_id: str = "") -> list[Membership]:
    rows = Membership.objects.filter(business=actor.business, is_active=True, user__is_active=True)
    rows = rows.filter(employee_id=employee_id) if employee_id else rows
    return list(rows.filter(role__in=SAMPLES_PAGE.roles).select_related("user", "business").order_by("pk"))


def _actor(member: Membership) -> Actor | None:
    try:
        return Actor.for_membership(member)
    except NotAllowed:
        return None


def _waiting(actor: Actor, source: str) -> dict[int, str]:
    """The titles of the samples that nobody has checked, by their ids."""
    if source == WEEKLY:
        return dict(weekly_samples_of(actor).filter(checked_at=None).values_list("pk", "title"))
    rows = Sample.objects.filter(business=actor.business, checked_at=None)
    return dict(rows.values_list("pk", "decision__title"))


def _checkable(actor: Actor, source: str, waiting: dict[int, str]) -> set[int]:
    """Those of these samples that somebody can mark as checked."""
    if source == CLEAN:
        return set(samples.to_check(actor).filter(pk__in=waiting).values_list("pk", flat=True))
    rows: list[WeeklySample] = list(weekly_samples_of(actor).filter(pk__in=waiting))
    return {view.sample.pk for view in weekly_checks.sample_views(actor, rows) if not view.refusal}


def _check_others(actor: Actor, step: OffboardingStep) -> Carried:
    """Conflict where one of them waits for a look that nobody is there to give."""
    source = step.remote_id
    left = _waiting(actor, source)
    for member in _members(actor):
        if not left:
            break
        other = _actor(member) if member.employee_id != step.offboarding.employee_id else None
        for pk in _checkable(other, source, left) if other else ():
            left.pop(pk, None)
    if left:
        first, more = next(iter(left.values())), len(left) - 1
        named = f"{first} and {more} more" if more else first
        raise Conflict(
            f"Nobody else can check {named}: give a reviewer, approver or admin access who has neither approved nor asked for it.",
            code="dead_end",
        )  # fmt: skip
    return Carried(sentence=CHECKED_BY_OTHERS)


def _never(actor: Actor, step: OffboardingStep) -> bool:
    return False


SAMPLES: dict[tuple[str, str], StepAction] = {
    ("sample", "keep"): StepAction(None, _check_others, _never),
}
