"""The audit trail of the service: who did what, written in the transaction in which it was done."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from service import sql
from service.auth import Caller
from service.events.models import AuditEvent
from service.events.outbox import plain
from service.ids import object_id
from service.respond import JsonObject, to_json

INSERT = """
insert into events_auditevent (id, business_id, created_at, actor, acting_employee_id, action, resource_type,
    resource_id, before, after, request_id)
values (%s, %s, %s, %s, %s, %s, %s, %s, %s::jsonb, %s::jsonb, %s)
"""

INSERT_MANY = """
insert into events_auditevent (id, business_id, created_at, actor, acting_employee_id, action, resource_type,
    resource_id, before, after, request_id)
select id, %s, %s, %s, %s, %s, %s, resource_id, before::jsonb, after::jsonb, %s
from unnest(%s::text[], %s::text[], %s::text[], %s::text[]) line(id, resource_id, before, after)
"""


@dataclass(frozen=True, slots=True)
class AuditedChange:
    """One of many resources that an action changed: `before` and `after` hold what changed of it."""

    resource_id: str
    before: JsonObject | None = None
    after: JsonObject | None = None


def _json(data: JsonObject | None) -> str | None:
    return None if data is None else to_json(data).decode()


def record_audit(
    caller: Caller,
    action: str,
    resource_type: str,
    resource_id: str,
    before: JsonObject | None = None,
    after: JsonObject | None = None,
) -> None:
    """Records that the caller did `action` (such as "expense.approve"); `before` and `after` hold what changed."""
    sql.execute(*audit_statement(caller, action, resource_type, resource_id, before, after))


def audit_statement(
    caller: Caller,
    action: str,
    resource_type: str,
    resource_id: str,
    before: JsonObject | None = None,
    after: JsonObject | None = None,
) -> sql.SqlStatement:
    """What `record_audit` runs, for who runs it together with others."""
    # By hand: this runs in every business transaction, and the ORM would take longer to write the INSERT than to run it.
    return sql.SqlStatement(
        INSERT,
        [
            object_id(),
            caller.business.id,
            timezone.now(),
            caller.label,
            caller.employee_id,
            action,
            resource_type,
            resource_id,
            _json(before),
            _json(after),
            caller.request_id,
        ],
    )


def record_audits(caller: Caller, action: str, resource_type: str, changes: Sequence[AuditedChange]) -> None:
    """Records that the caller did `action` to each of these, in one statement."""
    sql.execute(
        INSERT_MANY,
        [
            caller.business.id,
            timezone.now(),
            caller.label,
            caller.employee_id,
            action,
            resource_type,
            caller.request_id,
            [object_id() for _ in changes],
            [change.resource_id for change in changes],
            [_json(change.before) for change in changes],
            [_json(change.after) for change in changes],
        ],
    )


def build_line(
    caller: Caller,
    action: str,
    resource_type: str,
    resource_id: str,
    before: JsonObject | None = None,
    after: JsonObject | None = None,
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
