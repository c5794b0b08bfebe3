"""The editor of a card's controls, part by part: each part is a form of its own, and says what it adds to the controls."""

from decimal import Decimal
from typing import Any, TypedDict

from django import forms

from dashboard.pages.cards.forms.fields import (
    CardAmountField,
    CodesField,
    CountriesField,
)
from dashboard.pages.cards.presenters.codes import LIMIT_INTERVALS
from dashboard.pages.cards.presenters.controls import whole_units
from dashboard.schemas.cards import AmountControls, CardControls, LimitBody
from dashboard.web.fields import MomentField, Name, WholeField

ANY_CATEGORY, ONLY_SELECTED, EXCEPT_SELECTED = "any", "only", "never"


class AmountsInitial(TypedDict):
    """The initial values of an AmountsForm beside the name; amounts in whole units of the card's currency."""

    one_purchase: Decimal | None
    hour_count: int | None
    day_count: int | None
    single: str
    single_amount: Decimal | None


class ControlsPart(forms.Form):
    """A part of the editor, in the currency of a card and the locale of a business."""

    def __init__(self, *given: Any, currency: str, locale: str, **more: Any) -> None:
        super().__init__(*given, **more)
        self.currency, self.locale = currency, locale
        for name, field in self.fields.items():
            if isinstance(field, CardAmountField):
                self.fields[name].label = f"{field.label}, {currency}"
            if isinstance(field, CountriesField):
                field.locale = locale

    def clean(self) -> dict[str, Any]:
        """Amounts become minor units."""
        for name, field in self.fields.items():
            if isinstance(field, CardAmountField) and self.cleaned_data.get(name) is not None:
                try:
                    self.cleaned_data[name] = field.in_minor(self.cleaned_data[name], self.currency)
                except forms.ValidationError as wrong:
                    self.add_error(name, wrong)
        return self.cleaned_data


class AmountsForm(ControlsPart):
    """The name, and what one purchase may cost and how often."""

    name = Name(max_length=100, label="Name of the card")
    one_purchase = CardAmountField(label="Per-transaction limit")
    hour_count = WholeField(min_value=0, max_value=10_000, required=False, label="Maximum transactions per hour")
    day_count = WholeField(min_value=0, max_value=10_000, required=False, label="Maximum transactions per 24 hours")
    single = forms.ChoiceField(
        choices=(("", "multiple purchases"), ("LTE", "one purchase, up to"), ("EQUALS", "one purchase, exactly")),
        required=False,
        label="Use",
    )  # fmt: skip
    single_amount = CardAmountField(label="Single-use amount")

    @staticmethod
    def initial_of(controls: CardControls, currency: str) -> AmountsInitial:
        """The initial values by field, for controls as the service has them."""
        count, single = controls.get("max_count") or {}, controls.get("single_use")
        amount = single.get("amount") if single else None
        return {
            "one_purchase": whole_units(controls.get("per_transaction_limit"), currency),
            "hour_count": count.get("1h"),
            "day_count": count.get("24h"),
            "single": single.get("comparison", "LTE") if single and amount is not None else "",
            "single_amount": whole_units(amount, currency),
        }

    def clean(self) -> dict[str, Any]:
        """A single purchase has an amount."""
        cleaned = super().clean()
        if cleaned.get("single") and not cleaned.get("single_amount") and "single_amount" not in self.errors:
            self.add_error("single_amount", "Enter the amount.")
        return cleaned

    def controls(self) -> AmountControls:
        """The controls that this part sets, by the interface's names; None or empty where one is not set."""
        cleaned = self.cleaned_data
        counts = {"1h": cleaned["hour_count"], "24h": cleaned["day_count"]}
        return {
            "per_transaction_limit": cleaned["one_purchase"],
            "max_count": {span: most for span, most in counts.items() if most is not None},
            "single_use": {"comparison": cleaned["single"], "amount": cleaned["single_amount"]}
            if cleaned["single"]
            else None,
        }


class FundingForm(ControlsPart):
    """What the card spends; without its field where the service does not say what that is."""

    funding = forms.ChoiceField(label="Funding source")

    def __init__(self, *given: Any, now: str, choices: list[tuple[str, str]], **more: Any) -> None:
        super().__init__(*given, **more)
        self.fields["funding"].choices = choices  # type: ignore[attr-defined]
        if len(choices) == 1:
            self.fields["funding"].help_text = "An admin can let it spend a business wallet."
        if not now:
            del self.fields["funding"]

    def chosen(self) -> str:
        """ALLOCATION, BUSINESS_WALLET, or "" where there was no choice."""
        return str(self.cleaned_data.get("funding") or "")


class LimitForm(ControlsPart):
    """A limit over time, and what it is raised to for a while."""

    interval = forms.ChoiceField(choices=(("", "–"), *LIMIT_INTERVALS.items()), required=False, label="Period")
    amount = CardAmountField(label="Limit")
    raised = CardAmountField(label="Temporary limit")
    codes = CodesField(label="MCCs only")
    refunds = forms.BooleanField(required=False, label="Refunds restore the limit")

    def clean(self) -> dict[str, Any]:
        """A limit has a window and an amount, and is raised upwards."""
        cleaned = super().clean()
        if cleaned.get("amount") and not cleaned.get("interval"):
            self.add_error("interval", "Choose a period.")
        if cleaned.get("interval") and not cleaned.get("amount") and "amount" not in self.errors:
            self.add_error("amount", "Enter an amount.")
        if cleaned.get("raised") and cleaned["raised"] <= (cleaned.get("amount") or 0):
            self.add_error("raised", "This does not raise the limit.")
        return cleaned

    def limit(self, amount: str = "amount") -> LimitBody | None:
        """The limit as it is sent, or with `amount` "raised" the temporary one; None where the row is empty."""
        cleaned = self.cleaned_data
        if not cleaned.get("interval") or not cleaned.get(amount):
            return None
        return {
            "interval": cleaned["interval"],
            "amount": cleaned[amount],
            "mcc": cleaned["codes"],
            "counts_refunds": cleaned["refunds"],
        }


class RaiseForm(ControlsPart):
    """Higher limits for a while, which fall back by themselves."""

    raise_until = MomentField(
        required=False,
        label="End date",
        help_text="In the business's time zone. The limits above apply again afterwards.",
    )
    raise_purchase = CardAmountField(label="Per-transaction limit")
