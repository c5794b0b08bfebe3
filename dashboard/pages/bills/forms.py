"""The forms of the bills: cancelling one, and what the address of a page's picture says."""

from django import forms

from dashboard.documents.limits import READABLE, WIDTHS
from dashboard.web.fields import Sentences


class CancelForm(forms.Form):
    """Why a bill is cancelled."""

    reason = Sentences(max_length=300, label="Reason", widget=forms.TextInput)


class PictureForm(forms.Form):
    """One of the three widths in pixels, and quarters to the right; what is missing is as it is shown first."""

    width = forms.ChoiceField(choices=[(str(width), width) for width in WIDTHS], required=False)
    turns = forms.ChoiceField(choices=[(str(turns), turns) for turns in range(4)], required=False)

    def clean_width(self) -> int:
        """The width in pixels."""
        return int(self.cleaned_data["width"] or READABLE)

    def clean_turns(self) -> int:
        """How many quarters to the right."""
        return int(self.cleaned_data["turns"] or 0)
