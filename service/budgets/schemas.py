"""Budgets on the wire (decisions B.20)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.budgets.models import BudgetPeriod
from service.pagination import Envelope, PageQuery
from service.text import ObjectId, Words

Amount = Annotated[inputs.Number, Field(gt=0, le=Decimal(10) ** 13, examples=[500000])]


# In percent of the amount, each once; none where nobody is to be told.
Alerts = Annotated[list[Annotated[inputs.Whole, Field(ge=1, le=1000)]], Field(max_length=5, examples=[[80, 100]])]


class BudgetOut(Schema):
    """A budget with the figures of a period, the current one unless another was asked for; `available` is negative where it
    is overrun, and is what the present amount leaves."""

    id: str = Field(alias="_id")
    name: str
    team_id: str | None
    category_id: str | None
    category_name: str | None
    currency: str
    period: str
    period_start: date
    period_end: date
    amount: Decimal
    amount_minor: int
    committed: Decimal
    committed_minor: int
    spent: Decimal
    spent_minor: int
    expenses: Decimal
    expenses_minor: int
    expense_fees: Decimal
    expense_fees_minor: int
    available: Decimal
    available_minor: int
    alert_percents: list[int]
    active: bool
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class BudgetPage(Envelope):
    """A page of the budgets with what is committed and spent of each."""

    docs: list[BudgetOut]


class BudgetPeriodQuery(Schema):
    """Which period the figures are of: the one in which a day lies, the current one where none is given."""

    on: inputs.Day | None = None


class BudgetQuery(PageQuery):
    """Filters of the list: only budgets that bills can be assigned to, unless `active` says otherwise; the figures are those
    of the period in which the day `on` lies."""

    team_id: ObjectId | None = None
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    active: bool = True
    on: inputs.Day | None = None


class NewBudget(Schema):
    """A budget to make: what it counts, its period and its amount."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "Office 2026", "currency": "KES", "amount": 500000}]},
    )

    name: Words
    team_id: ObjectId | None = None
    category_id: ObjectId | None = None
    currency: str = Field(pattern="^[A-Z]{3}$")
    period: BudgetPeriod = BudgetPeriod.MONTH
    amount: Amount
    alert_percents: Alerts | None = None


class ChangedBudget(Schema):
    """What changes; team, category and currency stay what they are."""

    model_config = ConfigDict(extra="forbid")

    name: Words | None = None
    period: BudgetPeriod | None = None
    amount: Amount | None = None
    alert_percents: Alerts | None = None
    active: bool | None = None
