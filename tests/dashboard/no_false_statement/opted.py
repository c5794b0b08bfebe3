"""Decisions on the wish to hold a fund: an approver's word, or that of whoever is faster."""

from __future__ import annotations

from typing import Any, ClassVar

import requests

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Origin
from tests.dashboard.conftest import World, connect
from tests.dashboard.decisions import service_requests
from tests.dashboard.no_false_statement.decided import OfRequest
from tests.dashboard.no_false_statement.stage import Stage
from tests.sandbox import sandbox_headers


class RejectOptIn(OfRequest):
    """A fund that was rejected can be asked for again: all times of this are of one."""

    person, noun, kind, path = "Apollo", "fund_opt_in", "fund-opt-in", "/investments/opt-in"
    verb, operation, done = "reject", "reject_fund_opt_in", frozenset({"REJECTED"})
    # The last of the catalogue: no other act holds it.
    place: ClassVar[int] = -1

    def begin(self) -> None:
        apollo = {"X-Acting-Employee": self.world.employee(self.person)["employee_id"]}
        fund = self.world.upstream("/investments/funds")["docs"][self.place]["_id"]
        asked = ApprovalRequest.objects.filter(
            business=self.world.business, kind=self.noun, status="PENDING", payload__fund_id=fund
        )
        for ref in asked.values_list("ref", flat=True):
            if self.world.upstream(f"/investments/opt-in/{ref}")["status"] == "PENDING":
                self.world.send("POST", f"/investments/opt-in/{ref}/reject", {"reason": "Not now"}, apollo)
        super().begin()

    def make(self) -> Any:
        found = service_requests.fund_opt_in(self.world, place=self.place)
        upsert(self.noun, self.world.business, [{"_id": found["ref"], **found}], Origin.POLL)
        return ApprovalRequest.objects.get(business=self.world.business, kind=self.noun, ref=found["ref"])

    def there(self) -> dict[str, Any]:
        found: dict[str, Any] = self.world.upstream(f"/investments/opt-in/{self.thing.ref}")
        return found


class ApproveOptIn(RejectOptIn):
    """A fund is held once and for good: each time of this is of another business, behind the same proxy."""

    verb, operation, done = "approve", "approve_fund_opt_in", frozenset({"APPROVED"})

    def begin(self) -> None:
        self.stage = Stage(another_business(self.stage), self.stage.patience, self.stage.cutter)
        super().begin()


def another_business(stage: Stage) -> World:
    """A new business of the service, reached as the stage's own."""
    service = stage.world.service
    answer = requests.post(f"{service}/sandbox/businesses", json={}, headers=sandbox_headers(), timeout=30)
    assert answer.ok, answer.text
    world = connect(answer.json(), service, stage.proxy.address)
    world.proxy = stage.proxy
    world.sync()
    return world


OPTED = (RejectOptIn, ApproveOptIn)
