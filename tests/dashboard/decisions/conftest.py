"""The town of the client's tests, and the verbs that these tests use all the time."""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.access.operation import Operation
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import submit_decision
from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.access.house import numbers, seen
from tests.dashboard.client.conftest import Town
from tests.dashboard.client.conftest import town as town

WHY = {"reason": "The receipt is missing."}


class Desk:
    """Where the cast decides: what they decide on exists in the mirror and at the service."""

    def __init__(self, town: Town) -> None:
        self.town, self.house, self.service, self.proxy = town, town.house, town.service, town.proxy

    def expense(self, of: str = "Carla", **columns: Any) -> Any:
        row = self.house.expense(of, **columns)
        self.service.know(row)
        return row

    def approval(self, **columns: Any) -> Any:
        row = self.house.approval(**columns)
        self.service.know(row)
        return row

    def bill_payment(self, **columns: Any) -> Any:
        """The request for votes on the payment of a bill, which the copy knows."""
        number = next(numbers)
        ref, unique = f"BP-{number}", self.house.unique
        ApprovalRequest.objects.create(
            **seen(self.house.business), remote_id=f"p-{number}-{unique}", kind="bill_payment", ref=ref,
            title="Tyres", amount_minor=5_000_000, currency="KES", status="PENDING_APPROVAL",
            requested_at=timezone.now(), payload={"bill_id": f"b-{number}-{unique}"},
        )  # fmt: skip
        return self.approval(kind="BILL_PAYMENT", ref=ref, title="Tyres", **columns)

    def card_order(self, of: str = "Carla", **columns: Any) -> Any:
        row = ApprovalRequest.objects.create(**{
            **seen(self.house.business), "remote_id": f"o-{next(numbers)}-{self.house.unique}", "kind": "card_order",
            "title": "Travel", "holder_id": self.house.employee(of), "holder_name": of,
            "requested_by_id": self.house.employee(of), "status": "REQUESTED",
            "requested_at": timezone.now(), **columns,
        })  # fmt: skip
        self.service.know(row)
        return row

    def take(self, who: str, row: Any, operation: Operation = operations.APPROVE_EXPENSE, **options: Any) -> Decision:
        given = {"fingerprint": fingerprint_of(row), "key": str(uuid.uuid4()), **options}
        return submit_decision(self.house.actor(who), operation, row, **given)

    def send(self) -> int:
        """Everything that waits is due now, and is sent."""
        waiting = Decision.objects.filter(business=self.house.business, state__in=["WAITING", "UNKNOWN"])
        waiting.update(due_at=timezone.now())
        return send_due(self.house.business)

    def states(self) -> list[str]:
        rows = Decision.objects.filter(business=self.house.business).order_by("created_at")
        return list(rows.values_list("state", flat=True))


@pytest.fixture
def desk(town: Town) -> Desk:
    return Desk(town)
