"""A person's notices and their devices as their pages print them."""

from dataclasses import dataclass
from typing import TypedDict
from uuid import UUID

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.notifications.devices import MOST_DEVICES, hash_of, own_devices
from dashboard.notifications.models import Notice
from dashboard.notifications.topics import TOPICS
from dashboard.notifications.vapid import public_key
from dashboard.pages.notifications.forms import ChoicesForm
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


@dataclass(frozen=True)
class DeviceRow:
    """A device as the settings list it: "Chrome on Android", when it was added and last notified ("" for never), and
    whether it is the browser that is looking."""

    id: UUID
    label: str
    added: str
    notified: str
    is_this: bool


@dataclass(frozen=True)
class DevicesPart:
    """The devices of the notification settings: `key` is the public key that a browser subscribes with, "" where no push
    notifications are sent; `on` whether this browser is among the rows, `full` whether there can be no more."""

    key: str
    rows: list[DeviceRow]
    on: bool
    full: bool
    most: int = MOST_DEVICES


def devices_part(actor: Actor, browser_id: str) -> DevicesPart:
    """The person's devices in this business, the newest first."""
    this = hash_of(browser_id) if browser_id else ""
    rows = [
        DeviceRow(
            device.pk,
            device.label,
            day_and_time(device.added_at, actor.business),
            day_and_time(device.sent_at, actor.business) if device.sent_at else "",
            device.browser_hash == this,
        )
        for device in own_devices(actor)
    ]
    on = any(row.is_this for row in rows)
    return DevicesPart(public_key(), rows, on, len(rows) >= MOST_DEVICES and not on)


class ChoicesContext(TypedDict):
    """What the notification settings read: `zone` is the clock of the digest's hour, `mail` where mails go."""

    form: ChoicesForm
    zone: str
    mail: str
    devices: DevicesPart


def choices_context(actor: Actor, membership: Membership, form: ChoicesForm, browser_id: str) -> ChoicesContext:
    """The settings of a member as a page, for the browser with this name."""
    return {
        "form": form,
        "zone": membership.business.time_zone,
        "mail": membership.user.email,
        "devices": devices_part(actor, browser_id),
    }
