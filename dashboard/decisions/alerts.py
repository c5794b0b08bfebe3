"""A decision that stays unknown too long is put before a person: its owner sees it, and it is logged for whoever is on call."""

from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.decisions.models import Alert, Decision, DecisionState
from dashboard.decisions.registry import DECIDED
from dashboard.operations_pages import AUDIT_LOG

log = structlog.get_logger(__name__)

OLD_AFTER = timedelta(minutes=5)


def raise_alerts() -> int:
    """Opens an alert for every decision that has been unknown for five minutes and has none; how many were opened."""
    old = Decision.objects.filter(unknown_since__lt=timezone.now() - OLD_AFTER, alerted_at__isnull=True).filter(
        Q(state=DecisionState.UNKNOWN) | Q(state=DecisionState.SENDING)
    )
    opened = 0
    for decision in old.select_related("membership__user")[:100]:
        with transaction.atomic():
            mine = Decision.objects.filter(pk=decision.pk, alerted_at__isnull=True).update(alerted_at=timezone.now())
            if not mine:
                continue
            Alert.objects.get_or_create(
                decision=decision,
                defaults={
                    "business_id": decision.business_id,
                    "membership_id": decision.membership_id,
                    "sentence": _sentence(decision),
                },
            )
        opened += 1
        log.error("decision unknown for long", decision_id=str(decision.pk), since=str(decision.unknown_since))
    return opened


def _sentence(decision: Decision) -> str:
    did = DECIDED[decision.operation].sentence(decision.title)
    return f"It is not known yet whether this was done: {decision.membership.user} {did}."[:500]


def close_alert(decision: Decision) -> None:
    """Closes the alert of a decision that is settled, where there is one."""
    Alert.objects.filter(decision=decision, closed_at__isnull=True).update(closed_at=timezone.now())


def open_alerts(actor: Actor) -> QuerySet[Alert]:
    """What the actor should look at: their own, and for finance everybody's of the business; the oldest first."""
    alerts = Alert.objects.filter(business=actor.business, closed_at__isnull=True).select_related("decision")
    if not can_open(actor, AUDIT_LOG):
        alerts = alerts.filter(membership_id=actor.member_id)
    return alerts.order_by("opened_at")
