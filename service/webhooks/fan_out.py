"""Writes the deliveries of events in the transaction that numbers them: to each endpoint that asked for their kind."""

from django.db import connection

DELIVERIES = """
insert into webhooks_delivery (endpoint_id, event_id, status, attempts, due_at, last_error)
select endpoint.id, event.id, 'PENDING', 0, now(), ''
from events_event as event
join webhooks_webhookendpoint as endpoint
    on endpoint.business_id = event.business_id and endpoint.status = 'ACTIVE'
where event.id = any(%s)
  and (
    endpoint.kinds = '{}' or event.kind = any(endpoint.kinds)
    or split_part(event.kind, '.', 1) || '.*' = any(endpoint.kinds)
  )
order by event.business_id, event.sequence  -- deliveries go out in the order of their ids
on conflict do nothing
"""


def fan_out(event_ids: list[str]) -> None:
    """Writes the deliveries of these events, due at once."""
    with connection.cursor() as cursor:
        cursor.execute(DELIVERIES, [event_ids])
