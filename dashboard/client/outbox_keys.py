"""The keys under which a write is sent: the form's own, and after a refusal that the service keeps the next one."""

from django.db.models import Q, QuerySet

from dashboard.access.actor import Actor
from dashboard.client.models import IN_DOUBT, OutboundOperation, OutboundState

# Refusals that a service does not keep: the same key again is judged anew (decisions B.2).
UNSTORED_STATUSES = frozenset({401, 403, 429})
# Something else was done under the key, perhaps with success: that this is another request stays refused.
REUSED = "idempotency_key_reused"


def key_for(actor: Actor, key: str) -> str:
    """The key to send: the form's own, or after refusals the first ("<key>.1", "<key>.2" …) without a stored refusal.

    Each key is looked up by itself and none is counted: a refusal that comes late, of a click that was two, changes
    nothing for what is under way by then.
    """
    candidate, turn = key, 0
    while _is_refused(actor, candidate):
        turn += 1
        candidate = f"{key}.{turn}"
    return candidate


def _is_refused(actor: Actor, key: str) -> bool:
    rejected = OutboundOperation.objects.filter(business=actor.business, key=key, state=OutboundState.REJECTED)
    stored = rejected.filter(upstream_status__range=(400, 499)).exclude(upstream_status__in=UNSTORED_STATUSES)
    return stored.exclude(error_code=REUSED).exists()


def was_sent(business_id: int, key: str) -> bool:
    """Whether a write under this key, or one that follows it after a refusal, was done or may have been."""
    rows = _with_following(business_id, key)
    return rows.filter(state__in=(*IN_DOUBT, OutboundState.CONFIRMED)).exists()


def newest_outbound_of(business_id: int, key: str) -> OutboundOperation | None:
    """The newest outbound operation of a key or of one that follows it after a refusal (`key_for`); None where nothing was
    ever written down under any."""
    return _with_following(business_id, key).order_by("-pk").first()


def _with_following(business_id: int, key: str) -> QuerySet[OutboundOperation]:
    return OutboundOperation.objects.filter(Q(key=key) | Q(key__startswith=f"{key}."), business_id=business_id)
