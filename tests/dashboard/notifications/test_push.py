"""Push messages, at a push service of our own: what waits reaches the device that was switched on, encrypted for it, in
words that give nothing away; and reaches nobody who may not have it."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from py_vapid import Vapid02

from dashboard.access.models import Membership
from dashboard.conversation.comments import say
from dashboard.mirror.models import Expense
from dashboard.notifications.models import InboxWatch, Notice, PushDelivery, PushDevice, PushMessage, TopicChoice
from dashboard.notifications.push_delivery import BACKOFF_S, deliver_due
from dashboard.notifications.push_messages import MOST_PER_HOUR, STALE, compose_waiting
from dashboard.notifications.tasks import push_notices
from dashboard.notifications.vapid import public_key
from tests.dashboard.notifications.push_service import Phone, PushService
from tests.dashboard.pages.conftest import House

ANDROID = "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36"


@pytest.fixture(autouse=True)
def nothing_left(db: None) -> None:
    """What other tests left behind is sent to nobody."""
    PushDevice.objects.all().delete()
    Notice.objects.filter(push_wanted=True).update(pushed_at=timezone.now())


def turn_on(
    house: House, who: str, push: PushService, name: str = "", client: Client | None = None
) -> tuple[Phone, Client]:
    """Somebody turns push notifications on in a browser, as its script does."""
    phone, client = Phone(name or who), client or house.browser(who)
    answer = client.post(
        house.address("notifications/devices/"), push.subscription(phone), HTTP_USER_AGENT=ANDROID, follow=True
    )
    assert "Push notifications are on for this device." in answer.content.decode()
    return phone, client


def retry_now() -> int:
    PushDelivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    return deliver_due()


def test_an_expense_that_comes_to_wait_reaches_the_device_and_gives_nothing_away(
    house: House, push: PushService
) -> None:
    house.expense(merchant="Waited before")
    phone, _ = turn_on(house, "Apollo", push)
    assert push_notices() == 0
    expense = house.expense(merchant="Shell 0110123456", employee_name="Amina Wanjiru")
    assert push_notices() == 1
    address = house.address(f"approvals/expense/{expense.remote_id}/")
    assert push.messages(phone) == [{"text": "An expense waits for your approval", "path": address}]
    ((path, headers, body),) = push.received
    # Nothing of it can be read on the way: not even the address.
    for secret in (b"Shell", b"0110123456", b"Amina", b"8,420", b"expense", house.business.slug.encode()):
        assert secret not in body + path.encode() + json.dumps(headers).encode()
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0
    assert push_notices() == 0
    assert len(push.received) == 1


def test_the_message_is_signed_with_the_key_that_the_browser_subscribed_with(house: House, push: PushService) -> None:
    turn_on(house, "Apollo", push)
    house.expense()
    push_notices()
    ((_, headers, _),) = push.received
    scheme, _, rest = headers["Authorization"].partition(" ")
    signed = dict(part.split("=", 1) for part in rest.split(","))
    assert (scheme, signed["k"]) == ("vapid", public_key())
    assert Vapid02.verify(headers["Authorization"])
    claims = json.loads(base64.urlsafe_b64decode(signed["t"].split(".")[1] + "=="))
    assert claims["aud"] == push.address
    assert claims["sub"] == "mailto:ops@desk.example"


def test_it_is_off_until_somebody_turns_it_on_and_again_when_they_remove_the_device(
    house: House, push: PushService
) -> None:
    _, client = turn_on(house, "Apollo", push)
    page = client.get(house.address("notifications/choices/")).content.decode()
    assert "Chrome on Android" in page
    assert "this device" in page
    device = PushDevice.objects.get()
    client.post(house.address(f"notifications/devices/{device.pk}/remove/"))
    house.expense()
    assert push_notices() == 0
    assert (push.received, Notice.objects.filter(topic="waiting").count()) == ([], 0)
    assert not InboxWatch.objects.filter(membership=house.people["Apollo"]).exists()


def test_an_item_that_left_and_came_back_is_told_again_and_several_are_one_message(
    house: House, push: PushService
) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    expense = house.expense()
    push_notices()
    Expense.objects.filter(pk=expense.pk).update(status="DETAILS_REQUESTED")
    push_notices()
    Expense.objects.filter(pk=expense.pk).update(status="PENDING")
    house.payment()
    assert push_notices() == 1
    assert [message["text"] for message in push.messages(phone)] == [
        "An expense waits for your approval",
        "2 items wait for your approval",
    ]
    assert push.messages(phone)[-1]["path"] == house.address("approvals/?show=mine")


@pytest.mark.parametrize(
    ("kind", "text"), [("payment", "A payment request waits"), ("request", "A single-use card waits")]
)
def test_each_kind_has_its_words_and_its_address(house: House, push: PushService, kind: str, text: str) -> None:
    phone, client = turn_on(house, "Apollo", push)
    getattr(house, kind)()
    push_notices()
    (message,) = push.messages(phone)
    assert message["text"] == f"{text} for your approval"
    assert client.get(message["path"]).status_code == 200


def test_topics_have_a_box_for_it_and_a_mention_says_no_more_than_that(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Rita", push)
    expense = house.expense(merchant="Shell")
    push_notices()
    push.received.clear()
    for number in range(2):
        say(house.actor("Ada"), "expense", expense, f"@Rita the account is 0110123456 {number}", key=str(number))
        assert push_notices() == 1
        TopicChoice.objects.update_or_create(
            membership=house.people["Rita"],
            topic="mention",
            defaults={"in_app": True, "by_mail": True, "by_push": True},
        )
    assert {message["text"] for message in push.messages(phone)} == {"Somebody mentioned you"}
    TopicChoice.objects.filter(topic="mention").update(by_push=False)
    say(house.actor("Ada"), "expense", expense, "@Rita again", key="off")
    assert push_notices() == 0


def test_the_settings_keep_the_box(house: House, push: PushService) -> None:
    client = house.browser("Rita")
    address = house.address("notifications/choices/")
    page = client.get(address).content.decode()
    assert 'name="waiting_push"' in page
    client.post(address, {"hour": "8", "mention_app": "on", "comment_push": "on"})
    choices = {choice.topic: choice.by_push for choice in TopicChoice.objects.filter(membership=house.people["Rita"])}
    assert choices["comment"] is True
    assert choices["mention"] is False


def test_without_a_key_nothing_is_offered_and_what_was_chosen_stays(
    house: House, push: PushService, settings: Any
) -> None:
    client, address = house.browser("Rita"), house.address("notifications/choices/")
    client.post(address, {"hour": "8", "comment_push": "on"})
    settings.VAPID_PRIVATE_KEY = ""
    page = client.get(address).content.decode()
    assert "waiting_push" not in page
    assert "Push notifications" not in page
    client.post(address, {"hour": "8"})
    assert TopicChoice.objects.get(membership=house.people["Rita"], topic="comment").by_push is True
    refused = client.post(house.address("notifications/devices/"), push.subscription(Phone("x")), follow=True)
    assert "No push notifications are sent here." in refused.content.decode()


# ── Who may not have it ───────────────────────────────────────────────────────────────────────────────────────────


def ended_membership(house: House) -> None:
    Membership.objects.filter(pk=house.people["Apollo"].pk).update(is_active=False)


def lost_role(house: House) -> None:
    Membership.objects.filter(pk=house.people["Apollo"].pk).update(role="CARD_USER")


@pytest.mark.parametrize("loses", [ended_membership, lost_role])
def test_whoever_loses_the_role_or_the_membership_is_sent_nothing_not_even_what_was_on_its_way(
    house: House, push: PushService, loses: Any
) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    push.answers[f"/push/{phone.name}"] = (503, {})
    house.expense()
    push_notices()
    assert PushDelivery.objects.count() == 1
    push.received.clear()
    loses(house)
    cache.clear()
    house.expense()
    push_notices()
    retry_now()
    assert push.received == []
    assert PushDelivery.objects.count() == 0


def test_what_was_decided_meanwhile_is_not_sent(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    push.answers[f"/push/{phone.name}"] = (503, {})
    expense = house.expense()
    push_notices()
    Expense.objects.filter(pk=expense.pk).update(status="APPROVED")
    assert (retry_now(), len(push.received)) == (0, 1)
    assert PushDelivery.objects.count() == 0


# ── When a push service does not take it ──────────────────────────────────────────────────────────────────────────


def test_it_is_tried_again_later_each_time_and_then_no_more(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    push.answers[f"/push/{phone.name}"] = (503, {})
    house.expense()
    push_notices()
    waits = []
    for _ in BACKOFF_S:
        waits.append((PushDelivery.objects.get().due_at - timezone.now()).total_seconds())
        assert deliver_due() == 0
        retry_now()
    assert waits == sorted(waits)
    assert [round(wait / least) for wait, least in zip(waits, BACKOFF_S, strict=True)] == [1] * len(BACKOFF_S)
    assert len(push.received) == len(BACKOFF_S) + 1
    assert PushDelivery.objects.count() == 0
    assert PushDevice.objects.count() == 1


def test_it_waits_as_long_as_the_push_service_says_and_arrives_then(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    push.answers[f"/push/{phone.name}"] = (429, {"Retry-After": "900"})
    house.expense()
    push_notices()
    assert PushDelivery.objects.get().due_at > timezone.now() + timedelta(seconds=800)
    push.answers.clear()
    assert retry_now() == 1
    assert PushDevice.objects.get().sent_at is not None


def test_more_than_so_many_an_hour_are_said_together_later(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    for _ in range(MOST_PER_HOUR + 3):
        house.expense()
        push_notices()
    assert len(push.received) == MOST_PER_HOUR
    PushMessage.objects.update(composed_at=timezone.now() - timedelta(minutes=61))
    assert push_notices() == 1
    assert push.messages(phone)[-1]["text"] == "3 items wait for your approval"


def test_what_is_old_is_not_sent(house: House, push: PushService) -> None:
    turn_on(house, "Apollo", push)
    expense = house.expense()
    say(house.actor("Ada"), "expense", expense, "@Apollo look", key="k")
    Notice.objects.filter(topic="mention").update(told_at=timezone.now() - STALE - timedelta(minutes=1))
    assert compose_waiting() == 0


# ── Where this server may be led to ───────────────────────────────────────────────────────────────────────────────


# ── The worker ────────────────────────────────────────────────────────────────────────────────────────────────────
