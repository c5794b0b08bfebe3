"""The outbox: an event is a row in the transaction of what happened, never a call out of it (decisions B.6)."""

import json
from datetime import datetime
from typing import TypedDict

from django.utils import timezone

from service import sql
from service.auth import Caller
from service.businesses.models import Business
from service.events.kinds import KINDS
from service.events.models import Event
from service.ids import object_id
from service.respond import JsonObject, to_json

API_VERSION = "2.0.0"
INSERT = "insert into events_event (id, business_id, kind, payload, created_at) values (%s, %s, %s, %s::jsonb, %s)"
# The same, once for each row of what the caller writes behind it.
INSERT_AFTER = "insert into events_event (id, business_id, kind, payload, created_at) select %s, %s, %s, %s::jsonb, %s"


class PayloadShape(TypedDict):
    """What an event's row holds; `object` as its area shows it, `previous` the old values of the fields that changed."""

    object: JsonObject
    previous: JsonObject
    actor: str | None


class DataShape(TypedDict):
    """What an event is about, as its receivers get it."""

    object: JsonObject
    previous: JsonObject


class EnvelopeShape(TypedDict):
    """An event as it is delivered and listed."""

    id: str
    type: str
    timestamp: datetime
    business_id: str
    api_version: str
    sequence: int | None
    data: DataShape
    actor: str | None


def record_event(
    business: Business | str,
    kind: str,
    obj: JsonObject,
    *,
    previous: JsonObject | None = None,
    actor: Caller | None = None,
) -> None:
    """Records an event of `kind` (one of kinds.py) with the whole object as the interface would show it.

    Must run inside the business transaction. `previous` holds the old values of the fields that changed. ValueError for
    an unknown kind or an object without `_id`.
    """
    sql.execute(*event_statement(business, kind, obj, previous=previous, actor=actor))


def event_statement(
    business: Business | str,
    kind: str,
    obj: JsonObject,
    *,
    previous: JsonObject | None = None,
    actor: Caller | None = None,
) -> sql.SqlStatement:
    """What `record_event` runs, for who runs it together with others."""
    business_id, now = business if isinstance(business, str) else business.id, timezone.now()
    payload = _payload(kind, obj, previous, actor, now)
    # By hand: this runs in every business transaction, and the ORM would take longer to write the INSERT than to run it.
    return sql.SqlStatement(INSERT, [object_id(), business_id, kind, to_json(payload).decode(), now])


def build_event(
    business: Business | str,
    kind: str,
    obj: JsonObject,
    *,
    previous: JsonObject | None = None,
    actor: Caller | None = None,
    at: datetime | None = None,
) -> Event:
    """An event not saved yet: for actions that write many at once with `Event.objects.bulk_create`. As `record`."""
    now = at or timezone.now()
    return Event(
        business_id=business if isinstance(business, str) else business.id,
        kind=kind,
        payload=plain(_payload(kind, obj, previous, actor, now)),
        created_at=now,
    )


def _payload(
    kind: str, obj: JsonObject, previous: JsonObject | None, actor: Caller | None, now: datetime
) -> PayloadShape:
    if kind not in KINDS:
        raise ValueError(f"{kind} is none of the kinds of service/events/kinds.py.")
    return {"object": event_object(obj, now), "previous": previous or {}, "actor": actor.label if actor else None}


def event_object(obj: JsonObject, now: datetime) -> JsonObject:
    """The object with what every event's has: `_id`, `version` and `updated_at`, which decide which of two is newer.

    Where it keeps no time of its own, it changed now; where it counts no versions, the microseconds of that time are one.
    """
    if not obj.get("_id"):
        raise ValueError("An event is about something that has an _id.")
    changed = obj.get("updated_at") or obj.get("updatedAt") or now
    version = obj.get("version")
    if version is None:
        if not isinstance(changed, datetime):
            raise ValueError("The time at which an event's object changed is a moment.")
        version = int(changed.timestamp() * 1_000_000)
    return {**obj, "version": version, "updated_at": changed}


def plain(data: JsonObject | PayloadShape) -> JsonObject:
    """The data with nothing in it but what JSON has: dates as text, decimals with as many digits as a double has."""
    decoded: JsonObject = json.loads(to_json(data))
    return decoded


def envelope(event: Event) -> EnvelopeShape:
    """The event as it is delivered and listed."""
    return {
        "id": event.id,
        "type": event.kind,
        "timestamp": event.created_at,
        "business_id": event.business_id,
        "api_version": API_VERSION,
        "sequence": event.sequence,
        "data": {"object": event.payload["object"], "previous": event.payload["previous"]},
        "actor": event.payload.get("actor"),
    }
