"""Signing a manifest with the business's Ed25519 key: whoever has the public half knows that it is as we wrote it."""

from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from dashboard.access.models import Business
from dashboard.access.secrets import reseal, seal, unseal
from dashboard.signing.models import SigningKey


def signing_key_of(business: Business) -> SigningKey:
    """The key of the business, made the first time."""
    row = SigningKey.objects.filter(business=business).first()
    if row is not None:
        return row
    private = Ed25519PrivateKey.generate()
    row, _ = SigningKey.objects.get_or_create(
        business=business,
        defaults={
            "sealed_private_key": seal(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())),
            "public_key": private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode(),
        },
    )
    return row


def sign(business: Business, content: bytes) -> bytes:
    """The signature (64 bytes) of the content. SecretUnreadable where no key of ENCRYPTION_KEYS opens the private half."""
    private = load_pem_private_key(unseal(signing_key_of(business).sealed_private_key).encode(), None)
    if not isinstance(private, Ed25519PrivateKey):
        raise TypeError("the stored key is no Ed25519 key")
    return private.sign(content)


def is_signed(public_key: str, content: bytes, signature: bytes) -> bool:
    """Whether the content has this signature under the public key (PEM)."""
    public = load_pem_public_key(public_key.encode())
    if not isinstance(public, Ed25519PublicKey):
        return False
    try:
        public.verify(signature, content)
    except InvalidSignature:
        return False
    return True


def key_fingerprint(public_key: str) -> str:
    """The SHA-256 of the 32 bytes of a public key (PEM), as hex: what a stranger compares with what they were told."""
    public = load_pem_public_key(public_key.encode())
    return sha256(public.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()


def reseal_keys() -> int:
    """Seals every private half again under the first of ENCRYPTION_KEYS; how many."""
    keys = list(SigningKey.objects.select_for_update(no_key=True))
    for key in keys:
        key.sealed_private_key = reseal(key.sealed_private_key)
        key.save(update_fields=["sealed_private_key"])
    return len(keys)
