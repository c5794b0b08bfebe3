"""The forms of an access review: which quarter is opened, and what is decided on a person."""

from typing import Any

from django import forms

from dashboard.access_reviews.models import ReviewDecision
from dashboard.access_reviews.services import REASON_NEEDED
from dashboard.web.fields import Sentences


class VerdictForm(forms.Form):
    """Keep or revoke, with a reason where access looks unused and for each revocation."""

    verdict = forms.ChoiceField(
        choices=ReviewDecision.choices, label="Decision", widget=forms.RadioSelect,
        error_messages={"required": "Choose keep or revoke."},
    )  # fmt: skip
    reason = Sentences(label="Reason", max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, is_unused: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_unused = is_unused
        self.fields["reason"].help_text = "Required: this access looks unused." if is_unused else "Required to revoke."

    def clean(self) -> dict[str, Any]:
        """An error on the reason where one is missing."""
        data = self.cleaned_data
        if data.get("reason") or "reason" in self.errors:
            return data
        if data.get("verdict") == ReviewDecision.REVOKE:
            self.add_error("reason", "Enter a reason for revoking the access.")
        elif data.get("verdict") == ReviewDecision.KEEP and self.is_unused:
            self.add_error("reason", REASON_NEEDED)
        return data
