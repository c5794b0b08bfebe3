"""The key of a form after a refusal: a service keeps a refusal under its key, so what is corrected goes under the next."""

from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.client.outbox import IN_DOUBT, OutboundOperation, OutboundState
from dashboard.errors import AlreadyDone, FinanceError, Unknown

# Refusals that a service does not keep: the same key again is judged anew (decisions B.2).
UNSTORED_STATUSES = frozenset({401, 403, 429})
# Something else was done under the key, perhaps with success: that this is another request stays refused.
REUSED = "idempotency_key_reused"
# Our own word for a doubt that asking under the key can end no more.
KEY_TOO_OLD = "key_too_old"


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
    rows = OutboundOperation.objects.filter(Q(key=key) | Q(key__startswith=f"{key}."), business_id=business_id)
    return rows.filter(state__in=(*IN_DOUBT, OutboundState.CONFIRMED)).exists()


def in_view_of(before: OutboundState | None, error: FinanceError) -> FinanceError:
    """What stands in the way of a call says nothing of what was sent under the same key before: that stays as it was."""
    if before is OutboundState.CONFIRMED:
        if isinstance(error, AlreadyDone):
            return error
        return AlreadyDone(code="already_done", request_id=error.request_id, refusal=error)
    in_doubt = before in IN_DOUBT and not isinstance(error, Unknown)
    return Unknown(refusal=error) if in_doubt else error


def state_of_form(business_id: int, membership_id: int | None, form_key: str, form_path: str) -> OutboundState | None:
    """How a person's form, by its key and the path it is posted to, ended by the outbox: CONFIRMED where it was done,
    UNKNOWN where it may have been done, None where it certainly was not.

    Of a form that was corrected after a refusal the last call counts, but whatever is in doubt comes first.
    """
    if not form_key or membership_id is None:
        return None
    calls = OutboundOperation.objects.filter(
        business_id=business_id, membership_id=membership_id, form_key=form_key, form_path=form_path
    ).order_by("-pk")
    states = [OutboundState(state) for state in calls.values_list("state", flat=True)]
    if any(state in IN_DOUBT for state in states):
        return OutboundState.UNKNOWN
    return OutboundState.CONFIRMED if states[:1] == [OutboundState.CONFIRMED] else None
