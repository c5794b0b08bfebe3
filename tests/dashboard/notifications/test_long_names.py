"""Names of 216 characters, of one word, from right to left, and over several lines, in every mail and push message: subjects
are short and in one line, no line is longer than a mail may have, nothing is escaped as if it were markup.

Every text template of a mail is in `MAILS`: a new one fails here until it is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.conf import settings as project
from django.core import mail
from django.core.mail import EmailMessage
from django.test import RequestFactory

from dashboard.access.roles import Role
from dashboard.bidi import FSI, PDI
from dashboard.notifications import digest, push_messages
from dashboard.notifications.mail import LONGEST_SUBJECT, send_waiting, subject_line
from dashboard.notifications.models import Digest, Notice
from dashboard.notifications.services import notify
from dashboard.notifications.topics import DECIDED, TOPICS
from dashboard.proposals import invitations as invitations_of
from tests.dashboard.notifications.test_mail import outbox as outbox
from tests.dashboard.pages.conftest import House

LENGTH = 216
# What a mail's line may hold without its end (RFC 5322).
LONGEST_LINE = 998
NAMES = {
    "solid": ("Weitverzweigtehandelsgesellschaft" * 7)[:LENGTH],
    "spaced": ("Worldwide Provisions & Very Careful Long Distance Transport Company of O'Neill " * 4)[:LENGTH].strip(),
    "arabic": ("شركة النور للتجارة الدولية والخدمات المالية المحدودة، فرع مومباسا " * 4)[:LENGTH].strip(),
    "turned": f"{'a' * 100}\u202e{'b' * 115}",
}
MORNING = datetime(2026, 11, 25, 8, 5, tzinfo=ZoneInfo("Africa/Nairobi"))


def notices(house: House, name: str) -> None:
    notify([house.people["Carla"]], DECIDED, f"{name} approved your expense {name}.", key="long")
    assert send_waiting() == 1


def digests(house: House, name: str) -> None:
    house.expense(merchant=name[:100], amount_minor=100_000)
    house.payment(title=name, amount_minor=5_000_000, due_at=MORNING + timedelta(hours=3))
    chosen = digest.choose(house.people["Apollo"], enabled=True, hour=8, now=MORNING - timedelta(days=1))
    Digest.objects.filter(pk=chosen.pk).update(last_on=(MORNING - timedelta(days=1)).date())
    Digest.objects.exclude(pk=chosen.pk).update(wanted=False)
    assert digest.send_due(MORNING) == 1


def invitations(house: House, name: str) -> None:
    invitations_of.invite_member(
        house.actor("Sam"), email="new@people.test", name=name[:150], role=Role.CARD_USER, employee_id="", key="k"
    )


def resets(house: House, name: str) -> None:
    with request_context(RequestFactory().get("/")):
        context = {"user": house.people["Carla"].user, "business": house.business}
        get_adapter().send_mail("account/email/factor_reset", "carla@people.test", context)


MAILS: dict[str, Callable[[House, str], None]] = {
    "notifications/mail/notices.txt": notices,
    "notifications/mail/digest.txt": digests,
    "account/email/invitation_message.txt": invitations,
    "account/email/invitation_subject.txt": invitations,
    "account/email/factor_reset_message.txt": resets,
    "account/email/factor_reset_subject.txt": resets,
}


def test_every_mail_is_looked_at() -> None:
    folder = Path(project.TEMPLATES[0]["DIRS"][0])
    assert {str(file.relative_to(folder)) for file in folder.rglob("*.txt")} == MAILS.keys()


def named(house: House, name: str) -> None:
    """The business and its people are called so, as far as their columns take it."""
    for row, field in [(house.business, "name"), *((member.user, "name") for member in house.people.values())]:
        longest = row._meta.get_field(field).max_length
        setattr(row, field, name[:longest])
        row.save()


def shown_subject(message: EmailMessage) -> str:
    return str(message.subject).replace(FSI, "").replace(PDI, "")


@pytest.mark.parametrize("send", dict.fromkeys(MAILS.values()), ids=lambda send: send.__name__)
@pytest.mark.parametrize("kind", NAMES)
def test_a_mail_holds_a_long_name_whole_under_a_short_subject(
    house: House, send: Callable[[House, str], None], kind: str
) -> None:
    name = NAMES[kind]
    named(house, name)
    send(house, name)
    (message,) = mail.outbox
    assert "\n" not in message.subject
    assert len(shown_subject(message)) <= LONGEST_SUBJECT
    assert "\u202e" not in message.subject.strip(FSI + PDI) or kind != "turned"
    assert max(map(len, message.message().as_bytes().splitlines())) <= LONGEST_LINE
    assert "&#x27;" not in message.body
    assert "&amp;" not in message.body
    assert "<bdi>" not in message.body
    business = house.business.name
    plain = message.body.replace(FSI, "").replace(PDI, "")
    assert business.replace("\u202e", "") in plain.replace("\u202e", "")


@pytest.mark.parametrize("name", [*NAMES.values(), "Two\nlines\r\nand\u2028three\x00"])
def test_a_subject_is_one_short_line(name: str) -> None:
    subject = subject_line(f"{name} approved your expense {name}.")
    assert len(subject.strip(FSI + PDI)) <= LONGEST_SUBJECT
    assert not set(subject) & set("\n\r\u2028\u2029\x00")
    assert len(name) < LONGEST_SUBJECT or subject.strip(FSI + PDI).endswith("…")
    assert all(subject.count(opening) == 0 for opening in "\u202d\u202e")


def test_a_letter_keeps_its_marks_where_a_subject_is_cut() -> None:
    subject = subject_line("क्षि" * 60)
    assert subject.endswith("…")
    assert subject.rstrip("…")[: len("क्षि") * 29] == "क्षि" * 29
    assert subject_line("short") == "short"


@pytest.mark.parametrize("topic", TOPICS)
def test_a_push_message_holds_no_name_however_long(house: House, topic: str) -> None:
    name = NAMES["solid"]
    notice = Notice(business=house.business, topic=topic, sentence=f"{name} wants you", kind="", remote_id="")
    message = push_messages._message(house.people["Carla"], [notice])
    assert 0 < len(message.text) <= LONGEST_SUBJECT
    assert name[:20] not in message.text


def test_a_long_sentence_is_kept_as_far_as_its_column_goes(house: House) -> None:
    notify([house.people["Carla"]], DECIDED, NAMES["spaced"] * 4, key="long")
    assert len(Notice.objects.get(membership=house.people["Carla"], key="long").sentence) == 500
