"""What comes in beside a list: the name of a saved view, and the answer to what a bulk action asks."""

from typing import Any

from django import forms

from dashboard.inputs import Choices
from dashboard.lists.actions import Question
from dashboard.web.fields import Name, Reason


class ViewForm(forms.Form):
    """The name of a view, and whether everybody is offered it."""

    name = Name(max_length=60)
    shared = forms.BooleanField(required=False)


class ActionAnswerForm(forms.Form):
    """What a bulk action asks before it begins: why, or where to; one answer for all its rows."""

    def __init__(self, *args: Any, question: Question, choices: Choices | None, **more: Any) -> None:
        super().__init__(*args, **more)
        errors = {"required": question.missing, "invalid_choice": question.missing}
        self.choices = dict(choices or ())
        if choices is None:
            typed = forms.TextInput(attrs={"autocomplete": "off"})
            self.fields["given"] = Reason(label=question.label, error_messages=errors, widget=typed)
        else:
            self.fields["given"] = forms.ChoiceField(
                label=question.label,
                choices=[("", "Choose one"), *choices],
                error_messages=errors,
                help_text="" if choices else question.empty,
            )

    def is_valid(self) -> bool:
        """Whether anything was given; where nothing was, the field has the focus when the form is shown again."""
        valid = super().is_valid()
        if not valid:
            self.fields["given"].widget.attrs["autofocus"] = True
        return valid

    def given(self) -> tuple[str, str]:
        """What was given, and the same in words: one where it was typed."""
        value: str = self.cleaned_data["given"]
        return value, self.choices.get(value, value)
