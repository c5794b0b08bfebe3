"""The devices that show push notifications: switched on in a browser, listed, removed, and ended with the sign-in.

A device is a browser and a person in one business. Signing out in the browser ends it, so do a sign-out everywhere, and
somebody else who signs in there. A session that ends by itself does not: push notifications are for who is away.
"""

import hashlib
import json
import re
import secrets
from dataclasses import asdict, dataclass
from typing import Any

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.secrets import reseal, seal, unseal
from dashboard.notifications.models import PushDevice
from dashboard.notifications.waiting import begin_or_compare

# Names the browser, for no other purpose than to end its devices: never a sign-in.
BROWSER_COOKIE = "countersign_browser"
BROWSER_COOKIE_S = 400 * 24 * 3600
MOST_DEVICES = 10
BROWSER_ID = re.compile(r"[A-Za-z0-9_-]{43}")
# The first that fits; a browser that calls itself by several names stands before those that it names.
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "Mac"), ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)  # fmt: skip


@dataclass(frozen=True)
class PushSubscription:
    """What a browser's push service gave it: where messages go, and the two keys they are encrypted with, in base64url."""

    endpoint: str
    p256dh: str
    auth: str


def new_browser_id() -> str:
    """A name for a browser that has none yet."""
    return secrets.token_urlsafe(32)


def browser_id_of(request: HttpRequest) -> str:
    """The name that the request's browser has; "" where it has none."""
    value = request.COOKIES.get(BROWSER_COOKIE, "")
    return value if BROWSER_ID.fullmatch(value) else ""


def hash_of(text: str) -> str:
    """What stands in the database in place of a browser's name or of an endpoint."""
    return hashlib.sha256(text.encode()).hexdigest()


def own_devices(actor: Actor) -> QuerySet[PushDevice]:
    """The devices on which this person has switched push notifications on in this business, the newest first."""
    return PushDevice.objects.filter(membership_id=actor.member_id).order_by("-added_at")


@transaction.atomic
def add_device(
    actor: Actor, push_subscription: PushSubscription, host: str, *, browser_id: str, user_agent: str
) -> PushDevice | None:
    """Switches push notifications on for this person in a browser; None where they have MOST_DEVICES already.

    The endpoint was checked (push_address.py) and has this `host`. Whoever had the endpoint before, on the same browser,
    has it no more.
    """
    endpoint_hash = hash_of(push_subscription.endpoint)
    member = (
        Membership.objects.select_for_update(no_key=True, of=("self",))
        .select_related("business", "user")
        .get(pk=actor.member_id)
    )
    PushDevice.objects.filter(endpoint_hash=endpoint_hash).exclude(membership__user_id=member.user_id).delete()
    others = own_devices(actor).exclude(endpoint_hash=endpoint_hash)
    # A browser has one subscription: with another endpoint it is the same device.
    others.filter(browser_hash=hash_of(browser_id)).delete()
    if others.count() >= MOST_DEVICES:
        return None
    values = {
        "session": UserSession.objects.filter(session_key=actor.session_key).first(),
        "browser_hash": hash_of(browser_id),
        "subscription_sealed": seal(json.dumps(asdict(push_subscription))),
        "host": host,
        "label": browser_text(user_agent),
    }
    device, _ = PushDevice.objects.update_or_create(membership=member, endpoint_hash=endpoint_hash, defaults=values)
    # What waits already is in the inbox: from now on they are told of what comes.
    begin_or_compare(member)
    return device


def subscription_of(device: PushDevice) -> PushSubscription:
    """The subscription of a device; SecretUnreadable where no key opens it."""
    return PushSubscription(**json.loads(unseal(device.subscription_sealed)))


def browser_text(user_agent: str) -> str:
    """A browser as its person knows it: "Chrome on Android"."""
    browser = next((name for product, name in BROWSERS if product in user_agent), "A browser")
    system = next((name for platform, name in SYSTEMS if platform in user_agent), "")
    return f"{browser} on {system}" if system else browser


def reseal_subscriptions() -> int:
    """Seals every subscription again under the first of ENCRYPTION_KEYS; how many."""
    devices = list(PushDevice.objects.select_for_update(no_key=True))
    for device in devices:
        device.subscription_sealed = reseal(device.subscription_sealed)
        device.save(update_fields=["subscription_sealed"])
    return len(devices)


# ── The end of a sign-in ──────────────────────────────────────────────────────────────────────────────────────────


def end_with_sign_out(sender: Any, request: HttpRequest | None, user: Any, **extra: Any) -> None:
    """Somebody has signed out in a browser: it shows them nothing from then on."""
    browser_id = browser_id_of(request) if request is not None else ""
    if user is not None and browser_id:
        PushDevice.objects.filter(browser_hash=hash_of(browser_id), membership__user_id=user.pk).delete()


def follow_sign_in(sender: Any, request: HttpRequest | None, user: Any, **extra: Any) -> None:
    """Somebody has signed in in a browser: their devices there belong to the new session, and anybody else's end."""
    browser_id = browser_id_of(request) if request is not None else ""
    if request is None or not browser_id:
        return
    devices = PushDevice.objects.filter(browser_hash=hash_of(browser_id))
    devices.exclude(membership__user_id=user.pk).delete()
    devices.update(session=UserSession.objects.filter(session_key=request.session.session_key or "").first())


def end_with_sessions(sender: Any, user_id: int, but: str, **extra: Any) -> None:
    """Somebody was signed out everywhere but in the session with the key `but`: so are their devices."""
    left = Q(session__session_key=but) if but else Q(pk__in=[])
    PushDevice.objects.filter(membership__user_id=user_id).exclude(left).delete()


def end_with_session(sender: Any, session: UserSession, **extra: Any) -> None:
    """Somebody is signed out of one session: what it shows ends with it."""
    PushDevice.objects.filter(session=session, membership__user_id=session.user_id).delete()
