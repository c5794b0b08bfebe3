"""What the audit knows: all lines of a business, and all of one item with the seals that prove them."""

from typing import Any

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry, AuditSeal

EVIDENCED = ("at", "actor_name", "role", "operation", "outcome", "sentence", "reason", "before", "after", "request_id")


def entries_of(actor: Actor) -> QuerySet[AuditEntry]:
    """All lines of the actor's business."""
    return AuditEntry.objects.filter(chain=actor.business.pk)


def evidence_of(actor: Actor, kind: str, remote_id: str) -> list[dict[str, Any]]:
    """All lines about one item, the oldest first: "line" (its number), what EVIDENCED names, and "seal" (number, hash and
    sealed_at; None while it has none). Empty where the audit knows nothing of it."""
    entries = entries_of(actor).filter(object_type=kind, object_id=remote_id)
    seals = {seal.entry_id: seal for seal in AuditSeal.objects.filter(entry__in=entries)}
    return [
        {"line": entry.pk, **{name: getattr(entry, name) for name in EVIDENCED}, "seal": _seal(seals.get(entry.pk))}
        for entry in entries.order_by("id")
    ]


def _seal(seal: AuditSeal | None) -> dict[str, object] | None:
    return None if seal is None else {"number": seal.number, "hash": seal.hash, "sealed_at": seal.sealed_at}
