"""Documents of vendors that are about to end: whoever may change vendors is told 30 days before, 7 days before, and on the day."""

from datetime import date
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from dashboard import operations
from dashboard.access.models import Business, Membership
from dashboard.mirror.models import Vendor
from dashboard.notifications.services import notify
from dashboard.notifications.topics import DOCUMENTS

# The last of these that has come counts: who was not told in time is told once.
DAYS_BEFORE = (0, 7, 30)


def remind() -> int:
    """Tells of what ends, each document once for each of its days. How many notices there were."""
    count = 0
    rows = Vendor.objects.filter(status="ACTIVE", tombstoned_at__isnull=True).exclude(documents=[])
    members: dict[int, list[Membership]] = {}
    for vendor in rows.select_related("business").iterator():
        business = vendor.business
        if business.pk not in members:
            members[business.pk] = _members(business)
        today = timezone.now().astimezone(ZoneInfo(business.time_zone)).date()
        for document in vendor.documents:
            count += _remind_of(vendor, document, today, members[business.pk])
    return count


def _remind_of(vendor: Vendor, document: dict[str, str], today: date, members: list[Membership]) -> int:
    if not document["ends_on"]:
        return 0
    ends = date.fromisoformat(document["ends_on"])
    left = (ends - today).days
    before = next((days for days in DAYS_BEFORE if 0 <= left <= days), None)
    if before is None:
        return 0
    when = "today" if left == 0 else f"in {left} day{'s' if left > 1 else ''}"
    sentence = f"{document['title']} of {vendor.name} ends {when}, on {ends:%d %b %Y}."
    key = f"vendor-document:{document['id']}:{ends}:{before}"
    with transaction.atomic():
        return notify(members, DOCUMENTS, sentence, key=key, kind="vendor", remote_id=vendor.remote_id)


def _members(business: Business) -> list[Membership]:
    roles = operations.UPDATE_VENDOR.roles
    rows = Membership.objects.filter(business=business, is_active=True, role__in=roles, user__is_active=True)
    return list(rows.select_related("user"))
