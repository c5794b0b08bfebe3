"""Jobs that are asked for by name: after the commit alone, under names that a worker knows, and never in the way."""

import base64
import json
import logging
from typing import Any

import pytest
import redis
from celery import current_app
from django.conf import settings
from django.db import transaction

from service import enqueue
from service.bills import queue as bills
from service.bills import tasks as bills_tasks
from service.expenses import exports
from service.expenses import tasks as expenses_tasks
from service.ids import object_id
from service.payments import queue as payments
from service.payments import tasks as payments_tasks

# No worker knows it: what is asked for stays in the queue.
JOB = "tests.asked_for_by_name"


def waiting() -> list[list[str]]:
    """The arguments of this job's messages in the real queue."""
    broker = redis.Redis.from_url(settings.CELERY_BROKER_URL)
    messages = [json.loads(each) for each in broker.lrange(settings.CELERY_TASK_DEFAULT_QUEUE, 0, -1)]
    return [json.loads(base64.b64decode(each["body"]))[0] for each in messages if each["headers"]["task"] == JOB]


@pytest.mark.parametrize(
    ("name", "task"),
    [
        (payments.EXECUTE, payments_tasks.execute),
        (bills.EXECUTE, bills_tasks.execute),
        (exports.EXPORT, expenses_tasks.export_receipts),
    ],
)
def test_the_name_is_that_of_a_job(name: str, task: Any) -> None:
    assert current_app.tasks[name].run == task.run


def test_a_job_is_asked_for_once_its_transaction_is_committed(
    db: None, django_capture_on_commit_callbacks: Any
) -> None:
    first = object_id()
    with django_capture_on_commit_callbacks(execute=True):
        enqueue.on_commit(JOB, first)
        assert [first] not in waiting()
    assert waiting().count([first]) == 1


def test_what_is_rolled_back_asks_for_nothing(db: None, django_capture_on_commit_callbacks: Any) -> None:
    first = object_id()
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        enqueue.on_commit(JOB, first)
        transaction.set_rollback(True)
    assert [first] not in waiting()


def test_a_queue_that_is_away_is_logged_and_stops_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object, **__: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(current_app._get_current_object(), "send_task", away)
    with caplog.at_level(logging.ERROR, logger="service.enqueue"):
        enqueue.send(JOB, "x")
    assert f"{JOB} x: no worker could be asked" in caplog.text
