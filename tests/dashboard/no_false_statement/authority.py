"""What is done to mandates, roles and permissions."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.dashboard.mandates.conftest import rights, role
from tests.dashboard.mandates.test_rights import ticked
from tests.dashboard.no_false_statement.sent import Changed, Sent


class OfMandate(Changed):
    """Something done to a mandate for payout batches; `verb` is the rest of the address."""

    person, path, verb = "Sam", "/permissions/mandates/", ""
    # Where all of them are listed: no change (the service reads them by PUT).
    methods: ClassVar[tuple[str, ...]] = ("POST", "PATCH", "DELETE")

    def make(self) -> dict[str, Any]:
        return next(row for row in self.mandates() if row["currency"] == "USD" and len(row["approvers"]) > 2)

    def mandates(self) -> list[dict[str, Any]]:
        return list(self.world.send("PUT", "/permissions/mandates?limit=500")["docs"])

    def there(self) -> dict[str, Any]:
        return next(row for row in self.mandates() if row["_id"] == self.thing["_id"])

    def open(self) -> None:
        self.address = f"mandates/{self.thing['_id']}/{self.verb}/"
        self.form = self.filled() | {"step": "confirm"}

    def filled(self) -> dict[str, Any]:
        raise NotImplementedError

    def is_done(self) -> int:
        return int(self.there()["version"] - self.thing["version"])


class UpdateMandate(OfMandate):
    operation, verb = "update_mandate", "minimum"

    def filled(self) -> dict[str, Any]:
        return {"min_approvers": str(1 + self.thing["min_approvers"] % 2)}


class UpdateApprover(OfMandate):
    operation = "update_mandate_approver"

    def filled(self) -> dict[str, Any]:
        seat = self.thing["approvers"][0]
        self.address = f"mandates/{self.thing['_id']}/approvers/{seat['approver_id']}/"
        most = 200_000 + self.thing["version"]
        return {"max_amount": str(most), "active": "on"}


class RemoveApprovers(OfMandate):
    operation, verb = "remove_mandate_approvers", "approvers/remove"

    def make(self) -> dict[str, Any]:
        found = super().make()
        sam = {"X-Acting-Employee": self.world.employee("Sam")["employee_id"]}
        self.world.send("PATCH", f"/permissions/mandates/{found['_id']}", {"min_approvers": 1}, sam)
        return super().make()

    def filled(self) -> dict[str, Any]:
        self.seat = self.thing["approvers"][-1]
        return {"people": [self.seat["approver_id"]]}

    def ended(self, done: dict[str, int]) -> None:
        super().ended(done)
        # The seat is given back for whoever comes next.
        sam = {"X-Acting-Employee": self.world.employee("Sam")["employee_id"]}
        body = {"approvers": [{"approver_id": self.seat["approver_id"]}]}
        self.world.send("POST", f"/permissions/mandates/{self.thing['_id']}/approvers", body, sam)


class AddApprovers(RemoveApprovers):
    operation, verb = "add_mandate_approvers", "approvers/add"

    def make(self) -> dict[str, Any]:
        found = super().make()
        sam = {"X-Acting-Employee": self.world.employee("Sam")["employee_id"]}
        self.seat = found["approvers"][-1]
        body = {"approver_ids": [self.seat["approver_id"]]}
        self.world.send("DELETE", f"/permissions/mandates/{found['_id']}/approvers", body, sam)
        return next(row for row in self.mandates() if row["_id"] == found["_id"])

    def filled(self) -> dict[str, Any]:
        return {"people": [self.seat["approver_id"]], "max_amount": ""}

    def ended(self, done: dict[str, int]) -> None:
        Sent.ended(self, done)


class ChangeRole(Changed):
    person, path, operation = "Sam", "/permissions/employees/", "change_role"
    # What reads them goes by POST.
    methods: ClassVar[tuple[str, ...]] = ("PATCH",)

    def make(self) -> str:
        self.who = self.world.employee("Selma")["employee_id"]
        return self.role()

    def role(self) -> str:
        return str(self.world.upstream(f"/employees/{self.who}")["role"])

    def open(self) -> None:
        self.becomes = "REVIEWER" if self.thing != "REVIEWER" else "CARD_USER"
        self.address = f"mandates/people/{self.who}/role/"
        self.form = {"role": self.becomes, "step": "confirm"}

    def belongs(self, sent: Any, item: str) -> bool:
        return bool(sent.method == "PATCH")

    def is_done(self) -> int:
        return int(self.role() == self.becomes)


class ChangeRolePermissions(ChangeRole):
    """What everybody of a role may: one permission more, or one less."""

    path, operation = "/permissions/update/", "update_role_permissions"
    methods: ClassVar[tuple[str, ...]] = ("PUT",)

    def make(self) -> str:
        self.who = "CARD_USER"
        return ""

    def open(self) -> None:
        self.address, self.version = f"mandates/roles/{self.who}/", self.there()["version"]
        has = "VENDOR_EDIT" in str(self.there())
        options = {"without": "VENDOR_EDIT"} if has else {"plus": "VENDOR_EDIT"}
        self.form = ticked(self.world, f"roles/{self.who}/", **options) | {"step": "confirm"}

    def there(self) -> dict[str, Any]:
        return dict(role(self.world, self.who))

    def belongs(self, sent: Any, item: str) -> bool:
        return bool(sent.method == "PUT")

    def is_done(self) -> int:
        return int(self.there()["version"]) - int(self.version)


class ChangePermissions(ChangeRolePermissions):
    """What one person may beyond their role, or short of it."""

    path, operation = "/permissions/employees/", "update_employee_permissions"
    methods: ClassVar[tuple[str, ...]] = ("PATCH",)

    def make(self) -> str:
        self.who = self.world.employee("Rex")["employee_id"]
        return ""

    def open(self) -> None:
        self.address, self.has = f"mandates/people/{self.who}/permissions/", self.has_it()
        options = {"without": "VENDOR_EDIT"} if self.has else {"plus": "VENDOR_EDIT"}
        self.form = ticked(self.world, f"people/{self.who}/permissions/", **options) | {"step": "confirm"}

    def has_it(self) -> bool:
        found = rights(self.world, "Rex")
        return "VENDOR_EDIT" in str(found.get("permissions") or found)

    def belongs(self, sent: Any, item: str) -> bool:
        return bool(sent.method == "PATCH")

    def is_done(self) -> int:
        return int(self.has_it() != self.has)


AUTHORITY: tuple[type[Sent], ...] = (
    UpdateMandate,
    UpdateApprover,
    RemoveApprovers,
    AddApprovers,
    ChangeRole,
    ChangeRolePermissions,
    ChangePermissions,
)
