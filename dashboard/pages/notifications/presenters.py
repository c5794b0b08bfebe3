"""A person's notices as their page prints them."""

from dataclasses import dataclass
from uuid import UUID

from dashboard.access.actor import Actor
from dashboard.notifications.models import Notice
from dashboard.notifications.topics import TOPICS
from dashboard.pages.notifications.selectors import notices_after, own_notices
from dashboard.times import day_and_time


@dataclass(frozen=True)
class Row:
    """A notice as the page prints it."""

    id: UUID
    topic: str
    sentence: str
    when: str
    unread: bool


@dataclass(frozen=True)
class NoticesPage:
    """A page of notices, where the next one begins ("" at the end), and whether any notice is unread."""

    rows: list[Row]
    next: str
    any_unread: bool


def notices_page(actor: Actor, after: str, *, unread: bool) -> NoticesPage:
    """The next notices after a key, of the unread alone where `unread`; from the top where `after` is no key."""
    notices, following = notices_after(actor, after, unread=unread)
    any_unread = own_notices(actor).filter(read_at=None).exists()
    return NoticesPage([_row(actor, notice) for notice in notices], following, any_unread)


def _row(actor: Actor, notice: Notice) -> Row:
    topic = TOPICS[notice.topic].title if notice.topic in TOPICS else ""
    when = day_and_time(notice.told_at, actor.business)
    return Row(notice.pk, topic, notice.sentence, when, notice.read_at is None)
