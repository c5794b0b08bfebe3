"""The schedule asks whether there is anything to do before it asks a worker: the question says yes whenever there is."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from celery import current_app
from django.utils import timezone
from django.utils.module_loading import import_string

import config.celery  # noqa: F401
from config import scheduler
from config.celery import SCHEDULES
from service.accounts import balance_events
from service.events import relay
from service.events.models import Event
from service.ledger import seals
from service.payments import tasks as payments
from service.payments.models import Intent, IntentStatus
from service.webhooks import delivery
from service.webhooks.models import Delivery
from tests.service.house import House

CUSTOMER = {"type": "walkIn"}
SERVICE = sorted(task for task in scheduler.questions if task.startswith("service."))


def test_every_job_of_each_few_seconds_names_its_question() -> None:
    often = {job["task"] for jobs in SCHEDULES.values() for job in jobs.values() if job["schedule"] < 5}
    assert often <= set(scheduler.questions)


@pytest.mark.parametrize("task", SERVICE)
def test_a_question_has_an_answer(db: None, task: str) -> None:
    assert import_string(scheduler.questions[task])() in (True, False)


def test_a_question_that_cannot_be_answered_asks_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scheduler.questions, "service.ledger.seal", "service.ledger.seals.nowhere")
    assert scheduler.has_work("service.ledger.seal")
    assert scheduler.has_work("a job that names no question")


def test_the_schedule_skips_a_job_without_work_and_its_next_turn_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    schedule = scheduler.WorkScheduler(current_app, schedule_filename="", lazy=True)
    monkeypatch.setattr(scheduler.PersistentScheduler, "apply_entry", lambda _, entry, **__: asked.append(entry))
    for answer in (False, True):
        monkeypatch.setattr(scheduler, "has_work", lambda _, answer=answer: answer)
        entry = schedule.Entry("seal", "service.ledger.seal", schedule=1.0, app=current_app)
        schedule.apply_entry(entry)
    assert len(asked) == 1


def test_the_schedule_waits_for_a_turn_and_does_not_look_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "has_work", lambda _: False)
    monkeypatch.setattr(scheduler.WorkScheduler, "producer", None)
    schedule = scheduler.WorkScheduler(current_app, schedule_filename="", lazy=True)
    entry = schedule.Entry("seal", "service.ledger.seal", schedule=0.1, app=current_app)
    schedule._store = {"entries": {"seal": entry}}
    began, looks = time.monotonic(), 0
    while time.monotonic() - began < 1:
        time.sleep(max(0, schedule.tick()))
        looks += 1
    # Ten turns: for each a look that finds it due, and one that finds how long the next is away.
    assert looks <= 25


def test_an_event_is_asked_for_until_it_has_its_number(house: House) -> None:
    assert house.post("/customers", CUSTOMER).status_code < 300
    assert Event.objects.filter(business_id=house.business.id, sequence__isnull=True).exists()
    assert relay.has_waiting()
    relay.relay()
    assert not Event.objects.filter(sequence__isnull=True).exists()


def test_a_balance_that_changed_is_asked_for(house: House) -> None:
    # Opening the business funded its wallets.
    assert balance_events.has_changed()
    assert relay.has_waiting()


def test_what_is_not_sealed_is_asked_for(house: House) -> None:
    assert seals.waiting()
    assert seals.has_waiting()


def test_a_delivery_is_asked_for_when_it_is_due_and_its_endpoint_is_on(houses: type[House]) -> None:
    house = houses(webhook_url="http://127.0.0.1:9/hooks")
    house.post("/customers", CUSTOMER)
    relay.relay()
    mine = Delivery.objects.filter(endpoint__business_id=house.business.id)
    assert mine.exists()
    Delivery.objects.exclude(pk__in=mine).update(due_at=timezone.now() + timedelta(hours=1))
    assert delivery.has_due()
    mine.update(due_at=timezone.now() + timedelta(minutes=1))
    assert not delivery.has_due()


def test_an_intent_is_asked_for_once_its_time_is_over(db: None) -> None:
    Intent.objects.filter(status=IntentStatus.REQUIRES_CONFIRMATION).update(status=IntentStatus.EXPIRED)
    assert payments.has_due() == bool(payments.execution.due())
