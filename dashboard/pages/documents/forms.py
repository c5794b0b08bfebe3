"""What the address of a page's picture says: how wide, and turned how far."""

from django import forms

from dashboard.documents.limits import READABLE, WIDTHS


class PictureForm(forms.Form):
    """One of the three widths in pixels, and quarters to the right; what is missing is as it is shown first."""

    width = forms.ChoiceField(choices=[(str(width), width) for width in WIDTHS], required=False)
    turns = forms.ChoiceField(choices=[(str(turns), turns) for turns in range(4)], required=False)

    def clean_width(self) -> int:
        """The width of the picture in pixels, one of those that are drawn."""
        return int(self.cleaned_data["width"] or READABLE)

    def clean_turns(self) -> int:
        """How many quarters to the right."""
        return int(self.cleaned_data["turns"] or 0)
