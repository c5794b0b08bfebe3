"""How many notices somebody has not read: kept in the cache, so that asking every few seconds costs no query."""

from collections.abc import Iterable

from django.db import transaction

from dashboard import cache
from dashboard.access.models import Membership
from dashboard.notifications.models import Notice

# Longer than any session; what was lost with the cache is counted again when somebody looks.
CACHED_S = 7 * 24 * 3600


def name_of(business_id: int, user_id: int | str) -> str:
    """Under which name a person's count is kept: both are known from the session."""
    return f"bell:{business_id}:{user_id}"


def cached_count(business_id: int, user_id: int | str) -> int | None:
    """The count as it is kept; None where it has to be counted."""
    cached = cache.load(name_of(business_id, user_id))
    return cached if isinstance(cached, int) else None


def recount(membership_id: int) -> int:
    """Counts, and keeps the count."""
    business_id, user_id = Membership.objects.values_list("business_id", "user_id").get(pk=membership_id)
    unread = Notice.objects.filter(membership_id=membership_id, shown=True, read_at=None).count()
    cache.store(name_of(business_id, user_id), unread, CACHED_S)
    return unread


def ring(membership_ids: Iterable[int]) -> None:
    """These people's counts have changed: counted again once the change can be seen."""
    for membership_id in set(membership_ids):
        transaction.on_commit(lambda membership_id=membership_id: recount(membership_id))  # type: ignore[misc]
