"""What is done to what is filed under: categories, taxes and budgets."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin
from dashboard.mirror.schedule import today
from tests.dashboard.markup import markup_of
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.dashboard.taxes.test_rates import TAX


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


CATALOGUE: tuple[type[Sent], ...] = (
    CreateCategory,
    CreateCategories,
    UpdateCategory,
    DeleteCategory,
    CreateSubcategory,
    UpdateSubcategory,
    DeleteSubcategory,
    MoveSubcategories,
    CreateTax,
    RenameTax,
    NewTerms,
    ArchiveTax,
    CreateBudget,
    UpdateBudget,
)
