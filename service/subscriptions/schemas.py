"""Subscriptions on the wire (decisions B.20)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs
from service.pagination import Envelope, PageQuery
from service.subscriptions.frequency import Span
from service.subscriptions.models import Frequency, SubscriptionStatus
from service.text import ObjectId, Words

Amount = Annotated[inputs.Number, Field(gt=0, le=Decimal(10) ** 13, examples=[1500])]


class SubscriptionOut(Schema):
    """A subscription; `limit` is for one billing period."""

    id: str = Field(alias="_id")
    name: str
    vendor: str
    card_id: str | None
    employee_id: str | None
    team_id: str | None
    subcategory_id: str | None
    amount: Decimal
    amount_minor: int
    currency: str
    billing_frequency: str
    limit: Decimal | None
    limit_minor: int | None
    next_charge_at: datetime | None
    last_charge_at: datetime | None
    generated: bool
    status: str
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class SubscriptionPage(Envelope):
    """A page of the subscriptions."""

    docs: list[SubscriptionOut]


class SubscriptionQuery(PageQuery):
    """Filters of the subscriptions: text and state."""

    search: inputs.Line | None = Field(None, max_length=100, description="Part of the name or the vendor.")
    status: SubscriptionStatus | None = None


class ExpensesQuery(PageQuery):
    """Which subscription's expenses are asked for, and which page of them."""

    subscription_id: ObjectId


class _Of(Schema):
    model_config = ConfigDict(extra="forbid")

    subscription_id: ObjectId


class NewSubscription(Schema):
    """A subscription to make. Past charges of the vendor (and card) become its charges."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "Drive", "vendor": "Cloud Co", "currency": "KES", "amount": 1500}]},
    )

    name: Words
    vendor: Words = Field(description="The merchant as charges name it.")
    currency: str = Field(pattern="^[A-Z]{3}$")
    amount: Amount
    billing_frequency: Frequency = Frequency.MONTHLY
    limit: Amount | None = None
    employee_id: ObjectId | None = None
    card_id: ObjectId | None = None
    team_id: ObjectId | None = None
    subcategory_id: ObjectId | None = None


class SetStatus(_Of):
    """The state that a subscription has from now on."""

    status: SubscriptionStatus


class SetTeam(_Of):
    """The team that a subscription belongs to; none where it is null."""

    team_id: ObjectId | None


class SetLimits(_Of):
    """What is not named stays; a limit of null is none."""

    limit: Amount | None = None
    billing_frequency: Frequency | None = None

    @model_validator(mode="after")
    def changes_a_field(self) -> "SetLimits":
        """Refuses a body that has neither a limit nor a billing frequency."""
        if not self.model_fields_set & {"limit", "billing_frequency"}:
            raise ValueError("Give limit or billing_frequency.")
        return self


class SetEmployee(_Of):
    """Whose it is from now on, and the card of theirs that it is charged on."""

    employee_id: ObjectId
    card_id: ObjectId | None = None


class SetSubcategory(_Of):
    """What the charges of a subscription are filed as from now on."""

    subcategory_id: ObjectId


class SpentBody(Schema):
    """Which subscriptions (all that are seen where it is missing), which days, and the length of a period."""

    model_config = ConfigDict(extra="forbid")

    subscription_ids: list[ObjectId] | None = Field(None, min_length=1, max_length=200)
    from_: inputs.Day | None = Field(None, alias="from", ge=date(1990, 1, 1), le=date(2100, 1, 1))
    to: inputs.Day | None = Field(None, ge=date(1990, 1, 1), le=date(2100, 1, 1))
    period: Span = Span.MONTH


class PeriodOut(Schema):
    """What was charged in one period, which starts on a day."""

    start: date
    amount: Decimal
    amount_minor: int
    count: int


class SpentOut(Schema):
    """What was charged for one subscription."""

    subscription_id: str
    name: str
    vendor: str
    currency: str
    total: Decimal
    total_minor: int
    count: int
    periods: list[PeriodOut]


class SpentList(Schema):
    """What was charged for each subscription, by period."""

    period: str
    docs: list[SpentOut]
    total: int


class GenerateBody(Schema):
    """Proposals only, unless `dry_run` is false; then those of at least this confidence are made."""

    model_config = ConfigDict(extra="forbid")

    dry_run: bool = True
    min_confidence: inputs.Number = Field(Decimal("0.5"), ge=0, le=1)


class EvidenceOut(Schema):
    """What a proposal was seen by."""

    charges: int
    first_at: datetime
    last_at: datetime
    interval_days: float
    interval_deviation: float
    amount_deviation: float
    expense_ids: list[str]


class ProposalOut(Schema):
    """A subscription that charges look like."""

    name: str
    vendor: str
    card_id: str | None
    employee_id: str | None
    team_id: str | None
    subcategory_id: str | None
    amount: Decimal
    amount_minor: int
    currency: str
    billing_frequency: Literal["WEEKLY", "MONTHLY", "QUARTERLY", "ANNUAL"]
    confidence: float
    evidence: EvidenceOut


class GeneratedOut(Schema):
    """What was found, and what was made of it."""

    dry_run: bool
    proposals: list[ProposalOut]
    created: list[SubscriptionOut]
