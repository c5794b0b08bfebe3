"""What is done to cards beside making, changing and closing one, to customers who were deleted, and to expenses."""

from __future__ import annotations

import time
from typing import Any, ClassVar

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Expense, Origin
from tests.dashboard.cards.conftest import copied
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.decisions.test_real_service import expenses, upstream
from tests.dashboard.expenses.conftest import file
from tests.dashboard.expenses.files import PNG
from tests.dashboard.no_false_statement.sent import Changed, CreateCard, Made, OfCard, OfCustomer, Sent

# Physical cards that have arrived and are not in use yet.
delivered: list[dict[str, Any]] = []


class RestoreCustomer(OfCustomer):
    operation = "reactivate_customer"

    def open(self) -> None:
        deleted = self.world.send("DELETE", f"/customers/{self.thing.remote_id}")
        upsert("customer", self.world.business, [deleted], Origin.POLL)
        self.address, self.form = f"customers/{self.thing.remote_id}/restore/", {}

    def carried_out(self) -> dict[str, int]:
        return {self.thing.remote_id: int(self.there()["status"] == "ACTIVE")}


class CreateCardOfWallet(CreateCard):
    """A card that spends a wallet of the business (decisions F.5)."""

    def begin(self) -> None:
        super().begin()
        self.form |= {"funding": "BUSINESS_WALLET"}


class UnblockCard(OfCard):
    operation = "unblock_card"

    def open(self) -> None:
        path = f"/cards/{self.thing.remote_id}/block"
        self.thing = copied(self.world, self.world.send("PUT", path, {"reason": "Lost"}))
        self.address, self.form = f"cards/{self.thing.remote_id}/unblock/", {}

    def carried_out(self) -> dict[str, int]:
        there = self.there()
        done = there["version"] - self.thing.remote_version if there["status"] == "ACTIVE" else 0
        return {self.thing.remote_id: done}


class ActivateCard(OfCard):
    operation = "activate_card"

    # Its post takes a quarter of a minute, once for some dozens of them.
    slow = True

    def begin(self) -> None:
        if not delivered:
            orders = [service_requests.card_order(self.world) for _ in range(40)]
            ada = {"X-Acting-Employee": self.world.employee("Ada")["employee_id"]}
            self.world.send("POST", "/cards/physical/orders", {"ids": [one["_id"] for one in orders]}, ada)
            ends = time.monotonic() + 60
            while any(self.card(one)["status"] != "INACTIVE" for one in orders) and time.monotonic() < ends:
                time.sleep(0.5)
            delivered.extend(orders)
        self.thing = copied(self.world, self.card(delivered.pop()))
        self.open()

    def card(self, order: dict[str, Any]) -> dict[str, Any]:
        return dict(self.world.upstream(f"/cards/{order['card']['_id']}"))

    def open(self) -> None:
        self.address, self.form = f"cards/{self.thing.remote_id}/activate/", {}

    def carried_out(self) -> dict[str, int]:
        return {self.thing.remote_id: int(self.there()["status"] == "ACTIVE")}


class RequestSingleUse(Made):
    person, path, operation = "Carla", "/cards/single-use/requests", "request_single_use_card"
    address, field = "cards/mine/ask/once/", "purpose"

    def filled(self) -> dict[str, Any]:
        return {
            "once-purpose": self.name, "once-amount": "120.50", "once-comparison": "LTE", "once-org_wallet_ref": "1",
        }  # fmt: skip

    def begin(self) -> None:
        cancel_waiting(self.world)
        super().begin()

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/cards/single-use/requests", limit=1000)["docs"])


def cancel_waiting(world: World) -> None:
    """Takes back what Carla has asked for: five may wait, and what was done under a fault before waits still."""
    for row in world.upstream("/cards/single-use/requests", limit=1000)["docs"]:
        if row["status"] == "PENDING":
            path = f"/cards/single-use/requests/{row['_id']}"
            service_requests.ask(world, "Carla", "PATCH", path, {"action": "cancel"})


class RequestPhysical(Made):
    person, path, operation = "Carla", "/cards/physical/orders", "request_physical_card"
    address = "cards/mine/ask/physical/"

    def filled(self) -> dict[str, Any]:
        return {"physical-name": self.name, "physical-org_wallet_ref": "1"}

    def rows(self) -> list[dict[str, Any]]:
        return [row["card"] for row in self.world.upstream("/cards/physical/orders", limit=1000)["docs"]]


class CancelRequest(Changed):
    person, path, operation = "Carla", "/cards/single-use/requests/", "cancel_card_request"
    thing: ApprovalRequest

    def make(self) -> ApprovalRequest:
        cancel_waiting(self.world)
        asked = service_requests.card_request(self.world)
        upsert("card_request", self.world.business, [asked], Origin.POLL)
        return ApprovalRequest.objects.get(business=self.world.business, remote_id=asked["_id"])

    def open(self) -> None:
        self.address, self.form = f"cards/mine/requests/{self.thing.remote_id}/take-back/", {}

    def is_done(self) -> int:
        there = self.world.upstream(f"/cards/single-use/requests/{self.thing.remote_id}")
        return int(there["status"] == "CANCELLED")


class SetSingleUsePolicy(Changed):
    path, operation, address = "/cards/single-use/policy", "set_single_use_policy", "cards/requests/policy/change/"

    def make(self) -> int:
        return int(self.version())

    def version(self) -> int:
        return int(self.world.upstream("/cards/single-use/policy")["version"])

    def open(self) -> None:
        days = 2 + self.thing % 20
        self.form = {
            "enabled": "on", "valid_days": str(days), "max_open": "50", "most_KES": "", "alone_KES": "",
            "step": "confirm", "seen": str(self.thing),
        }  # fmt: skip

    def is_done(self) -> int:
        return self.version() - int(self.thing)


class OfExpense(Changed):
    person, path = "Carla", "/expenses"
    thing: Expense
    verb: ClassVar[str] = ""

    def make(self) -> Expense:
        [row] = expenses(self.world)
        return row

    def there(self) -> dict[str, Any]:
        return dict(upstream(self.world, self.thing))

    def open(self) -> None:
        self.address = f"expenses/{self.thing.remote_id}/{self.verb}/"
        self.form = self.filled()

    def filled(self) -> dict[str, Any]:
        raise NotImplementedError


class NoteExpense(OfExpense):
    operation, verb = "note_expense", "notes"

    def filled(self) -> dict[str, Any]:
        return {"notes": self.name}

    def is_done(self) -> int:
        return int(self.there()["notes"] == self.name)


class CategoriseExpense(OfExpense):
    operation, verb = "categorise_expense", "category"

    def filled(self) -> dict[str, Any]:
        now = (self.there().get("subcategory") or {}).get("_id")
        self.other = next(one for one in self.subcategories() if one != now)
        return {"subcategory_id": self.other}

    def is_done(self) -> int:
        return int((self.there().get("subcategory") or {}).get("_id") == self.other)


class AddReceipt(OfExpense):
    path, operation, verb = "/transactions/", "upload_transaction_document", "receipts"

    def filled(self) -> dict[str, Any]:
        return {}

    def press(self) -> Any:
        # Each time a file that can be read from its beginning, as a browser sends it.
        self.form = {"receipts": [file(f"{self.name}.png", PNG)]}
        return super().press()

    def is_done(self) -> int:
        return sum(row["file_name"] == f"{self.name}.png" for row in self.there().get("receipts") or [])


CARDS: tuple[type[Sent], ...] = (
    RestoreCustomer, CreateCardOfWallet, UnblockCard, ActivateCard, RequestSingleUse, RequestPhysical, CancelRequest,
    SetSingleUsePolicy, NoteExpense, CategoriseExpense, AddReceipt,
)  # fmt: skip
