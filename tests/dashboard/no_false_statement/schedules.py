"""What is done to recurring bills."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from dashboard.mirror.schedule import today
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.no_false_statement.payables import LINE, Payables
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent


class CreateSchedule(Payables, Made):
    path, operation, address, field = "/bill-schedules", "create_bill_schedule", "bills/recurring/new/", "number_prefix"

    def filled(self) -> dict[str, Any]:
        start = today(self.world.business) + timedelta(days=3)
        self.name = f"R{uuid.uuid4().hex[:10]}".upper()
        return {
            "vendor_id": self.vendor()["_id"], "number_prefix": self.name, "interval": "MONTHLY",
            "starts_on": start.isoformat(), "day": "28", "due_in_days": "14", **LINE,
        }  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/bill-schedules", limit=1000)["docs"])


class OfSchedule(Payables, Changed):
    """Something done to a recurring bill."""

    path, verb, status = "/bill-schedules/", "", ""

    def make(self) -> str:
        start = today(self.world.business) + timedelta(days=3)
        body = {
            "vendor_id": self.vendor()["_id"], "number_prefix": f"R{uuid.uuid4().hex[:10]}", "interval": "MONTHLY",
            "starts_on": start.isoformat(), "day": 28, "due_in_days": 14,
            "line_items": [{"description": "Rent", "qty": 1, "unit_price": 1000}],
        }  # fmt: skip
        return str(ask(self.world, "Ada", "POST", "/bill-schedules", body)["_id"])

    def open(self) -> None:
        self.address, self.form = f"bills/recurring/{self.thing}/{self.verb}/", {}

    def is_done(self) -> int:
        return int(self.world.upstream(f"/bill-schedules/{self.thing}")["status"] == self.status)


class PauseSchedule(OfSchedule):
    operation, verb, status = "pause_bill_schedule", "pause", "PAUSED"


class ResumeSchedule(OfSchedule):
    operation, verb, status = "resume_bill_schedule", "resume", "ACTIVE"

    def make(self) -> str:
        made = super().make()
        ask(self.world, "Ada", "POST", f"/bill-schedules/{made}/pause")
        return made


class EndSchedule(OfSchedule):
    operation, verb, status = "end_bill_schedule", "end", "ENDED"


SCHEDULES: tuple[type[Sent], ...] = (
    CreateSchedule,
    PauseSchedule,
    ResumeSchedule,
    EndSchedule,
)
