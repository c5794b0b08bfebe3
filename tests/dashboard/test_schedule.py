"""The schedule of the dashboard's worker asks for a sweep whenever there is something to sweep."""

from __future__ import annotations

import pytest
from django.utils.module_loading import import_string

import config.celery  # noqa: F401
from config import scheduler
from dashboard.audit import seal
from dashboard.audit.models import AuditWaiting
from dashboard.mirror import webhook_inbox
from dashboard.mirror.models import InboxEvent, InboxState
from tests.dashboard.conftest import World

DASHBOARD = sorted(task for task in scheduler.questions if task.startswith("dashboard."))


@pytest.mark.parametrize("task", DASHBOARD)
def test_a_question_has_an_answer(db: None, task: str) -> None:
    assert import_string(scheduler.questions[task])() in (True, False)


def test_a_delivery_is_asked_for_until_it_is_applied(world: World) -> None:
    webhook_inbox.store_delivery(world.business, "delivery-1", {"type": "customer.created", "data": {}})
    assert webhook_inbox.has_received()
    while webhook_inbox.apply_received():
        pass
    assert not InboxEvent.objects.filter(business=world.business, state=InboxState.RECEIVED).exists()


def test_a_line_of_the_audit_is_asked_for_until_it_is_sealed(world: World) -> None:
    world.client("Apollo").get(world.address("settings/"))
    assert AuditWaiting.objects.filter(chain=world.business.pk).exists()
    assert seal.has_waiting()
    seal.seal_waiting()
    assert not AuditWaiting.objects.filter(chain=world.business.pk).exists()
