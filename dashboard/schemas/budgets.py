"""Budgets: what may be spent in a period, of the business or a team, perhaps on one category alone."""

from datetime import date
from decimal import Decimal
from typing import NotRequired, TypedDict

from dashboard.schemas.base import Currency, Id, RequestSchema, ResponseSchema, Text


class Budget(ResponseSchema):
    """A budget with the figures of one period; `available_minor` is below zero where it is overrun. Of what is spent
    `expenses_minor` went to expenses, and `expense_fees_minor` to the fees on them; the rest paid bills.

    `alert_percents` are the parts of the amount at which somebody is told.
    """

    id: Id
    name: Text = ""
    team_id: Text = ""
    category_id: Text = ""
    category_name: Text = ""
    currency: Currency
    period: Text = "MONTH"
    period_start: date | None = None
    period_end: date | None = None
    amount_minor: int
    committed_minor: int = 0
    spent_minor: int = 0
    expenses_minor: int = 0
    expense_fees_minor: int = 0
    available_minor: int = 0
    alert_percents: list[int] = []
    active: bool = True


class NewBudget(RequestSchema):
    """A budget to create; without a team it is the business's, without a category for all of them."""

    name: str
    team_id: str | None = None
    category_id: str | None = None
    currency: str
    period: str
    amount: Decimal
    alert_percents: list[int]


class BudgetChange(RequestSchema):
    """What changes; team, category and currency stay what they are."""

    name: str | None = None
    period: str | None = None
    amount: Decimal | None = None
    alert_percents: list[int] | None = None
    active: bool | None = None


class BudgetBody(TypedDict):
    """The body of a new or changed budget; team, category and currency of a new one alone."""

    name: str
    period: str
    amount: Decimal
    alert_percents: list[int]
    team_id: NotRequired[str | None]
    category_id: NotRequired[str | None]
    currency: NotRequired[str]
    active: NotRequired[bool]
