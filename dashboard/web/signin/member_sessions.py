"""Where a person is signed in to this dashboard: the sessions that have entered the actor's business, and ending one."""

from dataclasses import dataclass
from datetime import UTC, datetime

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from dashboard import operations, operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.access.models import Membership
from dashboard.access.sessions import end_session
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.errors import NotAllowed
from dashboard.mirror.models import Employee
from dashboard.notifications.devices import browser_text
from dashboard.web.signin.middleware import ENTERED
from dashboard.web.signin.sessions import LAST_SEEN, STARTED


@dataclass(frozen=True, slots=True)
class MemberSession:
    """A session: the browser in words, the address it was signed in from, since when, and when somebody was last there,
    None where that is not known, or could have been at another business."""

    row: UserSession
    device: str
    ip: str
    since: datetime
    last_seen: datetime | None


def may_end_sessions(actor: Actor, employee: Employee) -> bool:
    """Whether the actor sees and ends the sessions of somebody: whoever could suspend them, which ends all of them."""
    is_open = can_open(actor, operations_pages.MEMBER_SESSIONS)
    return bool(is_open) and bool(can(actor, operations.SUSPEND_EMPLOYEE, employee))


def sessions_of(actor: Actor, employee: Employee) -> list[MemberSession]:
    """The sessions in which the employee has entered the actor's business and that have not ended, the newest first."""
    business = actor.business
    members = Membership.objects.filter(business=business, employee_id=employee.remote_id, is_active=True)
    user_id = members.values_list("user_id", flat=True).first()
    rows = list(UserSession.objects.filter(user_id=user_id).order_by("-created_at", "-pk")) if user_id else []
    keys = [row.session_key for row in rows]
    open_rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()) if keys else []
    stored = {session.session_key: session.get_decoded() for session in open_rows}
    return [
        _session(row, stored[row.session_key], business.slug)
        for row in rows
        if row.session_key in stored and _is_in(stored[row.session_key], business.slug)
    ]


def end_member_session(actor: Actor, employee: Employee, session_id: int) -> str:
    """Signs somebody out of one session, at once; audited. Answers the browser in words, "" where there is no such session
    any more. NotAllowed for who may not, which is audited, too."""
    page = operations_pages.MEMBER_SESSIONS
    if not may_end_sessions(actor, employee):
        reason = "Sessions are ended by an admin, and one's own on one's own account page."
        record_denial(actor, page, employee, reason=reason, sentence=f"tried to end a session of {employee.name}")
        raise NotAllowed(reason, code="not_self")
    with transaction.atomic():
        sessions = {session.row.pk: session for session in sessions_of(actor, employee)}
        session = sessions.get(session_id)
        if session is None:
            return ""
        end_session(session.row)
        record(actor, page, employee, Outcome.DONE, sentence=f"ended a session of {employee.name}: {session.device}")
    return session.device


def _is_in(data: dict[str, object], slug: str) -> bool:
    """Whether a session has entered the business, and has neither been idle nor lasted for too long."""
    entered, now = data.get(ENTERED), timezone.now().timestamp()
    seen, started = _number(data.get(LAST_SEEN)), _number(data.get(STARTED))
    is_idle = seen is not None and now - seen >= settings.SESSION_IDLE_SECONDS
    is_old = started is not None and now - started >= settings.SESSION_ABSOLUTE_SECONDS
    return isinstance(entered, dict) and slug in entered and not is_idle and not is_old


def _session(row: UserSession, data: dict[str, object], slug: str) -> MemberSession:
    # A session notes when somebody was last there, not where: of one that has entered other businesses, too, it is not ours
    # to say.
    entered = data.get(ENTERED)
    is_ours_alone = isinstance(entered, dict) and set(entered) == {slug}
    seen = _number(data.get(LAST_SEEN)) if is_ours_alone else None
    last_seen = datetime.fromtimestamp(seen, UTC) if seen is not None else None
    return MemberSession(row, browser_text(row.user_agent), str(row.ip), row.created_at, last_seen)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
