"""Lines of the audit trail as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service.events.models import AuditEvent


def audit_event(row: AuditEvent) -> dict[str, Any]:
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
