"""What comes in when somebody hands their items over."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.access.models import Membership
from dashboard.delegation.services import Draft
from dashboard.inputs import InputError, to_minor
from dashboard.web.fields import AmountField, DayField, LocaleForm, TextLine

CODE = RegexValidator(r"^[A-Z]{3}$", "Write the currency's three letters, such as KES.")


class DelegationForm(LocaleForm):
    """Who stands in, for what, from when until when, and up to how much."""

    delegate = forms.TypedChoiceField(
        label="Who stands in",
        coerce=int,
        error_messages={"required": "Choose who stands in.", "invalid_choice": "Choose one of these approvers."},
    )
    kinds = forms.MultipleChoiceField(
        label="For what",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what is handed over."},
    )
    first = DayField(label="From the beginning of", error_messages={"required": "Say from which day."})
    last = DayField(label="To the end of", error_messages={"required": "Say until which day."})
    cap = AmountField(
        label="Only up to",
        required=False,
        max_digits=18,
        decimal_places=4,
        help_text="Leave it empty to hand over any amount. What is above it stays with you.",
    )
    currency = TextLine(max_length=3, required=False, help_text="Of the amount. Other currencies then stay with you.")

    def __init__(self, *args: Any, people: list[Membership], kinds: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {member.pk: member for member in people}
        delegate, chosen = self.fields["delegate"], self.fields["kinds"]
        assert isinstance(delegate, forms.TypedChoiceField)
        assert isinstance(chosen, forms.MultipleChoiceField)
        delegate.choices = [("", "Choose"), *((member.pk, member.user.get_full_name()) for member in people)]
        chosen.choices = [(kind, word.capitalize()) for kind, word in kinds]

    def clean_currency(self) -> str:
        """In capitals, however it was typed."""
        code = str(self.cleaned_data["currency"]).strip().upper()
        if code:
            CODE(code)
        return code

    def clean(self) -> dict[str, Any]:
        """An amount has its currency, and no more digits than that has."""
        values = self.cleaned_data
        cap: Decimal | None = values.get("cap")
        if cap is None or "currency" in self.errors:
            return values
        if not values.get("currency"):
            self.add_error("currency", "Of which currency? Three letters, such as KES.")
            return values
        try:
            values["cap_minor"] = to_minor(cap, values["currency"])
        except InputError as wrong:
            self.add_error("cap", str(wrong))
        return values

    def draft(self) -> Draft:
        """The delegation that the form describes; valid forms alone have one."""
        values = self.cleaned_data
        capped = values.get("cap_minor") is not None
        return Draft(
            delegate=self.people[values["delegate"]],
            kinds=frozenset(values["kinds"]),
            first=values["first"],
            last=values["last"],
            cap_minor=values.get("cap_minor"),
            currency=values["currency"] if capped else "",
        )
