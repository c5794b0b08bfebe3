"""Long random secrets: how they are made, and the cheap hash they are kept as.

A slow password hash protects guessable passwords. A secret of 256 random bits cannot be guessed, so one SHA-256 is as
safe and a thousand times cheaper: a token request costs microseconds instead of half a second.
"""

import hashlib
import secrets
from typing import Any

from django.contrib.auth.hashers import BasePasswordHasher
from django.utils.crypto import constant_time_compare


def random_secret(prefix: str = "") -> str:
    """A secret of 256 random bits, safe in addresses and headers."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The form in which a random secret is stored and looked up."""
    return hashlib.sha256(secret.encode()).hexdigest()


class RandomSecretHasher(BasePasswordHasher):
    """Django's hasher interface over one SHA-256, for random secrets only: the service keeps no human password."""

    algorithm = "random_sha256"

    def salt(self) -> str:
        """No salt: what is hashed is random itself."""
        return ""

    def encode(self, password: str, salt: str) -> str:
        """The digest of a secret, behind the name of the algorithm; the salt is not used."""
        return f"{self.algorithm}${digest(password)}"

    def decode(self, encoded: str) -> dict[str, str]:
        """The parts of what `encode` made: algorithm, hash, and an empty salt."""
        algorithm, _, hashed = encoded.partition("$")
        return {"algorithm": algorithm, "hash": hashed, "salt": ""}

    def verify(self, password: str, encoded: str) -> bool:
        """Whether it is the secret that was encoded, compared in constant time."""
        return constant_time_compare(encoded, self.encode(password, ""))

    def safe_summary(self, encoded: str) -> Any:
        """What may be shown of an encoded secret: the algorithm alone."""
        return {"algorithm": self.algorithm}

    def must_update(self, encoded: str) -> bool:
        """Never: there is one strength, and no salt that grows."""
        return False

    def harden_runtime(self, password: str, encoded: str) -> None:
        """Nothing to even out: one cost for every secret."""
