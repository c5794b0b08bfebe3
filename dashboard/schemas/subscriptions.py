"""Subscriptions: their terms, what was charged for them in each period, and those that past charges look like."""

from datetime import date, datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from pydantic import Field

from dashboard.schemas.base import Amount, Currency, Id, RequestSchema, ResponseSchema, Text


class Subscription(ResponseSchema):
    """A subscription as the service has it now; `limit` is for one billing period."""

    id: Id
    name: Text = ""
    vendor: Text = ""
    card_id: Text = ""
    employee_id: Text = ""
    team_id: Text = ""
    subcategory_id: Text = ""
    amount: Amount
    currency: Currency
    billing_frequency: Text = ""
    limit: Amount | None = None
    status: Text = ""


class SpentPeriod(ResponseSchema):
    """What was charged in one period, which starts on a day."""

    start: date
    amount_minor: int = 0
    count: int = 0


class Spent(ResponseSchema):
    """What was charged for one subscription, by period."""

    subscription_id: Text = ""
    currency: Currency
    total_minor: int = 0
    count: int = 0
    periods: list[SpentPeriod] = []


class Evidence(ResponseSchema):
    """What a proposal was seen by: how many charges, between which moments, how far apart, and how much they vary."""

    charges: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    interval_days: Amount = Decimal(0)
    interval_deviation: Amount = Decimal(0)
    amount_deviation: Amount = Decimal(0)
    expense_ids: list[str] = []


class SubscriptionProposal(ResponseSchema):
    """A subscription that past charges look like; `confidence` is between 0 and 1."""

    name: Text = ""
    vendor: Text = ""
    card_id: Text = ""
    employee_id: Text = ""
    team_id: Text = ""
    subcategory_id: Text = ""
    amount: Amount
    amount_minor: int
    currency: Currency
    billing_frequency: Text = ""
    confidence: Amount = Decimal(0)
    evidence: Evidence = Evidence()


class Generated(ResponseSchema):
    """What a search of past charges found."""

    proposals: list[SubscriptionProposal] = []


class NewSubscription(RequestSchema):
    """A subscription to add; past charges of the vendor, and of the card, become its charges."""

    name: str
    vendor: str
    currency: str
    amount: Decimal
    billing_frequency: str
    limit: Decimal | None = None
    employee_id: str | None = None
    card_id: str | None = None
    team_id: str | None = None
    subcategory_id: str | None = None


class StatusBody(RequestSchema):
    """The new status of a subscription: ACTIVE or PAUSED."""

    subscription_id: str
    status: str


class SubscriptionTeamBody(RequestSchema):
    """The team that it belongs to; null for none."""

    null_empties = True

    subscription_id: str
    team_id: str | None


class LimitsBody(RequestSchema):
    """What a period may cost, null for no limit, and how often it is charged."""

    null_empties = True

    subscription_id: str
    limit: Decimal | None
    billing_frequency: str


class SubscriptionEmployeeBody(RequestSchema):
    """Whose it is from now on, and the card of theirs that it is charged on."""

    subscription_id: str
    employee_id: str
    card_id: str | None = None


class SubscriptionSubcategoryBody(RequestSchema):
    """What its charges are filed under."""

    subscription_id: str
    subcategory_id: str


class GenerateBody(RequestSchema):
    """A search of past charges; nothing is added while `dry_run` is true."""

    dry_run: bool
    min_confidence: Decimal


class SpentBody(RequestSchema):
    """Which subscriptions, from which day on, by periods of which length (WEEK, MONTH, QUARTER, YEAR)."""

    subscription_ids: list[str]
    from_: date = Field(alias="from")
    period: str


class NewSubscriptionBody(TypedDict):
    """The body of CREATE_SUBSCRIPTION."""

    name: str
    vendor: str
    currency: str
    amount: Decimal
    billing_frequency: str
    limit: NotRequired[Decimal]
    employee_id: NotRequired[str]
    card_id: NotRequired[str]
    team_id: NotRequired[str]
    subcategory_id: NotRequired[str]


class SubscriptionOwner(TypedDict):
    """The fields of ASSIGN_SUBSCRIPTION."""

    employee_id: str
    card_id: NotRequired[str]


class SubscriptionTeam(TypedDict):
    """The fields of SET_SUBSCRIPTION_TEAM; null for no team."""

    team_id: str | None


class SubscriptionLimits(TypedDict):
    """The fields of SET_SUBSCRIPTION_LIMITS; null for no limit."""

    limit: Decimal | None
    billing_frequency: str


class SubscriptionCategory(TypedDict):
    """The fields of SET_SUBSCRIPTION_SUBCATEGORY."""

    subcategory_id: str


# What an operation changes of a subscription, beside naming it.
SubscriptionPart = SubscriptionOwner | SubscriptionTeam | SubscriptionLimits | SubscriptionCategory
