"""The outbox: an event is a row in the transaction of what happened, never a call out of it (decisions B.6)."""

import json
from datetime import datetime
from typing import Any

from django.utils import timezone

from service import prepared
from service.auth import Caller
from service.businesses.models import Business
from service.events.models import Event
from service.ids import object_id
from service.respond import to_json

API_VERSION = "2.0.0"
INSERT = "insert into events_event (id, business_id, kind, payload, created_at) values (%s, %s, %s, %s::jsonb, %s)"


def record(
    business: Business | str,
    kind: str,
    obj: dict[str, Any],
    *,
    previous: dict[str, Any] | None = None,
    actor: Caller | None = None,
) -> None:
    """Records an event of `kind` (such as "expense.approved") with the whole object as the interface would show it.

    Must run inside the business transaction. `previous` holds the old values of the fields that changed.
    """
    business_id = business if isinstance(business, str) else business.id
    payload = {"object": obj, "previous": previous or {}, "actor": actor.label if actor else None}
    # By hand: this runs in every business transaction, and the ORM would take longer to write the INSERT than to run it.
    prepared.execute(INSERT, [object_id(), business_id, kind, to_json(payload).decode(), timezone.now()])


def build(
    business: Business | str,
    kind: str,
    obj: dict[str, Any],
    *,
    previous: dict[str, Any] | None = None,
    actor: Caller | None = None,
    at: datetime | None = None,
) -> Event:
    """An event not saved yet: for actions that write many at once with `Event.objects.bulk_create`."""
    return Event(
        business_id=business if isinstance(business, str) else business.id,
        kind=kind,
        payload=plain({"object": obj, "previous": previous or {}, "actor": actor.label if actor else None}),
        created_at=at or timezone.now(),
    )


def plain(data: dict[str, Any]) -> dict[str, Any]:
    """The same data as JSON would carry it: dates as text. Decimals keep their digits as far as a double can."""
    decoded: dict[str, Any] = json.loads(to_json(data))
    return decoded


def envelope(event: Event) -> dict[str, Any]:
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
