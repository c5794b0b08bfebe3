"""While events are applied, which may take a while, people go on working in the same business."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections

from dashboard.access.models import Business
from dashboard.mirror import webhook_inbox
from dashboard.mirror.models import InboxEvent, Origin
from tests.dashboard.access.house import build


def refer_to(business: Business) -> None:
    """What every row that belongs to a business does to it when it is written; an error where that would have to wait."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM access_business WHERE id = %s::bigint FOR KEY SHARE NOWAIT", [business.pk])
    finally:
        connections.close_all()


def test_a_decision_can_be_written_down_meanwhile(committed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    house, asked = build(), []
    InboxEvent.objects.create(business=house.business, webhook_id="msg_1", kind="expense.created", body={})

    def apply_event(business: Business, event: Mapping[str, Any], source: Origin) -> None:
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(refer_to, business).result()
        asked.append(business)

    monkeypatch.setattr(webhook_inbox, "apply_event", apply_event)
    assert webhook_inbox.apply_received() == 1
    assert asked == [house.business]
