"""What a mirrored kind is, and how the values of a resource are read: tolerant of what is not known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson

from dashboard.mirror.models import Mirrored
from dashboard.money import to_minor

Payload = Mapping[str, Any]


@dataclass(frozen=True)
class Mapper:
    """One mirrored kind: its table, the columns its rows fill, and the function that fills them.

    `columns` are those beside what every kind carries; `row(payload, locale)` returns their values in that order.
    """

    model: type[Mirrored]
    columns: tuple[str, ...]
    row: Callable[[Payload, str], tuple[Any, ...]]
    # Columns that an answer without `marker` knows nothing of, and so must not empty.
    kept_without: tuple[str, tuple[str, ...]] | None = None
    # A deleted one is a state that people look at, not a row that is gone.
    shows_deleted: bool = False
    # The verbs of the only events that tell of one; empty: all of its noun.
    told_by: frozenset[str] = frozenset()


def canonical(payload: Payload) -> tuple[str, str]:
    """The payload as JSON, and a hash that is the same whenever its content is."""
    try:
        body = orjson.dumps(payload, default=plain, option=orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATETIME)
    except orjson.JSONEncodeError:
        # An integer of more than 64 bits, say: three times as slow, and as good.
        body = json.dumps(payload, sort_keys=True, separators=(",", ":"), default=plain).encode()
    return body.decode(), hashlib.blake2b(body, digest_size=16).hexdigest()


def plain(value: object) -> str:
    """What JSON has no form for, as text."""
    # Decimals stay exact as strings: a JSON number would be read back as a float.
    if isinstance(value, Decimal | datetime):
        return str(value)
    raise TypeError(f"{type(value).__name__} does not belong into a payload")


def remote_id(payload: Payload) -> str:
    """The resource's identifier; a payload without one cannot be kept."""
    identifier = payload.get("_id") or payload.get("id") or payload.get("employee_id")
    if not identifier:
        raise ValueError("a resource without _id")
    return str(identifier)


def moment(value: object) -> datetime | None:
    """An ISO 8601 time, taken as UTC where it names no zone."""
    if not isinstance(value, str) or not value:
        return None
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def version(payload: Payload) -> int | None:
    """The resource's version, where the service counts them."""
    found = payload.get("version", payload.get("__v"))
    return found if isinstance(found, int) else None


def updated_at(payload: Payload) -> datetime | None:
    """When the service says that it was last changed."""
    return moment(payload.get("updated_at") or payload.get("updatedAt"))


def nested(payload: Payload, name: str, *keys: str) -> str:
    """The first of the keys that a nested object has; empty where there is none."""
    found = payload.get(name)
    if isinstance(found, Mapping):
        for key in keys:
            if found.get(key):
                return str(found[key])
    return ""


def amount(payload: Payload) -> tuple[int | None, str]:
    """Minor units and currency, from the exact number where the service gives it."""
    currency = str(payload.get("currency") or "")
    minor = payload.get("amount_minor")
    if not isinstance(minor, int):
        told = payload.get("amount")
        minor = None if told is None or not currency else to_minor(told, currency)
    return minor, currency
