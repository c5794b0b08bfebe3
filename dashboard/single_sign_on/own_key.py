"""Our own key at a SAML identity provider, one per business, and how it is renewed: requests are signed with it, and assertions
encrypted to it."""

import base64
from datetime import timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.utils import timezone

BITS = 2048
# The settings keep it whatever else changes, until somebody renews it, so it lasts long. Most providers believe the key in the
# certificate and not its end; one that does not refuses us from then on.
LASTS = timedelta(days=3650)


def make_own_key(name: str) -> tuple[str, str]:
    """A key of RSA (PEM, PKCS 8) and a certificate of its own for it (DER in base64); `name` is the business's slug."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Countersign {name}"[:64])])
    now = timezone.now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + LASTS)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii")
    return pem, base64.b64encode(certificate.public_bytes(Encoding.DER)).decode("ascii")
