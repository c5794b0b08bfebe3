"""Mail: one letter for what is new, each thing once, never what could be used; the digest at each person's hour."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.conversation.comments import say
from dashboard.notifications.digest import choose, digest_of, send_due
from dashboard.notifications.mail import masked, send_waiting
from dashboard.notifications.models import Digest, Notice
from dashboard.notifications.services import notify
from dashboard.notifications.topics import DECIDED, DELEGATION, MENTION
from tests.dashboard.pages.conftest import House

MORNING = datetime(2026, 11, 25, 8, 5, tzinfo=ZoneInfo("Africa/Nairobi"))


@pytest.fixture(autouse=True)
def outbox(settings: Any, db: None) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.DASHBOARD_ADDRESS = "https://desk.example"
    mail.outbox = []
    Notice.objects.filter(mailed_at=None).update(mailed_at=timezone.now())
    # Businesses that other tests left behind want no mail of this one.
    Digest.objects.update(wanted=False)
    others = Membership.objects.filter(digest=None).values_list("pk", flat=True)
    Digest.objects.bulk_create([Digest(membership_id=pk, wanted=False) for pk in others])


def test_a_mention_is_mailed_once_without_what_was_written(house: House) -> None:
    expense = house.expense(merchant="Shell")
    say(house.actor("Ada"), "expense", expense, "@Rita the account is 0110123456789", key="k")
    assert send_waiting() == 1
    assert send_waiting() == 0
    (letter,) = mail.outbox
    assert letter.to == [house.people["Rita"].user.email]
    assert letter.subject == "Ada mentioned you on expense Shell."
    assert f"https://desk.example{house.address(f'expenses/{expense.remote_id}/')}" in letter.body
    assert "0110123456789" not in letter.body
    assert "the account" not in letter.body
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"


def test_a_delegation_leads_to_its_page(house: House) -> None:
    notify([house.people["Zawadi"]], DELEGATION, "Apollo has delegated expenses to you.", key="k")
    assert send_waiting() == 1
    assert f"https://desk.example{house.address('delegation/')}" in mail.outbox[0].body


def test_several_are_one_letter_and_long_numbers_are_cut(house: House) -> None:
    for number in range(3):
        sentence = f"Your expense 0110 1234 5678 {number} was rejected by Ada. “to 254700000001”"
        notify([house.people["Carla"]], DECIDED, sentence, key=str(number))
    assert send_waiting() == 1
    (letter,) = mail.outbox
    assert letter.subject.startswith("3 notifications from")
    assert "1234 5678" not in letter.body
    assert "254700000001" not in letter.body


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KES 48,650,000.00 to 0110123456", "KES 48,650,000.00 to ···3456"),
        ("card 4111-1111-1111-1111", "card ···1111"),
        ("Invoice 2026", "Invoice 2026"),
        ("UGX 1,234,567", "UGX 1,234,567"),
    ],
)
def test_numbers_are_masked_and_amounts_are_not(text: str, expected: str) -> None:
    assert masked(text) == expected


def test_what_is_of_no_use_any_more_is_not_mailed(house: House) -> None:
    expense = house.expense()
    say(house.actor("Ada"), "expense", expense, "@Rita and @Apollo look", key="k")
    expense.team_id = "another"
    expense.save()
    Notice.objects.filter(membership=house.people["Apollo"]).update(read_at=timezone.now())
    assert send_waiting() == 0
    assert not Notice.objects.filter(mail_wanted=True, mailed_at=None).exists()


def test_a_mail_server_that_is_away_loses_nothing(house: House, settings: Any) -> None:
    notify([house.people["Ada"]], MENTION, "Look", key="k")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1
    assert send_waiting() == 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_waiting() == 1


def due(house: House, who: str, hour: int = 8) -> None:
    digest = choose(house.people[who], enabled=True, hour=hour, now=MORNING - timedelta(days=1))
    digest.last_on = (MORNING - timedelta(days=1)).date()
    digest.save()
    for member in house.people.values():
        if member.pk != digest.membership_id:
            Digest.objects.update_or_create(membership=member, defaults={"wanted": False})


def test_the_digest_comes_once_a_day_at_the_hour_of_the_business(house: House) -> None:
    house.expense(amount_minor=100_000)
    house.payment(amount_minor=5_000_000, due_at=timezone.now() + timedelta(hours=3), title="Rent 0110123456")
    due(house, "Apollo")
    assert send_due(MORNING - timedelta(minutes=10)) == 0
    assert send_due(MORNING) == 1
    assert send_due(MORNING + timedelta(minutes=5)) == 0
    (letter,) = mail.outbox
    assert letter.subject == f"2 items wait for you at {house.business.name}"
    assert "KES\xa051,000.00" in letter.body
    assert "oldest" in letter.body.lower()
    assert "Rent ···3456" in letter.body
    assert f"https://desk.example{house.address('approvals/?show=mine')}" in letter.body
    assert send_due(MORNING + timedelta(days=1)) == 1


def test_nothing_comes_when_nothing_waits_and_to_nobody_who_does_not_want_it(house: House) -> None:
    due(house, "Apollo")
    assert send_due(MORNING) == 0
    house.expense()
    assert send_due(MORNING + timedelta(minutes=5)) == 0
    choose(house.people["Apollo"], enabled=False, hour=8)
    assert send_due(MORNING + timedelta(days=1)) == 0


def test_an_hour_that_is_over_today_counts_from_tomorrow(house: House) -> None:
    house.expense()
    due(house, "Apollo")
    choose(house.people["Apollo"], enabled=True, hour=7, now=MORNING)
    assert send_due(MORNING) == 0
    choose(house.people["Apollo"], enabled=True, hour=9, now=MORNING)
    assert send_due(MORNING) == 0
    assert send_due(MORNING + timedelta(hours=1)) == 1


def test_who_can_be_waited_for_gets_it_without_asking_and_others_do_not(house: House) -> None:
    assert digest_of(house.people["Rita"]).wanted
    assert not digest_of(house.people["Carla"]).wanted
    assert not digest_of(house.people["Sam"]).wanted


def test_a_digest_that_cannot_go_out_comes_later(house: House, settings: Any) -> None:
    house.expense()
    due(house, "Apollo")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1
    assert send_due(MORNING) == 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_due(MORNING + timedelta(minutes=5)) == 1
