"""What comes in when somebody hands their items over."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.access.models import Membership
from dashboard.delegation.services import DelegationTerms
from dashboard.inputs import InputError, typed_minor
from dashboard.web.fields import AmountField, DayField, LocaleForm, TextLine

# The choice of somebody who is away without a delegate; no membership has this id.
NO_DELEGATE = 0
CODE = RegexValidator(r"^[A-Z]{3}$", "Enter the currency: three letters, such as KES.")


class DelegationForm(LocaleForm):
    """Who stands in, for what, from when until when, and up to how much."""

    delegate = forms.TypedChoiceField(
        label="Delegate",
        coerce=int,
        error_messages={"required": "Choose a delegate.", "invalid_choice": "Choose one of these approvers."},
    )
    kinds = forms.MultipleChoiceField(
        label="Approvals",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what to delegate."},
    )
    first = DayField(label="Start date", error_messages={"required": "Enter a start date."})
    last = DayField(label="End date", error_messages={"required": "Enter an end date."})
    cap = AmountField(
        label="Up to this amount",
        required=False,
        max_digits=18,
        decimal_places=4,
        help_text="Leave empty to delegate any amount. Items above it stay with you.",
    )
    currency = TextLine(
        max_length=3, required=False, help_text="Of the amount. Items in other currencies then stay with you."
    )

    def __init__(self, *args: Any, people: list[Membership], kinds: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {member.pk: member for member in people}
        delegate, chosen = self.fields["delegate"], self.fields["kinds"]
        assert isinstance(delegate, forms.TypedChoiceField)
        assert isinstance(chosen, forms.MultipleChoiceField)
        nobody = (NO_DELEGATE, "No delegate: my items wait")
        delegate.choices = [("", "Choose"), nobody, *((member.pk, member.user.get_full_name()) for member in people)]
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
            self.add_error("currency", "Enter the currency: three letters, such as KES.")
            return values
        try:
            values["cap_minor"] = typed_minor(cap, values["currency"])
        except InputError as wrong:
            self.add_error("cap", str(wrong))
        return values

    def draft(self) -> DelegationTerms:
        """The delegation that the form describes; valid forms alone have one."""
        values = self.cleaned_data
        capped = values.get("cap_minor") is not None
        return DelegationTerms(
            delegate=self.people.get(values["delegate"]),
            kinds=frozenset(values["kinds"]),
            first=values["first"],
            last=values["last"],
            cap_minor=values.get("cap_minor"),
            currency=values["currency"] if capped else "",
        )
