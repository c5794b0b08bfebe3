"""The form of a recurring bill."""

from datetime import date
from typing import Any, cast

from django import forms
from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.inputs import Choices
from dashboard.mirror.schedule import today
from dashboard.pages.bills.forms.bills import CURRENCY, HAS_SIGN, MORE_VENDORS
from dashboard.pages.bills.forms.lines import Lines, TypedLine, lines_of, typed_lines
from dashboard.pages.bills.selectors.entry import EntryChoices
from dashboard.schemas.bill_schedules import BillScheduleBody
from dashboard.web.fields import DayField, LocaleForm, Name, TextBlock, TextLine, WholeField, set_choices

SCHEDULE_INTERVALS = {
    "WEEKLY": "Every week",
    "MONTHLY": "Every month",
    "QUARTERLY": "Every quarter",
    "YEARLY": "Every year",
}
LINES = 3


class ScheduleForm(LocaleForm):
    """A recurring bill without its lines."""

    vendor_id = forms.ChoiceField(label="Vendor")
    number_prefix = Name(
        max_length=40, label="Number prefix", validators=[HAS_SIGN], help_text="RENT makes RENT-2027-01-31."
    )
    interval = forms.ChoiceField(label="Repeats", choices=list(SCHEDULE_INTERVALS.items()))
    starts_on = DayField(label="Start date")
    day = WholeField(
        required=False, min_value=1, max_value=31, label="Day",
        help_text="Of the month, 31 being its last day; of the week, from Monday as 1. Empty: that of the start date.",
    )  # fmt: skip
    ends_on = DayField(required=False, label="End date")
    count = WholeField(required=False, min_value=1, max_value=1000, label="Number of bills")
    due_in_days = WholeField(min_value=0, max_value=365, label="Due after, days")
    currency = TextLine(max_length=3, required=False, validators=[CURRENCY], help_text="Empty: the vendor's own.")
    subcategory = forms.ChoiceField(required=False, label="Category")
    team_id = forms.ChoiceField(required=False, label="Team")
    budget_id = forms.ChoiceField(required=False, label="Budget")
    memo = TextBlock(max_length=1000, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(
        self, *args: Any, vendors: Choices, categories: Choices, teams: Choices, budgets: Choices, today: date,
        has_more_vendors: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        self.today, self.has_more_vendors = today, has_more_vendors
        choices = {"subcategory": categories, "team_id": teams, "budget_id": budgets}
        for name, options in choices.items():
            set_choices(self, name, [("", "–"), *options])
        set_choices(self, "vendor_id", [("", "Choose…"), *vendors])
        if has_more_vendors:
            self.fields["vendor_id"].help_text = MORE_VENDORS

    def clean(self) -> dict[str, Any]:
        """Errors beside the days that do not fit together, and for two ends."""
        data = super().clean() or self.cleaned_data
        starts, ends = data.get("starts_on"), data.get("ends_on")
        if starts and starts < self.today:
            self.add_error("starts_on", "This day is over.")
        if starts and ends and ends < starts:
            self.add_error("ends_on", "The end date is before the start date.")
        if ends and data.get("count"):
            self.add_error("count", "Enter either an end date or a number of bills.")
        if data.get("interval") == "WEEKLY" and (data.get("day") or 0) > 7:
            self.add_error("day", "A week has seven days.")
        return data

    def body(self, lines: Lines) -> BillScheduleBody:
        """What is sent; what was left empty is not."""
        sent = {
            {"subcategory": "subcategory_id"}.get(name, name): value.isoformat() if isinstance(value, date) else value
            for name, value in self.cleaned_data.items()
            if value not in ("", None)
        }
        if "currency" in sent:
            sent["currency"] = sent["currency"].upper()
        return cast(BillScheduleBody, {**sent, "line_items": lines.body()})


def schedule_forms(
    actor: Actor, entry_choices: EntryChoices, data: QueryDict | None = None
) -> tuple[ScheduleForm, Lines]:
    """The form of a new recurring bill, and its lines; as they were typed, without a word about what is missing yet, where
    vendors are searched by name."""
    locale, now = actor.business.locale, today(actor.business)
    initial: dict[str, Any] = {"starts_on": now, "interval": "MONTHLY", "due_in_days": 30}
    rows: list[TypedLine] = []
    if data is not None and ("find_vendor" in data or data.get("vendor_term", "").strip()):
        initial = {name: data.get(name) for name in ScheduleForm.base_fields}
        rows = typed_lines(data)
        data = None
    form = ScheduleForm(
        data, initial=initial, locale=locale, today=now, vendors=entry_choices.vendors, categories=entry_choices.categories,
        teams=entry_choices.teams, budgets=entry_choices.budgets, has_more_vendors=entry_choices.has_more_vendors,
    )  # fmt: skip
    lines = lines_of(
        data,
        initial=rows,
        extra=0 if rows else LINES,
        locale=locale,
        categories=entry_choices.categories,
        teams=entry_choices.teams,
    )
    return form, lines
