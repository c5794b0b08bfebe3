"""What comes in from the customers' pages: a new customer, a change of one."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.mirror.models import Customer
from dashboard.web.fields import LocaleForm, MailField, Name, PhoneField, TextBlock, TextLine

PIN = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9 .\-/]{0,39}\Z", "A tax PIN has letters, digits, spaces, dots, dashes.")


class CustomerForm(LocaleForm):
    """A regular customer: only the name must be there."""

    name = Name(max_length=100)
    phone = PhoneField(required=False)
    email = MailField(required=False, label="E-mail")
    person = Name(max_length=100, required=False, label="Contact")
    tax_pin = TextLine(max_length=40, required=False, label="Tax PIN", validators=[PIN])
    address = TextBlock(max_length=300, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, stands: Customer | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        phone = self.fields["phone"]
        assert isinstance(phone, PhoneField)
        phone.stands = stands.phone if stands else ""

    @staticmethod
    def of(customer: Customer) -> dict[str, str]:
        """What the form begins with for a customer that is there."""
        names = ("name", "phone", "email", "person", "tax_pin")
        return {name: getattr(customer, name) for name in names} | {
            "address": str(customer.payload.get("address") or "")
        }

    def body(self) -> dict[str, Any]:
        """What is sent when one is made: nothing empty."""
        return {name: value for name, value in self.change().items() if value}

    def change(self) -> dict[str, Any]:
        """What is sent when one is changed: every field as it shall be, null where it is empty."""
        found = {name: value or None for name, value in self.cleaned_data.items()}
        found["taxPin"] = found.pop("tax_pin")
        return found
