"""The audit trail of the service: who did what, written in the transaction in which it was done."""

from typing import Any

from django.utils import timezone

from service.auth import Caller
from service.events.models import AuditEvent
from service.events.outbox import plain


def note(
    caller: Caller,
    action: str,
    resource_type: str,
    resource_id: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEvent:
    """Records that the caller did `action` (such as "expense.approve"); `before` and `after` hold what changed."""
    row = build(caller, action, resource_type, resource_id, before, after)
    row.save(force_insert=True)
    return row


def build(
    caller: Caller,
    action: str,
    resource_type: str,
    resource_id: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEvent:
    """An audit row not saved yet: for actions that write many at once."""
    return AuditEvent(
        business_id=caller.business.id,
        created_at=timezone.now(),
        actor=caller.label,
        acting_employee_id=caller.employee_id,
        action=action,
        resource_type=resource_type,
        resource_id=resource_id,
        before=plain(before) if before is not None else None,
        after=plain(after) if after is not None else None,
        request_id=caller.request_id,
    )
