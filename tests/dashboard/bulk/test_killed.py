"""A worker that is killed in the middle of a bulk action: the next one goes on, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from datetime import timedelta

from django.utils import timezone

from config.embedded import spawn
from dashboard.bulk import worker
from dashboard.bulk.models import Batch
from tests.dashboard.bulk.conftest import Worlds, customers, planned, states, work

HANG_S = 60
WORKER = "import django; django.setup(); from dashboard.bulk import worker; worker.run({id!r})"


def test_killed_in_the_middle_it_is_finished_by_the_next_and_nothing_is_done_twice(new_world: Worlds) -> None:
    world = new_world(proxied=True)
    assert world.proxy is not None
    customers(world, 12)
    batch = planned(world, "Ada", "customers", "delete", all="matching")
    world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.dashboard"}
    working = spawn([sys.executable, "-c", WORKER.format(id=str(batch.pk))], env=environment)
    ends = time.monotonic() + HANG_S
    # Killed while a request is on its way: it has reached the service, and its answer is never read.
    while len(world.proxy.sent("DELETE")) < 4:
        assert time.monotonic() < ends
        time.sleep(0.005)
    os.kill(working.pid, signal.SIGKILL)
    working.wait()
    assert "WAITING" in states(batch).values()

    # A minute later it is taken for lost.
    Batch.objects.filter(pk=batch.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert str(batch.pk) in worker.lost()
    work(batch)
    assert (batch.state, set(states(batch).values())) == ("DONE", {"DONE"})
    sent = world.proxy.sent("DELETE")
    keys = Counter((call.path, call.headers["Idempotency-Key"]) for call in sent)
    assert len(keys) == 12
    # The one that was on its way was sent again, with its key; the service moved each customer once.
    assert len(sent) <= 13
    at_the_service = world.upstream("/customers?status=DELETED")["docs"]
    assert [customer["version"] for customer in at_the_service] == [2] * 12
