"""Reminds whoever may review access that a quarter's review is due: two weeks and three days before its end, then weekly."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from dashboard.access.models import Business, Membership
from dashboard.access_reviews.models import AccessReview
from dashboard.access_reviews.quarters import Quarter
from dashboard.access_reviews.selectors import due_quarter, is_signed
from dashboard.notifications import topics
from dashboard.notifications.services import notify
from dashboard.operations_pages import ACCESS_REVIEWS
from dashboard.times import local

# The last of these days before the end of a quarter that has come counts: who was not told in time is told once.
DAYS_BEFORE = (3, 14)
DAYS_BETWEEN = 7


def remind() -> int:
    """Tells of each review that is due, each person once for each of its days. How many notices there were."""
    return sum(_remind(business) for business in Business.objects.order_by("pk"))


def _remind(business: Business) -> int:
    quarter = due_quarter(business)
    deadline, when = _due(business, quarter)
    if not deadline or is_signed(business, quarter):
        return 0
    opened = AccessReview.objects.filter(business=business, year=quarter.year, quarter=quarter.number).exists()
    sentence = f"The access review of {quarter} {when}. It is {'open and not signed' if opened else 'not opened'} yet."
    members = Membership.objects.filter(
        business=business, is_active=True, user__is_active=True, role__in=sorted(ACCESS_REVIEWS.roles)
    )
    with transaction.atomic():
        return notify(
            list(members.select_related("user")),
            topics.ACCESS_REVIEWS,
            sentence,
            key=f"access-review:{quarter}:{deadline}",
        )


def _due(business: Business, quarter: Quarter) -> tuple[str, str]:
    """What the reminder of today is known by, and when the review is due in words; both "" where it is not due yet."""
    today, last = local(timezone.now(), business).date(), quarter.last_day
    left = (last - today).days
    if left < 0:
        return f"late-{(-left - 1) // DAYS_BETWEEN}", f"was due on {last.day} {last:%b %Y}"
    before = next((days for days in DAYS_BEFORE if left <= days), None)
    if before is None:
        return "", ""
    return f"{before}", f"is due by {last.day} {last:%b %Y}"
