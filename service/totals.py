"""How many rows a list has: counted, and where they are many remembered until something happens in the business.

Counting a million rows costs more than reading a page of them. The number of the business's last event says whether
anything has changed; events are numbered within moments of their commit (service/events/relay.py), and no total is
older than the SECONDS of service/ttl_cache.py.
"""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import QuerySet

from service.ttl_cache import TtlCache

MANY = 10_000
# Answers the number of a business's last event, 0 before the first: events register it when they are loaded.
LastSequence = Callable[[str], int]
_LAST: list[LastSequence] = []

# Which kinds of rows of which business are many: only of these anything is remembered, or looked for.
_many: TtlCache[bool] = TtlCache()
_totals: TtlCache[tuple[int, int]] = TtlCache()


def register(last_sequence: LastSequence) -> None:
    """Called by whoever numbers events, when it is loaded."""
    _LAST.append(last_sequence)


def total_of(rows: QuerySet[Any], business_id: str) -> int:
    """How many rows a query has: counted, or of many as it was counted since the last event of the business."""
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
    [last_sequence] = _LAST
    sequence = last_sequence(business_id)
    known = _totals.get(name)
    if known and known[0] == sequence:
        return known[1]
    total = rows.order_by().count()
    _totals.put(name, (sequence, total))
    return total


def forget() -> None:
    """Forgets all totals that are kept, in this process."""
    _many.clear()
    _totals.clear()
