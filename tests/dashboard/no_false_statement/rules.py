"""What is done to spend policies, approval workflows and the rest of wallet policies."""

from __future__ import annotations

import re
from typing import Any

from dashboard.mirror.full_sync import refresh_spend_policies, refresh_workflows
from dashboard.mirror.models import Category
from tests.dashboard.no_false_statement.sent import Made, ModifyAccess, Sent
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


RULES: tuple[type[Sent], ...] = (
    CreatePolicy,
    SetCategoryPolicy,
    UpdatePolicy,
    UpdateCategoryPolicy,
    DeletePolicy,
    DeleteCategoryPolicy,
    CreateBillWorkflow,
    CreatePolicyWorkflow,
    UpdateBillWorkflow,
    UpdatePolicyWorkflow,
    DeleteBillWorkflow,
    DeactivatePolicyWorkflow,
    ReactivateAccess,
    RevokeAccess,
)
