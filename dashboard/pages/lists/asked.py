"""What a bulk action still wants to know: why, or where to; one answer for all its rows."""

from typing import Any

from django import forms

from dashboard.lists.actions import Question
from dashboard.lists.filters import Choices
from dashboard.web.fields import Name


class GivenForm(forms.Form):
    """One field, as the verb asks for it."""

    def __init__(self, *args: Any, asks: Question, choices: Choices | None, **more: Any) -> None:
        super().__init__(*args, **more)
        errors = {"required": asks.missing, "invalid_choice": asks.missing}
        self.choices = dict(choices or ())
        if choices is None:
            typed = forms.TextInput(attrs={"autocomplete": "off"})
            self.fields["given"] = Name(label=asks.label, max_length=asks.longest, error_messages=errors, widget=typed)
        else:
            self.fields["given"] = forms.ChoiceField(
                label=asks.label, choices=[("", "Choose one"), *choices], error_messages=errors
            )

    def is_valid(self) -> bool:
        """Whether it was given; where it was not, the field has the focus when the form is shown again."""
        valid = super().is_valid()
        if not valid:
            self.fields["given"].widget.attrs["autofocus"] = True
        return valid

    def given(self) -> tuple[str, str]:
        """What was given, and how that is said."""
        value: str = self.cleaned_data["given"]
        return value, self.choices.get(value, value)
