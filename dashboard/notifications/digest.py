"""The daily mail of what waits for somebody: the items of their inbox, what they come to, which cut-offs are near, and what
waits outside the inbox: payee changes, bills that are due, payouts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import structlog
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership
from dashboard.bidi import isolated
from dashboard.errors import NotAllowed
from dashboard.notifications.mail import MailContext, letter, mail_context, mail_link, masked
from dashboard.notifications.models import Digest

log = structlog.get_logger(__name__)

MOST_BEGUN = 5000
# Whoever something can wait for is told of it each morning, until they choose otherwise.
WAITED_FOR = (
    operations.APPROVE_EXPENSE.roles | operations.APPROVE_PAYMENT_REQUEST.roles | operations.ADD_BILL_PAYMENT.roles
)


@dataclass(frozen=True)
class CutOff:
    """An item that is about to miss its cut-off: its title, its amount with the currency, until when, as text, and the URL
    path where it is decided."""

    title: str
    amount: str
    when: str
    path: str


@dataclass(frozen=True)
class Stuck:
    """What waits for nobody: a sentence of it, and the URL path where to look."""

    sentence: str
    path: str


@dataclass(frozen=True)
class WaitingItem:
    """An item that waits: its title, of what kind and whose it is, its amount with the currency ("" for what is no money),
    and the URL path where it is decided."""

    title: str
    about: str
    amount: str
    path: str


@dataclass(frozen=True)
class DigestSection:
    """What waits outside the inbox, such as bills that are due: its heading, the first of its items, and how many there are."""

    heading: str
    items: list[WaitingItem]
    count: int

    @property
    def more(self) -> int:
        """How many wait beyond those that `items` lists."""
        return self.count - len(self.items)


@dataclass(frozen=True)
class Waiting:
    """What waits for somebody: how many, a sum per currency, how old the oldest is, which cut-offs are near, and the items
    as the inbox lists them, the first of them where there are many."""

    count: int
    sums: list[str]
    oldest: str
    cut_offs: list[CutOff]
    items: list[WaitingItem]


class DigestContext(MailContext):
    """What notifications/mail/digest.txt reads: how many wait in all and how many `approvals` of them, how many more than the
    `items`, what waits outside the inbox by `sections`, and the inbox's address."""

    count: int
    approvals: int
    sums: list[str]
    oldest: str
    cut_offs: list[CutOff]
    stuck: list[Stuck]
    items: list[WaitingItem]
    more: int
    sections: list[DigestSection]
    inbox: str


# What there is to say is known on higher floors, which say at start-up how it is found (each one's apps.py).
_waiting_readers: list[Callable[[Actor], Waiting]] = []
_stuck_readers: list[Callable[[Actor], list[Stuck]]] = []
_section_readers: dict[str, Callable[[Actor], DigestSection | None]] = {}
# Of a section so many items are listed; the others are counted.
MOST_OF_SECTION = 10


def register_waiting(reader: Callable[[Actor], Waiting]) -> None:
    """What waits for a person is found by this, and by nothing else."""
    _waiting_readers[:] = [reader]


def register_stuck(reader: Callable[[Actor], list[Stuck]]) -> None:
    """What waits for nobody, in sentences for a person, is found by this, and by nothing else."""
    _stuck_readers[:] = [reader]


def register_section(name: str, reader: Callable[[Actor], DigestSection | None]) -> None:
    """What waits for a person outside their inbox is found by this; None where nothing does. A name has one reader."""
    _section_readers[name] = reader


def digest_of(membership: Membership) -> Digest:
    """What somebody has chosen; made with its defaults where they have not."""
    return Digest.objects.get_or_create(membership=membership, defaults={"wanted": membership.role in WAITED_FOR})[0]


def choose(membership: Membership, *, enabled: bool, hour: int, now: datetime | None = None) -> Digest:
    """Chooses whether and when. An hour that is over today counts from tomorrow on."""
    here = _local(membership, now or timezone.now())
    digest = digest_of(membership)
    digest.wanted, digest.hour = enabled, hour
    if here.hour >= hour:
        digest.last_on = here.date()
    elif digest.last_on == here.date() and here.hour < hour:
        digest.last_on = here.date() - timedelta(days=1)
    digest.save()
    return digest


def send_due(now: datetime | None = None) -> int:
    """Sends every digest whose hour has come today and that nobody has seen to; how many mails went out."""
    at, sent = now or timezone.now(), 0
    for zone in Business.objects.order_by().values_list("time_zone", flat=True).distinct():
        here = at.astimezone(ZoneInfo(zone))
        _begin(zone, here)
        due = Digest.objects.filter(wanted=True, hour__lte=here.hour, membership__business__time_zone=zone)
        due = due.filter(membership__is_active=True, membership__user__is_active=True)
        fresh = due.exclude(last_on=here.date()).select_related("membership__business", "membership__user")
        sent += sum(_see_to(digest, here) for digest in fresh.order_by("pk"))
    return sent


def _begin(zone: str, here: datetime) -> None:
    """Chosen by nobody: it begins tomorrow, not in the middle of a day."""
    new = Membership.objects.filter(is_active=True, role__in=sorted(WAITED_FOR), digest=None, business__time_zone=zone)
    rows = [Digest(membership_id=pk, last_on=here.date()) for pk in new.values_list("pk", flat=True)[:MOST_BEGUN]]
    Digest.objects.bulk_create(rows, ignore_conflicts=True)


def _local(membership: Membership, at: datetime) -> datetime:
    return at.astimezone(ZoneInfo(membership.business.time_zone))


def _see_to(digest: Digest, here: datetime) -> int:
    """One person's digest of one day, once: claimed before it is written, given back where the mail cannot go out."""
    try:
        with transaction.atomic():
            free = Digest.objects.filter(pk=digest.pk, wanted=True).exclude(last_on=here.date())
            if not free.update(last_on=here.date()):
                return 0
            return _send(digest.membership, here)
    except OSError as error:
        log.warning("digest not sent", membership=digest.membership_id, error=type(error).__name__)
        return 0


def _send(membership: Membership, here: datetime) -> int:
    try:
        actor = Actor.for_membership(membership)
    except NotAllowed:
        return 0
    waiting = _waiting_readers[0](actor)
    sections = [section for reader in _section_readers.values() if (section := reader(actor)) is not None]
    count = waiting.count + sum(section.count for section in sections)
    if not count:
        return 0
    inbox = reverse("approvals", args=[membership.business.slug])
    context: DigestContext = {
        **mail_context(membership),
        "count": count,
        "approvals": waiting.count,
        "sums": waiting.sums,
        "oldest": waiting.oldest,
        "cut_offs": [
            replace(cut_off, title=masked(cut_off.title), path=mail_link(cut_off.path)) for cut_off in waiting.cut_offs
        ],
        "stuck": [Stuck(masked(stuck.sentence), mail_link(stuck.path)) for stuck in _stuck_readers[0](actor)],
        "items": _for_mail(waiting.items),
        "more": waiting.count - len(waiting.items),
        "sections": [replace(section, items=_for_mail(section.items)) for section in sections],
        "inbox": mail_link(f"{inbox}?show=mine"),
    }
    subject = f"{count} {'item waits' if count == 1 else 'items wait'} for you at {membership.business.name}"
    letter(
        membership, subject, "notifications/mail/digest.txt", context, f"digest-{membership.pk}-{here:%Y%m%d}"
    ).send()
    return 1


def _for_mail(items: list[WaitingItem]) -> list[WaitingItem]:
    """The items with long numbers masked, as a mail may show them, and with whole addresses."""
    return [
        replace(item, title=isolated(masked(item.title)), about=isolated(masked(item.about)), path=mail_link(item.path))
        for item in items
    ]
