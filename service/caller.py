"""On whose behalf an action runs, and what names the effect of its request; service/auth.py finds out who it is."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.businesses.models import ApiKey, Business, Client, Employee, Role

PLACE_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Effect:
    """Which request it is: 16 hexadecimal digits of (client, business, operation, key), 8 of what it asks for."""

    place: str
    content: str

    @classmethod
    def of(cls, place: Sequence[Any], fingerprint: bytes) -> "Effect":
        """From where the key belongs and the fingerprint of the request. Equal requests under two keys differ in both
        parts: some references show only the last digits of an id."""
        where = hashlib.sha256(json.dumps(list(place)).encode()).digest()
        what = hashlib.sha256(where + fingerprint).hexdigest()
        return cls(where.hex()[:PLACE_DIGITS], what[: 24 - PLACE_DIGITS])


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf an action runs. `employee` is the acting or bound person, None for a bare client or a job.

    `effect` names what the request makes, where it came with an Idempotency-Key (service/effects.py).
    `role` is the one that counts for this action: the person's own, or REVIEWER where it is a seat in a team that lets
    them in. `seated` says that they review some team now.
    """

    client: Client | None
    business: Business
    employee: Employee | None
    role: str
    scopes: frozenset[str]
    entitled: bool
    request_id: str = ""
    api_key: ApiKey | None = None
    effect: Effect | None = None
    seated: bool = False

    @property
    def employee_id(self) -> str | None:
        """The id of the person, where there is one."""
        return self.employee.id if self.employee else None

    @property
    def label(self) -> str:
        """Who it was, for records: an employee id, else the client or key by its public name."""
        if self.employee:
            return self.employee.id
        if self.client:
            return f"client:{self.client.client_id}"
        return f"key:{self.api_key.id}" if self.api_key else "system"


def system_caller(business: Business) -> Caller:
    """The service itself, for jobs and the sandbox: no client, no person, every right of an admin."""
    return Caller(None, business, None, Role.ADMIN, frozenset(), entitled=True)
