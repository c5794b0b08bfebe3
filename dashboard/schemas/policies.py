"""Spend policies as the service tells them (interface "Business policy", decisions B.20), and the bodies that change them."""

from decimal import Decimal
from typing import ClassVar, Literal, NotRequired, TypedDict, final

from pydantic import Field

from dashboard.schemas.base import Amount, Id, RequestSchema, ResponseSchema, Text

PolicyType = Literal["CHANNEL", "SUBCATEGORY", "CATEGORY", "VENDOR", "DAY_TIME"]
Action = Literal["BLOCK", "REQUIRE_APPROVAL", "FLAG"]
EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)


class SpendingHours(ResponseSchema):
    """Weekdays (1 Monday … 7 Sunday) and hours ("08:00" to "24:00") in which spending is fine."""

    weekdays: list[int] = list(EVERY_DAY)
    opens: Text = Field("00:00", alias="from")
    closes: Text = Field("24:00", alias="to")


class Exempt(ResponseSchema):
    """The teams and the people for whom a policy does not count."""

    team_ids: list[str] = []
    employee_ids: list[str] = []


class SpendPolicy(ResponseSchema):
    """A spend policy; `policy_id` is its group. Without a limit every use of the target is a breach, without a period the
    limit is one for each use; over a period it counts what everybody spends, or `per_person` what each person does. The limit is in minor units of `currency`."""

    id: Id
    policy_id: Text = ""
    type: Text
    name: Text = ""
    target: Text = ""
    limit: Amount | None = None
    limit_minor: int | None = None
    currency: Text = ""
    period: Text = ""
    per_person: bool = False
    window: SpendingHours | None = None
    action: Text
    workflow_id: Text = ""
    exempt: Exempt = Exempt()
    status: Text = ""
    created_by: Text = ""
    version: int | None = None


class PolicyTypeCount(ResponseSchema):
    """A type of policies in a group, with how many there are of it and how many of them are active."""

    type: Text
    name: Text = ""
    policy_count: int = 0
    active_count: int = 0


class PolicyGroup(ResponseSchema):
    """A group of policies; with its types, or with its policies, where those were asked for."""

    id: Id
    code: Text = ""
    name: Text = ""
    description: Text = ""
    types: list[str] = []
    policy_count: int = 0
    active_count: int = 0
    policy_types: list[PolicyTypeCount] = []
    policies: list[SpendPolicy] = []


class PolicySummary(ResponseSchema):
    """All policies of a business that are not deleted, in their groups."""

    business_id: Text = ""
    total: int = 0
    by_status: dict[str, int] = {}
    by_action: dict[str, int] = {}
    groups: list[PolicyGroup] = []


class WindowBody(RequestSchema):
    """The hours of a DAY_TIME policy, as they are sent."""

    weekdays: list[int] = Field(min_length=1, max_length=7)
    opens: str = Field(alias="from")
    closes: str = Field(alias="to")


class ExemptBody(RequestSchema):
    """The exemptions of a policy, as they are sent: whole."""

    team_ids: list[str] = []
    employee_ids: list[str] = []


class SpendPolicyChange(RequestSchema):
    """What is to change of a policy: null takes limit, currency, period or workflow away, what is left out stays."""

    null_empties: ClassVar[bool] = True
    also_waiting: bool | None = None
    name: str | None = None
    target: str | None = None
    limit: Amount | None = None
    currency: str | None = None
    period: str | None = None
    per_person: bool | None = None
    window: WindowBody | None = None
    action: Action | None = None
    workflow_id: str | None = None
    exempt: ExemptBody | None = None
    status: str | None = None


class NewPolicy(SpendPolicyChange):
    """A policy to make in a group."""

    type: PolicyType
    action: Action


class CategoryPolicy(SpendPolicyChange):
    """A policy on a subcategory or category: replaces the policy of the same target, currency and period, per person or not."""

    type: Literal["SUBCATEGORY", "CATEGORY"]
    target: str
    action: Action


class PolicyBody(TypedDict):
    """The fields of a policy as its operations take them: None for what it has not."""

    name: str | None
    target: str | None
    limit: Decimal | None
    currency: str | None
    period: str | None
    per_person: bool
    window: dict[str, object] | None
    action: str
    workflow_id: str | None
    exempt: dict[str, list[str]]
    status: str
    also_waiting: NotRequired[bool]


class NewPolicyBody(PolicyBody):
    """The body of CREATE_POLICY and of SET_CATEGORY_POLICY."""

    type: str


@final
class DeletionBody(TypedDict):
    """The body of UPDATE_POLICY that deletes a policy, for the expenses that wait for review as well."""

    status: str
    also_waiting: bool


@final
class ExemptionBody(TypedDict):
    """The body of UPDATE_POLICY that changes for whom a policy does not count, and nothing else: ids, whole."""

    exempt: dict[str, list[str]]
