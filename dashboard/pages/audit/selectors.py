"""What the audit knows: all lines of a business, and all of one item with the seals that prove them."""

from datetime import datetime
from typing import TypedDict

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry, AuditSeal
from dashboard.schemas.base import JsonObject


class SealShape(TypedDict):
    """The seal that proves a line."""

    number: int
    hash: str
    sealed_at: datetime


class EvidenceShape(TypedDict):
    """A line of the evidence on an item; `seal` is None while it has none."""

    line: int
    at: datetime
    actor_name: str
    role: str
    operation: str
    outcome: str
    sentence: str
    reason: str
    before: JsonObject | None
    after: JsonObject | None
    request_id: str
    seal: SealShape | None


def entries_of(actor: Actor) -> QuerySet[AuditEntry]:
    """All lines of the actor's business."""
    return AuditEntry.objects.filter(chain=actor.business.pk)


def evidence_of(actor: Actor, kind: str, remote_id: str) -> list[EvidenceShape]:
    """All lines about one item, the oldest first. Empty where the audit knows nothing of it."""
    entries = entries_of(actor).filter(object_type=kind, object_id=remote_id)
    seals = {seal.entry_id: seal for seal in AuditSeal.objects.filter(entry__in=entries)}
    return [
        {
            "line": entry.pk,
            "at": entry.at,
            "actor_name": entry.actor_name,
            "role": entry.role,
            "operation": entry.operation,
            "outcome": entry.outcome,
            "sentence": entry.sentence,
            "reason": entry.reason,
            "before": entry.before,
            "after": entry.after,
            "request_id": entry.request_id,
            "seal": _seal(seals.get(entry.pk)),
        }
        for entry in entries.order_by("id")
    ]


def _seal(seal: AuditSeal | None) -> SealShape | None:
    return None if seal is None else {"number": seal.number, "hash": seal.hash, "sealed_at": seal.sealed_at}
