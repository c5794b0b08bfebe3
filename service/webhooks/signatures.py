"""Webhook secrets and signatures, by Standard Webhooks (decisions B.6).

A secret must be readable to sign with, so it is kept encrypted under a key derived from SERVICE_SECRET_KEY.
"""

import base64
import hashlib
import secrets
from datetime import datetime, timedelta
from functools import cache

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils import timezone
from standardwebhooks.webhooks import Webhook

from service.businesses.models import Business
from service.webhooks.models import WebhookEndpoint

SECRET_PREFIX = "whsec_"  # noqa: S105  a prefix, no secret
ROTATION_OVERLAP = timedelta(hours=24)


def _key(secret: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"webhooks:" + secret.encode()).digest()))


@cache
def _box() -> MultiFernet:
    keys = [settings.SECRET_KEY, *map(str, settings.SECRET_KEY_FALLBACKS)]
    return MultiFernet([_key(secret_key) for secret_key in keys])


def seal(secret: str) -> bytes:
    """The form a webhook secret is stored in."""
    return _box().encrypt(secret.encode())


def unseal(sealed: bytes | memoryview) -> str:
    """The secret of an endpoint again, as it was before it was sealed."""
    return _box().decrypt(bytes(sealed)).decode()


def new_secret() -> str:
    """A signing secret of 256 random bits."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def new_endpoint(business: Business, url: str, secret: str, kinds: list[str] | None = None) -> WebhookEndpoint:
    """An endpoint not saved yet that signs with this secret."""
    return WebhookEndpoint(business=business, url=url, kinds=kinds or [], secret=seal(secret))


def signature(endpoint: WebhookEndpoint, message_id: str, at: datetime, body: str) -> str:
    """The webhook-signature header: one signature, or two while the secret is being rotated."""
    sealed = [endpoint.secret]
    if endpoint.previous_secret and endpoint.previous_secret_until and endpoint.previous_secret_until > timezone.now():
        sealed.append(endpoint.previous_secret)
    return " ".join(Webhook(unseal(sealed_secret)).sign(message_id, at, body) for sealed_secret in sealed)
