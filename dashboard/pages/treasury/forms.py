"""What comes in from the treasury's pages: a period, a new wallet, an exchange."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.inputs import InputError, typed_minor
from dashboard.schemas.accounts import OpenWalletBody, TransferTerms
from dashboard.web.fields import AmountField, LocaleForm, Name, TextLine, Verbatim
from dashboard.web.forms import PeriodForm

CODE = RegexValidator(r"^[A-Z]{3}$", "Enter the currency: three letters, such as KES.")
PURPOSE = RegexValidator(r"^[a-z0-9][a-z0-9_\-]{0,31}$", "Lowercase letters, digits and dashes, such as payroll.")
TYPES = (
    ("MAIN", "Main"),
    ("SUB", "Single purpose"),
    ("INVESTMENT", "Investment"),
    ("BANK_LINKED", "Linked to a bank account (needs activation)"),
)


class CashflowForm(PeriodForm):
    """The months in which these days lie, of all wallets or one."""

    wallet = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, wallets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["wallet"] = forms.ChoiceField(required=False, choices=[("", "All wallets"), *wallets])

    def query(self) -> dict[str, str]:
        """The query of the report: `from`, `to` and `accountref`, each where it was chosen."""
        days = self.days()
        wallet = self.cleaned_data.get("wallet")
        return days | ({"accountref": wallet} if wallet else {})


class WalletForm(forms.Form):
    """A wallet to open; its currency is added to the business where it is new."""

    currency = TextLine(min_length=3, max_length=3, help_text="Three letters. A new currency is added first.")
    wallet_type = forms.ChoiceField(choices=TYPES, label="Kind")
    purpose = TextLine(
        max_length=32, required=False, validators=[PURPOSE], help_text="For a single-purpose wallet, such as payroll."
    )
    name = Name(max_length=100, required=False)

    def clean_currency(self) -> str:
        """In capitals, however it was typed."""
        code = str(self.cleaned_data["currency"]).upper()
        CODE(code)
        return code

    def clean(self) -> dict[str, Any]:
        """A wallet for one purpose says for which."""
        data = self.cleaned_data
        if data.get("wallet_type") == "SUB" and not data.get("purpose") and "purpose" not in self.errors:
            self.add_error("purpose", "Enter its purpose in one word.")
        return data

    def body(self) -> OpenWalletBody:
        """What was filled in; `name` where there is one."""
        data = self.cleaned_data
        kind = f"SUB:{data['purpose']}" if data["wallet_type"] == "SUB" else data["wallet_type"]
        body: OpenWalletBody = {"currency": data["currency"], "walletType": kind}
        if data["name"]:
            body["name"] = data["name"]
        return body


class CurrencyForm(forms.Form):
    """A currency to add to the business."""

    currency = TextLine(min_length=3, max_length=3, help_text="Three letters, such as KES.")

    clean_currency = WalletForm.clean_currency


class WalletInForm(WalletForm):
    """A wallet to open in a currency that the business has."""

    currency = TextLine(min_length=3, max_length=3, widget=forms.HiddenInput)


class WalletNameForm(forms.Form):
    """The name that a wallet gets instead of its own."""

    name = Name(max_length=100)


SIDES = (("SELL", "I pay this amount"), ("BUY", "I receive this amount"))
SPANS = (("30", "30 days"), ("90", "90 days"), ("365", "1 year"))


class RateForm(LocaleForm):
    """A pair of currencies, an amount of one side, and how far back its rates are shown.

    One currency twice is a transfer between two wallets of it.
    """

    source = forms.ChoiceField(label="From currency")
    target = forms.ChoiceField(label="To currency")
    amount = AmountField(required=False, min_value=0, max_digits=18, decimal_places=4)
    side = forms.ChoiceField(choices=SIDES, label="The amount is")
    span = forms.ChoiceField(choices=SPANS, label="History")

    def __init__(self, *args: Any, currencies: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in (("source", "From currency"), ("target", "To currency")):
            self.fields[name] = forms.ChoiceField(choices=currencies, label=label)

    def clean(self) -> dict[str, Any]:
        """An amount that is moved as it is has the currency's digits."""
        data = self.cleaned_data
        source, amount = data.get("source"), data.get("amount")
        if source and source == data.get("target") and amount:
            try:
                typed_minor(amount, source)
            except InputError as wrong:
                self.add_error("amount", str(wrong))
        return data


class TransferForm(LocaleForm):
    """An exchange by the quote that is seen, or without one an amount from a wallet to another of its currency."""

    quote_id = Verbatim(max_length=40, required=False)
    amount = AmountField(required=False, min_value=0, max_digits=18, decimal_places=4)
    from_wallet = Verbatim(max_length=64, error_messages={"required": "Choose the wallet that pays."})
    to_wallet = Verbatim(max_length=64, error_messages={"required": "Choose the wallet that receives."})
    note = TextLine(max_length=500, required=False)

    def clean(self) -> dict[str, Any]:
        """Two wallets, and a quote or an amount."""
        data = self.cleaned_data
        if data.get("from_wallet") and data.get("from_wallet") == data.get("to_wallet"):
            self.add_error("to_wallet", "Choose two different wallets.")
        if not data.get("quote_id") and not data.get("amount"):
            self.add_error("amount", "Enter an amount.")
        return data

    def problems(self) -> str:
        """What is wrong with the form, all of it as one text."""
        return " ".join(str(error) for errors in self.errors.values() for error in errors)

    def wrong_for(self, currency: str) -> str:
        """Why the amount is none of the paying wallet's currency; "" where it is one, or a quote names it."""
        data = self.cleaned_data
        try:
            if not data["quote_id"]:
                typed_minor(data["amount"], currency)
        except InputError as wrong:
            return str(wrong)
        return ""

    def body(self) -> TransferTerms:
        """The terms: `quote_id`, or without one `amount`."""
        data = self.cleaned_data
        note = data["note"] or None
        if data["quote_id"]:
            return {"quote_id": data["quote_id"], "note": note}
        return {"amount": data["amount"], "note": note}
