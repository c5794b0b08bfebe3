"""Secrets at rest: the first key seals, every key unseals; a rotation seals again what an older key sealed."""

from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class SecretUnreadable(Exception):
    """None of the keys unseals this."""


@lru_cache(maxsize=4)
def _keys(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def _ring() -> MultiFernet:
    return _keys(tuple(settings.ENCRYPTION_KEYS))


def seal(secret: bytes | str) -> bytes:
    """The secret, encrypted with the first key."""
    return _ring().encrypt(secret.encode() if isinstance(secret, str) else secret)


def unseal(sealed: bytes | memoryview) -> str:
    """The secret in plain; SecretUnreadable where no key fits."""
    try:
        return _ring().decrypt(bytes(sealed)).decode()
    except InvalidToken:
        raise SecretUnreadable("no key in ENCRYPTION_KEYS unseals this secret") from None


def reseal(sealed: bytes | memoryview) -> bytes:
    """The same secret under the first key: run over every stored secret after a new key was put first."""
    try:
        return _ring().rotate(bytes(sealed))
    except InvalidToken:
        raise SecretUnreadable("no key in ENCRYPTION_KEYS unseals this secret") from None
