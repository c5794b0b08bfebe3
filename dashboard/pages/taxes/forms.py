"""The forms of withholding taxes: a new tax, its name, the terms that hold from a day on, filters, and a remittance."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast

from django import forms
from django.core.validators import RegexValidator

from dashboard.schemas.taxes import NewTaxBody, RemittanceBody, Tax, TaxTransaction, TermsBody
from dashboard.web.fields import AmountField, DayField, LocaleForm, Name, TextBlock, TextLine
from dashboard.web.forms import PeriodForm

CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,39}\Z", "A code has letters, digits, dashes and underscores.")
CURRENCY = RegexValidator(r"^[A-Z]{3}\Z", "Enter the currency: three letters, such as KES.")
NUMBER = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9 ./_\-]{0,38}[A-Za-z0-9]\Z", "Enter a number such as KRAWHT2026001234: 2 to 40 characters."
)
BASES = (("NET_OF_VAT", "The payment without its VAT"), ("GROSS", "The whole payment"))
STATUSES = (("", "All"), ("DEDUCTED", "Owed to the authority"), ("REMITTED", "Remitted"), ("REVERSED", "Reversed"))
# What the service takes in one remittance.
MAX_REMITTED = 500


class TaxTermsForm(LocaleForm):
    """The terms of a tax from a day on. Rates are typed in percent, with at most two digits after the point."""

    base = forms.ChoiceField(choices=BASES, label="Deducted from")
    resident_rate = AmountField(label="Rate for residents, %", min_value=0, max_value=100, decimal_places=2)
    non_resident_rate = AmountField(label="Rate for non-residents, %", min_value=0, max_value=100, decimal_places=2)
    threshold = AmountField(
        label="Monthly threshold", required=False, min_value=0, max_digits=18, decimal_places=4,
        help_text="Paid to a vendor in a month, below which nothing is deducted. Empty: none.",
    )  # fmt: skip
    final = forms.BooleanField(required=False, label="Final tax: the vendor owes nothing more on this income")
    effective_from = DayField(label="Effective date")
    note = TextBlock(max_length=500, required=False, help_text="Such as the law that sets the rate.")

    def terms(self) -> TermsBody:
        """The terms as they are sent: rates in basis points, the day where there is one."""
        data = self.cleaned_data
        body: TermsBody = {
            "base": data["base"],
            "resident_rate_bps": int(data["resident_rate"] * 100),
            "non_resident_rate_bps": int(data["non_resident_rate"] * 100),
            "threshold_amount": data["threshold"] or Decimal(0),
            "final": data["final"],
            "note": data["note"],
        }
        if data["effective_from"]:
            body["effective_from"] = data["effective_from"]
        return body


class TaxForm(TaxTermsForm):
    """A withholding tax to add: its terms with its name, its code, and the currency of its threshold."""

    name = Name(max_length=100)
    code = TextLine(max_length=40, validators=[CODE], help_text="Such as WHT_PROFESSIONAL. It cannot be changed.")
    currency = TextLine(
        max_length=3, required=False, help_text="Of the threshold. Empty: the currency of the business."
    )
    effective_from = DayField(label="Effective date", required=False, help_text="Empty: today.")
    field_order = ("name", "code", "base", "resident_rate", "non_resident_rate", "threshold", "currency")

    def clean_currency(self) -> str:
        """In capitals, however it was typed."""
        code = str(self.cleaned_data["currency"]).upper()
        if code:
            CURRENCY(code)
        return code

    def body(self) -> NewTaxBody:
        """What is sent of a new tax: its terms, name and code, and its currency where it has one."""
        data = self.cleaned_data
        body = cast(NewTaxBody, {**self.terms(), "name": data["name"], "code": data["code"].upper()})
        if data["currency"]:
            body["currency"] = data["currency"]
        return body


class TaxNameForm(forms.Form):
    """The name of a tax; its rates are never edited."""

    name = Name(max_length=100)


class DeductionsForm(PeriodForm):
    """Which deductions are shown: of a tax, a vendor's, in a status, within days."""

    tax = forms.ChoiceField(required=False)
    status = forms.ChoiceField(choices=STATUSES, required=False)
    vendor = TextLine(max_length=24, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, taxes: Sequence[Tax], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "All"), *((tax.id, tax.name) for tax in taxes)]
        self.fields["tax"] = forms.ChoiceField(required=False, choices=choices)

    def query(self) -> dict[str, str]:
        """The query of LIST_TAX_TRANSACTIONS: `tax_id`, `vendor_id`, `status`, `from`, `to`, each where it was chosen."""
        data = self.cleaned_data if self.is_valid() else {}
        names = (("tax_id", "tax"), ("vendor_id", "vendor"), ("status", "status"))
        return {sent: data[name] for sent, name in names if data.get(name)} | self.days()


class RemittanceForm(forms.Form):
    """When deducted taxes were paid over, under which number, and each one's certificate."""

    remitted_on = DayField(label="Paid on")
    reference = TextLine(
        max_length=40, required=False, validators=[NUMBER], label="Payment reference",
        help_text="The authority's number of the payment, such as PRN-20260017.",
    )  # fmt: skip

    def __init__(self, *args: Any, rows: Sequence[TaxTransaction], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows = rows
        for row in rows:
            label = f"Certificate number for {row.vendor_name or row.vendor_id}, {row.bill_payment_ref}"
            self.fields[row.id] = TextLine(max_length=40, validators=[NUMBER], label=label)

    def body(self) -> RemittanceBody:
        """What is sent: the day, the reference, and each deduction with its certificate's number."""
        data = self.cleaned_data
        body: RemittanceBody = {
            "remitted_on": data["remitted_on"],
            "transactions": [{"tax_transaction_id": row.id, "certificate_no": data[row.id]} for row in self.rows],
        }
        if data["reference"]:
            body["reference"] = data["reference"]
        return body


def tax_initial(tax: Tax) -> dict[str, str | Decimal | bool]:
    """The initial values of a TermsForm, as the tax is today; the day of the next terms is for the person to say."""
    return {
        "base": tax.base,
        "resident_rate": Decimal(tax.resident_rate_bps) / 100,
        "non_resident_rate": Decimal(tax.non_resident_rate_bps) / 100,
        "threshold": tax.threshold_amount,
        "final": tax.final,
    }
