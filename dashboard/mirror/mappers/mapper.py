"""What a mirrored kind is, and how the values of a resource are read: tolerant of what is not known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

import orjson
from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.mirror.models import Mirrored
from dashboard.money import exponent, to_minor

Payload = Mapping[str, Any]


RowMapper = Callable[[Payload, str], NamedTuple]
MINUTE_S = 60.0
HOUR_S = 60 * MINUTE_S


@dataclass(frozen=True)
class ItemKind:
    """A kind of row that has a page and can be talked about: what a sentence calls it, the one function that says who
    sees it, and the name of its page's address ("" where it has none of its own)."""

    label: str
    visible: Callable[[Actor], QuerySet[Any]]
    address: str


@dataclass(frozen=True)
class FullList:
    """A list that is read whole by one operation with this query, as a band of its own, every so many seconds."""

    band: str
    every_s: float
    operation: Operation
    query: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class ApprovalReads:
    """How requests of a kind are read: `listed_by` lists them, and its roles and rows say who sees them.

    `waiting` is the status by which the list is asked for those that wait ("" where no list is read); `single` the
    operation that reads one, with the name of its parameter in the path. With `is_long`, what waits no more is read one by
    one and not by the whole list.
    """

    listed_by: Operation
    waiting: str = ""
    single: tuple[Operation, str] | None = None
    is_long: bool = False


@dataclass(frozen=True, eq=False)
class Mapper:
    """One mirrored kind, equal to itself alone: the kind that its events name, its table, the columns its rows fill, and the
    function that fills them.

    `columns` names those beside what every kind carries; `map_row(payload, locale)` fills one of it.
    """

    kind: str
    model: type[Mirrored]
    columns: type[NamedTuple]
    map_row: RowMapper
    # What a rule and the audit must know of a row; the same for all kinds of one table. None: nothing is ever done to it.
    subject: Callable[[Any], Subject] | None = None
    item_kind: ItemKind | None = None
    # None: read by days, with others, or one by one (full_sync.py, window_sync.py).
    full_list: FullList | None = None
    # Of what somebody asks for, and others decide on.
    approval_reads: ApprovalReads | None = None
    # The audit asks its table for the name of an id.
    names_ids: bool = False
    # (marker, columns): an answer that leaves the column `marker` empty does not have these: stored values stay.
    marker_columns: tuple[str, tuple[str, ...]] | None = None
    # A deleted resource stays in lists, as a state; False: it is tombstoned.
    lists_deleted: bool = False
    # The verbs of the events that create or change a row; empty: all of its kind.
    event_verbs: frozenset[str] = frozenset()

    @cached_property
    def has_amounts(self) -> bool:
        """Whether a row has minor units of its currency."""
        fields = self.columns._fields
        return "currency" in fields and any(name.endswith("_minor") for name in fields)


def mapped_columns(mapper: Mapper, payload: Payload, locale: str) -> NamedTuple:
    """The columns that a payload fills. UnknownCurrencyError where it has amounts, and its currency is not known: whoever
    shows or adds up a row of the copy can then say where the point of its amounts stands."""
    row = mapper.map_row(payload, locale)
    if mapper.has_amounts and (currency := row.currency):  # type: ignore[attr-defined]
        exponent(currency)
    return row


def canonical_payload(payload: Payload) -> tuple[str, str]:
    """The payload as JSON, and a hash that is the same whenever its content is; TypeError for a float in it."""
    if _has_float(payload):
        # Whoever read it has lost the exact amount already: no row is made of that.
        raise TypeError("an amount in a payload is never a float")
    try:
        body = orjson.dumps(
            payload, default=json_default, option=orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATETIME
        )
    except orjson.JSONEncodeError:
        # An integer of more than 64 bits, say: three times as slow, and as good.
        body = json.dumps(payload, sort_keys=True, separators=(",", ":"), default=json_default).encode()
    return body.decode(), hashlib.blake2b(body, digest_size=16).hexdigest()


def _has_float(value: object) -> bool:
    if isinstance(value, dict):
        return any(_has_float(item) for item in value.values())
    if isinstance(value, list):
        return any(_has_float(item) for item in value)
    return isinstance(value, float)


def json_default(value: object) -> str:
    """A Decimal or a datetime as text, for a JSON encoder; TypeError for anything else."""
    # Decimals stay exact as strings: a JSON number would be read back as a float.
    if isinstance(value, Decimal | datetime):
        return str(value)
    raise TypeError(f"{type(value).__name__} does not belong into a payload")


def remote_id(payload: Payload) -> str:
    """The resource's identifier; ValueError for a payload without one."""
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


def day_of(value: object) -> date | None:
    """An ISO 8601 day, with or without a time behind it."""
    try:
        return date.fromisoformat(str(value)[:10]) if value else None
    except ValueError:
        return None


def version(payload: Payload) -> int | None:
    """The resource's version, where the service counts them."""
    number = payload.get("version", payload.get("__v"))
    return number if isinstance(number, int) else None


def updated_at(payload: Payload) -> datetime | None:
    """When the service says that it was last changed."""
    return moment(payload.get("updated_at") or payload.get("updatedAt"))


def nested(payload: Payload, name: str, *keys: str) -> str:
    """The first of the keys that a nested object has; empty where there is none."""
    parent = payload.get(name)
    if isinstance(parent, Mapping):
        for key in keys:
            if parent.get(key):
                return str(parent[key])
    return ""


def and_more(name: str, part_count: int) -> str:
    """The category of what is split into parts: that of the first, and how many parts there are beside it."""
    return f"{name} and {part_count - 1} more" if part_count > 1 else name


def amount_in(payload: Payload) -> tuple[int | None, str]:
    """Minor units and currency, from the exact number where the service gives it."""
    currency = str(payload.get("currency") or "")
    minor = payload.get("amount_minor")
    if not isinstance(minor, int):
        value = payload.get("amount")
        minor = None if value is None or not currency else to_minor(value, currency)
    return minor, currency
