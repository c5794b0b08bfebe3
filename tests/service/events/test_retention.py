"""What is past its time goes, in portions, and nothing else."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from oauth2_provider.models import AccessToken

from service import retention
from service.businesses.models import StoredAnswer
from service.businesses.tasks import forget_answers, forget_tokens
from service.events.models import Event
from service.events.outbox import record_event
from service.events.relay import relay
from service.events.tasks import forget_old_events
from service.webhooks.models import Delivery
from service.webhooks.tasks import forget_old_deliveries
from tests.service.house import House


def test_events_go_after_thirty_days(house: House, monkeypatch: Any) -> None:
    monkeypatch.setattr(retention, "PORTION", 2)
    for number in range(5):
        record_event(house.business, "expense.updated", {"_id": f"{number + 1}", "n": number})
    relay()
    mine = Event.objects.filter(business=house.business)
    mine.filter(sequence__lt=5).update(created_at=timezone.now() - timedelta(days=31))
    assert forget_old_events() >= 4
    assert [event.sequence for event in mine] == [5]


def test_answers_and_tokens_go_when_their_time_is_over(house: House) -> None:
    house.post("/categories", {"name": "Wheels"}, key="k1")
    house.post("/categories", {"name": "Doors"}, key="k2")
    past = timezone.now() - timedelta(seconds=1)
    StoredAnswer.objects.filter(business_id=house.business.id, key="k1").update(keep_until=past)
    forget_answers()
    assert list(StoredAnswer.objects.filter(business_id=house.business.id).values_list("key", flat=True)) == ["k2"]
    forget_tokens()
    assert AccessToken.objects.filter(application=house.client).count() == 1
    AccessToken.objects.filter(application=house.client).update(expires=past)
    forget_tokens()
    assert not AccessToken.objects.filter(application=house.client).exists()


def test_deliveries_that_wait_stay(houses: Any) -> None:
    house = houses(webhook_url="http://localhost:9/")
    for number in range(2):
        record_event(house.business, "expense.updated", {"_id": f"{number + 1}", "n": number})
    relay()
    mine = Delivery.objects.filter(endpoint__business=house.business)
    mine.update(due_at=timezone.now() - timedelta(days=31))
    mine.filter(event__sequence=1).update(status="DELIVERED")
    forget_old_deliveries()
    assert [row.status for row in mine] == ["PENDING"]
