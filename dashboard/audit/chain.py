"""The hash chain: each seal's hash covers one line and the hash before it, so that no line changes unseen."""

import hashlib
import json
from datetime import UTC

from dashboard.audit.models import AuditEntry

FIRST = "0" * 64
COVERED = (
    "id",
    "chain",
    "user_id",
    "actor_name",
    "role",
    "employee_id",
    "operation",
    "outcome",
    "sentence",
    "object_type",
    "object_id",
    "object_title",
    "own_item",
    "reason",
    "before",
    "after",
    "request_id",
)


def canonical(entry: AuditEntry) -> bytes:
    """A line as the bytes that are hashed: every field, in one order, in one spelling."""
    fields = {name: getattr(entry, name) for name in COVERED}
    fields["at"] = entry.at.astimezone(UTC).isoformat(timespec="microseconds")
    fields["decision_id"] = str(entry.decision_id) if entry.decision_id else None
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def link(before: str, number: int, entry: AuditEntry) -> str:
    """The hash of a link as hex: over the hash before it, its number and its line."""
    return hashlib.sha256(f"{before}\n{number}\n".encode() + canonical(entry)).hexdigest()
