"""Lines of the audit trail as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from typing import TypedDict

from service.events.models import AuditEvent
from service.respond import JsonObject


class AuditEventShape(TypedDict):
    """An audit event as the interface shows it."""

    _id: str
    at: datetime
    actor: str
    acting_employee: str | None
    action: str
    resource_type: str
    resource_id: str
    before: JsonObject | None
    after: JsonObject | None
    request_id: str


def audit_event(row: AuditEvent) -> AuditEventShape:
    """An audit event as the interface shows it."""
    return {
        "_id": row.id,
        "at": row.created_at,
        "actor": row.actor,
        "acting_employee": row.acting_employee_id,
        "action": row.action,
        "resource_type": row.resource_type,
        "resource_id": row.resource_id,
        "before": row.before,
        "after": row.after,
        "request_id": row.request_id,
    }
