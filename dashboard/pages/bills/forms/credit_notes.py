"""The form of a credit note for a bill."""

from decimal import Decimal
from typing import Any

from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.mirror.models import Bill
from dashboard.mirror.schedule import today
from dashboard.money import Money
from dashboard.pages.bills.forms.bills import HAS_SIGN
from dashboard.schemas.credit_notes import CreditNoteBody
from dashboard.web.fields import DayField, LocaleForm, Name, Reason, field_minor
from dashboard.web.forms import amount_field


class CreditNoteForm(LocaleForm):
    """Number, day, amount in the bill's currency, and why."""

    credit_no = Name(max_length=60, label="Number", validators=[HAS_SIGN], help_text="As it stands on the credit note.")
    issued_at = DayField(label="Issued")
    amount = amount_field(help_text="More than is open on the bill can be applied to other bills of the vendor.")
    reason = Reason()

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency

    def clean_amount(self) -> Decimal:
        """The amount; ValidationError for more digits than the currency has."""
        amount: Decimal = self.cleaned_data["amount"]
        field_minor(self, "amount", amount, self.currency)
        return amount

    def body(self) -> CreditNoteBody:
        """What is sent, without the bill."""
        data = self.cleaned_data
        return {
            "credit_no": data["credit_no"],
            "amount": data["amount"],
            "issued_at": data["issued_at"].isoformat(),
            "reason": data["reason"],
        }


def credit_note_form(
    actor: Actor, bill: Bill, data: QueryDict | None = None, filled: QueryDict | None = None
) -> CreditNoteForm:
    """The form of a credit note for this bill, of today and over all of its balance unless `filled` says otherwise: what was
    read from a file, by the names of the fields."""
    initial: dict[str, object] = {"issued_at": today(actor.business)}
    if bill.balance_minor:
        initial["amount"] = Money(bill.balance_minor, bill.currency).amount
    for name in ("credit_no", "issued_at", "amount"):
        if filled is not None and (value := filled.get(name)):
            initial[name] = value[:60]
    return CreditNoteForm(data, initial=initial, locale=actor.business.locale, currency=bill.currency)
