"""What several sets of rows come to together."""

from typing import Any

from django.db.models import Count, QuerySet, Sum

from dashboard.access.actor import Actor
from dashboard.money import text


def summed(actor: Actor, *several: QuerySet[Any]) -> tuple[int, list[str]]:
    """How many rows there are in all, and the sum per currency as text; one look per set."""
    count, sums = 0, dict[str, int]()
    for rows in several:
        for row in rows.order_by().values("currency").annotate(many=Count("pk"), minor=Sum("amount_minor")):
            count += row["many"]
            if row["currency"] and row["minor"]:
                sums[row["currency"]] = sums.get(row["currency"], 0) + row["minor"]
    return count, [text(minor, currency, actor.business.locale) for currency, minor in sorted(sums.items())]
