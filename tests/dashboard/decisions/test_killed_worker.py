"""A worker killed with -9 in the middle of a decision: nothing lost, nothing twice."""

import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from config.embedded import spawn, work_of
from dashboard.client.models import OutboundOperation
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.models import Decision
from tests.dashboard.decisions.conftest import Desk
from tests.lifecycle.processes import until

ROOT = Path(__file__).resolve().parents[3]
WORKER = """
import django
django.setup()
from dashboard.access.models import Business
from dashboard.decisions.dispatcher import send_due
send_due(Business.objects.get(pk={business}))
"""
# As long as the worker works at it these begin anew.
HANG_GUARD_S = 60


def claimed(desk: Desk) -> bool:
    return "SENDING" in desk.states()


def written_down(desk: Desk) -> bool:
    return OutboundOperation.objects.filter(business=desk.house.business).exists()


def arrived(desk: Desk) -> bool:
    return bool(desk.proxy.sent("POST"))


def done_upstream(desk: Desk) -> bool:
    return bool(desk.service.effects)


MOMENTS = [pytest.param(claimed, marks=pytest.mark.full), written_down, pytest.param(arrived, marks=pytest.mark.full)]


@pytest.mark.parametrize("moment", [*MOMENTS, done_upstream])
def test_whenever_it_is_killed_the_next_one_finishes_it_once(desk: Desk, moment: Callable[[Desk], bool]) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    Decision.objects.filter(pk=decision.pk).update(due_at=timezone.now())
    # Three seconds on the way there, or on the way back: time enough to be killed before the answer is read.
    if moment is done_upstream:
        desk.service.pause_s = 3.0
    else:
        desk.proxy.fail("slow", path="/v2/expenses", times=1)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.dashboard", "PYTHONPATH": str(ROOT)}
    worker = spawn([sys.executable, "-c", WORKER.format(business=desk.house.business.pk)], env=environment)
    until(
        lambda: moment(desk),
        HANG_GUARD_S,
        f"the worker never came to {moment.__name__}",
        lambda: (work_of([worker.pid]), desk.states()),
        looks_every_s=0.01,
    )
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    desk.service.pause_s = 0.0
    decision.refresh_from_db()
    assert decision.state == "SENDING"
    assert send_due(desk.house.business) == 0
    Decision.objects.filter(pk=decision.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    send_due(desk.house.business)
    assert desk.states() == ["DONE"]
    assert desk.service.effects == [("approve", row.remote_id, desk.house.employee("Rita"))]
    assert {sent.headers["Idempotency-Key"] for sent in desk.proxy.sent("POST")} == {decision.key}
