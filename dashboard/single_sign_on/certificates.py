"""The certificates by one of which a SAML identity provider signs: read from what was pasted, and what each says of itself."""

import base64
import binascii
import re
import textwrap
from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from django.utils import timezone

BLOCK = re.compile(r"-----BEGIN CERTIFICATE-----(.+?)-----END CERTIFICATE-----", re.DOTALL)
# The one in use and the next one, while a provider changes its key; one more for a slow change.
MOST_CERTIFICATES = 3
SMALLEST_RSA_BITS = 2048
ENDS_SOON = timedelta(days=30)
SMALLEST_CURVE_BITS = 256
# The states of which somebody has to be told.
ENDING = frozenset({"ends soon", "has ended"})
READ_ERRORS = (ValueError, TypeError, UnsupportedAlgorithm, x509.InvalidVersion)


class CertificateRefused(ValueError):
    """This is no certificate that assertions may be checked by; the text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """What a certificate says: whose it is, its SHA-256 fingerprint in pairs of digits, and when it ends. `state` is "",
    "ends soon", "has ended" or "not valid yet"."""

    subject: str
    fingerprint: str
    ends_at: datetime
    state: str


def read_certificates(text: str, *, stored: Container[str] = frozenset()) -> tuple[str, ...]:
    """The certificates in a text, each as DER in base64: PEM, one after the other, or one in base64 alone.

    CertificateRefused for what is none, for one that has ended, and for a key that is too weak to believe. One that is
    `stored` (DER in base64) may have ended: assertions are checked by it all the same, and what is saved beside it, among
    which is that single sign-on is off, does not wait for the next one.
    """
    if "PRIVATE KEY" in text:
        raise CertificateRefused("This is a private key. Enter the certificate, and replace that key at the provider.")
    blocks = BLOCK.findall(text) or [text]
    if len(blocks) > MOST_CERTIFICATES:
        raise CertificateRefused(f"At most {MOST_CERTIFICATES} certificates.")
    certificates = [_checked(block, stored) for block in blocks]
    return tuple(dict.fromkeys(certificates))


def facts_of(certificate: str) -> CertificateFacts:
    """What a stored certificate says of itself, and how it stands now."""
    loaded, now = x509.load_der_x509_certificate(base64.b64decode(certificate)), timezone.now()
    state = ""
    if loaded.not_valid_before_utc > now:
        state = "not valid yet"
    elif loaded.not_valid_after_utc <= now:
        state = "has ended"
    elif loaded.not_valid_after_utc <= now + ENDS_SOON:
        state = "ends soon"
    fingerprint = loaded.fingerprint(hashes.SHA256()).hex(":").upper()
    return CertificateFacts(loaded.subject.rfc4514_string()[:200], fingerprint, loaded.not_valid_after_utc, state)


def pem_of(certificate: str) -> str:
    """A stored certificate as it is pasted: PEM."""
    lines = "\n".join(textwrap.wrap(certificate, 64))
    return f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----"


def _checked(block: str, stored: Container[str]) -> str:
    try:
        der = base64.b64decode("".join(block.split()), validate=True)
        certificate = x509.load_der_x509_certificate(der)
        key = certificate.public_key()
        content = base64.b64encode(certificate.public_bytes(Encoding.DER)).decode("ascii")
        # What the settings show of it: read here, since a certificate is decoded piece by piece as it is asked.
        facts = facts_of(content)
    except (*READ_ERRORS, binascii.Error):
        raise CertificateRefused("This is not an X.509 certificate (PEM).") from None
    if isinstance(key, RSAPublicKey):
        if key.key_size < SMALLEST_RSA_BITS:
            raise CertificateRefused(
                f"The certificate's key has {key.key_size} bits: at least {SMALLEST_RSA_BITS} are required."
            )
    elif not isinstance(key, EllipticCurvePublicKey):
        raise CertificateRefused("The certificate's key is neither RSA nor of an elliptic curve.")
    elif key.curve.key_size < SMALLEST_CURVE_BITS:
        raise CertificateRefused(
            f"The certificate's curve has {key.curve.key_size} bits: at least {SMALLEST_CURVE_BITS} are required."
        )
    if content not in stored and facts.ends_at <= timezone.now():
        ended = facts.ends_at.date().isoformat()
        raise CertificateRefused(
            f"This certificate ended on {ended} (UTC). Enter the one that the provider signs with now."
        )
    return content
