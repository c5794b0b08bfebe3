"""Payment requests to vote on."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.models import Approval
from service.businesses.models import Employee
from service.payments.queue import EXECUTE
from tests.service.house import House
from tests.service.payments.conftest import initiated, item


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the worker is asked for is kept here instead."""
    requested: list[str] = []
    monkeypatch.setattr(
        "service.enqueue.send", lambda task, *args: requested.append(args[0]) if task == EXECUTE else None
    )
    return requested


@pytest.fixture
def settled_people(house: House) -> None:
    """People who have had their roles for long."""
    Employee.objects.filter(business=house.business).update(role_changed_at=timezone.now() - timedelta(days=99))


@pytest.fixture
def committed_house(committed: None) -> House:
    """A business that is really there, for threads."""
    return House()


def request_approval(house: House, amount: float = 1500, **more: Any) -> Approval:
    """An open request: one approval below 100,000 shillings, two from there on."""
    return Approval.objects.get(id=initiated(house, item(amount), **more)["approvals"][-1])


def vote(house: House, row: Approval, by: str | None, verb: str = "approve", reason: str = "No") -> Any:
    """A vote in somebody's name."""
    body = {"approval_id": row.id} if verb == "approve" else {"approval_id": row.id, "reason": reason}
    return house.post(f"/approvals/{verb}", body, by=by)
