"""Who is told when an item comes to wait for them, and of which items: what waits now, compared with what waited before."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.errors import NotAllowed
from dashboard.mirror.item_kinds import kind_from_address
from dashboard.notifications.models import InboxWatch, InboxWatchItem, PushDevice, TopicChoice
from dashboard.notifications.services import notify
from dashboard.notifications.topics import WAITING

# As many of the newest items are compared: with more than these in an inbox nobody is helped by being told of each.
MOST_COMPARED = 500


class InboxEntry(NamedTuple):
    """An item that waits: its name in the inbox ("expense/65f…"), what it is in one word or two ("Expense"), its title and
    its amount with the currency ("" for what is no money)."""

    key: str
    noun: str
    title: str
    amount: str


# What waits for an actor, the newest first, at most so many.
InboxReader = Callable[[Actor, int], list[InboxEntry]]
_inbox_readers: list[InboxReader] = []


def register_inbox(reader: InboxReader) -> None:
    """What waits for a person is read by this, and by nothing else (decisions stand on a floor above)."""
    _inbox_readers[:] = [reader]


def still_waits(actor: Actor, key: str) -> bool:
    """Whether the item of this name waits for the actor now."""
    return any(entry.key == key for entry in _inbox_readers[0](actor, MOST_COMPARED))


def key_of_item(kind: str, remote_id: str) -> str:
    """The inbox's name of an item that a notice is about: "payment/…" for an approval, "card-order/…"."""
    return f"{'payment' if kind == 'approval' else kind.replace('_', '-')}/{remote_id}"


def watch_inboxes() -> int:
    """Tells everybody who has chosen it of each item that has come to wait for them; how many were told of something."""
    watching = _watching()
    InboxWatch.objects.exclude(membership__in=watching).delete()
    members = Membership.objects.filter(pk__in=watching, is_active=True, user__is_active=True)
    return sum(begin_or_compare(member) for member in members.select_related("business", "user").order_by("pk"))


def begin_or_compare(member: Membership) -> bool:
    """Notes what waits for a member who begins to watch, and tells them what has come since; whether anything has."""
    try:
        actor = Actor.for_membership(member)
    except NotAllowed:
        return False
    with transaction.atomic():
        watch, began = InboxWatch.objects.get_or_create(membership=member)
        # Whoever else compares for this person at the moment tells them.
        if not InboxWatch.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=watch.pk):
            return False
        entries = _inbox_readers[0](actor, MOST_COMPARED)
        fresh = _update_watch(watch, entries)
        return not began and sum(_notify_member(member, entry, pk) for entry, pk in fresh) > 0


def _watching() -> set[int]:
    topic = WAITING.name
    chosen = TopicChoice.objects.filter(topic=topic).filter(Q(in_app=True) | Q(by_mail=True))
    refused = TopicChoice.objects.filter(topic=topic, by_push=False).values("membership_id")
    with_devices = PushDevice.objects.exclude(membership_id__in=refused)
    return {*chosen.values_list("membership_id", flat=True), *with_devices.values_list("membership_id", flat=True)}


def _update_watch(watch: InboxWatch, entries: list[InboxEntry]) -> Iterable[tuple[InboxEntry, int]]:
    """Writes down what waits now; the entries that were not among it, each with the number of its row."""
    known = set(watch.items.values_list("key", flat=True))
    by_key = {entry.key: entry for entry in entries}
    if len(entries) < MOST_COMPARED:
        # An item that left the inbox is news when it comes back. Only MOST_COMPARED entries are read: where there are as
        # many, an item that is not among them may still be in the inbox.
        watch.items.exclude(key__in=list(by_key)).delete()
    rows = [InboxWatchItem(watch=watch, key=key) for key in by_key if key not in known]
    return [(by_key[row.key], row.pk) for row in InboxWatchItem.objects.bulk_create(rows)]


def _notify_member(member: Membership, inbox_entry: InboxEntry, number: int) -> bool:
    word, _, remote_id = inbox_entry.key.partition("/")
    amount = f" ({inbox_entry.amount})" if inbox_entry.amount else ""
    sentence = f"{inbox_entry.noun} {inbox_entry.title}{amount} waits for your approval."
    # The number is of this stay in the inbox: an item that comes back is told again.
    key = f"waiting:{inbox_entry.key}:{number}"
    return bool(notify([member], WAITING, sentence, key=key, kind=kind_from_address(word), remote_id=remote_id))
