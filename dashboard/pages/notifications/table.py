"""The list of what one was told, fifty at a go, by key."""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.notifications.models import Notice
from dashboard.notifications.topics import TOPICS
from dashboard.times import day_and_time

PAGE = 50


@dataclass(frozen=True)
class Row:
    """A notice as the page prints it."""

    id: UUID
    topic: str
    sentence: str
    when: str
    unread: bool


@dataclass(frozen=True)
class Sheet:
    """A page of notices, and where the next one begins ("" at the end)."""

    rows: list[Row]
    next: str
    any_unread: bool


def sheet_of(actor: Actor, after: str, *, unread: bool) -> Sheet:
    """The next notices after a key; from the top where the key is none."""
    mine = Notice.objects.filter(membership_id=actor.member_id, shown=True)
    found = mine.filter(read_at=None) if unread else mine
    if (place := _place(after)) is not None:
        found = found.filter(Q(told_at__lt=place[0]) | Q(told_at=place[0], id__lt=place[1]))
    rows = list(found.order_by("-told_at", "-id")[: PAGE + 1])
    last = rows[PAGE - 1] if len(rows) > PAGE else None
    shown = [_row(actor, one) for one in rows[:PAGE]]
    return Sheet(shown, _key(last) if last else "", mine.filter(read_at=None).exists())


def _row(actor: Actor, one: Notice) -> Row:
    topic = TOPICS[one.topic].title if one.topic in TOPICS else ""
    return Row(one.pk, topic, one.sentence, day_and_time(one.told_at, actor.business), one.read_at is None)


def _key(one: Notice) -> str:
    return base64.urlsafe_b64encode(f"{one.told_at.isoformat()}~{one.pk}".encode()).decode().rstrip("=")


def _place(text: str) -> tuple[datetime, UUID] | None:
    try:
        moment, _, pk = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition("~")
        found = datetime.fromisoformat(moment), UUID(pk)
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    return found if found[0].tzinfo else None
