"""The forms of accounting: closing a period, reopening one, and which file of the books is asked for."""

from typing import Any

from django import forms

from dashboard.web.fields import Sentences


class CloseForm(forms.Form):
    """Closing a period; what is still open in it has to be accepted."""

    accept_open_items = forms.BooleanField(
        label="Close it with these open items",
        error_messages={"required": "Something is still open: clear it, or accept it."},
    )

    def __init__(self, *args: Any, open_items: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not open_items:
            del self.fields["accept_open_items"]

    @property
    def accepted(self) -> bool:
        """Whether what is open was accepted; what nobody saw was not."""
        return bool(self.cleaned_data.get("accept_open_items"))


class ReopenForm(forms.Form):
    """Why a closed period is opened again: everybody who reads it sees it."""

    reason = Sentences(label="Reason", max_length=500, widget=forms.Textarea(attrs={"rows": 2}))


class FileForm(forms.Form):
    """The format of a file."""

    form = forms.ChoiceField(choices=(("csv", "CSV"), ("xlsx", "XLSX")))
