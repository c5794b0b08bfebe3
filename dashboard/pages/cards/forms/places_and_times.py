"""Where and when a card may be used: parts of the form of its controls."""

from typing import Any, TypedDict

from django import forms

from dashboard.pages.cards.forms.controls import ANY_CATEGORY, EXCEPT_SELECTED, ONLY_SELECTED, ControlsPart
from dashboard.pages.cards.forms.fields import (
    CodesField,
    CountriesField,
    NamesField,
    named_countries,
)
from dashboard.pages.cards.presenters.codes import CHANNELS, MERCHANT_KINDS, WEEKDAYS, kinds_in
from dashboard.schemas.cards import ActiveWindow, CardControls, PlaceControls, TimeControls
from dashboard.web.fields import DayField, HourField, WholeField


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


class WhereForm(ControlsPart):
    """At which merchants, in which countries, and in which ways."""

    mcc_mode = forms.ChoiceField(
        choices=(
            (ANY_CATEGORY, "any category"),
            (ONLY_SELECTED, "selected only"),
            (EXCEPT_SELECTED, "all except selected"),
        ),
        initial=ANY_CATEGORY,
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
            "mcc_mode": ONLY_SELECTED if allowed else EXCEPT_SELECTED if blocked else ANY_CATEGORY,
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
        if cleaned.get("mcc_mode") != ANY_CATEGORY and not named and "mcc_codes" not in self.errors:
            self.add_error("mcc_kinds", "Select a category, or enter an MCC below.")
        return cleaned

    def controls(self) -> PlaceControls:
        """The controls that this part sets, by the interface's names; None or empty where one is not set."""
        cleaned = self.cleaned_data
        codes = {code for name in cleaned["mcc_kinds"] for code in MERCHANT_KINDS[name][1]} | set(cleaned["mcc_codes"])
        return {
            "mcc_allowed": sorted(codes) if cleaned["mcc_mode"] == ONLY_SELECTED else [],
            "mcc_blocked": sorted(codes) if cleaned["mcc_mode"] == EXCEPT_SELECTED else [],
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
