"""The names of what policies and workflows are about: read once for all that a page says, none per row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dashboard.access.models import Business
from dashboard.mirror.models import Category, Employee, Team, Vendor, Workflow
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.workflows import Workflow as WorkflowAnswer


@dataclass(frozen=True)
class Names:
    """Names by id, and how amounts are written. `approvers` are the ids of the active approvers, in a lasting order,
    `reviewers` by team the ids of those who review it and may decide."""

    locale: str = "en_KE"
    people: Mapping[str, str] = field(default_factory=dict)
    teams: Mapping[str, str] = field(default_factory=dict)
    subcategories: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, str] = field(default_factory=dict)
    vendors: Mapping[str, str] = field(default_factory=dict)
    workflows: Mapping[str, str] = field(default_factory=dict)
    approvers: tuple[str, ...] = ()
    reviewers: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def person(self, employee_id: str) -> str:
        """Somebody's name, or a phrase for one who is not known."""
        return self.people.get(employee_id, "somebody who is not known here")

    def team(self, team_id: str) -> str:
        """A team's name, or a phrase for one that is not known."""
        return self.teams.get(team_id, "a team that is not known here")

    def subcategory(self, subcategory_id: str) -> str:
        """A subcategory's name, or a phrase for one that is not known."""
        return self.subcategories.get(subcategory_id, "a subcategory that is not known here")

    def category(self, category_id: str) -> str:
        """A category's name, or a phrase for one that is not known."""
        return self.categories.get(category_id, "a category that is not known here")

    def vendor(self, vendor_id: str) -> str:
        """A vendor's name, or a phrase for one that is not known."""
        return self.vendors.get(vendor_id, "a vendor that is not known here")

    def workflow(self, workflow_id: str) -> str:
        """A workflow's name in quotes, or a phrase for one that is not known."""
        name = self.workflows.get(workflow_id)
        return f"“{name}”" if name else "a workflow that is not known here"


def names_for(
    business: Business, policies: Iterable[SpendPolicy] = (), workflows: Iterable[WorkflowAnswer] = ()
) -> Names:
    """The names of all people, teams and categories of a business, and of the vendors that these policies and workflows
    are about: five queries."""
    vendor_ids = {policy.target for policy in policies if policy.type == "VENDOR"}
    vendor_ids |= {vendor_id for workflow in workflows for vendor_id in workflow.conditions.vendor_ids}
    employees = list(
        Employee.objects.filter(business=business).order_by("id").values_list(
            "remote_id", "name", "role", "status", "tombstoned_at"
        )
    )  # fmt: skip
    filed = list(
        Category.objects.filter(business=business).values_list("remote_id", "name", "category_id", "category_name")
    )
    vendors = Vendor.objects.filter(business=business, remote_id__in=vendor_ids - {"", "SELF"})
    teams = list(Team.objects.filter(business=business).values_list("remote_id", "name", "reviewers"))
    flows = Workflow.objects.filter(business=business, tombstoned_at=None)
    return Names(
        locale=business.locale,
        people={remote_id: name for remote_id, name, *_ in employees},
        teams={remote_id: name for remote_id, name, _ in teams},
        subcategories={remote_id: name for remote_id, name, *_ in filed},
        categories={category_id: name for _, _, category_id, name in filed},
        vendors=dict(vendors.values_list("remote_id", "name")) if vendor_ids else {},
        workflows=dict(flows.values_list("remote_id", "name")),
        approvers=tuple(
            remote_id
            for remote_id, _, role, status, gone in employees
            if role == "APPROVER" and status == "ACTIVE" and gone is None
        ),
        reviewers={
            remote_id: frozenset(seat["employee_id"] for seat in seats if not seat.get("read_only", True))
            for remote_id, _, seats in teams
        },
    )
