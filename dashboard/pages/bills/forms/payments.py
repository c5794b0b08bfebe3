"""The form of a payment of a bill."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.commands.discounts import EarlyPayment, early_payment_of
from dashboard.inputs import Choices
from dashboard.mirror.models import Bill
from dashboard.mirror.schedule import today
from dashboard.money import Money, text, to_minor
from dashboard.pages.bills.selectors.payments import pay_choices
from dashboard.schemas.bills import BillPaymentBody
from dashboard.web.fields import AmountField, DayField, LocaleForm, field_minor, set_choices


class PaymentForm(LocaleForm):
    """A payment of a bill: from which wallet, how much of what is left, on which of the vendor's confirmed accounts, when."""

    org_wallet_ref = forms.ChoiceField(label="From wallet")
    amount = AmountField(
        max_digits=15,
        decimal_places=4,
        min_value=Decimal("0.0001"),
        help_text="Less than all of it is a partial payment.",
    )
    take_discount = forms.BooleanField(required=False, label="Take the early-payment discount")
    account = forms.ChoiceField(label="To account")
    scheduled_on = DayField(required=False, label="On", help_text="Empty: as soon as it is approved.")

    def __init__(
        self, *args: Any, wallets: Choices, accounts: Choices, currency: str, free_minor: int | None, today: date,
        early: EarlyPayment | None = None, reduced_minor: int | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        self.reduced_minor = reduced_minor
        self.currency, self.today, self.early, self.accounts = currency, today, early, accounts
        self.free_minor = free_minor
        if early is None and reduced_minor is None:
            del self.fields["take_discount"]
        elif early is not None:
            pays, saved = (text(minor, currency, self.locale) for minor in (early.pays_minor, early.saved_minor))
            self.fields["take_discount"].help_text = f"{pays} is paid, {saved} is saved."
        set_choices(self, "org_wallet_ref", wallets)
        set_choices(self, "account", accounts)

    def clean_amount(self) -> Decimal:
        """The amount; ValidationError for more digits than the currency has, and for more than no payment claims yet."""
        amount: Decimal = self.cleaned_data["amount"]
        minor = field_minor(self, "amount", amount, self.currency)
        if minor is not None and self.free_minor is not None and minor > self.free_minor:
            most = text(self.free_minor, self.currency, self.locale)
            raise forms.ValidationError(f"At most {most} is left to pay.", code="too_much")
        return amount

    def clean_scheduled_on(self) -> date | None:
        """The day; ValidationError for one that is over."""
        day: date | None = self.cleaned_data["scheduled_on"]
        if day and day < self.today:
            raise forms.ValidationError("This day is over.", code="past")
        return day

    def clean(self) -> dict[str, Any]:
        """ValidationError where the discount is taken and less than all is paid, or it is paid after its last day."""
        data = super().clean() or self.cleaned_data
        early, amount, day = self.early, data.get("amount"), data.get("scheduled_on")
        if early is None or self.reduced_minor is not None or not data.get("take_discount") or amount is None:
            return data
        if to_minor(amount, self.currency) not in (early.pays_minor, early.pays_minor + early.saved_minor):
            self.add_error("amount", "With the discount all that is open is paid.")
        if day and day > early.until:
            self.add_error("scheduled_on", "It would be paid after the last day of the discount.")
        return data

    def pays_minor(self) -> int:
        """What is paid, in minor units: less where the early-payment discount is taken."""
        if self.cleaned_data.get("take_discount"):
            if self.reduced_minor is not None:
                return self.reduced_minor
            assert self.early is not None
            return self.early.pays_minor
        return to_minor(self.cleaned_data["amount"], self.currency)

    def account_text(self) -> str:
        """The account that was chosen, as the form offers it."""
        return dict(self.accounts).get(self.cleaned_data["account"], "").partition(",")[0]

    def body(self, business: Business) -> BillPaymentBody:
        """What is sent; a day is its first moment at the business."""
        data = self.cleaned_data
        body: BillPaymentBody = {
            "org_wallet_ref": data["org_wallet_ref"], "amount": data["amount"], "payment_instruction_id": data["account"],
        }  # fmt: skip
        if data.get("take_discount"):
            # What was shown, so that another amount is refused where more or less is open by now.
            body["amount"] = Money(self.pays_minor(), self.currency).amount
            body["take_discount"] = True
        if data["scheduled_on"]:
            moment = datetime.combine(data["scheduled_on"], time(), ZoneInfo(business.time_zone))
            body["scheduled_for"] = moment.isoformat()
        return body


def payment_form(
    actor: Actor,
    bill: Bill,
    data: QueryDict | None = None,
    *,
    is_limited: bool = True,
    reduced_minor: int | None = None,
) -> tuple[PaymentForm | None, str]:
    """The form of a payment, which begins with all that no payment claims yet; None, and why, where nothing can be paid. Unless
    it `is_limited`, the service alone says whether as much is left: of a form that was sent before what claims the balance may be its
    own payment (decisions F.1), and a copy that could not be refreshed may have claims that have ended. `reduced_minor` is what its
    earlier sending paid with the discount, which is then sent again, whatever is open by now."""
    choices = pay_choices(actor, bill, is_limited=is_limited)
    if choices.problem:
        return None, choices.problem
    open_minor = bill.balance_minor if choices.free_minor is None else choices.free_minor
    form = PaymentForm(
        data, initial={"amount": Money(open_minor, bill.currency).amount}, locale=actor.business.locale,
        wallets=choices.wallets, accounts=choices.accounts, currency=bill.currency, free_minor=choices.free_minor,
        today=today(actor.business), early=early_payment_of(bill, open_minor), reduced_minor=reduced_minor,
    )  # fmt: skip
    return form, ""
