"""Packs as an actor may see them: whoever may read the audit, those of the business."""

from __future__ import annotations

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.evidence.models import EvidencePack
from dashboard.operations_pages import AUDIT_LOG


def visible_packs(actor: Actor) -> QuerySet[EvidencePack]:
    """All of the business without their files, the newest first; none for a role that may not read the audit."""
    rows = EvidencePack.objects.filter(business=actor.business).select_related("membership__user").defer("content")
    return rows.order_by("-created_at") if can_open(actor, AUDIT_LOG) else rows.none()
