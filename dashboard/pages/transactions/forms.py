"""The forms of the transactions: entering one, its documents, and the width of a page's picture."""

from decimal import Decimal
from typing import Any, NotRequired, TypedDict

from django import forms
from django.core.validators import RegexValidator

from dashboard.documents.limits import READABLE, WIDTHS
from dashboard.mirror.models import Wallet
from dashboard.web.fields import DayField, LocaleForm, Name, TextLine
from dashboard.web.forms import amount_field
from dashboard.web.upload_fields import DOCUMENTS_ACCEPTED, MOST_FILES, SeveralFilesField

TRANSFER = "IFT"
TYPES = (("EXPENSE", "Expense"), ("TOPUP", "Top-up"), (TRANSFER, "Transfer"), ("REFUND", "Refund"))
CHANNELS = (("BANK", "Bank"), ("MPESA", "M-Pesa"))
# The types that are filed under a category.
FILED = frozenset({"EXPENSE", "TOPUP"})
REFERENCE = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9 ./:_\-]{0,79}\Z",
    "A reference begins with a letter or digit; then spaces and . / : _ - too.",
)
FORMATS = f"PDF, PNG, JPEG, XLS, XLSX, DOCX or CSV, up to 10 MB each, {MOST_FILES} at a time."


class TransactionBody(TypedDict):
    """The body of CREATE_TRANSACTION: `value_date` as YYYY-MM-DD; a transfer names the other wallet, any other type the
    counterparty."""

    type: str
    org_wallet_ref: str
    amount: Decimal
    currency: str
    channel: str
    description: str
    to_org_wallet_ref: NotRequired[str]
    counterparty: NotRequired[str]
    ref: NotRequired[str]
    subcategory_id: NotRequired[str]
    value_date: NotRequired[str]


class NewTransactionForm(LocaleForm):
    """A movement that happened outside, to be approved by a second person."""

    type = forms.ChoiceField(choices=TYPES, label="Kind")
    wallet = forms.ChoiceField(label="Wallet")
    to_wallet = forms.ChoiceField(
        required=False, label="To wallet", help_text="For a transfer: another wallet of the same currency."
    )
    amount = amount_field(label="Amount", help_text="In the wallet's currency, above zero.")
    counterparty = Name(max_length=200, required=False, help_text="Who was paid or paid; not for a transfer.")
    channel = forms.ChoiceField(choices=CHANNELS, label="Channel", help_text="Not for a transfer.")
    category = forms.ChoiceField(required=False, label="Category", help_text="For an expense or a top-up.")
    ref = TextLine(
        max_length=80, required=False, label="Reference", validators=[REFERENCE],
        help_text="Empty: one is given. The same reference is not entered twice.",
    )  # fmt: skip
    description = TextLine(max_length=500, required=False)
    value_date = DayField(required=False, label="Posting date", help_text="Empty: the day it is approved.")

    def __init__(self, *args: Any, wallets: list[Wallet], categories: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currencies = {wallet.org_wallet_ref: wallet.currency for wallet in wallets}
        options = [(row.org_wallet_ref, f"{row.name or row.org_wallet_ref} · {row.currency}") for row in wallets]
        choices = {"wallet": options, "to_wallet": [("", "None"), *options], "category": [("", "None"), *categories]}
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = offered

    def clean(self) -> dict[str, Any]:
        """What belongs to the kind is there, and nothing that does not; the amount has no more digits than the currency."""
        data = self.cleaned_data
        is_transfer = data.get("type") == TRANSFER
        if is_transfer and not data.get("to_wallet") and "to_wallet" not in self.errors:
            self.add_error("to_wallet", "Choose the wallet that the money goes to.")
        if is_transfer and data.get("to_wallet") and data.get("to_wallet") == data.get("wallet"):
            self.add_error("to_wallet", "Choose another wallet than the one that pays.")
        if not is_transfer and data.get("to_wallet"):
            self.add_error("to_wallet", "Only a transfer goes to another wallet.")
        if not is_transfer and not data.get("counterparty") and "counterparty" not in self.errors:
            self.add_error("counterparty", "Enter the counterparty.")
        if data.get("category") and data.get("type") not in FILED:
            self.add_error("category", "Only an expense or a top-up has a category.")
        currency = self.currencies.get(data.get("wallet", ""), "")
        if data.get("amount") is not None and currency:
            try:
                self.fields["amount"].in_minor(data["amount"], currency)  # type: ignore[attr-defined]
            except forms.ValidationError as wrong:
                self.add_error("amount", wrong)
        return data

    def body(self) -> TransactionBody:
        """What is sent."""
        data = self.cleaned_data
        body: TransactionBody = {
            "type": data["type"],
            "org_wallet_ref": data["wallet"],
            "amount": data["amount"],
            "currency": self.currencies[data["wallet"]],
            "channel": data["channel"],
            "description": data["description"],
        }
        if data["type"] == TRANSFER:
            body["to_org_wallet_ref"] = data["to_wallet"]
        else:
            body["counterparty"] = data["counterparty"]
        if data["ref"]:
            body["ref"] = data["ref"]
        if data["category"]:
            body["subcategory_id"] = data["category"]
        if data["value_date"]:
            body["value_date"] = str(data["value_date"])
        return body


class AddDocumentsForm(forms.Form):
    """Documents of a transaction."""

    documents = SeveralFilesField(accept=DOCUMENTS_ACCEPTED, label="Documents", help_text=FORMATS)


class NamedDocumentForm(AddDocumentsForm):
    """Documents, and the transaction that they belong to."""

    field_order = ("transaction", "documents")
    transaction = forms.ChoiceField(
        label="Transaction", error_messages={"invalid_choice": "Choose a transaction that you can see."}
    )

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["transaction"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class PictureForm(forms.Form):
    """How wide a page is drawn, in pixels, and turned by how many quarters to the right."""

    width = forms.ChoiceField(choices=[(str(width), width) for width in WIDTHS], required=False)
    turns = forms.ChoiceField(choices=[(str(turns), turns) for turns in range(4)], required=False)

    def clean_width(self) -> int:
        """The width in pixels."""
        return int(self.cleaned_data["width"] or READABLE)

    def clean_turns(self) -> int:
        """How many quarters to the right."""
        return int(self.cleaned_data["turns"] or 0)
