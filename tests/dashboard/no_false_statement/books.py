"""What is done to categories, taxes, budgets, transactions and subscriptions, and when a month is closed and reconciled."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any, ClassVar

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin, Subscription, Transaction, Wallet
from dashboard.mirror.schedule import today
from tests.dashboard.accounting.test_periods import month_before, now
from tests.dashboard.expenses.conftest import file
from tests.dashboard.expenses.files import PDF
from tests.dashboard.markup import markup_of
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.dashboard.reconciliation.test_desk import bring, camt, entries, upload
from tests.dashboard.subscriptions.test_subscriptions import NEW as SUBSCRIPTION
from tests.dashboard.taxes.test_rates import TAX
from tests.dashboard.transactions.conftest import spend


class CreateCategory(Made):
    path, operation, address = "/categories", "create_category", "categories/new/"

    def filled(self) -> dict[str, Any]:
        return {"name": self.name, "code": "", "group": "Operations"}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/categories", limit=1000)["docs"])


class CreateCategories(CreateCategory):
    operation, address = "create_categories", "categories/many/"

    def filled(self) -> dict[str, Any]:
        rows = f"{self.name}\tTyres\t\n"
        page = markup_of(self.stage.browser(self.person).post(self.world.address(self.address), {"table": rows}))
        [digest] = re.findall(r'name="confirmed" value="(\w+)"', page)
        return {"table": rows, "confirmed": digest}


class OfCategory(Changed):
    """Something done to a category with one subcategory; `verb` is the rest of the address."""

    path, verb = "/categories/", ""

    def make(self) -> dict[str, Any]:
        made: dict[str, Any] = self.world.send("POST", "/categories", {"name": self.name, "group": "Operations"})
        row = self.world.send("POST", f"/categories/{made['_id']}/subcategories", {"name": f"Tyres {self.name}"})
        parent = {"_id": made["_id"], "name": made["name"]}
        upsert("category", self.world.business, [{**row, "category": parent}], Origin.POLL)
        self.child = row["_id"]
        return made

    def open(self) -> None:
        self.address = f"categories/{self.thing['_id']}/{self.verb}".replace("CHILD", self.child)
        self.form = self.filled()

    def filled(self) -> dict[str, Any]:
        return {}

    def there(self) -> dict[str, Any]:
        rows = self.world.upstream("/categories", limit=1000)["docs"]
        return next((row for row in rows if row["_id"] == self.thing["_id"]), {})


class UpdateCategory(OfCategory):
    operation, verb = "update_category", "edit/"

    def filled(self) -> dict[str, Any]:
        return {"name": f"{self.name} 2", "code": self.thing["code"], "group": "", "status": "ACTIVE"}

    def is_done(self) -> int:
        return int(self.there()["name"] == f"{self.name} 2")


class DeleteCategory(OfCategory):
    operation, verb = "delete_category", "delete/"

    def is_done(self) -> int:
        return int(not self.there())


class CreateSubcategory(OfCategory):
    operation, verb = "create_subcategory", "new/"

    def filled(self) -> dict[str, Any]:
        return {"new-name": f"Oil {self.name}", "new-code": ""}

    def is_done(self) -> int:
        return sum(row["name"] == f"Oil {self.name}" for row in self.there()["subcategories"])


class UpdateSubcategory(CreateSubcategory):
    operation, verb = "update_subcategory", "CHILD/"

    def filled(self) -> dict[str, Any]:
        return {"name": f"Oil {self.name}", "code": f"OIL-{uuid.uuid4().hex[:8].upper()}", "status": "ACTIVE"}


class DeleteSubcategory(OfCategory):
    operation, verb = "delete_subcategory", "CHILD/delete/"

    def is_done(self) -> int:
        return int(not self.there()["subcategories"])


class MoveSubcategories(OfCategory):
    operation = "move_subcategories"

    def open(self) -> None:
        self.target = self.world.send("POST", "/categories", {"name": f"{self.name} 2"})["_id"]
        self.address, chosen = "categories/move/", {"row": [self.child], "to": self.target}
        plan = markup_of(self.stage.browser(self.person).get(self.world.address(self.address), chosen))
        [seen] = re.findall(r'name="seen" value="(\w+)"', plan)
        self.form = {**chosen, "seen": seen}

    def is_done(self) -> int:
        return sum(
            row["_id"] == self.child for row in self.world.upstream(f"/categories/{self.target}")["subcategories"]
        )


class CreateTax(Made):
    path, operation, address = "/taxes", "create_tax", "taxes/new/"

    def filled(self) -> dict[str, Any]:
        return TAX | {"name": self.name, "code": f"wht_{uuid.uuid4().hex[:8]}"}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/taxes", limit=1000)["docs"])


class OfTax(Changed):
    path, verb, operation = "/taxes/", "", "edit_tax"

    def make(self) -> dict[str, Any]:
        body = {
            "name": self.name, "code": f"WHT_{uuid.uuid4().hex[:8].upper()}", "base": "GROSS",
            "resident_rate_bps": 750, "non_resident_rate_bps": 2000, "threshold_amount": 0,
        }  # fmt: skip
        return dict(self.world.send("POST", "/taxes/create", body))

    def open(self) -> None:
        self.address, self.form = f"taxes/{self.thing['_id']}/{self.verb}/", self.filled()

    def filled(self) -> dict[str, Any]:
        return {}

    def there(self) -> dict[str, Any]:
        rows = self.world.upstream("/taxes", limit=1000)["docs"]
        return next((row for row in rows if row["_id"] == self.thing["_id"]), {})


class RenameTax(OfTax):
    verb = "rename"

    def filled(self) -> dict[str, Any]:
        return {"rename-name": f"{self.name} 2"}

    def is_done(self) -> int:
        return int(self.there()["name"] == f"{self.name} 2")


class NewTerms(OfTax):
    verb = "terms"

    def filled(self) -> dict[str, Any]:
        starts = today(self.world.business) + timedelta(days=30)
        given = {name: TAX[name] for name in ("base", "non_resident_rate", "threshold", "note")}
        return given | {"resident_rate": "10", "effective_from": starts.isoformat()}

    def is_done(self) -> int:
        return len(self.there()["versions"]) - 1


class ArchiveTax(OfTax):
    operation, verb = "archive_tax", "archive"

    def is_done(self) -> int:
        return int(self.there().get("status") != "ACTIVE")


class CreateBudget(Made):
    path, operation, address = "/bills/budgets", "create_budget", "budgets/new/"

    def filled(self) -> dict[str, Any]:
        return {
            "name": self.name, "team": "", "category": "", "currency": "kes", "amount": "1,000", "period": "MONTH",
            "alerts": "100, 80", "active": "on",
        }  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/bills/budgets", limit=1000)["docs"])


class UpdateBudget(CreateBudget):
    path, operation = "/bills/budgets/", "update_budget"

    def begin(self) -> None:
        super().begin()
        body = {"name": f"{self.name} 1", "currency": "KES", "amount": 500, "period": "MONTH", "alert_percents": [80]}
        made = self.world.send("POST", "/bills/budgets", body)
        self.address = f"budgets/{made['_id']}/edit/"


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


class ClosePeriod(Changed):
    path, operation, verb, status = "/accounting/periods/", "close_period", "close", "CLOSED"

    def make(self) -> str:
        period = month_before(now(self.world))
        if self.of(period) != "OPEN":
            self.world.send("POST", f"/accounting/periods/{period}/reopen", {"reason": "Again"}, self.acting("Abel"))
        return period

    def acting(self, name: str) -> dict[str, str]:
        return {"X-Acting-Employee": self.world.employee(name)["employee_id"]}

    def of(self, period: str) -> str:
        return str(self.world.upstream(f"/accounting/periods/{period}")["status"])

    def open(self) -> None:
        self.address = f"accounting/{self.thing}/{self.verb}/"
        self.form = {"reason": "A late invoice"}
        # As a browser sends it: what the page shows as open, and a tick where there is one to set.
        shown = self.stage.browser(self.person).get(self.world.address(f"accounting/{self.thing}/")).content.decode()
        if seen := re.search(r'name="seen" value="([^"]*)"', shown):
            self.form["seen"] = seen.group(1)
        if 'name="accept_open_items"' in shown:
            self.form["accept_open_items"] = "on"

    def is_done(self) -> int:
        return int(self.of(self.thing) == self.status)


class ReopenPeriod(ClosePeriod):
    person, operation, verb = "Abel", "reopen_period", "reopen"

    def make(self) -> str:
        period = super().make()
        body = {"accept_open_items": True}
        self.world.send("POST", f"/accounting/periods/{period}/close", body, self.acting("Ada"))
        return period

    def is_done(self) -> int:
        return int(self.of(self.thing) != "CLOSED")


class CreateBankRule(Made):
    path, operation = "/accounting/bank-rules", "create_bank_rule"

    def filled(self) -> dict[str, Any]:
        wallet = Wallet.objects.get(business=self.world.business, org_wallet_ref="1")
        self.address = f"reconciliation/wallets/{wallet.remote_id}/rules/"
        return {"name": self.name, "text": "fee", "type": "expense"}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/accounting/bank-rules", limit=1000)["docs"])


class DeleteBankRule(CreateBankRule):
    path, operation = "/accounting/bank-rules/", "delete_bank_rule"

    def begin(self) -> None:
        super().begin()
        made = self.world.send("POST", "/accounting/bank-rules", {"name": self.name, "text": "fee", "type": "EXPENSE"})
        self.address, self.form = f"{self.address}{made['_id']}/delete/", {}

    def carried_out(self) -> dict[str, int]:
        return {"": 1 - super().carried_out()[""]}


class ImportStatement(Sent):
    path, operation = "/accounting/bank-statements/lines", "import_bank_lines"
    day: ClassVar[int] = 0

    def begin(self) -> None:
        self.had = self.lines()
        answer = upload(self.world, camt(self.world, [-(1000 + self.had)]))
        self.address, self.form = answer.url.removeprefix(self.world.address()) + "import/", {}

    def lines(self) -> int:
        return int(self.world.upstream("/accounting/bank-lines")["total"])

    def carried_out(self) -> dict[str, int]:
        return {"": self.lines() - self.had}


class OfMatch(Changed):
    """A line of a statement that one entry fits; `verb` is the rest of the address."""

    path, verb = "/accounting/bank-matches", ""

    def make(self) -> int:
        entry = entries(self.world)[0]
        known = self.lines()
        # Where the act before it matched nothing, the same line with the same reference would be one that is there already.
        statement = camt(self.world, [entry["amount_minor"]]).replace(
            "<AcctSvcrRef>L1", f"<AcctSvcrRef>{uuid.uuid4().hex}"
        )
        assert bring(self.world, statement).status_code == 302
        [self.line] = self.lines() - known
        self.seq = entry["seq"]
        return self.matches()

    def lines(self) -> set[str]:
        return {row["_id"] for row in self.world.upstream("/accounting/bank-lines", limit=1000)["docs"]}

    def matches(self) -> int:
        return int(self.world.upstream("/accounting/bank-matches")["total"])

    def open(self) -> None:
        wallet = Wallet.objects.get(business=self.world.business, org_wallet_ref="1")
        self.address = f"reconciliation/wallets/{wallet.remote_id}/{self.verb}/"
        self.form = {"do": "match", "line": [self.line], "entry": [str(self.seq)]}

    def is_done(self) -> int:
        return self.matches() - int(self.thing)


class CreateMatch(OfMatch):
    operation, verb = "create_bank_match", "match"


class UndoMatch(OfMatch):
    path, operation, verb = "/accounting/bank-matches/", "undo_bank_match", "match"

    def open(self) -> None:
        super().open()
        known = self.ids()
        address, form = self.world.address(self.address), self.form | {"key": uuid.uuid4().hex}
        assert self.stage.browser(self.person).post(address, form).status_code == 302
        [self.match] = self.ids() - known
        self.address, self.form = self.address.replace("/match/", f"/matches/{self.match}/undo/"), {}

    def ids(self) -> set[str]:
        return {row["_id"] for row in self.world.upstream("/accounting/bank-matches", limit=1000)["docs"]}

    def is_done(self) -> int:
        return int(self.match not in self.ids())


BOOKS: tuple[type[Sent], ...] = (
    CreateCategory, CreateCategories, UpdateCategory, DeleteCategory, CreateSubcategory, UpdateSubcategory,
    DeleteSubcategory, MoveSubcategories, CreateTax, RenameTax, NewTerms, ArchiveTax, CreateBudget, UpdateBudget, CreateTransaction,
    TagTransaction, SplitTransaction, RemoveSplit, AddDocuments, AddNamedDocument, RemoveDocument, CreateSubscription, PauseSubscription, SetTeam,
    Assign, SetLimits, SetSubcategory, ClosePeriod, ReopenPeriod, CreateBankRule, DeleteBankRule, ImportStatement,
    CreateMatch, UndoMatch,
)  # fmt: skip
