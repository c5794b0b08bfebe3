"""What is filled in for payouts: a batch with its table of payments, a single payment, a code, a reason, a request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator

from dashboard import sheets
from dashboard.access.models import Business
from dashboard.money import marks
from dashboard.pages.payouts.forms.columns import PayoutColumnsForm, columns_form, is_answered, is_header
from dashboard.pages.payouts.services.lines import (
    ACCOUNT,
    COLUMNS,
    LIKE_IBAN,
    MAX_ROWS,
    REQUIRED,
    PaymentLine,
    TableLines,
    cells_text,
    iban_of,
    with_corrections,
)
from dashboard.payee_accounts import SWIFT
from dashboard.payout_files.models import FileColumns
from dashboard.payout_files.services import header_of, remembered
from dashboard.schemas.payments import CollectionBody
from dashboard.sheets import SheetError, TooManyRows
from dashboard.web.fields import DayField, LocaleForm, Name, PhoneField, Reason, TextBlock, TextLine, Verbatim
from dashboard.web.forms import amount_field

# What is more than a batch is refused by its rows, which are read no further; this bounds what is read at all.
MAX_BYTES = 8 * 1024 * 1024
WORKBOOK = ".xlsx"
EXAMPLE = "receiver\tchannel\taccount\tbank\treference\tamount\tnote\nAmani Wekesa\tM-Pesa to a phone\t0712 345 678\t\t\t1,500.00\tOctober"
CODE_CHANNELS = (("SMS", "By text message"), ("EMAIL", "By email"))
CODE = RegexValidator(r"^[0-9]{6}\Z", "Enter the six digits of the code.")


class PayoutForm(forms.Form):
    """A batch: its name, the wallet that pays, and its payments as pasted text or a file.

    Cleaned, `lines` are the rows of the table as PaymentLines, with the cells that were corrected on the page.
    """

    name = Name(max_length=100)
    wallet = forms.ChoiceField(label="Wallet")
    note = TextLine(max_length=500, required=False, label="Note")
    rows = TextBlock(
        required=False, label="Payments",
        help_text="Paste from a spreadsheet. The first line names the columns: receiver, channel, account, bank, reference, amount, note.",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "cells", "placeholder": EXAMPLE}),
    )  # fmt: skip
    file = forms.FileField(
        required=False, label="Or a file", help_text="CSV or Excel, up to 5,000 payments.",
        widget=forms.FileInput(attrs={"accept": f".csv,text/csv,{WORKBOOK}"}),
    )  # fmt: skip
    # Whose accounts a source filled in (services.vendors_text).
    vendors = Verbatim(required=False, max_length=30_000, widget=forms.HiddenInput)

    def __init__(self, *args: Any, business: Business, wallets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.business = business
        self.fields["wallet"] = forms.ChoiceField(choices=wallets, label="Wallet")
        # What is asked about the columns of the table, what was answered, and what was remembered of its header.
        self.columns: PayoutColumnsForm | None = None
        self.answered: tuple[list[str], dict[str, int]] | None = None
        self.remembered: FileColumns | None = None
        self.table = ""

    def clean(self) -> dict[str, Any]:
        """The fields and `lines`; an error where there is no table, or none that can be read."""
        data = self.cleaned_data
        upload: UploadedFile[Any] | None = data.get("file")
        field = "file" if upload else "rows"
        if {"rows", "file"} & self.errors.keys():
            return data
        try:
            cells = _cells_of(upload) if upload else sheets.read_text(data.get("rows") or "", MAX_ROWS + 1)
            data["lines"] = with_corrections(self._lines(cells), self.data)
        except TooManyRows:
            self.add_error(field, f"At most {MAX_ROWS:,} payments in a batch, and this has more: split it.")
        except SheetError as wrong:
            is_unknown = self.columns is not None and not self.columns.is_bound
            self.add_error(
                "rows" if self.columns else field, f"{wrong} Choose above which is which." if is_unknown else str(wrong)
            )
        return data

    def _lines(self, cells: list[list[str]]) -> TableLines:
        if not any(map(_is_filled, cells)):
            raise SheetError("Paste the payments or choose a file.")
        filled: Sequence[int] = range(1, len(cells))
        if not _are_all_filled(cells):
            filled = [place for place in filled if _is_filled(cells[place])]
        if not filled:
            raise SheetError("There are no payments under the first line.")
        if len(filled) > MAX_ROWS:
            raise TooManyRows
        return TableLines(self._heading(cells), cells, filled)

    def _heading(self, cells: list[list[str]]) -> list[str]:
        """Our name for each column, "" for one that we have none for: as it was just said, as it is remembered for this
        header, or as people write it. SheetError where it is asked."""
        header = header_of(cells[0])
        if is_answered(self.data):
            self.columns, self.table = PayoutColumnsForm(self.data, header=header), cells_text(cells)
            if not self.columns.is_valid():
                raise SheetError("Choose which column is which.")
            self.answered = header, self.columns.columns()
            return _named(self.answered[1], len(header))
        self.remembered = remembered(self.business, header)
        if self.remembered is not None:
            return _named(self.remembered.columns, len(header))
        try:
            return sheets.match_columns(cells[0], COLUMNS, REQUIRED)
        except SheetError:
            if is_header(header):
                self.columns, self.table = columns_form(self.business, header), cells_text(cells)
            raise


def _cells_of(upload: UploadedFile[Any]) -> list[list[str]]:
    if upload.size is None or upload.size > MAX_BYTES:
        raise SheetError(f"The file is larger than 8 MB, and a batch has at most {MAX_ROWS:,} payments: split it.")
    if (upload.name or "").lower().endswith(WORKBOOK):
        assert upload.file is not None
        return sheets.read_workbook(upload.file, MAX_ROWS + 1)
    try:
        return sheets.read_text(upload.read().decode("utf-8-sig"), MAX_ROWS + 1)
    except UnicodeDecodeError:
        raise SheetError("The file is neither Excel (.xlsx) nor UTF-8 text: save it as CSV UTF-8.") from None


def _named(columns: Mapping[str, int], width: int) -> list[str]:
    names = {place: name for name, place in columns.items()}
    return [names.get(place, "") for place in range(width)]


def _are_all_filled(cells: list[list[str]]) -> bool:
    """Whether every row says something in its first cell, as most tables have it."""
    return all(cells) and all(map(str.strip, map(itemgetter(0), cells)))


def _is_filled(cells: list[str]) -> bool:
    # The first cell of most rows says it.
    return bool(cells) and bool(cells[0].strip() or any(map(str.strip, cells)))


class SinglePaymentForm(LocaleForm):
    """One payment that is made at once, once it is voted on or its code is entered."""

    receiver = Name(max_length=100, label="Receiver")
    channel = forms.ChoiceField(label="Channel")
    account = TextLine(max_length=34, label="Account or phone", widget=forms.TextInput(attrs={"autocomplete": "off"}))
    bank = forms.ChoiceField(label="Bank", required=False, help_text="For payments to a bank.")
    bic = TextLine(
        max_length=11, required=False, label="BIC", help_text="For SWIFT: the code of the bank, such as ABNANL2A.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    reference = TextLine(max_length=40, required=False, label="Account reference", help_text="For a paybill.")
    amount = amount_field()
    wallet = forms.ChoiceField(label="Wallet")
    note = TextLine(max_length=200, required=False)
    code_channel = forms.ChoiceField(choices=CODE_CHANNELS, label="Send the code")

    def __init__(
        self, *args: Any, wallets: list[tuple[str, str]], channels: list[tuple[str, str]], banks: list[tuple[str, str]],
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        for name, choices in (("wallet", wallets), ("channel", channels), ("bank", [("", "No bank"), *banks])):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def bank_code(self) -> str:
        """The code of the receiver's bank: the BIC for SWIFT, else that of the list."""
        data = self.cleaned_data
        return str(data["bic"] if data["channel"] == SWIFT else data["bank"])

    def line(self) -> PaymentLine:
        """The payment as a row of a table, to be checked as one."""
        data = self.cleaned_data
        names = ("receiver", "channel", "account", "reference", "note")
        _, point = marks(self.locale)
        return PaymentLine(
            1,
            {name: data[name] for name in names}
            | {"bank": self.bank_code(), "amount": str(data["amount"]).replace(".", point)},
        )


class SendCodeForm(forms.Form):
    """How the one-time code is sent."""

    channel = forms.ChoiceField(choices=CODE_CHANNELS, label="Send the code", widget=forms.RadioSelect, initial="SMS")


class CodeForm(forms.Form):
    """The one-time code of a payment."""

    intent_id = Verbatim(max_length=40, widget=forms.HiddenInput)
    code = Verbatim(
        max_length=6, strip=True, validators=[CODE], label="Code",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code", "size": 8}),
    )  # fmt: skip


def ask_about_files(form: forms.Form) -> None:
    """Adds to a form that has something paid the tick that is required once a bank file of it was downloaded."""
    form.fields["file_known"] = forms.BooleanField(
        label="The bank has not paid, and will not pay, the payments in the bank file",
        error_messages={"required": "A bank file of these payments was downloaded: confirm that the bank does not pay them."},
    )  # fmt: skip


class BankFileForm(forms.Form):
    """Which account at the bank pays what a file holds, and on which day."""

    account = TextLine(
        max_length=34, label="Paying account", help_text="The account at the bank that takes the file: its IBAN or number.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    bank = TextLine(
        max_length=11, required=False, label="Its bank", help_text="BIC or bank code. Needed where the account is no IBAN.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    day = DayField(label="Pay on")

    def clean(self) -> dict[str, Any]:
        """The fields; errors for an account with wrong check digits, and for one without its bank."""
        data = self.cleaned_data
        account = re.sub(r"[\s-]", "", data.get("account") or "").upper()
        if account and not ACCOUNT.fullmatch(account):
            self.add_error("account", "An account has letters and digits, 3 to 34 of them.")
        elif LIKE_IBAN.fullmatch(account) and iban_of(account) is None:
            self.add_error("account", "It is not a valid IBAN: look at its length and its check digits.")
        elif account and iban_of(account) is None and not data.get("bank"):
            self.add_error("bank", "Enter the bank: the account is no IBAN.")
        if data.get("bank") and not re.fullmatch(r"[A-Za-z0-9]{2,11}", data["bank"]):
            self.add_error("bank", "Letters and digits, 2 to 11 of them.")
        return data | {"account": account}


class PayoutCancelForm(forms.Form):
    """Why a payout is cancelled."""

    reason = Reason(
        label="Reason", error_messages={"required": "Enter a reason: it is kept with the payout."},
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip


class MobileMoneyForm(LocaleForm):
    """A phone that is asked for money: whose, how much, and which wallet receives it."""

    phone = PhoneField(label="Phone")
    amount = amount_field(label="Amount (KES)")
    wallet = forms.ChoiceField(label="Wallet that receives it")
    reference = Name(max_length=40, label="Reference", help_text="What its owner is shown, such as an invoice number.")

    def __init__(self, *args: Any, wallets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["wallet"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = wallets

    def body(self) -> CollectionBody:
        """The body of REQUEST_MOBILE_MONEY."""
        data = self.cleaned_data
        return {
            "phone": data["phone"], "amount": data["amount"], "org_wallet_ref": data["wallet"],
            "account_reference": data["reference"],
        }  # fmt: skip
