"""What can be done with webhook endpoints."""

from django.db import connection
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.events.audit import record_audit
from service.webhooks import addresses, serializers
from service.webhooks.models import Delivery, WebhookEndpoint
from service.webhooks.schemas import NewEndpoint
from service.webhooks.selectors import endpoints, get_endpoint
from service.webhooks.signatures import ROTATION_OVERLAP, new_endpoint, new_secret, seal

MOST_ENDPOINTS = 20


def create(caller: Caller, new: NewEndpoint) -> tuple[WebhookEndpoint, str]:
    """A new endpoint and its secret; 422 for an address that may not be sent to, 422 limit_exceeded past 20."""
    try:
        addresses.check(new.url)
    except addresses.Forbidden as verdict:
        raise errors.validation_failed("url", str(verdict), "forbidden_address") from None
    if endpoints(caller).count() >= MOST_ENDPOINTS:
        raise errors.limit_exceeded(f"A business has at most {MOST_ENDPOINTS} endpoints.")
    secret = new_secret()
    row = new_endpoint(caller.business, new.url, secret, new.kinds)
    row.save(force_insert=True)
    record_audit(caller, "webhook_endpoint.create", "webhook_endpoint", row.id, after=serializers.endpoint(row))
    return row, secret


def delete(caller: Caller, endpoint_id: str) -> None:
    """Removes an endpoint with its waiting deliveries."""
    row = get_endpoint(caller, endpoint_id)
    record_audit(caller, "webhook_endpoint.delete", "webhook_endpoint", row.id, before=serializers.endpoint(row))
    row.delete()


def rotate_secret(caller: Caller, endpoint_id: str) -> tuple[WebhookEndpoint, str]:
    """A new secret; for a day deliveries carry a signature by each of the two."""
    row = get_endpoint(caller, endpoint_id)
    secret = new_secret()
    row.previous_secret, row.previous_secret_until = bytes(row.secret), timezone.now() + ROTATION_OVERLAP
    row.secret = seal(secret)
    row.save()
    record_audit(caller, "webhook_endpoint.rotate_secret", "webhook_endpoint", row.id)
    return row, secret


def replay(caller: Caller, endpoint_id: str, after: int) -> int:
    """Sends every event after a sequence again, and turns a disabled endpoint on; how many are queued."""
    row = get_endpoint(caller, endpoint_id)
    row.status, row.disabled_reason, row.failing_since = WebhookEndpoint.Status.ACTIVE, "", None
    row.save()
    with connection.cursor() as cursor:
        cursor.execute(
            """
            insert into webhooks_delivery (endpoint_id, event_id, status, attempts, due_at, last_error)
            select %s, id, %s, 0, now(), '' from events_event where business_id = %s and sequence > %s
            order by sequence
            on conflict (endpoint_id, event_id) do update set status = excluded.status, attempts = 0, due_at = now()
            """,
            [row.id, Delivery.Status.PENDING, caller.business.id, after],
        )
        queued: int = cursor.rowcount
    record_audit(
        caller, "webhook_endpoint.replay", "webhook_endpoint", row.id, after={"after": after, "queued": queued}
    )
    return queued
