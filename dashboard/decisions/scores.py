"""The points of dismissed flags, written onto the row: the line of the inbox, its order and its filter weigh what is left."""

from collections.abc import Sequence
from typing import Any

from dashboard.access.models import Business
from dashboard.decisions.preconditions import dismissed_flags


def write_dismissed(business: Business, rows: Sequence[Any]) -> int:
    """Writes onto each of these rows of one class (expenses, or payment requests) the points of its dismissed flags; how
    many rows were written. A flag whose number has changed is another flag, and its points count again."""
    written = 0
    dismissed = dismissed_flags(business, rows)
    for row in rows:
        points = sum(int(flag.weight) for flag in dismissed.get(row.remote_id, ()) if flag.weight.startswith("+"))
        if points != row.dismissed_risk:
            row.dismissed_risk = points
            written += type(row).objects.filter(pk=row.pk).update(dismissed_risk=points)
    return written
