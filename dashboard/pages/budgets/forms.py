"""The forms of budgets: which are shown, a new one, and what changes of one."""

from datetime import date
from decimal import Decimal
from typing import Any, TypedDict

from django import forms

from dashboard.inputs import Choices, whole_number
from dashboard.money import Money
from dashboard.schemas.budgets import Budget, BudgetBody
from dashboard.web.fields import AmountField, Name, TextLine, set_choices

BUDGET_PERIODS = (("MONTH", "Month"), ("QUARTER", "Quarter"), ("YEAR", "Year"))
STANDINGS = (("", "All"), ("OVER", "Over budget"), ("NEAR", "Near its amount"), ("FORECAST", "Forecast over budget"))
MOST_PERCENT, MOST_ALERTS = 1000, 5
MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
# How many periods that have ended can be chosen.
PAST = {"MONTH": 24, "QUARTER": 12, "YEAR": 5}


def past_periods(period: str, today: date) -> list[tuple[str, str]]:
    """The calendar periods of a kind (a name of BUDGET_PERIODS) that have ended, the newest first: first day and name, such as
    ("2026-07-01", "July to September 2026")."""
    length = MONTHS.get(period, 1)
    month = (today.year * 12 + today.month - 1) // length * length
    periods = []
    for number in range(1, PAST.get(period, PAST["MONTH"]) + 1):
        first = _month(month - number * length)
        last = _month(month - (number - 1) * length - 1)
        name = {1: f"{first:%B %Y}", 12: f"{first.year}"}.get(length, f"{first:%B} to {last:%B %Y}")
        periods.append((first.isoformat(), name))
    return periods


def _month(number: int) -> date:
    return date(number // 12, number % 12 + 1, 1)


class BudgetPeriodForm(forms.Form):
    """Which period the figures are of; empty for the current one. `period` is its kind, `today` the day of the business."""

    on = forms.ChoiceField(label="Figures of", required=False)

    def __init__(self, *args: Any, period: str, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "on", [("", "Current period"), *past_periods(period, today)])

    @property
    def day(self) -> date | None:
        """The first day of the period that was chosen; None for the current one, and for what cannot be chosen."""
        chosen = str(self.cleaned_data.get("on") or "") if self.is_valid() else ""
        return date.fromisoformat(chosen) if chosen else None


class FilterForm(BudgetPeriodForm):
    """Which budgets are shown: by team, category, period, and how they stand; with the figures of which month's period."""

    team = forms.ChoiceField(label="Team", required=False)
    category = forms.ChoiceField(label="Category", required=False)
    period = forms.ChoiceField(label="Period", required=False, choices=(("", "All"), *BUDGET_PERIODS))
    standing = forms.ChoiceField(label="Standing", required=False, choices=STANDINGS)
    field_order = ("team", "category", "period", "standing", "on")

    def __init__(self, *args: Any, teams: Choices, categories: Choices, today: date, **kwargs: Any) -> None:
        super().__init__(*args, period="MONTH", today=today, **kwargs)
        set_choices(self, "team", [("", "All"), *teams])
        set_choices(self, "category", [("", "All"), *categories])

    def chosen(self, name: str) -> str:
        """What was chosen; "" for all."""
        return str(self.cleaned_data.get(name) or "")


class ChangeForm(forms.Form):
    """What can be changed of a budget: its name, period, amount in units of its currency, alerts in per cent, and
    whether it is in use."""

    name = Name(max_length=100)
    period = forms.ChoiceField(choices=BUDGET_PERIODS)
    amount = AmountField(min_value=Decimal("0.0001"), max_digits=17, decimal_places=4, label="Amount per period")
    alerts = TextLine(
        max_length=60,
        required=False,
        label="Alert at, %",
        help_text="Of the amount, committed and spent together: such as 80, 100. Empty: no alerts.",
    )
    active = forms.BooleanField(required=False, label="In use", initial=True)

    def __init__(self, *args: Any, locale: str, **kwargs: Any) -> None:
        self.locale = locale
        super().__init__(*args, **kwargs)

    def clean_alerts(self) -> list[int]:
        """The percents in order, each once; ValidationError for what is none."""
        parts = self.cleaned_data["alerts"].replace("%", " ").replace(",", " ").split()
        numbers = {whole_number(part, 9999) for part in parts}
        if None in numbers:
            raise forms.ValidationError("Enter whole percents, such as 80, 100.")
        percents = sorted(number for number in numbers if number is not None)
        if any(not 1 <= percent <= MOST_PERCENT for percent in percents) or len(percents) > MOST_ALERTS:
            raise forms.ValidationError(f"At most {MOST_ALERTS} alerts, from 1 to {MOST_PERCENT} %.")
        return percents

    def body(self) -> BudgetBody:
        """What is sent: name, period, amount, alerts, and whether it is in use where the form asks."""
        data = self.cleaned_data
        body: BudgetBody = {
            "name": data["name"],
            "period": data["period"],
            "amount": data["amount"],
            "alert_percents": data["alerts"],
        }
        if "active" in self.fields:
            body["active"] = data["active"]
        return body


class NewBudgetForm(ChangeForm):
    """A new budget: of whom, on what, and in which currency, too."""

    team = forms.ChoiceField(required=False)
    category = forms.ChoiceField(required=False)
    currency = TextLine(max_length=3, min_length=3)
    field_order = ("name", "team", "category", "currency", "amount", "period", "alerts")

    def __init__(self, *args: Any, teams: Choices, categories: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["active"]
        set_choices(self, "team", [("", "All teams"), *teams])
        set_choices(self, "category", [("", "All categories"), *categories])

    def clean_currency(self) -> str:
        """The currency code in capitals; ValidationError for anything but letters."""
        code = str(self.cleaned_data["currency"]).upper()
        if not (code.isascii() and code.isalpha()):
            raise forms.ValidationError("A currency is three letters, such as KES.")
        return code

    def body(self) -> BudgetBody:
        """What is sent; no team is the business's, no category all of them."""
        data = self.cleaned_data
        return {
            **super().body(),
            "team_id": data["team"] or None,
            "category_id": data["category"] or None,
            "currency": data["currency"],
        }


class BudgetInitial(TypedDict):
    """What a ChangeForm begins with, by its fields."""

    name: str
    period: str
    amount: Decimal
    alerts: str
    active: bool


def budget_initial(budget: Budget) -> BudgetInitial:
    """The initial values of a ChangeForm, as the budget is now."""
    amount = Money(budget.amount_minor, budget.currency).amount
    return {
        "name": budget.name,
        "period": budget.period,
        "amount": amount,
        "alerts": ", ".join(str(percent) for percent in budget.alert_percents),
        "active": budget.active,
    }
