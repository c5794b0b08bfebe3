"""Notices by mail: one letter for everything new of a person, with where to look and never what could be used.

No token, no account number, no words that somebody typed: a mail is read by whoever can read the mailbox.
"""

import re
import unicodedata
from typing import TypedDict

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.bidi import isolated
from dashboard.errors import NotAllowed
from dashboard.inputs import CONTROLS
from dashboard.mirror.item_kinds import item_path, sees
from dashboard.notifications import topics
from dashboard.notifications.models import Notice
from dashboard.notifications.topics import BILLS_DUE, BILLS_RECEIVED, BUDGETS, DELEGATION, WAITING
from dashboard.notifications.waiting import key_of_item, still_waits

log = structlog.get_logger(__name__)

# The page that a notice of no one item leads to.
PAGES = {
    BILLS_DUE.name: "bills", BILLS_RECEIVED.name: "bills_received", BUDGETS.name: "budgets", DELEGATION.name: "delegation",
}  # fmt: skip
PEOPLE_AT_ONCE = 100
MOST_IN_A_MAIL = 50
# What a list of mails shows of a subject, and no more.
LONGEST_SUBJECT = 120
MARKS = {"Mn", "Mc", "Me"}
JOINER = "\u200d"
# Six digits or more, however they are parted: an account, a card, a phone number. An amount has commas and a point.
NUMBER = re.compile(r"(?<![\d,.])\d(?:[ \-]?\d){5,}(?![\d,])")


def masked(text: str) -> str:
    """The text with every long number cut to its last digits."""
    return NUMBER.sub(lambda match: f"···{re.sub(r'[^0-9]', '', match[0])[-4:]}", text)


def subject_line(text: str) -> str:
    """The text as the subject of a mail: in one line without controls, long numbers masked, cut to LONGEST_SUBJECT with an
    ellipsis, and isolated where it could turn around what stands beside it."""
    plain = "".join(letter for letter in " ".join(text.split()) if unicodedata.category(letter) not in CONTROLS)
    return isolated(_cut(masked(plain), LONGEST_SUBJECT))


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    end = longest - 1
    # A letter keeps the marks that belong to it.
    while end > 1 and (unicodedata.category(text[end]) in MARKS or JOINER in text[end - 1 : end + 1]):
        end -= 1
    return f"{text[:end].rstrip()}…"


def mail_link(path: str) -> str:
    """An address as a mail writes it."""
    return f"{settings.DASHBOARD_ADDRESS}{path}"


class MailContext(TypedDict):
    """What the template of every mail reads: whom it is to, at which business, and where they choose what they are sent."""

    name: str
    business: str
    choices: str


class NoticeLine(TypedDict):
    """A notification in a mail: its sentence, and where it leads."""

    sentence: str
    link: str


class NoticesContext(MailContext):
    """What notifications/mail/notices.txt reads."""

    lines: list[NoticeLine]


def mail_context(membership: Membership) -> MailContext:
    """What the template of a mail to this person reads whatever the mail is about."""
    return {
        "name": membership.user.get_full_name(),
        "business": membership.business.name,
        "choices": mail_link(reverse("notifications_choices", args=[membership.business.slug])),
    }


def letter(membership: Membership, subject: str, template: str, context: MailContext, name: str) -> EmailMessage:
    """A mail to one person; `name` is the same for the same mail, so that a second copy can be told to be one."""
    return EmailMessage(
        subject=subject_line(subject),
        body=render_to_string(template, dict(context)),
        to=[membership.user.email],
        headers={"Auto-Submitted": "auto-generated", "Message-ID": f"<{name}@countersign>"},
    )


def send_waiting() -> int:
    """Mails what waits to be mailed, person by person; how many mails went out. Safe to run at the same time twice."""
    waiting = Notice.objects.filter(mail_wanted=True, mailed_at=None)
    people = list(waiting.order_by("told_at").values_list("membership_id", flat=True)[: PEOPLE_AT_ONCE * 10])
    sent = 0
    for membership_id in list(dict.fromkeys(people))[:PEOPLE_AT_ONCE]:
        try:
            sent += _send_to(membership_id)
        except OSError as error:
            # The mail server is away: what was not sent waits for the next round.
            log.warning("mail not sent", membership=membership_id, error=type(error).__name__)
    return sent


@transaction.atomic
def _send_to(membership_id: int) -> int:
    rows = Notice.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    notices = list(
        rows.filter(membership_id=membership_id, mail_wanted=True, mailed_at=None).order_by("told_at")[:MOST_IN_A_MAIL]
    )
    if not notices:
        return 0
    membership = Membership.objects.select_related("user", "business").get(pk=membership_id)
    useful = [notice for notice in notices if _still_useful(membership, notice)]
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(mailed_at=timezone.now())
    if not useful:
        return 0
    context: NoticesContext = {
        **mail_context(membership),
        "lines": [{"sentence": masked(_plain(notice)), "link": mail_link(_where(notice))} for notice in useful],
    }
    subject = _plain(useful[0]) if len(useful) == 1 else f"{len(useful)} notifications from {membership.business.name}"
    letter(membership, subject, "notifications/mail/notices.txt", context, f"notice-{useful[0].pk}").send()
    return 1


def _still_useful(membership: Membership, notice: Notice) -> bool:
    """Not for who has left, nor of what is no longer theirs to see, nor of what they have read in the meantime."""
    if not membership.is_active or not membership.user.is_active or notice.read_at is not None:
        return False
    if notice.topic == WAITING.name:
        return _waits_still(membership, notice)
    return not notice.kind or sees(membership, notice.kind, notice.remote_id)


def _waits_still(membership: Membership, notice: Notice) -> bool:
    try:
        return still_waits(Actor.for_membership(membership), key_of_item(notice.kind, notice.remote_id))
    except NotAllowed:
        return False


def _plain(notice: Notice) -> str:
    # What somebody wrote as a reason stays in the app.
    return notice.sentence.partition(" “")[0]


def _where(notice: Notice) -> str:
    return place_of(notice.business.slug, notice.topic, notice.kind, notice.remote_id)


def place_of(slug: str, topic: str, kind: str, remote_id: str) -> str:
    """The URL path that a notice leads to: its item, where it is decided on for what waits and for an answer; else a page
    for its topic."""
    if topic == WAITING.name:
        return f"{reverse('approvals', args=[slug])}{key_of_item(kind, remote_id)}/"
    if topic == topics.ANSWERED.name:
        return reverse("approvals_expense", args=[slug, remote_id])
    if kind:
        return item_path(slug, kind, remote_id)
    return reverse(PAGES.get(topic, "notifications"), args=[slug])
