"""Approval workflows of bills and of policies as the service tells them (decisions B.9), and the bodies that change them."""

from decimal import Decimal
from typing import ClassVar, Literal, NotRequired, TypedDict

from pydantic import Field

from dashboard.schemas.base import Amount, Id, RequestSchema, ResponseSchema, Text

OF_BILLS, OF_POLICIES = 3, 11
# The role of a step in which the reviewers of the spender's team vote, those of them who are active approvers.
TEAM_REVIEWER = "TEAM_REVIEWER"


class Conditions(ResponseSchema):
    """What an item must be for a workflow to apply; amounts also in minor units of `currency`, ids empty for any."""

    currency: Text = ""
    min_amount: Amount | None = None
    max_amount: Amount | None = None
    min_amount_minor: int | None = None
    max_amount_minor: int | None = None
    team_ids: list[str] = []
    subcategory_ids: list[str] = []
    vendor_ids: list[str] = []


class Step(ResponseSchema):
    """One step: so many of these approvers, or, without ids, of every approver whom no step names, or of the reviewers of
    the spender's team."""

    order: int = 1
    approver_ids: list[str] | None = None
    role: Text = ""
    min_approvals: int = 1

    @property
    def by_reviewers(self) -> bool:
        """Whether the reviewers of the spender's team vote in it."""
        return self.approver_ids is None and self.role == TEAM_REVIEWER


class Workflow(ResponseSchema):
    """Steps of votes, one after the other, for what meets the conditions: of those that match, the lowest priority."""

    id: Id
    name: Text = ""
    action_type: int = OF_BILLS
    active: bool = True
    priority: int = 100
    conditions: Conditions = Conditions()
    steps: list[Step] = []
    version: int | None = None


class NewConditions(RequestSchema):
    """The conditions of a workflow, as they are sent: whole."""

    currency: str | None = None
    min_amount: Amount | None = None
    max_amount: Amount | None = None
    team_ids: list[str] = []
    subcategory_ids: list[str] = []
    vendor_ids: list[str] = []


class NewStep(RequestSchema):
    """A step, as it is sent: approvers by id, or the role."""

    order: int = Field(ge=1, le=1000)
    approver_ids: list[str] | None = None
    role: Literal["APPROVER", "TEAM_REVIEWER"] | None = None
    min_approvals: int = Field(ge=1, le=20)


class WorkflowChange(RequestSchema):
    """What is to change of a workflow; what is left out stays. Conditions and steps are replaced whole."""

    null_empties: ClassVar[bool] = True
    name: str | None = None
    active: bool | None = None
    priority: int | None = None
    conditions: NewConditions | None = None
    steps: list[NewStep] | None = None
    # Whether it holds for the requests that wait for votes as well.
    also_waiting: bool | None = None


class NewWorkflow(RequestSchema):
    """The body that makes an approval workflow: for what it is, and its steps in their order."""

    name: str = Field(min_length=1)
    active: bool = True
    priority: int = 100
    conditions: NewConditions
    steps: list[NewStep] = Field(min_length=1, max_length=10)


class NewPolicyWorkflow(NewWorkflow):
    """The body that makes a workflow of policies; with `also_waiting` open requests that it matches go by it as well."""

    also_waiting: bool | None = None


class ConditionsBody(TypedDict):
    """What an item must be for the workflow, as it is sent."""

    currency: str | None
    min_amount: Decimal | None
    max_amount: Decimal | None
    team_ids: list[str]
    subcategory_ids: list[str]
    vendor_ids: list[str]


class StepBody(TypedDict, total=False):
    """A step as it is sent: approvers by id, or the role."""

    order: int
    approver_ids: list[str]
    role: str
    min_approvals: int


class WorkflowBody(TypedDict):
    """A workflow as its operations take it, whole; `also_waiting` where it holds for what waits as well."""

    name: str
    active: bool
    priority: int
    conditions: ConditionsBody
    steps: list[StepBody]
    also_waiting: NotRequired[bool]


class WorkflowEndBody(TypedDict):
    """The body of UPDATE_POLICY_WORKFLOW that takes a workflow out of use, for the requests that wait under it as well."""

    active: bool
    also_waiting: bool


class StepsBody(TypedDict):
    """The body of UPDATE_BILL_WORKFLOW and UPDATE_POLICY_WORKFLOW that changes the steps, and nothing else."""

    steps: list[StepBody]
