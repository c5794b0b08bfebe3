"""The forms of the vendors: a new one or a change of one, and merging two."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.mirror.models import Vendor
from dashboard.schemas.vendors import Vendor as WholeVendor
from dashboard.schemas.vendors import VendorBody
from dashboard.web.fields import (
    AmountField,
    LocaleForm,
    MailField,
    Name,
    PhoneField,
    Reason,
    TextLine,
    WholeField,
)

PIN = RegexValidator(r"^[A-Za-z0-9\-/.]{4,20}\Z", "A tax PIN has 4 to 20 letters and digits.")
COUNTRY = RegexValidator(r"^[A-Za-z]{2}\Z", "Enter the two letters of the country, such as KE.")
CURRENCY = RegexValidator(r"^[A-Za-z]{3}\Z", "Enter the three letters of the currency, such as KES.")
VENDOR_TYPES = (("BUSINESS", "Business"), ("INDIVIDUAL", "Individual"))


class VendorForm(LocaleForm):
    """A vendor without its accounts: only the name must be there."""

    name = Name(max_length=100)
    type = forms.ChoiceField(choices=VENDOR_TYPES, initial="BUSINESS")
    email = MailField(required=False, label="Email")
    phone = PhoneField(required=False, help_text="The number to call back before a new account is confirmed.")
    tax_pin = TextLine(max_length=20, required=False, label="Tax PIN", validators=[PIN])
    country = TextLine(max_length=2, required=False, validators=[COUNTRY], help_text="Empty: the business's own.")
    currency = TextLine(max_length=3, required=False, validators=[CURRENCY], help_text="Empty: the business's own.")
    discount_percent = AmountField(
        max_digits=4, decimal_places=2, min_value=0, required=False, label="Early-payment discount, %",
        help_text="What its new bills start with, unless they say otherwise.",
    )  # fmt: skip
    discount_days = WholeField(
        min_value=1, max_value=365, required=False, label="Discount within, days", help_text="Counted from the issue."
    )

    def __init__(self, *args: Any, vendor: Vendor | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_terms = vendor is not None and bool(WholeVendor.model_validate(vendor.payload).discount_percent)
        phone = self.fields["phone"]
        assert isinstance(phone, PhoneField)
        phone.stored_number = vendor.phone if vendor else ""
        for name in ("country", "currency"):
            # Once there is a vendor it has both, and a change cannot empty them.
            self.fields[name].required = vendor is not None
            if vendor is not None:
                self.fields[name].help_text = ""

    @staticmethod
    def initial_of(vendor: Vendor) -> dict[str, str]:
        """The initial values by field, as the vendor is now."""
        names = ("name", "type", "email", "phone", "tax_pin", "country", "currency")
        terms = WholeVendor.model_validate(vendor.payload)
        return {name: getattr(vendor, name) for name in names} | {
            "discount_percent": f"{terms.discount_percent.normalize():f}" if terms.discount_percent else "",
            "discount_days": str(terms.discount_days or ""),
        }

    def contact(self) -> dict[str, str]:
        """By what another vendor may turn out to be the same: phone, email, name, tax_pin; "" where it was not typed."""
        return {name: self.cleaned_data[name] for name in ("phone", "email", "name", "tax_pin")}

    def clean(self) -> dict[str, Any]:
        """ValidationError for one half of the discount without the other."""
        data = super().clean() or self.cleaned_data
        if bool(data.get("discount_percent")) != bool(data.get("discount_days")) and not self.errors:
            missing = "discount_days" if data.get("discount_percent") else "discount_percent"
            self.add_error(missing, "A discount has a percentage and a number of days.")
        return data

    def body(self) -> VendorBody:
        """What is sent: the country and the currency only where they were typed, and the discount of a vendor that is there
        already also where it is taken off: a service that knows no such terms is not sent any."""
        data = self.cleaned_data
        body: VendorBody = {
            "name": data["name"],
            "email": data["email"] or None,
            "phone": data["phone"] or None,
            "taxPin": data["tax_pin"].upper() or None,
            "type": data["type"],
        }
        if data["country"]:
            body["country"] = data["country"].upper()
        if data["currency"]:
            body["currency"] = data["currency"].upper()
        if self.has_terms or data["discount_percent"]:
            body["discount_percent"] = data["discount_percent"] or Decimal(0)
            body["discount_days"] = data["discount_days"]
        return body


class MergeForm(forms.Form):
    """How it is known that two vendors are one."""

    reason = Reason(label="Reason", widget=forms.TextInput)
