"""How many rows a list has: counted, and where they are many remembered until something happens in the business.

Counting a million rows costs more than reading a page of them. The number of the business's last event says whether
anything has changed; events are numbered within moments of their commit (service/events/relay.py), and no total is
older than the SECONDS of service/ttl_cache.py.
"""

from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import QuerySet

from service import sql
from service.ttl_cache import TtlCache

MANY = 10_000
_LAST = (
    "select sequence from events_event where business_id = %s and sequence is not null order by sequence desc limit 1"
)

# Which kinds of rows of which business are many: only of these anything is remembered, or looked for.
_many: TtlCache[bool] = TtlCache()
_totals: TtlCache[tuple[int, int]] = TtlCache()


def total_of(rows: QuerySet[Any], business_id: str) -> int:
    """How many rows there are."""
    kind = f"{business_id} {rows.model._meta.label}"
    if not _many.get(kind):
        total = rows.order_by().count()
        if total >= MANY:
            _many.put(kind, True)
        return total
    try:
        name = repr((business_id, rows.order_by().query.sql_with_params()))
    except EmptyResultSet:
        return 0
    # First the event, then the count: what is committed in between is counted again next time.
    last = sql.row(_LAST, [business_id])
    sequence = last[0] if last else 0
    known = _totals.get(name)
    if known and known[0] == sequence:
        return known[1]
    total = rows.order_by().count()
    _totals.put(name, (sequence, total))
    return total


def forget() -> None:
    """Forgets everything."""
    _many.clear()
    _totals.clear()
