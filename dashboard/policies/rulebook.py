"""All that decides in a business, from the copy: its spend policies, its workflows, and who could vote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.client.page import typed
from dashboard.mirror import models as copy
from dashboard.mirror.scopes import visible_spend_policies, visible_workflows
from dashboard.policies.names import Names, names_for
from dashboard.policies.routing import in_order
from dashboard.policies.rules import PolicyRule, in_force
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.workflows import OF_BILLS, OF_POLICIES, Workflow


@dataclass(frozen=True)
class Rulebook:
    """What decides: policies that are not deleted, workflows of both kinds. `categories` is the category of each
    subcategory, `archived` the subcategories nothing more is filed under, `employees` the team of each active person."""

    policies: tuple[SpendPolicy, ...] = ()
    workflows: tuple[Workflow, ...] = ()
    names: Names = field(default_factory=Names)
    categories: Mapping[str, str] = field(default_factory=dict)
    archived: frozenset[str] = frozenset()
    employees: Mapping[str, str] = field(default_factory=dict)
    gone_vendors: frozenset[str] = frozenset()

    @cached_property
    def rules(self) -> list[PolicyRule]:
        """The rules in force, the oldest first."""
        return in_force(self.policies)

    @cached_property
    def of_bills(self) -> list[Workflow]:
        """The active workflows of bills in the order in which they are compared."""
        return in_order(self.workflows, OF_BILLS)

    @cached_property
    def of_policies(self) -> list[Workflow]:
        """The active workflows of policies in the order in which they are compared."""
        return in_order(self.workflows, OF_POLICIES)

    def workflow(self, workflow_id: str) -> Workflow | None:
        """The workflow of this id, active or not; None where there is none."""
        return next((workflow for workflow in self.workflows if workflow.id == workflow_id), None)

    def with_policy(self, spend_policy: SpendPolicy) -> Rulebook:
        """The same with a policy in place of the one of its id, or added; a deleted one is taken out."""
        others = tuple(row for row in self.policies if row.id != spend_policy.id)
        return replace(self, policies=others if spend_policy.status == "DELETED" else (*others, spend_policy))

    def with_workflow(self, workflow: Workflow) -> Rulebook:
        """The same with a workflow in place of the one of its id, or added."""
        others = tuple(row for row in self.workflows if row.id != workflow.id)
        return replace(self, workflows=(*others, workflow))

    def without_workflow(self, workflow_id: str) -> Rulebook:
        """The same without the workflow of this id."""
        return replace(self, workflows=tuple(row for row in self.workflows if row.id != workflow_id))


def rulebook_for(actor: Actor) -> Rulebook:
    """What decides in the actor's business, as far as they may read it."""
    return _rulebook(actor.business, visible_spend_policies(actor), visible_workflows(actor))


def _rulebook(
    business: Business, policy_rows: QuerySet[copy.SpendPolicy], workflow_rows: QuerySet[copy.Workflow]
) -> Rulebook:
    policies = policies_in(policy_rows.exclude(status="DELETED"))
    workflows = typed(workflow_rows.order_by("priority", "remote_id").values_list("payload", flat=True), Workflow)
    filed = copy.Category.objects.filter(business=business)
    people = copy.Employee.objects.filter(business=business, status="ACTIVE", tombstoned_at=None)
    vendor_ids = {policy.target for policy in policies if policy.type == "VENDOR"} - {"SELF"}
    known = copy.Vendor.objects.filter(business=business, remote_id__in=vendor_ids, status="ACTIVE", tombstoned_at=None)
    return Rulebook(
        policies=tuple(policies),
        workflows=tuple(workflows),
        names=names_for(business, policies, workflows),
        categories=dict(filed.values_list("remote_id", "category_id")),
        archived=frozenset(filed.filter(status="ARCHIVED").values_list("remote_id", flat=True)),
        employees=dict(people.values_list("remote_id", "team_id")),
        gone_vendors=frozenset(vendor_ids - set(known.values_list("remote_id", flat=True))) if vendor_ids else frozenset(),
    )  # fmt: skip


def policies_in(rows: QuerySet[copy.SpendPolicy]) -> list[SpendPolicy]:
    """The spend policies of rows of the copy, the oldest first."""
    return typed(rows.order_by("remote_id").values_list("payload", flat=True), SpendPolicy)


def everybody_exempt(rulebook: Rulebook, team_ids: Iterable[str], employee_ids: Iterable[str]) -> bool:
    """Whether every active person is exempt, by team or by themselves."""
    teams, people = set(team_ids), set(employee_ids)
    return bool(rulebook.employees) and all(
        employee_id in people or team_id in teams for employee_id, team_id in rulebook.employees.items()
    )
