"""How fresh the copy is that lists are answered from, for every page that shows rows of it."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db import connections

from dashboard.access.models import Business
from dashboard.mirror.models import SyncCursor
from dashboard.replica import PRIMARY
from dashboard.times import as_of, staleness


@dataclass(frozen=True)
class Freshness:
    """ "as of 10:42 EAT", how stale that is ("", amber, red), and why the service is not answering, where it is not."""

    text: str
    tone: str
    trouble: str


def freshness_of(business: Business, *, alias: str = PRIMARY) -> Freshness:
    """How fresh the copy of a business is in the database `alias`, by the mirror's cursor."""
    with connections[alias].cursor() as cursor:
        cursor.execute(_statement(), (business.pk,))
        moment, failing_since = cursor.fetchone() or (None, None)
    return _freshness(business, moment, failing_since)


def freshness_by(business: Business, sync_cursor: SyncCursor | None) -> Freshness:
    """As `freshness_of`, for who has read the business's cursor already; None: nothing was read yet."""
    return _freshness(
        business, sync_cursor.as_of if sync_cursor else None, sync_cursor.failing_since if sync_cursor else None
    )


def _freshness(business: Business, moment: datetime | None, failing_since: datetime | None) -> Freshness:
    trouble = ""
    if failing_since:
        trouble = "The finance service is not answering. This is a saved copy; decisions wait until it answers."
    return Freshness(as_of(moment, business), staleness(moment), trouble)


@lru_cache(maxsize=1)
def _statement() -> str:
    # As the ORM writes it, which costs several times what running it does; every list reads it.
    rows = SyncCursor.objects.filter(business_id=0).values_list("as_of", "failing_since")
    return str(rows.query.sql_with_params()[0])
