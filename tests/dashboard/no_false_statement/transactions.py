"""What is done to transactions and to subscriptions."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin, Subscription, Transaction
from tests.dashboard.expenses.conftest import file
from tests.dashboard.expenses.files import PDF
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.dashboard.subscriptions.test_subscriptions import NEW as SUBSCRIPTION
from tests.dashboard.transactions.conftest import spend


class CreateTransaction(Made):
    path, operation, address, field = "/transactions", "create_transaction", "transactions/new/", "counterparty"

    def filled(self) -> dict[str, Any]:
        return {
            "type": "EXPENSE", "amount": "1,250.50", "counterparty": self.name, "channel": "BANK",
            "description": "Charges", "wallet": "1",
        }  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/transactions", limit=1000)["docs"])


class OfTransaction(Changed):
    """Something done to a purchase of Carla's; `verb` is the rest of the address."""

    person, path, verb = "Carla", "/transactions/", ""
    thing: Transaction

    def make(self) -> Transaction:
        expense = spend(self.world)
        return Transaction.objects.get(business=self.world.business, expense_id=expense.remote_id, type="EXPENSE")

    def open(self) -> None:
        self.address, self.form = f"transactions/{self.thing.remote_id}/{self.verb}/", self.filled()

    def filled(self) -> dict[str, Any]:
        return {}

    def there(self) -> dict[str, Any]:
        return dict(self.world.upstream(f"/transactions/{self.thing.remote_id}"))

    def documents(self) -> int:
        return len(self.there()["documents"])


class TagTransaction(OfTransaction):
    operation, verb = "tag_transaction", "category"

    def filled(self) -> dict[str, Any]:
        current = (self.there().get("subcategory") or {}).get("_id")
        self.other = next(one for one in self.subcategories() if one != current)
        return {"subcategory_id": self.other}

    def is_done(self) -> int:
        return int((self.there().get("subcategory") or {}).get("_id") == self.other)


class SplitTransaction(OfTransaction):
    operation, verb = "split_transaction", "split"

    def filled(self) -> dict[str, Any]:
        first, second = self.subcategories()[:2]
        return {
            "version": self.there()["version"], "category_0": first, "amount_0": "0.01", "description_0": "",
            "category_1": second, "amount_1": "", "description_1": "The rest",
        }  # fmt: skip

    def is_done(self) -> int:
        return int(len(self.there()["parts"]) == 2)


class RemoveSplit(OfTransaction):
    operation, verb = "split_transaction", "split/remove"

    def open(self) -> None:
        ids, before = self.subcategories()[:2], self.there()
        amounts = 1, before["amount_minor"] - 1
        parts = [
            {"subcategory_id": filed, "amount": str(Decimal(minor).scaleb(-2))}
            for filed, minor in zip(ids, amounts, strict=True)
        ]
        body = {"version": before["version"], "parts": parts}
        self.world.send("PUT", f"/transactions/{self.thing.remote_id}/parts", body)
        super().open()

    def filled(self) -> dict[str, Any]:
        return {"version": self.there()["version"]}

    def is_done(self) -> int:
        return int(not self.there()["parts"])


class AddDocuments(OfTransaction):
    operation, verb = "upload_transaction_document", "documents"

    def press(self) -> Any:
        # Each time a file that can be read from its beginning, as a browser sends it.
        self.form |= {"documents": [file(f"{self.name}.pdf", PDF)]}
        return super().press()

    def is_done(self) -> int:
        return self.documents()


class AddNamedDocument(AddDocuments):
    operation = "upload_supporting_document"

    def open(self) -> None:
        self.address, self.form = "transactions/documents/", {"transaction": self.thing.remote_id}


class RemoveDocument(OfTransaction):
    operation = "remove_transaction_document"

    def open(self) -> None:
        address = self.world.address(f"transactions/{self.thing.remote_id}/documents/")
        key = uuid.uuid4().hex
        self.stage.browser(self.person).post(address, {"key": key, "documents": [file("trip.pdf", PDF)]})
        there = self.there()
        upsert("transaction", self.world.business, [there], Origin.POLL)
        document = there["documents"][0]["_id"]
        self.address, self.form = f"transactions/{self.thing.remote_id}/documents/{document}/remove/", {}

    def is_done(self) -> int:
        return int(self.documents() == 0)


class CreateSubscription(Made):
    path, operation, address = "/subscriptions", "create_subscription", "subscriptions/new/"

    def filled(self) -> dict[str, Any]:
        return SUBSCRIPTION | {"name": self.name, "vendor": f"Cloud {self.name}"}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/subscriptions", limit=1000)["docs"])


class OfSubscription(Changed):
    """Something done to a subscription: `part` is what the form is of."""

    path, part = "/subscriptions/", ""
    thing: Subscription

    def make(self) -> Subscription:
        body = {
            "name": self.name, "vendor": f"Cloud {self.name}", "currency": "KES", "amount": 1500,
            "billing_frequency": "MONTHLY",
        }  # fmt: skip
        made = self.world.send("POST", "/subscriptions/create", body)
        upsert("subscription", self.world.business, [made], Origin.POLL)
        return Subscription.objects.get(business=self.world.business, remote_id=made["_id"])

    def open(self) -> None:
        self.address = f"subscriptions/{self.thing.remote_id}/change/{self.part}/"
        self.form = {f"{self.part}-{name}": value for name, value in self.filled().items()}

    def filled(self) -> dict[str, Any]:
        return {}

    def there(self) -> dict[str, Any]:
        rows = self.world.upstream("/subscriptions", limit=1000)["docs"]
        return next(row for row in rows if row["_id"] == self.thing.remote_id)


class PauseSubscription(OfSubscription):
    operation = "set_subscription_status"

    def open(self) -> None:
        self.address, self.form = f"subscriptions/{self.thing.remote_id}/status/", {"to": "pause"}

    def is_done(self) -> int:
        return int(self.there()["status"] == "PAUSED")


class SetTeam(OfSubscription):
    operation, part = "set_subscription_team", "team"

    def filled(self) -> dict[str, Any]:
        return {"team_id": self.world.made["teams"][0]["team_id"]}

    def is_done(self) -> int:
        return int(bool(self.there()["team_id"]))


class Assign(OfSubscription):
    operation, part = "assign_subscription", "owner"

    def filled(self) -> dict[str, Any]:
        return {"employee_id": self.world.employee("Rita")["employee_id"], "card_id": ""}

    def is_done(self) -> int:
        return int(bool(self.there()["employee_id"]))


class SetLimits(OfSubscription):
    operation, part = "set_subscription_limits", "limits"

    def filled(self) -> dict[str, Any]:
        return {"limit": "3,000", "billing_frequency": "ANNUAL"}

    def is_done(self) -> int:
        return int(self.there()["limit_minor"] == 300_000)


class SetSubcategory(OfSubscription):
    operation, part = "set_subscription_subcategory", "category"

    def filled(self) -> dict[str, Any]:
        return {"subcategory_id": self.subcategories()[0]}

    def is_done(self) -> int:
        return int(bool(self.there()["subcategory_id"]))


TRANSACTIONS: tuple[type[Sent], ...] = (
    CreateTransaction,
    TagTransaction,
    SplitTransaction,
    RemoveSplit,
    AddDocuments,
    AddNamedDocument,
    RemoveDocument,
    CreateSubscription,
    PauseSubscription,
    SetTeam,
    Assign,
    SetLimits,
    SetSubcategory,
)
