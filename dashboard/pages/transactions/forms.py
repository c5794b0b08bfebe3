"""The forms of the transactions: entering one, splitting it, its documents, and the width of a page's picture."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.documents.limits import READABLE, WIDTHS
from dashboard.mirror.models import Wallet
from dashboard.money import Money, text
from dashboard.schemas.transactions import NewPart, TransactionBody
from dashboard.web.fields import (
    DayField,
    LocaleForm,
    Name,
    TextLine,
    WholeField,
    field_minor,
    set_choices,
)
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
# As many as the service takes.
MOST_PARTS = 20
FORMATS = f"PDF, PNG, JPEG, XLS, XLSX, DOCX or CSV, up to 10 MB each, {MOST_FILES} at a time."


class NewTransactionForm(LocaleForm):
    """A movement that happened outside, to be approved by a second person."""

    type = forms.ChoiceField(choices=TYPES, label="Kind")
    wallet = forms.ChoiceField(label="Wallet")
    to_wallet = forms.ChoiceField(
        required=False, label="To wallet", help_text="For a transfer: another wallet of the same currency."
    )
    amount = amount_field(label="Amount", help_text="In the wallet's currency, above zero.")
    counterparty = Name(max_length=100, required=False, help_text="Who was paid or paid; not for a transfer.")
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
            set_choices(self, name, offered)

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
                field_minor(self, "amount", data["amount"], currency)
            except forms.ValidationError as wrong:
                self.add_error("amount", wrong)
        return data

    def body(self) -> TransactionBody:
        """What is sent of a transaction by hand, by the interface's names."""
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
        set_choices(self, "transaction", choices)


class TransactionPictureForm(forms.Form):
    """How wide a page is drawn, in pixels, and turned by how many quarters to the right."""

    width = forms.ChoiceField(choices=[(str(width), width) for width in WIDTHS], required=False)
    turns = forms.ChoiceField(choices=[(str(turns), turns) for turns in range(4)], required=False)

    def clean_width(self) -> int:
        """The width of the picture in pixels, one of those that are drawn."""
        return int(self.cleaned_data["width"] or READABLE)

    def clean_turns(self) -> int:
        """How many quarters to the right."""
        return int(self.cleaned_data["turns"] or 0)


class SplitForm(LocaleForm):
    """The parts of a transaction, a category and an amount each, which come to its amount. One amount may stay empty: it is
    what the others leave."""

    version = WholeField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, whole_minor: int, currency: str, categories: list[tuple[str, str]], rows: int, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.whole_minor, self.currency, self.places = whole_minor, currency, range(min(rows, MOST_PARTS))
        choices = [("", "–"), *categories]
        for place in self.places:
            name = f"part {place + 1}"
            self.fields[f"category_{place}"] = forms.ChoiceField(
                choices=choices, required=False, label=f"Category of {name}"
            )
            self.fields[f"amount_{place}"] = amount_field(required=False, label=f"Amount of {name}")
            self.fields[f"description_{place}"] = TextLine(
                max_length=500, required=False, label=f"Description of {name}"
            )

    def lines(self) -> list[tuple[forms.BoundField, forms.BoundField, forms.BoundField]]:
        """The fields of each part: category, amount, description."""
        return [
            (self[f"category_{place}"], self[f"amount_{place}"], self[f"description_{place}"]) for place in self.places
        ]

    def clean(self) -> dict[str, Any]:
        """With `parts`, (category, minor units, description) of each. ValidationError for a part without a category, several
        without an amount, fewer than two, and parts that do not come to the transaction's amount."""
        parts: list[tuple[str, int | None, str]] = []
        for place in self.places:
            names = [f"{name}_{place}" for name in ("category", "amount", "description")]
            category, amount, description = (self.cleaned_data.get(name) for name in names)
            if any(name in self.errors for name in names) or not (category or amount or description):
                continue
            if not category:
                self.add_error(names[0], "Choose a category for this part.")
                continue
            try:
                minor = field_minor(self, names[1], amount, self.currency)
            except forms.ValidationError as wrong:
                self.add_error(names[1], wrong)
                continue
            parts.append((category, minor, description or ""))
        if not self.errors:
            self.cleaned_data["parts"] = self._whole(parts)
        return self.cleaned_data

    def _whole(self, parts: list[tuple[str, int | None, str]]) -> list[tuple[str, int, str]]:
        if len(parts) < 2:
            raise forms.ValidationError("Enter two parts at least.")
        rest = self.whole_minor - sum(minor or 0 for _, minor, _ in parts)
        if sum(minor is None for _, minor, _ in parts) > 1:
            raise forms.ValidationError("Leave one amount empty at most: it is what the others leave.")
        if any(minor is None for _, minor, _ in parts):
            if rest <= 0:
                raise forms.ValidationError("The amounts leave nothing for the part without one.")
            return [(category, rest if minor is None else minor, words) for category, minor, words in parts]
        if rest:
            amount = text(abs(rest), self.currency, self.locale)
            raise forms.ValidationError(
                f"The parts come to {amount} {'less' if rest > 0 else 'more'} than the transaction."
            )
        return [(category, minor or 0, words) for category, minor, words in parts]

    def parts(self) -> list[NewPart]:
        """The parts as they are sent."""
        return [
            NewPart(subcategory_id=category, amount=Money(minor, self.currency).amount, description=words)
            for category, minor, words in self.cleaned_data["parts"]
        ]


class VersionForm(forms.Form):
    """Which version of a transaction was seen."""

    version = WholeField(widget=forms.HiddenInput)
