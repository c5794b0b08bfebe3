"""What can be read of what happened: the event feed and the audit trail."""

from datetime import date

from django.db.models import QuerySet

from service import periods
from service.auth import Caller
from service.events.models import AuditEvent, Event


def feed(caller: Caller, after: int, limit: int) -> list[Event]:
    """Up to `limit` + 1 numbered events after a sequence, in order: the last one shows that there are more."""
    rows = Event.objects.filter(business_id=caller.business.id, sequence__gt=after).order_by("sequence")
    return list(rows[: limit + 1])


def audit_trail(
    caller: Caller, *, actor: str | None, resource: str | None, first: date | None, last: date | None
) -> QuerySet[AuditEvent]:
    """The audit events of the business that match."""
    rows = AuditEvent.objects.filter(business_id=caller.business.id)
    if actor:
        rows = rows.filter(actor=actor)
    if resource:
        kind, _, identifier = resource.partition(":")
        rows = rows.filter(resource_type=kind)
        if identifier:
            rows = rows.filter(resource_id=identifier)
    start, end = periods.between(caller.business, first, last)
    if start:
        rows = rows.filter(created_at__gte=start)
    if end:
        rows = rows.filter(created_at__lt=end)
    return rows
