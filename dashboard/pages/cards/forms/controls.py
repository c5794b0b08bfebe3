"""The editor of a card's controls, part by part: each part is a form of its own, and says what it adds to the controls."""

from decimal import Decimal
from typing import Any, TypedDict

from django import forms

from dashboard.pages.cards.forms.fields import (
    CardAmountField,
    CodesField,
    CountriesField,
    NamesField,
    named_countries,
)
from dashboard.pages.cards.presenters.codes import CHANNELS, LIMIT_INTERVALS, MERCHANT_KINDS, WEEKDAYS, kinds_in
from dashboard.pages.cards.presenters.controls import whole_units
from dashboard.schemas.cards import ActiveWindow, AmountControls, CardControls, LimitBody, PlaceControls, TimeControls
from dashboard.web.fields import DayField, HourField, MomentField, Name, WholeField

ANY, ONLY, NEVER = "any", "only", "never"


class AmountsInitial(TypedDict):
    """The initial values of an AmountsForm beside the name; amounts in whole units of the card's currency."""

    one_purchase: Decimal | None
    hour_count: int | None
    day_count: int | None
    single: str
    single_amount: Decimal | None


class WhereInitial(TypedDict):
    """The initial values of a WhereForm, as they are typed."""

    mcc_mode: str
    mcc_kinds: list[str]
    mcc_codes: str
    merchants_only: str
    merchants_never: str
    countries_only: str
    countries_never: str
    channels: list[str]


class WhenInitial(TypedDict):
    """The initial values of a WhenForm; days and hours as the service writes them."""

    from_day: str | None
    until_day: str | None
    weekdays: list[int]
    from_hour: str | None
    to_hour: str | None
    last_day: str | None
    receipt_days: int | None


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


class WhereForm(ControlsPart):
    """At which merchants, in which countries, and in which ways."""

    mcc_mode = forms.ChoiceField(
        choices=((ANY, "any category"), (ONLY, "selected only"), (NEVER, "all except selected")),
        initial=ANY,
        label="Merchant categories",
    )
    mcc_kinds = forms.MultipleChoiceField(
        choices=[(name, label) for name, (label, _) in MERCHANT_KINDS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Categories",
    )
    mcc_codes = CodesField(label="Other MCCs (four digits)")
    merchants_only = NamesField(label="Allowed merchants", help_text="One per line.")
    merchants_never = NamesField(label="Blocked merchants", help_text="One per line.")
    countries_only = CountriesField(label="Allowed countries", help_text="Such as Kenya, Uganda.")
    countries_never = CountriesField(label="Blocked countries")
    channels = forms.MultipleChoiceField(
        choices=[(code, label[0].upper() + label[1:]) for code, label in CHANNELS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Channels",
        help_text="None selected: any.",
    )

    @staticmethod
    def initial_of(controls: CardControls, locale: str) -> WhereInitial:
        """The initial values by field, for controls as the service has them."""
        allowed, blocked = list(controls.get("mcc_allowed") or []), list(controls.get("mcc_blocked") or [])
        kinds, rest = kinds_in(allowed or blocked)
        return {
            "mcc_mode": ONLY if allowed else NEVER if blocked else ANY,
            "mcc_kinds": kinds,
            "mcc_codes": " ".join(rest),
            "merchants_only": "\n".join(controls.get("merchants_allowed") or []),
            "merchants_never": "\n".join(controls.get("merchants_blocked") or []),
            "countries_only": named_countries(list(controls.get("countries_allowed") or []), locale),
            "countries_never": named_countries(list(controls.get("countries_blocked") or []), locale),
            "channels": controls.get("channels_allowed") or [],
        }

    def clean(self) -> dict[str, Any]:
        """Only those ticked needs something that is ticked."""
        cleaned = super().clean()
        named = cleaned.get("mcc_kinds") or cleaned.get("mcc_codes")
        if cleaned.get("mcc_mode") != ANY and not named and "mcc_codes" not in self.errors:
            self.add_error("mcc_kinds", "Select a category, or enter an MCC below.")
        return cleaned

    def controls(self) -> PlaceControls:
        """The controls that this part sets, by the interface's names; None or empty where one is not set."""
        cleaned = self.cleaned_data
        codes = {code for name in cleaned["mcc_kinds"] for code in MERCHANT_KINDS[name][1]} | set(cleaned["mcc_codes"])
        return {
            "mcc_allowed": sorted(codes) if cleaned["mcc_mode"] == ONLY else [],
            "mcc_blocked": sorted(codes) if cleaned["mcc_mode"] == NEVER else [],
            "merchants_allowed": cleaned["merchants_only"],
            "merchants_blocked": cleaned["merchants_never"],
            "countries_allowed": cleaned["countries_only"],
            "countries_blocked": cleaned["countries_never"],
            "channels_allowed": cleaned["channels"],
        }


class WhenForm(ControlsPart):
    """On which days and at which hours, until when, and how soon receipts are due."""

    from_day = DayField(required=False, label="Start date")
    until_day = DayField(required=False, label="End date")
    weekdays = forms.TypedMultipleChoiceField(
        choices=list(WEEKDAYS.items()),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Days of the week",
        help_text="None selected: any.",
    )
    from_hour = HourField(required=False, label="Between")
    to_hour = HourField(required=False, label="and")
    last_day = DayField(required=False, label="Auto-lock date")
    receipt_days = WholeField(
        min_value=1, max_value=365, required=False, label="Receipt due within (days)",
        help_text="Once overdue, purchases are declined until the receipt is added.",
    )  # fmt: skip

    @staticmethod
    def initial_of(controls: CardControls) -> WhenInitial:
        """The initial values by field, for controls as the service has them."""
        window = controls.get("active_window") or {}
        hours = window.get("hours")
        return {
            "from_day": window.get("from"),
            "until_day": window.get("until"),
            "weekdays": window.get("weekdays") or [],
            "from_hour": hours.get("from") if hours else None,
            "to_hour": hours.get("to") if hours else None,
            "last_day": controls.get("auto_lock_at"),
            "receipt_days": controls.get("require_receipt_within_days"),
        }

    def clean(self) -> dict[str, Any]:
        """Spans have both their ends, the right way round."""
        cleaned = super().clean()
        if cleaned.get("from_day") and cleaned.get("until_day") and cleaned["until_day"] < cleaned["from_day"]:
            self.add_error("until_day", "The end date is before the start date.")
        if bool(cleaned.get("from_hour")) != bool(cleaned.get("to_hour")) and not {"from_hour", "to_hour"} & set(
            self.errors
        ):
            self.add_error("to_hour" if cleaned.get("from_hour") else "from_hour", "Enter both times.")
        return cleaned

    def controls(self) -> TimeControls:
        """The controls that this part sets, by the interface's names; None or empty where one is not set."""
        cleaned = self.cleaned_data
        window: ActiveWindow = {}
        if first := _iso(cleaned["from_day"]):
            window["from"] = first
        if last := _iso(cleaned["until_day"]):
            window["until"] = last
        if cleaned["weekdays"]:
            window["weekdays"] = sorted(cleaned["weekdays"])
        if cleaned["from_hour"]:
            window["hours"] = {"from": f"{cleaned['from_hour']:%H:%M}", "to": f"{cleaned['to_hour']:%H:%M}"}
        return {
            "active_window": window,
            "auto_lock_at": _iso(cleaned["last_day"]),
            "require_receipt_within_days": cleaned["receipt_days"],
        }


def _iso(day: Any) -> str | None:
    return day.isoformat() if day else None
