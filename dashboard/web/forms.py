"""Forms that several rooms ask with: a period, an amount, and what a proposal says beside the change itself."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.times import local
from dashboard.web.fields import AmountField, DayField, Sentences, TextBlock


def amount_field(**given: Any) -> AmountField:
    """An amount above zero, typed as money is."""
    return AmountField(min_value=Decimal("0.0001"), max_digits=18, decimal_places=4, **given)


class PeriodForm(forms.Form):
    """From a day to a day, either left open."""

    first = DayField(required=False, label="From")
    last = DayField(required=False, label="To")

    def clean(self) -> dict[str, Any]:
        """The days in their order."""
        found = self.cleaned_data
        if found.get("first") and found.get("last") and found["first"] > found["last"]:
            self.add_error("last", "This day is before the first one.")
        return found

    def days(self) -> dict[str, str]:
        """As the interface asks for them; nothing where it is not said."""
        found = self.cleaned_data if self.is_valid() else {}
        names = (("from", "first"), ("to", "last"))
        return {sent: found[name].isoformat() for sent, name in names if found.get(name)}


class WhyForm(forms.Form):
    """Why it is proposed."""

    why = TextBlock(
        label="Why, for the second admin", max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )


class ConfirmForm(WhyForm):
    """What a proposal says beside the change itself; asked for only where a second admin confirms."""

    effective = DayField(label="Takes effect on", required=False, help_text="Empty: as soon as it is confirmed.")

    def __init__(self, *args: Any, business: Business, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.business = business

    def clean_effective(self) -> date | None:
        """A day that is not over."""
        found: date | None = self.cleaned_data["effective"]
        if found and found < local(timezone.now(), self.business).date():
            raise forms.ValidationError("This day is over.")
        return found

    def moment(self) -> datetime | None:
        """The first moment of that day; None for at once."""
        found: date | None = self.cleaned_data["effective"]
        return datetime.combine(found, time(), ZoneInfo(self.business.time_zone)) if found else None


class DeclineForm(forms.Form):
    """Why not."""

    reason = Sentences(
        label="Why not?",
        max_length=500,
        error_messages={"required": "Say why: the person who proposed it will read it."},
        widget=forms.Textarea(attrs={"rows": 3}),
    )
