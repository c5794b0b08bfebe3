"""Sends waiting events to their endpoints, on the schedule of decisions B.6."""

import logging
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import urllib3
from django.db import close_old_connections, connection, transaction
from django.utils import timezone

from service.auth import system_caller
from service.events import audit
from service.events.outbox import EnvelopeShape, envelope
from service.inputs import LARGEST, whole_number
from service.respond import to_json
from service.webhooks import addresses
from service.webhooks.models import Delivery, WebhookEndpoint
from service.webhooks.signatures import signature
from telemetry import tracing

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 15
LEASE = timedelta(seconds=60)
PARALLEL = 8
BATCH = 200
DISABLE_AFTER = timedelta(days=5)
# Seconds from one attempt to the next: about 3 days and 3.5 hours in all.
SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
SLOW_DOWN = {429, 502, 504}


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an endpoint answered: an HTTP status, or 0 and why there was none."""

    status: int
    error: str = ""
    retry_after_s: int = 0

    @property
    def accepted(self) -> bool:
        """Whether the receiver took the delivery: it answered 2xx."""
        return 200 <= self.status < 300


def deliver_due(limit: int = BATCH) -> int:
    """Sends up to `limit` due deliveries, oldest event first, endpoints in parallel; how many were tried."""
    claimed = _claim(limit)
    by_endpoint: dict[str, list[int]] = {}
    for delivery_id, endpoint_id in claimed:
        by_endpoint.setdefault(endpoint_id, []).append(delivery_id)
    if not by_endpoint:
        return 0
    with ThreadPoolExecutor(max_workers=min(PARALLEL, len(by_endpoint))) as pool:
        list(pool.map(tracing.in_this_trace(_send_in_order), by_endpoint.values()))
    return len(claimed)


def has_due() -> bool:
    """Whether a delivery to an endpoint that is on is due."""
    due = Delivery.objects.filter(status=Delivery.Status.PENDING, due_at__lte=timezone.now())
    return due.filter(endpoint__status=WebhookEndpoint.Status.ACTIVE).exists()


def _claim(limit: int) -> list[tuple[int, str]]:
    """Takes due deliveries for a minute: a worker that dies gives them back by letting the time pass."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            update webhooks_delivery set due_at = now() + make_interval(secs => %s)
            where id in (
                select delivery.id from webhooks_delivery delivery
                join webhooks_webhookendpoint endpoint on endpoint.id = delivery.endpoint_id
                where delivery.status = 'PENDING' and delivery.due_at <= now() and endpoint.status = 'ACTIVE'
                order by delivery.id limit %s for update of delivery skip locked
            )
            returning id, endpoint_id
            """,
            [LEASE.total_seconds(), limit],
        )
        return sorted(cursor.fetchall())


def _send_in_order(deliveries: list[int]) -> None:
    """One endpoint's deliveries, in order; after a failure the rest go back to wait for their next turn."""
    close_old_connections()
    try:
        for position, delivery_id in enumerate(deliveries):
            if not send(delivery_id):
                Delivery.objects.filter(id__in=deliveries[position + 1 :], status=Delivery.Status.PENDING).update(
                    due_at=timezone.now() + timedelta(seconds=5)
                )
                return
    except Exception:
        log.exception("webhook delivery failed on our side")
    finally:
        connection.close()


def send(delivery_id: int) -> bool:
    """Makes one attempt and writes down how it went; whether it was taken."""
    delivery = Delivery.objects.select_related("endpoint__business", "event").get(id=delivery_id)
    attempt = post(delivery.endpoint, delivery.event.id, envelope(delivery.event))
    _settle(delivery, attempt)
    return attempt.accepted


def post(endpoint: WebhookEndpoint, message_id: str, message: EnvelopeShape) -> Attempt:
    """Posts a signed message; redirects are failures, and the connection goes to the address that was checked."""
    body = to_json(message)
    now = timezone.now()
    try:
        target = addresses.check(endpoint.url)
        response = _pool(target).request(
            "POST",
            _path(endpoint.url),
            body=body,
            headers={
                "Host": target.host if target.port in (80, 443) else f"{target.host}:{target.port}",
                "Content-Type": "application/json",
                "User-Agent": "business-finance-service/2.0 (webhooks)",
                "webhook-id": message_id,
                "webhook-timestamp": str(int(now.timestamp())),
                "webhook-signature": signature(endpoint, message_id, now, body.decode()),
            },
        )
    except addresses.Forbidden as verdict:
        return Attempt(0, str(verdict))
    except urllib3.exceptions.HTTPError as trouble:
        return Attempt(0, type(trouble).__name__)
    after = response.headers.get("Retry-After", "")
    return Attempt(response.status, "", min(whole_number(after, LARGEST) or 0, 86_400))


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _pool(delivery_target: addresses.Target) -> urllib3.HTTPConnectionPool:
    options: dict[str, Any] = {
        "timeout": urllib3.Timeout(connect=5, read=TIMEOUT_SECONDS),
        "retries": False,
        "maxsize": 1,
    }
    if delivery_target.secure:
        return urllib3.HTTPSConnectionPool(
            delivery_target.address,
            delivery_target.port,
            server_hostname=delivery_target.host,
            assert_hostname=delivery_target.host,
            **options,
        )
    return urllib3.HTTPConnectionPool(delivery_target.address, delivery_target.port, **options)


def _settle(delivery: Delivery, attempt: Attempt) -> None:
    now = timezone.now()
    delivery.attempts += 1
    delivery.last_status = attempt.status or None
    delivery.last_error = attempt.error
    if attempt.accepted:
        delivery.status, delivery.delivered_at = Delivery.Status.DELIVERED, now
        WebhookEndpoint.objects.filter(id=delivery.endpoint_id, failing_since__isnull=False).update(failing_since=None)
    else:
        _after_failure(delivery, attempt, now)
    delivery.save(update_fields=["attempts", "last_status", "last_error", "status", "delivered_at", "due_at"])


def _after_failure(delivery: Delivery, attempt: Attempt, now: datetime) -> None:
    wait = next_wait(delivery.attempts, attempt)
    if attempt.status == 410:
        delivery.status = Delivery.Status.DEAD
        _disable(delivery.endpoint, "The endpoint answered 410 Gone.")
    elif wait is None:
        delivery.status = Delivery.Status.DEAD
        _notice(delivery.endpoint, "webhook.give_up", {"event": delivery.event_id, "attempts": delivery.attempts})
    else:
        delivery.due_at = now + wait
    WebhookEndpoint.objects.filter(id=delivery.endpoint_id, failing_since__isnull=True).update(failing_since=now)
    if WebhookEndpoint.objects.filter(id=delivery.endpoint_id, failing_since__lt=now - DISABLE_AFTER).exists():
        _disable(delivery.endpoint, "Nothing could be delivered for five days.")


def next_wait(attempts: int, attempt: Attempt) -> timedelta | None:
    """How long until the next attempt, after so many; None when there is none left."""
    if attempts > len(SCHEDULE):
        return None
    seconds = SCHEDULE[attempts - 1] * random.uniform(1, 1.1)  # noqa: S311  spreads retries, guards nothing
    if attempt.status in SLOW_DOWN:
        seconds = max(seconds, 60)
    return timedelta(seconds=max(seconds, attempt.retry_after_s))


def _disable(endpoint: WebhookEndpoint, reason: str) -> None:
    changed = WebhookEndpoint.objects.filter(id=endpoint.id, status=WebhookEndpoint.Status.ACTIVE).update(
        status=WebhookEndpoint.Status.DISABLED, disabled_reason=reason, updated_at=timezone.now()
    )
    if changed:
        _notice(endpoint, "webhook.disable", {"reason": reason})


def _notice(endpoint: WebhookEndpoint, action: str, what: dict[str, Any]) -> None:
    """The owner reads it in the audit trail."""
    log.warning("%s: endpoint %s", action, endpoint.id)
    audit.record_audit(system_caller(endpoint.business), action, "webhook_endpoint", endpoint.id, after=what)
