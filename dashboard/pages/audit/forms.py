"""The forms of the audit: the days of an evidence pack."""

from datetime import date

from dashboard.web.fields import DayField
from dashboard.web.forms import PeriodForm


class PackPeriodForm(PeriodForm):
    """The days of a pack; both are needed."""

    first = DayField(label="Start date")
    last = DayField(label="End date")

    def days_of_pack(self) -> tuple[date, date]:
        """The first and the last day of a form that is valid."""
        return self.cleaned_data["first"], self.cleaned_data["last"]
