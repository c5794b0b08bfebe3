"""Payouts in the copy: those that failed are read from the service's list, what else becomes of them comes by events."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from dashboard import operations
from dashboard.errors import Forbidden
from dashboard.mirror import request_sync
from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.conftest import World


def a_payout(status: str, number: int) -> dict[str, Any]:
    return {
        "_id": f"{number:024x}", "batch_no": f"PO-{number}", "name": "Drivers", "status": status, "currency": "KES",
        "total_amount": Decimal("300.5"), "total_amount_minor": 30_050, "item_count": 3, "failed_count": number, "version": 2,
        "createdAt": "2026-11-20T08:00:00Z", "updatedAt": "2026-11-20T09:00:00Z",
    }  # fmt: skip


def test_the_list_of_the_service_is_asked_by_state(new_world: Callable[..., World]) -> None:
    world = new_world(synced=False)
    request_sync.refresh_failed_payouts(world.business)
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()


def test_what_failed_is_copied_with_how_much_of_it(
    new_world: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    world, asked = new_world(synced=False), []

    def told(_: Any, operation: Any, *, status: str) -> Any:
        asked.append((operation, status))
        return iter([a_payout(status, len(asked))])

    monkeypatch.setattr(request_sync, "read_list", told)
    request_sync.refresh_failed_payouts(world.business)
    assert asked == [(operations.LIST_PAYOUTS, "FAILED"), (operations.LIST_PAYOUTS, "PARTIALLY_COMPLETED")]
    rows = ApprovalRequest.objects.filter(business=world.business, kind="payout").order_by("ref")
    assert [(row.ref, row.status, row.payee, row.voted) for row in rows] == [
        ("PO-1", "FAILED", "1 of 3 failed", True),
        ("PO-2", "PARTIALLY_COMPLETED", "2 of 3 failed", True),
    ]
    assert [row.amount_minor for row in rows] == [30_050, 30_050]


def test_an_account_that_may_not_list_payouts_goes_without(
    new_world: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = new_world(synced=False)

    def refused(*_: Any, **__: Any) -> Any:
        raise Forbidden("This account is not entitled to payouts.", code="not_entitled")

    monkeypatch.setattr(request_sync, "read_list", refused)
    request_sync.refresh_failed_payouts(world.business)
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()
