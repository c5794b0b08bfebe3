"""The schedule asks whether there is anything to do before it asks a worker: the question says yes whenever there is."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from celery import current_app
from celery.beat import PersistentScheduler, ScheduleEntry
from django.db import connection
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


def test_a_question_of_each_second_rests_while_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    questions: list[str] = []
    position, seconds = ["0/1"], [1000.0]
    monkeypatch.setattr(scheduler, "has_work", lambda task: questions.append(task) or position == ["0/9"])
    monkeypatch.setattr(scheduler, "log_position", lambda: position[0])
    monkeypatch.setattr(scheduler.time, "monotonic", lambda: seconds[0])
    schedule = scheduler.WorkScheduler(current_app, schedule_filename="", lazy=True)
    entry = schedule.Entry("seal", "service.ledger.seal", schedule=1.0, app=current_app)
    monkeypatch.setattr(scheduler.PersistentScheduler, "apply_entry", lambda *_, **__: None)

    def questions_in(turns: int) -> int:
        questions.clear()
        for _ in range(turns):
            seconds[0] += 1
            schedule.apply_entry(entry)
        return len(questions)

    # Asked until nothing was written in two looks, then each five seconds.
    assert questions_in(2) == 2
    assert questions_in(20) == 4
    position[0] = "0/2"
    # What is being written may be readable at the next look only.
    assert questions_in(2) == 2
    position[0] = "0/9"
    assert questions_in(1) == 1
    # It has work: what fails is tried again at a time that nobody writes.
    assert questions_in(59) == 59
    position[0] = ""
    assert questions_in(10) == 10, "where PostgreSQL cannot tell"


def test_where_the_log_stands_is_known_and_moves_with_a_change(db: None) -> None:
    before = scheduler.log_position()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE written AS SELECT 1 AS number")
        assert before not in ("", scheduler.log_position())


def test_turns_begin_at_whole_seconds_and_those_of_five_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "has_work", lambda _: False)
    schedule = scheduler.WorkScheduler(current_app, schedule_filename="", lazy=True)
    at = datetime(2026, 3, 5, 10, 0, 7, 420_000, tzinfo=UTC)
    for seconds, begins in ((1.0, at.replace(microsecond=0)), (5.0, at.replace(second=5, microsecond=0)), (0.1, at)):
        entry = schedule.Entry("seal", "service.ledger.seal", schedule=seconds, app=current_app)
        assert entry._next_instance(at).last_run_at == begins
        now = schedule._when(entry, 0)
        turn = schedule._when(entry, seconds)
        assert now < turn <= now + seconds + 0.01
        assert seconds < 1 or turn % seconds == 0


def test_jobs_of_an_older_file_have_turns_as_all_others(tmp_path: Path) -> None:
    file = str(tmp_path / "schedule")
    older = PersistentScheduler(current_app, schedule_filename=file)
    assert {type(entry) for entry in older.schedule.values()} == {ScheduleEntry}
    older.close()
    newer = scheduler.WorkScheduler(current_app, schedule_filename=file)
    assert {type(entry) for entry in newer.schedule.values()} == {scheduler.Turn}
    newer.close()


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
