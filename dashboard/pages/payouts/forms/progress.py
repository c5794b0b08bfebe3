"""What a page asks with, by itself, while a payout is being paid."""

from django import forms
from django.core.validators import RegexValidator

from dashboard.pages.payouts.selectors.progress import RANGES, ROWS, WatchedRows
from dashboard.web.fields import Verbatim


class PayoutProgressForm(forms.Form):
    """Which payments the page shows, and in which states."""

    positions = Verbatim(required=False, max_length=600, validators=[RegexValidator(rf"^{RANGES.pattern}\Z")])
    states = Verbatim(required=False, max_length=ROWS, validators=[RegexValidator(r"^[A-Z-]*\Z")])

    def watched(self) -> WatchedRows:
        """Those rows; none where the page says no such thing."""
        if not self.is_valid():
            return WatchedRows()
        return WatchedRows(self.cleaned_data["positions"], self.cleaned_data["states"])
