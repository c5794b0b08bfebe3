"""The forms that set a recurring top-up up, and change it."""

from datetime import date
from decimal import Decimal
from typing import Any, TypedDict

from django import forms

from dashboard.inputs import Choices, InputError, typed_minor
from dashboard.mirror.models import Wallet
from dashboard.money import exponent
from dashboard.top_ups import schedule
from dashboard.top_ups.models import TopUp
from dashboard.top_ups.schedule import Interval
from dashboard.top_ups.services import NewTopUp
from dashboard.web.fields import DayField, LocaleForm, WholeField
from dashboard.web.forms import amount_field


class TopUpForm(LocaleForm):
    """Up to which amount, from which wallet, how often and on which day."""

    target = amount_field(label="Up to this amount")
    wallet = forms.ChoiceField(label="From wallet")
    interval = forms.ChoiceField(choices=Interval.choices, label="How often")
    weekday = forms.TypedChoiceField(
        choices=[(f"{number}", name) for number, name in enumerate(schedule.WEEKDAYS, 1)], coerce=int, required=False,
        label="Weekday", help_text="For a weekly one.",
    )  # fmt: skip
    month_day = WholeField(
        min_value=1, max_value=31, required=False, label="Day of the month",
        help_text="For a monthly one; the last day of a shorter month.",
    )  # fmt: skip
    last_on = DayField(label="End date", required=False, help_text="Empty: until it is ended.")

    def __init__(self, *args: Any, wallets: list[Wallet], labels: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wallets = {wallet.org_wallet_ref: wallet for wallet in wallets}
        self.fields["wallet"] = forms.ChoiceField(choices=labels, label="From wallet")

    def clean(self) -> dict[str, Any]:
        """An amount with no more digits than the wallet's currency has, and the day that the interval needs."""
        data = self.cleaned_data
        currency = self.currency_code()
        if currency and data.get("target") is not None:
            try:
                data["target_minor"] = typed_minor(data["target"], currency)
            except InputError as wrong:
                self.add_error("target", str(wrong))
        needed = "weekday" if data.get("interval") == Interval.WEEKLY else "month_day"
        if data.get("interval") and not data.get(needed) and needed not in self.errors:
            self.add_error(needed, "Choose a day.")
        return data

    def currency_code(self) -> str:
        """The currency of the chosen wallet; empty where none is chosen."""
        wallet = self.wallets.get(self.cleaned_data.get("wallet", ""))
        return wallet.currency if wallet else ""

    def day(self) -> int:
        """The day that the interval of a valid form needs."""
        data = self.cleaned_data
        return int(data["weekday"] if data["interval"] == Interval.WEEKLY else data["month_day"])

    def new_top_up(self) -> NewTopUp:
        """The top-up of a form that is valid."""
        data = self.cleaned_data
        return NewTopUp(
            self.wallets[data["wallet"]], data["target_minor"], data["interval"], self.day(), data["last_on"]
        )


class EditedTerms(TypedDict):
    """What services.edit gives a top-up: the amount in minor units of its currency, when it runs, and its last day."""

    target_minor: int
    interval: str
    day: int
    last_on: date | None


class EditTopUpForm(TopUpForm):
    """Another amount and other days of a top-up; its wallet, and so its currency, stays."""

    def __init__(self, *args: Any, top_up: TopUp, **kwargs: Any) -> None:
        day = {"weekday" if top_up.interval == Interval.WEEKLY else "month_day": top_up.day}
        target = Decimal(top_up.target_minor).scaleb(-exponent(top_up.currency))
        initial = {"target": target, "interval": top_up.interval, "last_on": top_up.last_on, **day}
        super().__init__(*args, wallets=[], labels=[], initial=initial, **kwargs)
        del self.fields["wallet"]
        self.currency = top_up.currency

    def terms(self) -> EditedTerms:
        """The terms of a form that is valid."""
        data = self.cleaned_data
        return {
            "target_minor": data["target_minor"], "interval": data["interval"], "day": self.day(),
            "last_on": data["last_on"],
        }  # fmt: skip

    def currency_code(self) -> str:
        """The currency of the top-up."""
        return self.currency
