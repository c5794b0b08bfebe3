"""What pages send by themselves: cards, customers, tags, wallet policies."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from dashboard.audit.models import AuditEntry
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Card, Customer, Origin, Wallet, WalletPolicy
from tests.dashboard.cards.conftest import give_card
from tests.dashboard.cards.test_controls import begun
from tests.dashboard.decisions.test_real_service import expenses, upstream
from tests.dashboard.no_false_statement.stage import Act
from tests.dashboard.wallet_policies.conftest import policy
from tests.faults import Sent as Arrived


class Sent(Act):
    """A form of a page; `address` and `form` are what a browser posts."""

    address: str
    form: dict[str, Any]

    def press(self) -> Any:
        return self.stage.browser(self.person).post(self.world.address(self.address), self.form | {"key": self.key})

    def subcategories(self) -> list[str]:
        """The ids of the subcategories that the business began with: no act takes any of these away."""
        return [row["subcategory_id"] for one in self.world.made["categories"] for row in one["subcategories"]]


class Made(Sent):
    """A form that makes something under a name of its own; `rows` are all that the service has of its kind."""

    field: ClassVar[str] = "name"

    def begin(self) -> None:
        self.name = f"Act {uuid.uuid4().hex[:10]}"
        self.form = self.filled()

    def filled(self) -> dict[str, Any]:
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def carried_out(self) -> dict[str, int]:
        return {"": sum(row[self.field] == self.name for row in self.rows())}


class Changed(Sent):
    """Something done to what is there already: `make` makes it, `open` fills the form, `is_done` asks the service."""

    thing: Any

    def begin(self) -> None:
        self.name = f"Act {uuid.uuid4().hex[:10]}"
        self.thing = self.make()
        self.open()

    def make(self) -> Any:
        raise NotImplementedError

    def open(self) -> None:
        raise NotImplementedError

    def is_done(self) -> int:
        """How often it was done, as far as the service tells."""
        raise NotImplementedError

    def carried_out(self) -> dict[str, int]:
        return {"": int(self.is_done())}


class CreateCustomer(Sent):
    path, operation = "/customers", "create_customer"

    def begin(self) -> None:
        self.name = f"Mary {uuid.uuid4().hex[:10]}"
        self.address, self.form = "customers/new/", {"name": self.name}

    def carried_out(self) -> dict[str, int]:
        rows = self.world.upstream("/customers/search", q=self.name, limit=50)["docs"]
        return {"": sum(one["name"] == self.name for one in rows)}


class OfCustomer(Sent):
    """Something done to a customer who is there."""

    path = "/customers/"
    thing: Customer

    def begin(self) -> None:
        name = f"Abdi {uuid.uuid4().hex[:10]}"
        upsert("customer", self.world.business, [self.world.send("POST", "/customers", {"name": name})], Origin.POLL)
        self.thing = Customer.objects.get(business=self.world.business, name=name)
        self.open()

    def open(self) -> None:
        raise NotImplementedError

    def there(self) -> dict[str, Any]:
        found: dict[str, Any] = self.world.upstream(f"/customers/{self.thing.remote_id}")
        return found


class UpdateCustomer(OfCustomer):
    operation = "update_customer"

    def open(self) -> None:
        self.name = f"{self.thing.name} Ltd"
        self.address, self.form = f"customers/{self.thing.remote_id}/edit/", {"name": self.name}

    def carried_out(self) -> dict[str, int]:
        return {self.thing.remote_id: int(self.there()["name"] == self.name)}


class DeleteCustomer(OfCustomer):
    operation = "delete_customer"

    def open(self) -> None:
        self.address, self.form = f"customers/{self.thing.remote_id}/delete/", {}

    def carried_out(self) -> dict[str, int]:
        return {self.thing.remote_id: int(self.there()["status"] == "DELETED")}


class CreateCard(Sent):
    path, operation = "/cards", "create_card"

    def begin(self) -> None:
        self.name = f"Fuel {uuid.uuid4().hex[:10]}"
        self.address = "cards/new/"
        self.form = {
            "employee_id": self.world.employee("Carla")["employee_id"], "name": self.name, "type": "VIRTUAL",
            "funding": "ALLOCATION", "org_wallet_ref": "1", "one_purchase": "50.25", "in_a_month": "900",
        }  # fmt: skip

    def carried_out(self) -> dict[str, int]:
        rows = self.world.upstream(f"/cards/employee/{self.form['employee_id']}", limit=1000)["docs"]
        return {"": sum(one["name"] == self.name for one in rows)}


class OfCard(Sent):
    """Something done to a card that is there."""

    path = "/cards/"
    thing: Card

    def begin(self) -> None:
        self.thing = give_card(self.world, funds=0)
        self.open()

    def open(self) -> None:
        raise NotImplementedError

    def there(self) -> dict[str, Any]:
        found: dict[str, Any] = self.world.upstream(f"/cards/{self.thing.remote_id}")
        return found


class UpdateCard(OfCard):
    operation = "update_card"

    def open(self) -> None:
        self.address = f"cards/{self.thing.remote_id}/controls/save/"
        self.form = begun(self.world, self.thing) | {"one_purchase": "77"}

    def carried_out(self) -> dict[str, int]:
        there = self.there()
        done = there["controls"].get("per_transaction_limit") == 77_00
        return {self.thing.remote_id: there["version"] - self.thing.remote_version if done else 0}


class BlockCard(OfCard):
    operation = "block_card"

    def open(self) -> None:
        self.address, self.form = f"cards/{self.thing.remote_id}/block/", {"reason": "Seen at a bad merchant"}

    def carried_out(self) -> dict[str, int]:
        there = self.there()
        return {
            self.thing.remote_id: there["version"] - self.thing.remote_version if there["status"] == "BLOCKED" else 0
        }


class RetireCard(BlockCard):
    operation = "retire_card"

    def open(self) -> None:
        self.address = f"cards/{self.thing.remote_id}/retire/"
        self.form = {"last_four": self.thing.last_four, "reason": "Left"}

    def carried_out(self) -> dict[str, int]:
        return {self.thing.remote_id: int(self.there()["status"] in {"RETIRED", "CLOSED"})}


class ReissueCard(RetireCard):
    operation = "reissue_card"

    def open(self) -> None:
        self.address, self.form = f"cards/{self.thing.remote_id}/reissue/", {"reason": "Seen"}


class TagExpense(Sent):
    """Two writes of one form: a new word for the business's tags, then the tags of the expense, which fail."""

    path, operation, methods, last_step = "/tags", "tag_expense", ("PUT",), "PUT"

    def begin(self) -> None:
        [self.thing] = expenses(self.world)
        self.word = f"Trip {uuid.uuid4().hex[:8]}"
        self.address, self.form = f"expenses/{self.thing.remote_id}/tags/", {"tags": [], "new": self.word}

    def carried_out(self) -> dict[str, int]:
        words = [one["name"] for one in self.world.upstream("/expenses/tags", limit=1000)["docs"]]
        tagged = upstream(self.world, self.thing).get("tag") or []
        return {"POST": words.count(self.word), "PUT": tagged.count(self.word)}

    def belongs(self, sent: Arrived, item: str) -> bool:
        return sent.method == item

    def item_of(self, line: AuditEntry) -> str:
        # The word has a line of its own, under another operation.
        return "PUT"


class GrantAccess(Sent):
    path, operation = "/wallet-policies", "grant_wallet_access"

    def begin(self) -> None:
        self.who, self.where = self.world.employee("Carla")["employee_id"], self.wallet()
        for one in self.open_ones():
            self.world.send("DELETE", f"/wallet-policies/{one['_id']}")
        WalletPolicy.objects.filter(business=self.world.business).delete()
        self.address = f"wallet-policies/grant/?person={self.who}&wallet={self.where}"
        self.form = {"permissions": ["WALLET_VIEW"], "step": "confirm"}

    def wallet(self) -> str:
        return Wallet.objects.get(business=self.world.business, org_wallet_ref="1").remote_id

    def open_ones(self) -> list[dict[str, Any]]:
        rows = self.world.upstream(f"/wallet-policies/wallet/{self.where}", limit=1000)["docs"]
        return [one for one in rows if one["employee_id"] == self.who and one["status"] != "REVOKED"]

    def carried_out(self) -> dict[str, int]:
        return {"": len(self.open_ones())}


class ModifyAccess(GrantAccess):
    path, operation = "/wallet-policies/", "modify_wallet_policy"

    def begin(self) -> None:
        super().begin()
        self.thing = policy(self.world, "Carla", wallet_id=self.where)
        self.address = f"wallet-policies/{self.thing.remote_id}/edit/"
        self.form |= {"permissions": ["WALLET_VIEW"], "seen": str(self.thing.remote_version)}

    def carried_out(self) -> dict[str, int]:
        there = self.world.upstream(f"/wallet-policies/{self.thing.remote_id}")
        return {self.thing.remote_id: there["version"] - self.thing.remote_version}


class SuspendAccess(ModifyAccess):
    operation = "suspend_wallet_policy"

    def begin(self) -> None:
        super().begin()
        self.address = f"wallet-policies/{self.thing.remote_id}/suspend/"


SENT = (
    TagExpense, CreateCustomer, UpdateCustomer, DeleteCustomer, CreateCard, UpdateCard, BlockCard, RetireCard, ReissueCard,
    GrantAccess, ModifyAccess, SuspendAccess,
)  # fmt: skip
