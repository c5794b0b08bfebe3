"""Deletes what is past its time, in portions: no statement long enough to be cut off, no lock held for long."""

from django.db.models import Model, QuerySet

PORTION = 2000


def forget(rows: QuerySet[Model]) -> int:
    """Deletes all the rows, a portion at a time; how many there were."""
    total = 0
    while keys := list(rows.order_by().values_list("pk", flat=True)[:PORTION]):
        rows.model._default_manager.filter(pk__in=keys).delete()
        total += len(keys)
    return total
