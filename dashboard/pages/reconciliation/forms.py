"""The forms of reconciliation: a file, the columns of a CSV, a match by hand, and a stored rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from dashboard.bank_statements.csv_table import DAY_FORMATS, MARKS, ColumnMapping
from dashboard.bank_statements.formats import MOST_BYTES, TOO_LARGE
from dashboard.pages.reconciliation.selectors.desk import MOST_OF_A_SIDE, NOTHING_SELECTED, DeskFilter, MatchSelection
from dashboard.proposals.snapshots import SeenDifference
from dashboard.schemas.reconciliation import NewBankRule
from dashboard.web.fields import AmountField, DayField, LocaleForm, Name, Reason, TextLine, WholeField

LINE_ID = re.compile(r"[0-9a-f]{24}")
ENTRY_SEQ = re.compile(r"[0-9]{1,15}")
COLUMNS = (
    ("day", "Date column", True), ("amount", "Amount column", False), ("debit", "Column of money out", False),
    ("credit", "Column of money in", False), ("description", "Description column", False),
    ("reference", "Reference column", False),
)  # fmt: skip


class StatementForm(forms.Form):
    """A statement of a bank, and the wallet that it is of."""

    wallet = forms.ChoiceField(label="Wallet")
    file = forms.FileField(
        label="Bank statement",
        help_text="camt.053, MT940, OFX or CSV, at most 10 MB",
        widget=forms.FileInput(attrs={"accept": ".xml,.sta,.mt940,.940,.txt,.ofx,.qfx,.csv"}),
        error_messages={"empty": "The file is empty."},
    )

    def __init__(self, *args: Any, wallets: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["wallet"] = forms.ChoiceField(choices=wallets, label="Wallet")

    def clean_file(self) -> UploadedFile[Any]:
        """The file; ValidationError where it is too large."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if file.size is None or file.size > MOST_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        return file

    def refuse_file(self, *, unread: bool) -> None:
        """Says of the file that it is too large, and nothing else; where the whole form was left unread its other fields are not
        at fault."""
        self.errors.pop("file", None)
        if unread:
            self.errors.clear()
        self.add_error("file", TOO_LARGE)


class StatementColumnsForm(LocaleForm):
    """Which column of a CSV is what, and the balances that it does not hold."""

    def __init__(self, *args: Any, header: Sequence[str], currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency
        names = [(name, name) for name in dict.fromkeys(header) if name]
        for name, label, required in COLUMNS:
            choices = names if required else [("", "None"), *names]
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=required)
        self.fields["day_format"] = forms.ChoiceField(label="Dates are written as", choices=list(DAY_FORMATS.items()))
        self.fields["mark"] = forms.ChoiceField(label="Amounts are written as", choices=list(MARKS.items()))
        self.fields["opening"] = AmountField(label=f"Opening balance in {currency}")
        self.fields["closing"] = AmountField(label=f"Closing balance in {currency}")

    def clean(self) -> dict[str, Any]:
        """ValidationError without an amount, or with balances that the currency cannot have."""
        values = super().clean() or {}
        if not values.get("amount") and not (values.get("debit") and values.get("credit")):
            self.add_error("amount", "Choose the amount column, or both columns of money out and in.")
        for name in ("opening", "closing"):
            field = self.fields[name]
            if isinstance(field, AmountField) and values.get(name) is not None:
                try:
                    values[f"{name}_minor"] = field.in_minor(values[name], self.currency)
                except forms.ValidationError as wrong:
                    self.add_error(name, wrong)
        return values

    def mapping(self) -> ColumnMapping:
        """The columns as they are remembered."""
        names = ("day", "day_format", "mark", "amount", "debit", "credit", "description", "reference")
        return ColumnMapping(**{name: str(self.cleaned_data.get(name) or "") for name in names})


class DeskFilterForm(LocaleForm):
    """Which rows of a wallet's desk are shown: by a text, an amount in or out, and days. What cannot be read is said beside its
    field, and filters nothing."""

    q = TextLine(label="Text", max_length=100, required=False)
    amount = AmountField(label="Amount", required=False, min_value=0, help_text="In or out")
    since = DayField(label="Start date", required=False)
    until = DayField(label="End date", required=False)
    tolerance = AmountField(label="Tolerance for fees", required=False, min_value=0)

    def __init__(self, data: Any = None, *, currency: str, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.currency = currency

    def clean(self) -> dict[str, Any]:
        """ValidationError for an amount that the currency cannot have, and for days the wrong way round."""
        values = super().clean() or self.cleaned_data
        for name in ("amount", "tolerance"):
            field = self.fields[name]
            if isinstance(field, AmountField) and values.get(name) is not None:
                try:
                    values[f"{name}_minor"] = field.in_minor(values[name], self.currency)
                except forms.ValidationError as wrong:
                    self.add_error(name, wrong)
        since, until = values.get("since"), values.get("until")
        if since and until and until < since:
            self.add_error("until", "The last day lies before the first.")
        return values

    def read(self) -> DeskFilter:
        """What was understood of it."""
        self.is_valid()
        values = self.cleaned_data
        return DeskFilter(
            values.get("q") or "", values.get("amount_minor"), values.get("since"), values.get("until"),
            values.get("tolerance_minor") or 0,
        )  # fmt: skip

    @property
    def query(self) -> dict[str, str]:
        """What was understood, as an address says it again."""
        understood = {name: self.data.get(name, "") for name in self.fields if name not in self.errors}
        return {name: value for name, value in understood.items() if value}


class DifferenceForm(forms.Form):
    """Why what bank and books differed by before the first statement is accepted, or its acceptance withdrawn, and the
    difference that was shown: what it is, and what of it was accepted before, in minor units."""

    reason = Reason(label="Reason", widget=forms.Textarea(attrs={"rows": 2}))
    carried_minor = WholeField(required=False, widget=forms.HiddenInput())
    accepted_minor = WholeField(required=False, widget=forms.HiddenInput())

    def clean(self) -> dict[str, Any]:
        """A difference that cannot be read was not shown: `seen` has none, and no field that nobody sees has an error."""
        values = super().clean() or self.cleaned_data
        for name in ("carried_minor", "accepted_minor"):
            self.errors.pop(name, None)
        return values

    def seen(self) -> SeenDifference | None:
        """The difference that was shown; None where the form did not bring it along."""
        carried, accepted = (self.cleaned_data.get(name) for name in ("carried_minor", "accepted_minor"))
        if carried is None or accepted is None:
            return None
        return {"carried_minor": carried, "accepted_minor": accepted}

    def show(self, difference: SeenDifference) -> None:
        """Stands beside this difference from now on, its reason as it was typed."""
        self.data = {name: self.data.get(name) for name in self.fields} | dict(difference)


class RemovalForm(forms.Form):
    """Why an imported statement is taken back."""

    reason = Reason(label="Reason for the removal", widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Beside another form with a reason on the same page.
        super().__init__(*args, **{**kwargs, "auto_id": "removal_%s"})


class MatchForm(LocaleForm):
    """What is matched: lines and entries by their boxes, with those ticked on other pages of the desk (`selection`), and by
    how much the sums may differ."""

    tolerance = AmountField(label="Tolerance for fees", required=False, min_value=0)

    def __init__(
        self, data: Any = None, *, currency: str, selection: MatchSelection = NOTHING_SELECTED, **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.currency = currency
        lines, entries = ([], []) if data is None else (data.getlist("line"), data.getlist("entry"))
        self.lines = _chosen([*selection.lines, *lines], LINE_ID)
        self.entries = _chosen([*selection.entries, *entries], ENTRY_SEQ)
        self.tolerance_minor = 0

    def clean(self) -> dict[str, Any]:
        """ValidationError where a side is empty, or the tolerance is none."""
        values = super().clean() or {}
        field = self.fields["tolerance"]
        if isinstance(field, AmountField) and values.get("tolerance") is not None:
            try:
                self.tolerance_minor = field.in_minor(values["tolerance"], self.currency) or 0
            except forms.ValidationError as wrong:
                self.add_error("tolerance", wrong)
        if not self.lines or not self.entries:
            self.add_error(None, "Choose at least one bank line and one entry.")
        if max(len(self.lines), len(self.entries)) > MOST_OF_A_SIDE:
            self.add_error(None, f"At most {MOST_OF_A_SIDE} bank lines and {MOST_OF_A_SIDE} entries at a time.")
        return values


def _chosen(values: Sequence[str], pattern: re.Pattern[str]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value.isascii() and pattern.fullmatch(value)]


class RuleForm(LocaleForm):
    """A rule: lines like these are entries of that type."""

    name = Name(label="Name", max_length=100)
    text = TextLine(label="Description contains", max_length=100, required=False)
    reference = TextLine(label="Reference", max_length=100, required=False, help_text="* stands for anything: FEE-*")
    amount = AmountField(label="Amount", required=False, help_text="Below zero where money went out")
    type = TextLine(label="Entry type", max_length=32, help_text="As the general ledger has it: EXPENSE, TOPUP, IFT")

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency

    def clean_type(self) -> str:
        """The type in capitals; ValidationError for what can be none."""
        value = str(self.cleaned_data["type"]).upper()
        if not re.fullmatch(r"[A-Z][A-Z_]{0,31}", value):
            raise forms.ValidationError("Write the type as EXPENSE or FX_SPREAD.")
        return value

    def clean(self) -> dict[str, Any]:
        """ValidationError without a condition, or for an amount that the currency cannot have."""
        values = super().clean() or {}
        field = self.fields["amount"]
        if isinstance(field, AmountField) and values.get("amount") is not None:
            try:
                values["amount_minor"] = field.in_minor(values["amount"], self.currency)
            except forms.ValidationError as wrong:
                self.add_error("amount", wrong)
        if not (values.get("text") or values.get("reference") or values.get("amount") is not None):
            self.add_error(None, "Say at least one condition: a text, a reference or an amount.")
        return values

    def body(self) -> NewBankRule:
        """The rule as the interface takes it: what it looks for in a line, and its type."""
        values = self.cleaned_data
        return NewBankRule(
            name=values["name"], text=values["text"], reference=values["reference"],
            amount_minor=values.get("amount_minor"),
            currency=None if values.get("amount_minor") is None else self.currency, type=values["type"],
        )  # fmt: skip
