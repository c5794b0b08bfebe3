"""Forms that several rooms ask with: a period, an amount, a category, tags, and what a proposal says beside the change itself."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.times import local
from dashboard.web.fields import AmountField, DayField, Name, Sentences, TextBlock, set_choices


def amount_field(**options: Any) -> AmountField:
    """An amount above zero, typed as money is."""
    return AmountField(min_value=Decimal("0.0001"), max_digits=18, decimal_places=4, **options)


class PeriodForm(forms.Form):
    """From a day to a day, either left open."""

    first = DayField(required=False, label="Start date")
    last = DayField(required=False, label="End date")

    def clean(self) -> dict[str, Any]:
        """The cleaned fields; an error on `last` where it is before `first`."""
        cleaned = self.cleaned_data
        if cleaned.get("first") and cleaned.get("last") and cleaned["first"] > cleaned["last"]:
            self.add_error("last", "The end date is before the start date.")
        return cleaned

    def days(self) -> dict[str, str]:
        """The query of the interface: {"from": ISO day, "to": ISO day}, without an open end; {} for a wrong form."""
        cleaned = self.cleaned_data if self.is_valid() else {}
        names = (("from", "first"), ("to", "last"))
        return {sent: cleaned[name].isoformat() for sent, name in names if cleaned.get(name)}


class WhyForm(forms.Form):
    """The reason of a proposal, for the admin who confirms it."""

    why = TextBlock(
        label="Reason, for the second admin", max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )


class ConfirmForm(WhyForm):
    """The reason and the day of a proposal, shown only where a second admin confirms the change."""

    effective = DayField(label="Effective date", required=False, help_text="Empty: as soon as it is confirmed.")

    def __init__(self, *args: Any, business: Business, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.business = business

    def clean_effective(self) -> date | None:
        """The day, or None; ValidationError for one that is over at the business."""
        day: date | None = self.cleaned_data["effective"]
        if day and day < local(timezone.now(), self.business).date():
            raise forms.ValidationError("This date has passed.")
        return day

    def moment(self) -> datetime | None:
        """The first moment of that day; None for at once."""
        day: date | None = self.cleaned_data["effective"]
        return datetime.combine(day, time(), ZoneInfo(self.business.time_zone)) if day else None


class DeclineForm(forms.Form):
    """The reason why a proposal is declined, for the person who proposed it."""

    reason = Sentences(
        label="Reason for declining",
        max_length=500,
        error_messages={"required": "Enter a reason: the proposer will read it."},
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class CategoryChoiceForm(forms.Form):
    """Where the expense belongs: one of the business's subcategories."""

    subcategory_id = forms.ChoiceField(label="Category")

    def __init__(self, *args: object, choices: list[tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        set_choices(self, "subcategory_id", choices)
        self.fields["subcategory_id"].error_messages["invalid_choice"] = "Choose a category."


class TagsForm(forms.Form):
    """The tags of an expense, among those of the business; whoever may add to these may type a new one."""

    tags = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    new = Name(label="New tag", max_length=40, required=False)

    def __init__(self, *args: Any, names: list[str], may_add: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "tags", [(name, name) for name in names])
        if not may_add:
            del self.fields["new"]
