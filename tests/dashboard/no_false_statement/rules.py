"""What is done to spend policies, approval workflows, mandates, roles and the rest of wallet policies."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from dashboard.mirror.full_sync import refresh_spend_policies, refresh_workflows
from dashboard.mirror.models import Category
from tests.dashboard.mandates.conftest import rights, role
from tests.dashboard.mandates.test_rights import ticked
from tests.dashboard.no_false_statement.sent import Changed, Made, ModifyAccess, Sent
from tests.dashboard.policies.conftest import channel, create_policy, create_workflow, flow, policies_at, workflows_at
from tests.dashboard.wallet_policies.conftest import move


class Reviewed:
    """A form that is looked at once more before it is sent: what is then sent is the second."""

    stage: Any
    world: Any
    person: Any
    address: str

    def reviewed(self, typed: dict[str, Any]) -> dict[str, Any]:
        """What a browser sends of the review of what was typed."""
        answer = self.stage.browser(self.person).post(self.world.address(self.address), typed | {"key": "look"})
        assert answer.status_code == 200, answer.content
        seen = re.findall(r'name="seen" value="([^"]*)"', answer.content.decode())
        return typed | {"step": "confirm", "seen": seen[0].replace("&quot;", '"') if seen else ""}


class CreatePolicy(Reviewed, Made):
    path, operation, address = "/business-policies/create/", "create_policy", "policies/new/CHANNEL/"

    def begin(self) -> None:
        # One policy for each channel: those of earlier times make place.
        for row in policies_at(self.world):
            self.world.send("DELETE", f"/business-policies/{self.among(row)}{row['_id']}")
        refresh_spend_policies(self.world.business)
        super().begin()

    def among(self, row: dict[str, Any]) -> str:
        return "category-policies/" if row["type"] in {"CATEGORY", "SUBCATEGORY"} else ""

    def filled(self) -> dict[str, Any]:
        # So much that it never decides on what other acts pay.
        return self.reviewed(channel(name=self.name, limit="900,000,000", action="FLAG"))

    def rows(self) -> list[dict[str, Any]]:
        return policies_at(self.world)


class SetCategoryPolicy(CreatePolicy):
    path, operation = "/business-policies/category-policies", "set_category_policy"
    address = "policies/categories/set/SUBCATEGORY/"

    def filled(self) -> dict[str, Any]:
        typed = channel(name=self.name, limit="900,000,000", action="FLAG", target=self.category())
        return self.reviewed(typed)

    def category(self) -> str:
        return Category.objects.filter(business=self.world.business).order_by("pk")[0].remote_id


class UpdatePolicy(CreatePolicy):
    path, operation, kind = "/business-policies/", "update_policy", "CHANNEL"

    def filled(self) -> dict[str, Any]:
        self.make()
        return self.reviewed(channel(name=self.name, limit="800,000,000", action="FLAG", target=self.target()))

    def make(self) -> None:
        terms = {"limit": 900_000_000, "currency": "KES", "period": "WEEK", "name": "Before", "action": "FLAG"}
        self.made = create_policy(self.world, self.kind, self.target(), **terms)["_id"]
        self.address = f"policies/{'' if self.kind == 'CHANNEL' else 'categories/'}{self.made}/edit/"

    def target(self) -> str:
        return "MPESA" if self.kind == "CHANNEL" else self.category()

    def category(self) -> str:
        return Category.objects.filter(business=self.world.business).order_by("pk")[0].remote_id


class UpdateCategoryPolicy(UpdatePolicy):
    path, operation, kind = "/business-policies/category-policies/", "update_category_policy", "SUBCATEGORY"


class DeletePolicy(UpdatePolicy):
    operation = "delete_policy"

    def filled(self) -> dict[str, Any]:
        self.make()
        self.address = self.address.replace("/edit/", "/delete/")
        return {"step": "confirm"}

    def carried_out(self) -> dict[str, int]:
        return {"": int(not self.rows())}


class DeleteCategoryPolicy(DeletePolicy):
    path, operation, kind = "/business-policies/category-policies/", "delete_category_policy", "SUBCATEGORY"


class CreateBillWorkflow(Reviewed, Made):
    path, operation, kind = "/bills/workflow", "create_bill_workflow", "bills"

    def filled(self) -> dict[str, Any]:
        self.address = f"policies/workflows/{self.kind}/new/"
        # Of bills of a size that no other act pays.
        return self.reviewed(flow(name=self.name, min_amount="900,000,000"))

    def rows(self) -> list[dict[str, Any]]:
        return workflows_at(self.world, self.kind)


class CreatePolicyWorkflow(CreateBillWorkflow):
    path, operation, kind = "/business-policies/workflows", "create_policy_workflow", "policies"


class UpdateBillWorkflow(CreateBillWorkflow):
    path, operation = "/bills/workflow/", "update_bill_workflow"

    def filled(self) -> dict[str, Any]:
        self.make()
        return self.reviewed(flow(name=self.name, min_amount="900,000,000"))

    def make(self) -> None:
        terms = {"conditions": {"currency": "KES", "min_amount": 900_000_000}, "name": f"Before {self.name}"}
        self.made = create_workflow(self.world, self.kind, **terms)["_id"]
        refresh_workflows(self.world.business)
        self.address = f"policies/workflows/{self.kind}/{self.made}/edit/"


class UpdatePolicyWorkflow(UpdateBillWorkflow):
    path, operation, kind = "/business-policies/workflows/", "update_policy_workflow", "policies"


class DeleteBillWorkflow(UpdateBillWorkflow):
    operation, verb = "delete_bill_workflow", "delete"

    def filled(self) -> dict[str, Any]:
        self.make()
        self.address = self.address.replace("/edit/", f"/{self.verb}/")
        return {"step": "confirm"}

    def carried_out(self) -> dict[str, int]:
        return {"": int(not any(row["_id"] == self.made and row.get("active", True) for row in self.rows()))}


class DeactivatePolicyWorkflow(DeleteBillWorkflow):
    path, operation, kind, verb = (
        "/business-policies/workflows/",
        "deactivate_policy_workflow",
        "policies",
        "deactivate",
    )


class ReactivateAccess(ModifyAccess):
    operation, verb = "reactivate_wallet_policy", "reactivate"

    def begin(self) -> None:
        super().begin()
        self.thing = move(self.world, self.thing, "suspend")
        self.address = f"wallet-policies/{self.thing.remote_id}/{self.verb}/"
        self.form |= {"seen": str(self.thing.remote_version)}


class RevokeAccess(ModifyAccess):
    operation = "revoke_wallet_policy"

    def begin(self) -> None:
        super().begin()
        self.address = f"wallet-policies/{self.thing.remote_id}/revoke/"


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


RULES: tuple[type[Sent], ...] = (
    CreatePolicy, SetCategoryPolicy, UpdatePolicy, UpdateCategoryPolicy, DeletePolicy, DeleteCategoryPolicy,
    CreateBillWorkflow, CreatePolicyWorkflow, UpdateBillWorkflow, UpdatePolicyWorkflow, DeleteBillWorkflow,
    DeactivatePolicyWorkflow, ReactivateAccess, RevokeAccess, UpdateMandate, UpdateApprover, RemoveApprovers,
    AddApprovers, ChangeRole, ChangeRolePermissions, ChangePermissions,
)  # fmt: skip
