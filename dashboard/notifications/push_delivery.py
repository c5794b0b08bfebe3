"""Push messages as they leave: encrypted for the device (RFC 8291), signed with our key (RFC 8292), to the address that was
checked and to no other.

A device that has gone (404, 410) is removed. What a push service cannot take now is tried again, later each time.
"""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import structlog
import urllib3
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from py_vapid import Vapid02, VapidException

from dashboard.access.secrets import SecretUnreadable
from dashboard.inputs import LARGEST_MINOR, whole_number
from dashboard.notifications.devices import PushSubscription, subscription_of
from dashboard.notifications.models import PushDelivery, PushDevice
from dashboard.notifications.push_address import PushAddressRefused, PushTarget, check_endpoint
from dashboard.notifications.push_messages import STALE, is_still_meant

log = structlog.get_logger(__name__)

AT_ONCE = 100
PARALLEL = 8
CONNECT_S, ANSWER_S = 5, 10
LEASE = timedelta(seconds=120)
# Seconds from one try to the next; after the last nobody tries any more.
BACKOFF_S = (30, 120, 600, 1800, 3600)
LONGEST_RETRY_AFTER_S = 3600
GONE = frozenset({404, 410})
# The subscription was made with another key than ours: no message will ever reach it.
FOREIGN_KEY = 403
RETRIED = frozenset({0, 408, 425, 429})


@dataclass(frozen=True, slots=True)
class PushReply:
    """What a push service answered: an HTTP status (0 and `error` where there was none), and after how many seconds it
    wants to be tried again (0 where it says nothing)."""

    status: int
    error: str = ""
    retry_after_s: int = 0

    @property
    def is_accepted(self) -> bool:
        """Whether the push service took the message: its status says so."""
        return 200 <= self.status < 300

    @property
    def is_retried(self) -> bool:
        """Whether the same message is sent again later, by the status of the answer."""
        return self.status in RETRIED or self.status >= 500


def deliver_due() -> int:
    """Sends what is due to devices, several at a time; how many messages a push service has accepted."""
    deliveries = [delivery for delivery in _claim() if _check_meant(delivery)]
    with ThreadPoolExecutor(max_workers=PARALLEL) as pool:
        # Nothing in a thread touches the database.
        replies = list(pool.map(_post, [_envelope(delivery) for delivery in deliveries]))
    for delivery, reply in zip(deliveries, replies, strict=True):
        _settle(delivery, reply)
    return sum(reply.is_accepted for reply in replies)


def _claim() -> list[PushDelivery]:
    """Takes due deliveries for LEASE: a worker that dies gives them back by letting the time pass."""
    now = timezone.now()
    with transaction.atomic():
        due = PushDelivery.objects.select_for_update(no_key=True, skip_locked=True).filter(due_at__lte=now)
        ids = list(due.order_by("due_at").values_list("pk", flat=True)[:AT_ONCE])
        PushDelivery.objects.filter(pk__in=ids).update(due_at=now + LEASE, tries=F("tries") + 1)
    rows = PushDelivery.objects.filter(pk__in=ids)
    return list(rows.select_related("device", "message__membership__business", "message__membership__user"))


def _check_meant(delivery: PushDelivery) -> bool:
    """Whether it is still to be sent; where it is not, nobody tries again."""
    is_fresh = timezone.now() - delivery.message.composed_at < STALE
    if is_fresh and is_still_meant(delivery.message):
        return True
    delivery.delete()
    return False


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message for one device: its subscription (None where no key opens it), and the text that is encrypted."""

    subscription: PushSubscription | None
    text: str


def _envelope(delivery: PushDelivery) -> Envelope:
    message = delivery.message
    try:
        subscription = subscription_of(delivery.device)
    except SecretUnreadable:
        subscription = None
    return Envelope(subscription, json.dumps({"text": message.text, "path": message.path}))


def _post(envelope: Envelope) -> PushReply:
    """Sends one message; redirects are failures, and of the answer no more than its head is read."""
    # With an HTTP client of its own, which no process should carry that pushes nothing.
    from pywebpush import WebPushException

    if envelope.subscription is None:
        return PushReply(FOREIGN_KEY, "unreadable subscription")
    endpoint = envelope.subscription.endpoint
    try:
        target = check_endpoint(endpoint)
        body, headers = _encrypted(envelope.subscription, envelope.text), _headers(endpoint, target)
        response = _pool(target).request("POST", target.path, body=body, headers=headers, preload_content=False)
    except (PushAddressRefused, WebPushException, VapidException, ValueError) as error:
        return PushReply(400, type(error).__name__)
    except (urllib3.exceptions.HTTPError, OSError) as error:
        return PushReply(0, type(error).__name__)
    response.close()
    after = response.headers.get("Retry-After", "")
    return PushReply(response.status, "", min(whole_number(after, LARGEST_MINOR) or 0, LONGEST_RETRY_AFTER_S))


def _encrypted(push_subscription: PushSubscription, text: str) -> bytes:
    keys = {"p256dh": push_subscription.p256dh, "auth": push_subscription.auth}
    from pywebpush import WebPusher

    pusher = WebPusher({"endpoint": push_subscription.endpoint, "keys": keys})
    body: bytes = pusher.encode(text.encode())["body"]
    return body


def _headers(endpoint: str, push_target: PushTarget) -> dict[str, str]:
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": settings.VAPID_CONTACT,
        "exp": int(timezone.now().timestamp()) + 12 * 3600,
    }
    signed: dict[str, str] = Vapid02.from_string(settings.VAPID_PRIVATE_KEY).sign(claims)
    usual = push_target.port == (443 if push_target.is_secure else 80)
    return signed | {
        "Host": push_target.host if usual else f"{push_target.host}:{push_target.port}",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(STALE.total_seconds())),
        "Urgency": "normal",
        "User-Agent": "countersign",
    }


def _pool(push_target: PushTarget) -> urllib3.HTTPConnectionPool:
    options: dict[str, Any] = {
        "timeout": urllib3.Timeout(connect=CONNECT_S, read=ANSWER_S), "retries": False, "maxsize": 1,
    }  # fmt: skip
    if push_target.is_secure:
        options |= {"server_hostname": push_target.host, "assert_hostname": push_target.host}
        return urllib3.HTTPSConnectionPool(push_target.address, push_target.port, **options)
    return urllib3.HTTPConnectionPool(push_target.address, push_target.port, **options)


def _settle(delivery: PushDelivery, push_reply: PushReply) -> None:
    if push_reply.is_accepted:
        PushDevice.objects.filter(pk=delivery.device_id).update(sent_at=timezone.now())
        delivery.delete()
        return
    log.warning("push not accepted", host=delivery.device.host, status=push_reply.status, error=push_reply.error)
    if push_reply.status in GONE or push_reply.status == FOREIGN_KEY:
        delivery.device.delete()
    elif push_reply.is_retried and delivery.tries <= len(BACKOFF_S):
        wait = BACKOFF_S[delivery.tries - 1] * random.uniform(1, 1.25)  # noqa: S311 - so that not all come at once
        due_at = timezone.now() + timedelta(seconds=max(wait, push_reply.retry_after_s))
        PushDelivery.objects.filter(pk=delivery.pk).update(due_at=due_at)
    else:
        delivery.delete()
