"""Push messages as they are composed: one for everything new of a person, in words that hold no name and no amount.

What a device shows passes through its browser's push service. It is encrypted for the device; the words would give
nothing away if it were not (docs/adr/0016).
"""

import re
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.errors import NotAllowed
from dashboard.mirror.item_kinds import ITEM_KINDS, item_at
from dashboard.notifications.mail import place_of
from dashboard.notifications.models import Notice, PushDelivery, PushDevice, PushMessage
from dashboard.notifications.topics import TOPICS, WAITING
from dashboard.notifications.waiting import key_of_item, still_waits

PEOPLE_AT_ONCE = 200
MOST_IN_A_MESSAGE = 100
# More than so many an hour are no help to anybody: what comes then is said together, later.
MOST_PER_HOUR = 12
# What nobody could be told of for so long is not news any more.
STALE = timedelta(hours=4)
# Messages are remembered for as long as they count for the hour, and a little longer.
REMEMBERED = timedelta(hours=6)


def compose_waiting(now: datetime | None = None) -> int:
    """Composes a message for each person who has something to be told of, for all their devices; how many messages."""
    at = now or timezone.now()
    waiting = Notice.objects.filter(push_wanted=True, pushed_at=None)
    waiting.filter(told_at__lt=at - STALE).update(pushed_at=at)
    people = waiting.order_by("told_at").values_list("membership_id", flat=True)[: PEOPLE_AT_ONCE * 10]
    return sum(_compose_for(pk, at) for pk in list(dict.fromkeys(people))[:PEOPLE_AT_ONCE])


def forget_old_messages() -> int:
    """Deletes messages that count for nothing any more, with what was left of their deliveries; how many."""
    gone, _ = PushMessage.objects.filter(composed_at__lt=timezone.now() - REMEMBERED).delete()
    return gone


def is_still_meant(push_message: PushMessage) -> bool:
    """Whether its person may still be told of it: a member, and the item still theirs to see, or to approve."""
    actor = _actor_of(push_message.membership)
    if actor is None:
        return False
    return _concerns(actor, push_message.topic, push_message.kind, push_message.remote_id)


@transaction.atomic
def _compose_for(membership_id: int, at: datetime) -> int:
    rows = Notice.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    notices = list(rows.filter(membership_id=membership_id, push_wanted=True, pushed_at=None).order_by("told_at"))
    recent = PushMessage.objects.filter(membership_id=membership_id, composed_at__gt=at - timedelta(hours=1))
    if not notices or recent.count() >= MOST_PER_HOUR:
        return 0
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(pushed_at=at)
    member = Membership.objects.select_related("business", "user").get(pk=membership_id)
    devices = list(PushDevice.objects.filter(membership=member))
    useful = _useful(member, notices) if devices else []
    if not useful:
        return 0
    message = _message(member, useful)
    message.composed_at = at
    message.save()
    PushDelivery.objects.bulk_create([PushDelivery(message=message, device=device, due_at=at) for device in devices])
    return 1


def _useful(member: Membership, notices: list[Notice]) -> list[Notice]:
    """Those that its person has not read, and that are still theirs; of very many the newest."""
    actor = _actor_of(member)
    if actor is None:
        return []
    unread = [notice for notice in notices if notice.read_at is None][-MOST_IN_A_MESSAGE:]
    return [notice for notice in unread if _concerns(actor, notice.topic, notice.kind, notice.remote_id)]


def _actor_of(member: Membership) -> Actor | None:
    try:
        return Actor.for_membership(member)
    except NotAllowed:
        return None


def _concerns(actor: Actor, topic: str, kind: str, remote_id: str) -> bool:
    if topic == WAITING.name:
        return still_waits(actor, key_of_item(kind, remote_id))
    return not kind or item_at(actor, kind, remote_id) is not None


def _message(member: Membership, notices: list[Notice]) -> PushMessage:
    slug = member.business.slug
    if len(notices) == 1:
        (notice,) = notices
        about = {"topic": notice.topic, "kind": notice.kind, "remote_id": notice.remote_id}
        path = place_of(slug, notice.topic, notice.kind, notice.remote_id)
        return PushMessage(membership=member, text=_text_of(notice), path=path, **about)
    if all(notice.topic == WAITING.name for notice in notices):
        path = f"{reverse('approvals', args=[slug])}?show=mine"
        return PushMessage(membership=member, text=f"{len(notices)} items wait for your approval", path=path)
    path = reverse("notifications", args=[slug])
    return PushMessage(membership=member, text=f"{len(notices)} new notifications", path=path)


def _text_of(notice: Notice) -> str:
    if notice.topic != WAITING.name:
        return TOPICS[notice.topic].push_text
    noun = ITEM_KINDS[notice.kind].label.lower() if notice.kind in ITEM_KINDS else notice.kind.replace("_", " ")
    article = "An" if re.match("[aeiou]", noun) else "A"
    return f"{article} {noun} waits for your approval" if noun else WAITING.push_text
