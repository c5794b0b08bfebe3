"""The key by which push services know this installation (VAPID, RFC 8292): its two halves as browsers and settings write
them, in base64url without padding."""

import base64
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

KEY_BYTES = 32


def new_private_key() -> str:
    """A new private key: the 32 bytes of a P-256 scalar."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _written(number.to_bytes(KEY_BYTES, "big"))


def public_key() -> str:
    """The public half that a browser subscribes with (an uncompressed point); "" where the installation has no key, and so
    sends no push notifications."""
    return _public_key(settings.VAPID_PRIVATE_KEY) if settings.VAPID_PRIVATE_KEY else ""


@lru_cache(maxsize=4)
def _public_key(private_key: str) -> str:
    number = int.from_bytes(base64.urlsafe_b64decode(private_key + "=" * (-len(private_key) % 4)), "big")
    point = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    return _written(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
