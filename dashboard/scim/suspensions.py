"""Suspensions by an identity provider that the finance service has still to agree to: noted before it is asked, and tried
again until it does.

Until then the person is kept out here whatever the service says of them (`Membership.kept_out_since`).
"""

import secrets
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.commands import employees
from dashboard.errors import FinanceError, NotAllowed, TooMany, Unavailable, Unknown
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.scim.models import PendingSuspension, ScimToken
from dashboard.scim.tokens import actor_of

log = structlog.get_logger(__name__)

AT_ONCE = 50
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(minutes=30)
# After so many tries, some seven minutes, it is no outage of a moment any more.
TRIES_BEFORE_NOTICE = 3


def record_suspension(member: Membership) -> PendingSuspension:
    """Writes down that the service has to suspend a member; what was written down before stays as it is."""
    row, _ = PendingSuspension.objects.get_or_create(
        membership=member, defaults={"business_id": member.business_id, "key": _new_key(), "due_at": _after(0)}
    )
    return row


def forget(member: Membership) -> None:
    """They are let in again: nothing is asked of the service any more."""
    PendingSuspension.objects.filter(membership=member).delete()


def carry_out(actor: Actor, pending: PendingSuspension, employee: Employee) -> None:
    """Has the service suspend the employee, with the key that it was asked with before. What stops it is written down with
    when it is tried again, and raised: the FinanceError tree."""
    try:
        employees.suspend(actor, employee, key=pending.key)
    except FinanceError as stopped:
        # A refusal is kept by the service under its key; an answer that may still come is asked for by the same one.
        refused = not isinstance(stopped, Unknown | Unavailable | TooMany)
        PendingSuspension.objects.filter(pk=pending.pk).update(
            tries=pending.tries + 1, trouble=stopped.detail[:300], due_at=_after(pending.tries),
            key=_new_key() if refused else pending.key,
        )  # fmt: skip
        raise
    _agreed(pending)


def has_due() -> bool:
    """Whether any waits to be tried again by now."""
    return PendingSuspension.objects.filter(due_at__lte=timezone.now()).exists()


def finish_due() -> int:
    """Tries all that are due, none stopped by another that fails; how many the service has agreed to."""
    rows = PendingSuspension.objects.filter(due_at__lte=timezone.now()).select_related("membership", "business")
    return sum(_finish(pending) for pending in rows.order_by("due_at")[:AT_ONCE])


def _finish(pending: PendingSuspension) -> bool:
    member = pending.membership
    if member.is_active:
        # Let in again since: nothing is asked of the service any more.
        _agreed(pending)
        return True
    token = ScimToken.objects.select_related("set_up_by__user", "set_up_by__business").filter(business=pending.business)
    try:
        if (row := token.first()) is None:
            raise NotAllowed("The business has no SCIM token any more.")
        actor = actor_of(row)
        employee = visible_employees(actor).filter(remote_id=member.employee_id).first()
        if employee is None or employee.status != "ACTIVE":
            _agreed(pending)
            return True
        carry_out(actor, pending, employee)
    except FinanceError as stopped:
        # Where the call itself was stopped, this says the same once more.
        PendingSuspension.objects.filter(pk=pending.pk).update(
            tries=pending.tries + 1, trouble=stopped.detail[:300], due_at=_after(pending.tries)
        )
        if pending.tries + 1 >= TRIES_BEFORE_NOTICE:
            _notify_admins(member, pending, stopped)
        log.warning("suspension not agreed yet", membership=member.pk, code=stopped.code, tries=pending.tries + 1)
        return False
    return True


def _notify_admins(member: Membership, pending: PendingSuspension, stopped: FinanceError) -> None:
    """Once for each suspension that goes on failing: until somebody sees to it, cards and all go on working there."""
    roles = operations.SUSPEND_EMPLOYEE.roles
    others = Membership.objects.filter(business=pending.business, is_active=True, role__in=roles).exclude(pk=member.pk)
    message = (
        f"{member.user} was suspended by the identity provider and can no longer enter, but the finance service is not known "
        f"to have suspended them: {stopped.detail} Their cards may still work."
    )
    with transaction.atomic():
        notify(list(others.select_related("user")), ACCESS, message, key=f"scim-pending:{pending.pk}")


def _agreed(pending: PendingSuspension) -> None:
    with transaction.atomic():
        # From now on the service says when they come in again.
        Membership.objects.filter(pk=pending.membership_id).update(kept_out_since=None)
        PendingSuspension.objects.filter(pk=pending.pk).delete()


def _new_key() -> str:
    return f"scim-{secrets.token_hex(12)}"


def _after(tries: int) -> datetime:
    pause: timedelta = min(FIRST_PAUSE * 2 ** min(tries, 10), LONGEST_PAUSE)
    return timezone.now() + pause
