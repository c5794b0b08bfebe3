"""Approval workflows on the wire (decisions B.9): shared by bills (action_type 3) and policies (11)."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service import inputs
from service.pagination import Envelope
from service.text import ObjectId, Words

Ids = Annotated[list[ObjectId], Field(max_length=200)]
CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), Field(examples=["KES"])]
Amount = Annotated[inputs.Number, Field(ge=0, max_digits=20)]
MOST_STEPS, MOST_VOTES = 10, 20


class Conditions(Schema):
    """What a thing must be for the workflow to apply: everything that is given must hold; nothing given always does."""

    model_config = ConfigDict(extra="forbid")

    currency: CurrencyCode | None = None
    min_amount: Amount | None = None
    max_amount: Amount | None = None
    team_ids: Ids = []
    subcategory_ids: Ids = []
    vendor_ids: Ids = []

    @model_validator(mode="after")
    def amounts_have_a_currency(self) -> "Conditions":
        """An amount says nothing without its currency."""
        if (self.min_amount is not None or self.max_amount is not None) and self.currency is None:
            raise ValueError("An amount needs its currency.")
        if self.min_amount is not None and self.max_amount is not None and self.min_amount > self.max_amount:
            raise ValueError("min_amount lies above max_amount.")
        return self


class StepIn(Schema):
    """One step: so many of these approvers, or of everybody of the role: all active approvers, or, in a workflow of policies,
    those of them who review the team of the spender, other than the spender."""

    model_config = ConfigDict(extra="forbid")

    order: inputs.Whole = Field(ge=1, le=1000)
    approver_ids: Annotated[list[ObjectId], Field(min_length=1, max_length=50)] | None = None
    role: Literal["APPROVER", "TEAM_REVIEWER"] | None = None
    min_approvals: inputs.Whole = Field(1, ge=1, le=MOST_VOTES)

    @model_validator(mode="after")
    def people_or_a_role(self) -> "StepIn":
        """Who votes is said in one way. Whether they are enough is a conflict, not a fault of the body."""
        if (self.approver_ids is None) == (self.role is None):
            raise ValueError("Give either approver_ids or role.")
        return self


Steps = Annotated[list[StepIn], Field(min_length=1, max_length=MOST_STEPS)]
EXAMPLE: Any = {
    "name": "Over 10,000",
    "conditions": {"currency": "KES", "min_amount": 10000},
    "steps": [{"order": 1, "role": "APPROVER", "min_approvals": 1}],
}


class NewWorkflow(Schema):
    """A workflow to make: for which requests it is, and its steps in their order."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    name: Words
    active: bool = True
    priority: inputs.Whole = Field(100, ge=0, le=1_000_000, description="The lowest goes first.")
    conditions: Conditions = Field(default_factory=Conditions)
    steps: Steps


class WorkflowChange(Schema):
    """What is to change of a workflow; what is not given stays."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE | {"active": False}]})

    name: Words | None = None
    active: bool | None = None
    priority: inputs.Whole | None = Field(None, ge=0, le=1_000_000)
    conditions: Conditions | None = None
    steps: Steps | None = None
    also_waiting: bool = Field(
        False,
        description="Whether the bill payments that wait for votes under it get its steps, too. The votes of those who sit in them count.",
    )


class ConditionsOut(Schema):
    """The conditions, amounts in both spellings."""

    currency: str | None
    min_amount: Decimal | None
    max_amount: Decimal | None
    min_amount_minor: int | None
    max_amount_minor: int | None
    team_ids: list[str]
    subcategory_ids: list[str]
    vendor_ids: list[str]


class StepOut(Schema):
    """One step; `approver_ids` is null where a role votes."""

    order: int
    approver_ids: list[str] | None
    role: str | None
    min_approvals: int


class WorkflowOut(Schema):
    """An approval workflow with its conditions and steps."""

    id: str = Field(alias="_id")
    name: str
    action_type: int
    active: bool
    priority: int
    conditions: ConditionsOut
    steps: list[StepOut]
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class WorkflowPage(Envelope):
    """A page of the approval workflows."""

    docs: list[WorkflowOut]
