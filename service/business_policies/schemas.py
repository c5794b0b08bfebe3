"""Spend policies on the wire (interface "Business policy", decisions B.20)."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service import inputs
from service.approvals.schemas_workflows import NewWorkflow, WorkflowChange, WorkflowOut
from service.business_policies.models import Action, LimitPeriod, PolicyState, PolicyType
from service.pagination import Envelope, PageQuery
from service.text import ObjectId, Words

Hour = Annotated[str, StringConstraints(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"), Field(examples=["08:00"])]
Ids = Annotated[list[ObjectId], Field(max_length=500)]
Target = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]{1,40}$"), Field(examples=["MPESA"])]
Limit = Annotated[inputs.Number, Field(ge=0, max_digits=20)]
CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), Field(examples=["KES"])]
CategoryType = Literal["SUBCATEGORY", "CATEGORY"]


class Window(Schema):
    """When spending is fine: weekdays (1 Monday … 7 Sunday) and hours in the business's time zone; 22:00 to 06:00 passes
    midnight and belongs to the day on which it begins."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    weekdays: Annotated[list[Annotated[inputs.Whole, Field(ge=1, le=7)]], Field(min_length=1, max_length=7)] = [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    ]
    from_: Hour = Field("00:00", alias="from")
    to: Hour = Field("24:00", examples=["18:00"])

    @model_validator(mode="after")
    def it_has_hours(self) -> "Window":
        """A window that begins when it ends holds nothing."""
        if self.from_ == self.to or self.from_ == "24:00":
            raise ValueError("The hours hold nothing.")
        return self


class Exempt(Schema):
    """For whom a policy does not count."""

    model_config = ConfigDict(extra="forbid")

    team_ids: Ids = []
    employee_ids: Ids = []


class PolicyFields(Schema):
    """What can be said of a policy. A limit needs its currency; without a limit every use of the target is a breach;
    without a period the limit is one for each use. Over a period it counts what everybody spends together, or, where it
    is `per_person`, what each person spends."""

    model_config = ConfigDict(extra="forbid")

    name: Words | None = None
    target: Target | None = None
    limit: Limit | None = None
    currency: CurrencyCode | None = None
    period: LimitPeriod | None = None
    per_person: bool | None = None
    window: Window | None = None
    action: Action | None = None
    workflow_id: ObjectId | None = None
    exempt: Exempt | None = None
    status: PolicyState | None = None
    also_waiting: bool = False


class NewBusinessPolicy(PolicyFields):
    """A policy to make in a group; its type may be left out where the group has one alone."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "name": "Weekly M-Pesa limit",
                    "type": "CHANNEL",
                    "target": "MPESA",
                    "limit": 50000,
                    "currency": "KES",
                    "period": "WEEK",
                    "action": "BLOCK",
                }
            ]
        },
    )

    type: PolicyType | None = None
    action: Action


class BusinessPolicyChange(PolicyFields):
    """What is to change; what is not given stays. Limit, currency, period or workflow_id given as null is taken away."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Weekly M-Pesa limit", "status": "INACTIVE"}]}
    )


class CategoryPolicy(PolicyFields):
    """A policy on a subcategory or category: replaces the one that there is for the same target, currency and period,
    whose limit counts as this one does: per person or not."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"name": "Meals", "type": "SUBCATEGORY", "target": "0192f0c0ffee000012345678", "action": "FLAG"}
            ]
        },
    )

    type: CategoryType
    target: ObjectId
    action: Action


class NewPolicyWorkflow(NewWorkflow):
    """A workflow of policies to make."""

    also_waiting: bool = False


class PolicyWorkflowChange(WorkflowChange):
    """What is to change of a workflow of policies; what is not given stays."""

    also_waiting: bool = False


class CategoryQuery(PageQuery):
    """A page of category-level policies, of both types where none is given."""

    type: CategoryType | None = None
    status: PolicyState | None = None


class ExemptOut(Schema):
    """For whom it does not count."""

    team_ids: list[str]
    employee_ids: list[str]


class WindowOut(Schema):
    """Weekdays and hours in which spending is fine."""

    weekdays: list[int]
    from_: str = Field(alias="from")
    to: str


class BusinessPolicyOut(Schema):
    """A policy; `policy_id` is its group."""

    id: str = Field(alias="_id")
    policy_id: str
    type: str
    name: str
    target: str
    limit: Decimal | None
    limit_minor: int | None
    currency: str | None
    period: str | None
    per_person: bool
    window: WindowOut | None
    action: str
    workflow_id: str | None
    exempt: ExemptOut
    status: str
    created_by: str
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class BusinessPolicyPage(Envelope):
    """A page of the spend policies."""

    docs: list[BusinessPolicyOut]


class PolicyGroupOut(Schema):
    """A policy group and how many policies it has that are not deleted."""

    id: str = Field(alias="_id")
    code: str
    name: str
    description: str
    types: list[str]
    policy_count: int
    active_count: int


class PolicyGroupList(Schema):
    """The groups of spend policies, with how many policies each has."""

    docs: list[PolicyGroupOut]
    total: int


class TypeOut(Schema):
    """A type of policies in a group."""

    type: str
    name: str
    policy_count: int
    active_count: int


class GroupWithTypes(PolicyGroupOut):
    """A group of spend policies with the types that it holds."""

    policy_types: list[TypeOut]


class GroupWithTypesList(Schema):
    """The groups of spend policies, each with the types of policy that it holds."""

    docs: list[GroupWithTypes]
    total: int


class GroupWithPolicies(PolicyGroupOut):
    """A group with its policies that are not deleted, newest first: the first thousand."""

    policies: list[BusinessPolicyOut]


class PolicySummary(Schema):
    """All policies of a business that are not deleted (the newest thousand), in their groups, and the workflows."""

    business_id: str
    time_zone: str
    total: int
    by_status: dict[str, int]
    by_action: dict[str, int]
    groups: list[GroupWithPolicies]
    workflows: list[WorkflowOut]
