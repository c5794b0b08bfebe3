"""Being told: once, through the channels that were chosen, only of what one may see; the bell asks at no query."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache

from dashboard.conversation.comments import edit, say
from dashboard.mirror.models import Origin
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.notifications.bell import name_of
from dashboard.notifications.models import Notice, TopicChoice
from dashboard.notifications.services import notify
from dashboard.notifications.topics import MENTION
from tests.dashboard.pages.conftest import House


def topics(house: House, who: str) -> list[str]:
    return list(Notice.objects.filter(membership=house.people[who]).order_by("told_at").values_list("topic", flat=True))


def test_who_is_mentioned_is_told_and_who_took_part(house: House) -> None:
    own = house.expense(employee_id=house.employee_id("Carla"))
    say(house.actor("Ada"), "expense", own, "@Rita please look", key="k")
    assert (topics(house, "Rita"), topics(house, "Carla"), topics(house, "Ada")) == (["mention"], ["comment"], [])
    answer = say(house.actor("Rita"), "expense", own, "Fine", key="l")
    assert (topics(house, "Ada"), topics(house, "Rita")) == (["comment"], ["mention"])
    edit(house.actor("Rita"), answer, own, "Fine, @Apollo")
    assert topics(house, "Apollo") == ["mention"]
    assert topics(house, "Ada") == ["comment"]


def test_who_may_not_see_it_any_more_is_not_told_of_comments(house: House) -> None:
    expense = house.expense()
    say(house.actor("Rita"), "expense", expense, "Mine to review", key="k")
    expense.team_id = "another"
    expense.save()
    say(house.actor("Ada"), "expense", expense, "Hello", key="l")
    assert topics(house, "Rita") == []


def test_telling_twice_tells_once_and_choices_are_kept(house: House) -> None:
    people = [house.people["Ada"], house.people["Rita"], house.people["Sam"]]
    TopicChoice.objects.create(membership=people[1], topic="mention", in_app=False, by_mail=True)
    TopicChoice.objects.create(membership=people[2], topic="mention", in_app=False, by_mail=False)
    for _ in range(2):
        notify(people, MENTION, "Look", key="k")
    ada, rita = (Notice.objects.get(membership=member) for member in people[:2])
    assert (ada.shown, ada.mail_wanted) == (True, True)
    assert (rita.shown, rita.mail_wanted) == (False, True)
    assert topics(house, "Sam") == []


@pytest.mark.parametrize(
    ("status", "verb", "sentence"),
    [
        ("APPROVED", "approved", "was approved by Rita"),
        ("REJECTED", "rejected", "was rejected by Rita. “No receipt”"),
        ("DETAILS_REQUESTED", "details_requested", "needs an answer from you"),
    ],
)
def test_ones_own_item_was_decided_wherever_it_was_decided(house: House, status: str, verb: str, sentence: str) -> None:
    event = decided(house, status, verb)
    for _ in range(2):
        apply_event(house.business, event, Origin.WEBHOOK)
    notice = Notice.objects.get(membership=house.people["Carla"])
    assert sentence in notice.sentence
    assert "KES\xa01,250.50" in notice.sentence
    assert (notice.kind, notice.remote_id) == ("expense", "e" * 24)


def test_an_item_that_only_changed_tells_nobody(house: House) -> None:
    apply_event(house.business, decided(house, "PENDING", "updated"), Origin.FEED)
    apply_event(house.business, decided(house, "APPROVED", "tagged"), Origin.FEED)
    assert topics(house, "Carla") == []


def answered(house: House, **more: Any) -> dict[str, Any]:
    """The event of an expense that waits again, with the question still on it."""
    event = decided(house, "PENDING", "updated")
    event["data"]["object"] |= {"reviewed_at": "2026-11-02T09:00:00Z", "review_reason": "Which client?"} | more
    return event


def test_the_reviewer_who_asked_hears_of_the_answer_once_and_is_led_to_the_desk(house: House) -> None:
    apply_event(house.business, answered(house), Origin.WEBHOOK)
    apply_event(house.business, answered(house, version=4, notes="More"), Origin.FEED)
    notice = Notice.objects.get(membership=house.people["Rita"])
    assert notice.sentence.startswith("Carla answered your question about expense Taxi")
    assert (notice.topic, notice.mail_wanted) == ("answered", True)
    assert Notice.objects.filter(membership__business=house.business).count() == 1
    opened = house.browser("Rita").post(house.address(f"notifications/{notice.pk}/"))
    assert opened["Location"] == house.address(f"approvals/expense/{'e' * 24}/")
    apply_event(house.business, answered(house, version=5, reviewed_at="2026-11-03T09:00:00Z"), Origin.FEED)
    assert topics(house, "Rita") == ["answered", "answered"]


def test_nobody_hears_of_an_answer_to_themselves(house: House) -> None:
    apply_event(house.business, answered(house, reviewed_by=house.employee_id("Carla")), Origin.FEED)
    assert topics(house, "Carla") == []


def decided(house: House, status: str, verb: str) -> dict[str, Any]:
    return {
        "type": f"expense.{verb}",
        "data": {
            "object": {
                "_id": "e" * 24, "employee_id": house.employee_id("Carla"), "person": "Carla", "status": status,
                "amount": Decimal("1250.5"), "amount_minor": 125050, "currency": "KES", "receiver": "Taxi", "version": 3,
                "transaction_date": "2026-11-01T10:00:00Z", "reviewed_by": house.employee_id("Rita"),
                "review_reason": "No receipt" if status == "REJECTED" else "",
            }
        },
    }  # fmt: skip


def test_the_list_is_ones_own_and_reading_leads_to_the_item(house: House, new_house: Callable[..., House]) -> None:
    expense = house.expense()
    say(house.actor("Ada"), "expense", expense, "@Rita look", key="k")
    notice = Notice.objects.get(membership=house.people["Rita"])
    page = house.browser("Rita").get(house.address("notifications/")).content.decode()
    assert "Ada mentioned you on expense" in page
    assert "Ada mentioned you" not in house.browser("Rex").get(house.address("notifications/")).content.decode()
    address = house.address(f"notifications/{notice.pk}/")
    assert house.browser("Rex").post(address).status_code == 404
    assert house.browser("Rita").post(address)["Location"] == house.address(f"expenses/{expense.remote_id}/")
    notice.refresh_from_db()
    assert notice.read_at is not None
    assert "All read" in house.browser("Rita").get(house.address("notifications/?unread=1")).content.decode()


def test_all_are_read_at_once(house: House) -> None:
    for number in range(60):
        notify([house.people["Ada"]], MENTION, f"Number {number}", key=str(number))
    browser = house.browser("Ada")
    first = browser.get(house.address("notifications/")).content.decode()
    assert "Number 59" in first
    after = first.split("after=")[1].split('"')[0]
    assert "Number 0" in browser.get(house.address(f"notifications/?after={after}")).content.decode()
    assert browser.get(house.address("notifications/?after=nonsense")).status_code == 200
    browser.post(house.address("notifications/read/"))
    assert not Notice.objects.filter(membership=house.people["Ada"], read_at=None).exists()


def test_the_bell_costs_no_query_but_the_session_and_only_who_has_entered_may_hear_it(
    house: House, django_assert_num_queries: Any, django_capture_on_commit_callbacks: Any
) -> None:
    browser, address = house.browser("Ada"), f"/-/bell/{house.business.slug}/"
    assert browser.get(address).status_code == 404
    browser.get(house.address("notifications/"))
    cache.delete(name_of(house.business.pk, house.people["Ada"].user_id))
    assert browser.get(address).json() == {"unread": None}
    assert browser.get(house.address("notifications/count/")).json() == {"unread": 0}
    with django_capture_on_commit_callbacks(execute=True):
        notify([house.people["Ada"]], MENTION, "Look", key="k")
    with django_assert_num_queries(1):
        assert browser.get(address).json() == {"unread": 1}
    assert house.browser("Rita").get(address).status_code == 404


def test_choices_are_kept_and_shown(house: House) -> None:
    browser, address = house.browser("Carla"), house.address("notifications/choices/")
    assert browser.get(address).status_code == 200
    assert browser.post(address, {"hour": "7", "mention_mail": "on", "digest": "on"}).status_code == 302
    chosen = TopicChoice.objects.get(membership=house.people["Carla"], topic="mention")
    assert (chosen.in_app, chosen.by_mail) == (False, True)
    assert browser.post(address, {"hour": "25"}).status_code == 422
