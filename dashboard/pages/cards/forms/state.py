"""What is typed when a card is stopped: why it is blocked, and its digits before it is retired for good."""

from typing import Any

from django import forms

from dashboard.mirror.models import Card
from dashboard.web.fields import Reason, TextLine


class BlockForm(forms.Form):
    """Why it is blocked: its holder reads it."""

    reason = Reason(
        error_messages={"required": "Enter a reason: the cardholder will read it."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        label="Reason",
    )


class ReissueForm(forms.Form):
    """Why it gets new digits, where somebody says it."""

    reason = Reason(required=False)


class RetireForm(forms.Form):
    """The card's last four digits, typed, because nothing brings it back; and why."""

    last_four = TextLine(
        max_length=4,
        label="Enter the last four digits",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    reason = Reason(required=False, widget=forms.TextInput, label="Reason (optional)")

    def __init__(self, *given: Any, card: Card, **more: Any) -> None:
        super().__init__(*given, **more)
        self.card = card

    def clean_last_four(self) -> str:
        """The digits of this very card."""
        typed: str = self.cleaned_data["last_four"]
        if typed != self.card.last_four:
            raise forms.ValidationError(f"These are not the last four digits of this card: {self.card.last_four}.")
        return typed
