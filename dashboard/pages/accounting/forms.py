"""The forms of accounting: closing a period, reopening one, and from which day on the entries of an account are shown."""

from datetime import date
from hashlib import sha256
from typing import Any

from django import forms

from dashboard.times import day_text
from dashboard.web.fields import DayField, Reason, TextLine


class CloseForm(forms.Form):
    """Closing a period; what is still open in it has to be accepted, as it was shown: `figures` is what is open now, in
    words. The page carries their hash alone: of many wallets they are long. `is_again` of a period that is closed by now."""

    accept_open_items = forms.BooleanField(
        label="Close it with these open items",
        error_messages={"required": "Something is still open: clear it, or accept it."},
    )

    seen = TextLine(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, open_items: int, figures: str, is_again: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.figures, self.is_again = figures, is_again
        self.digest = self.fields["seen"].initial = sha256(figures.encode()).hexdigest()
        if is_again or not open_items:
            del self.fields["accept_open_items"]

    def clean(self) -> dict[str, Any]:
        """Figures that are others than those that were shown are accepted once they were seen."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "accept_open_items" in self.fields and cleaned.get("seen") != self.digest:
            # What is shown now is what the next click accepts, by a tick of its own.
            brought = {name: self.data[name] for name in self.data if name != "accept_open_items"}
            self.data = {**brought, "seen": self.digest}
            if not self.has_error("accept_open_items"):
                self.add_error("accept_open_items", "What is open has changed since you looked: look at it again.")
        return cleaned

    def accepted(self) -> str:
        """What was accepted as still open, in words; "" for nothing. Of a valid form. A period that is closed by now has no
        tick to set: what is sent to it again accepted what it was shown then, and only where it was ticked."""
        if "accept_open_items" in self.fields:
            return self.figures
        if not self.is_again or "accept_open_items" not in self.data:
            return ""
        seen = self.cleaned_data.get("seen", "")
        if seen == self.digest:
            return self.figures
        return f"Other figures than those of now; the SHA-256 of their words is {seen}"


class ReopenForm(forms.Form):
    """Why a closed period is opened again: everybody who reads it sees it."""

    reason = Reason(label="Reason", widget=forms.Textarea(attrs={"rows": 2}))


class LedgerDayForm(forms.Form):
    """From which day of a period on the entries of an account are shown; without one from its first."""

    since = DayField(required=False, label="Start date")

    def __init__(self, *args: Any, days: tuple[date, date], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.days = days

    def clean_since(self) -> date | None:
        """The day, or None; ValidationError for one outside the period."""
        day: date | None = self.cleaned_data["since"]
        first, last = self.days
        if day and not first <= day <= last:
            raise forms.ValidationError(f"Enter a day from {day_text(first)} to {day_text(last)}.")
        return day

    @property
    def day(self) -> date | None:
        """The day that was chosen; None for none, and for one that is not understood."""
        return self.cleaned_data["since"] if self.is_valid() else None
