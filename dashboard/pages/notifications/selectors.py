"""A person's own notices, fifty at a go, by key."""

import base64
import binascii
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from dashboard.access.actor import Actor
from dashboard.notifications.models import Notice

PAGE = 50


def own_notices(actor: Actor) -> QuerySet[Notice]:
    """The notices that are shown to this person in the app."""
    return Notice.objects.filter(membership_id=actor.member_id, shown=True)


def notices_after(actor: Actor, after: str, *, unread: bool) -> tuple[list[Notice], str]:
    """The next PAGE notices after a key, the newest first, and the key of the last where there are more (else "").

    From the top where `after` is no key; of the unread alone where `unread`.
    """
    notices = own_notices(actor).filter(read_at=None) if unread else own_notices(actor)
    if (place := _place(after)) is not None:
        notices = notices.filter(Q(told_at__lt=place[0]) | Q(told_at=place[0], id__lt=place[1]))
    rows = list(notices.order_by("-told_at", "-id")[: PAGE + 1])
    return rows[:PAGE], _key(rows[PAGE - 1]) if len(rows) > PAGE else ""


def _key(notice: Notice) -> str:
    return base64.urlsafe_b64encode(f"{notice.told_at.isoformat()}~{notice.pk}".encode()).decode().rstrip("=")


def _place(text: str) -> tuple[datetime, UUID] | None:
    try:
        moment, _, pk = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition("~")
        place = datetime.fromisoformat(moment), UUID(pk)
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    return place if place[0].tzinfo else None
