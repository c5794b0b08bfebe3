"""Several new people in one form: pasted or from a CSV file, then a table of cells in which each error stands at its cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from dashboard.inputs import Choices
from dashboard.mirror.models import Wallet
from dashboard.onboarding.services import NewcomerRow
from dashboard.pages.people.forms.people import Contact
from dashboard.web.fields import TextBlock, TextLine, field_minor
from dashboard.web.forms import amount_field

MAX_ROWS = 100
MAX_BYTES = 256 * 1024
YES, NO = frozenset({"yes", "y", "true", "1", "x"}), frozenset({"", "no", "n", "false", "0"})
FIELDS = ("name", "email", "phone", "role", "team", "card_limit", "access")
COLUMNS = {
    "name": "name", "full name": "name", "email": "email", "e-mail": "email", "email address": "email",
    "phone": "phone", "telephone": "phone", "mobile": "phone", "phone number": "phone", "role": "role", "team": "team",
    "card": "card_limit", "card limit": "card_limit", "monthly limit": "card_limit", "limit": "card_limit",
    "access": "access", "dashboard access": "access", "invite": "access", "dashboard": "access",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Offer:
    """What the actor may give: roles and teams by code, the wallets that cards are issued on, and access to this dashboard."""

    roles: Choices
    teams: Choices
    wallets: list[Wallet]
    may_invite: bool
    locale: str

    def code_of(self, choices: Choices, written: str) -> str:
        """The code of a choice that is written by code or by name; "" where it is none."""
        spelling = written.strip().casefold().replace("_", " ")
        return next(
            (code for code, label in choices if spelling in {code.casefold().replace("_", " "), label.casefold()}), ""
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that a row has for this actor."""
        missing = {name for name, there in (("card_limit", self.wallets), ("access", self.may_invite)) if not there}
        return tuple(name for name in FIELDS if name not in missing)


class PastePeopleForm(forms.Form):
    """Rows as text, pasted or in a file; cleaned, `rows` is one mapping of our column names for each."""

    text = TextBlock(
        label="Paste rows", required=False, max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )  # fmt: skip
    file = forms.FileField(
        label="Or a CSV file", required=False, widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"})
    )

    def clean(self) -> dict[str, Any]:
        """The rows; an error where there are none, too many, or no CSV in UTF-8."""
        data = self.cleaned_data
        upload: UploadedFile[Any] | None = data.get("file")
        text = data.get("text") or ""
        if upload is not None:
            text = _text_of(upload)
        data["rows"] = rows_of(text)
        return data


def _text_of(upload: UploadedFile[Any]) -> str:
    if upload.size is None or upload.size > MAX_BYTES:
        raise forms.ValidationError({"file": "The file is larger than 256 KB: split it."})
    try:
        return str(upload.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise forms.ValidationError({"file": "The file is not UTF-8 text: save it as CSV UTF-8."}) from None


def rows_of(text: str) -> list[dict[str, str]]:
    """The rows of a text by our column names: those of its first line, or without such a line in their usual order.

    ValidationError where there are none or too many.
    """
    first = text.lstrip("\n").split("\n", 1)[0]
    separator = next((sign for sign in ("\t", ";", ",") if sign in first), ",")
    try:
        rows = [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if any(map(str.strip, row))
        ]
    except csv.Error as error:
        raise forms.ValidationError(f"This cannot be read as rows: {error}.") from None
    heading = [COLUMNS.get(cell.strip().casefold(), "") for cell in rows[0]] if rows else []
    if "name" in heading:
        if repeated := next((name for name in heading if name and heading.count(name) > 1), ""):
            raise forms.ValidationError(f"Two columns both say “{repeated.replace('_', ' ')}”: keep one.")
        rows = rows[1:]
    else:
        heading = list(FIELDS)
    if not rows:
        raise forms.ValidationError("Paste at least one row, or choose a file.")
    if len(rows) > MAX_ROWS:
        raise forms.ValidationError(f"At most {MAX_ROWS} people at a time; these are {len(rows)}.")
    return [
        {name: cell.strip() for name, cell in zip(heading, row, strict=False) if name}
        | ({"name": ", ".join(row)} if len(row) > len(heading) else {})
        for row in rows
    ]


class WalletForm(forms.Form):
    """The wallet that the cards of this table are issued on."""

    wallet = forms.ChoiceField(required=False, label="Wallet of the cards")

    def __init__(self, *args: Any, offer: Offer, labels: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wallets = {wallet.org_wallet_ref: wallet for wallet in offer.wallets}
        self.fields["wallet"].choices = labels  # type: ignore[attr-defined]

    @property
    def chosen(self) -> Wallet | None:
        """The wallet; None where none was chosen."""
        return self.wallets.get(self.cleaned_data.get("wallet", ""))


class NewcomerForm(Contact):
    """One row of the table: role and team as they are written, "yes" for access, a monthly limit for a card."""

    role = TextLine(max_length=40)
    team = TextLine(max_length=100)
    card_limit = amount_field(required=False, label="Card limit a month")
    access = TextLine(max_length=10, required=False, label="Dashboard access")

    def __init__(self, *args: Any, offer: Offer, number: int, **kwargs: Any) -> None:
        super().__init__(*args, prefix=f"row-{number}", locale=offer.locale, **kwargs)
        self.offer, self.number = offer, number
        for name in set(self.fields) - set(offer.fields):
            del self.fields[name]
        for name, field in self.fields.items():
            field.widget.attrs["aria-label"] = f"{field.label or name.capitalize()}, row {number}"

    def clean_role(self) -> str:
        """The code of the role; ValidationError for one that the actor may not give."""
        if code := self.offer.code_of(self.offer.roles, self.cleaned_data["role"]):
            return code
        raise forms.ValidationError(f"One of: {', '.join(label for _, label in self.offer.roles)}.")

    def clean_team(self) -> str:
        """The code of the team, by its code or its name."""
        if code := self.offer.code_of(self.offer.teams, self.cleaned_data["team"]):
            return code
        raise forms.ValidationError("There is no active team of this name or code.")

    def clean_access(self) -> bool:
        """Whether they are invited to this dashboard."""
        written = self.cleaned_data["access"].casefold()
        if written in YES or written in NO:
            return written in YES
        raise forms.ValidationError("Yes or no.")

    def check_card(self, wallet: Wallet | None) -> int | None:
        """The limit in minor units of the wallet's currency; an error at its cell where there is no wallet for it."""
        amount: Decimal | None = self.cleaned_data.get("card_limit")
        if amount is None:
            return None
        if wallet is None:
            self.add_error("card_limit", "Choose the wallet of the cards above.")
            return None
        try:
            return field_minor(self, "card_limit", amount, wallet.currency)
        except forms.ValidationError as wrong:
            self.add_error("card_limit", wrong)
            return None

    def row(self, wallet: Wallet | None) -> NewcomerRow:
        """What was typed, once it is valid."""
        data = self.cleaned_data
        minor = self.check_card(wallet)
        return NewcomerRow(
            data["name"], data["email"], data["phone"], data["role"], data["team"], data.get("access", False), minor,
            wallet.org_wallet_ref if wallet and minor is not None else "",
            wallet.currency if wallet and minor is not None else "",
        )  # fmt: skip


@dataclass
class NewcomersTable:
    """The rows of the table, judged together: all of them pass, or none is added."""

    forms: list[NewcomerForm]
    wallet: WalletForm | None

    @classmethod
    def of(cls, offer: Offer, labels: Choices, data: Mapping[str, str], count: int) -> NewcomersTable:
        """The table of `count` rows, as its cells were posted."""
        rows = [NewcomerForm(data, offer=offer, number=number) for number in range(1, min(count, MAX_ROWS) + 1)]
        return cls(rows, WalletForm(data, offer=offer, labels=labels) if offer.wallets else None)

    @property
    def chosen_wallet(self) -> Wallet | None:
        """The wallet of the cards; None where there is none."""
        return self.wallet.chosen if self.wallet is not None and self.wallet.is_valid() else None

    def is_valid(self, known: Mapping[str, str]) -> bool:
        """Whether every cell is right; `known` are names by the addresses that somebody has already, in small letters."""
        seen: dict[str, int] = {}
        for form in self.forms:
            form.is_valid()
            form.check_card(self.chosen_wallet)
            email = str(form.cleaned_data.get("email") or "").lower()
            if email in known:
                form.add_error("email", f"{known[email]} has this address already.")
            elif email in seen:
                form.add_error("email", f"The same address as row {seen[email]}.")
            if email:
                seen.setdefault(email, form.number)
        return all(not form.errors for form in self.forms) and (self.wallet is None or not self.wallet.errors)

    def emails(self) -> list[str]:
        """The addresses as they were typed."""
        return [str(form.data.get(form.add_prefix("email")) or "").strip() for form in self.forms]

    def rows(self) -> list[NewcomerRow]:
        """What was typed, once all is valid."""
        return [form.row(self.chosen_wallet) for form in self.forms]

    @property
    def wrong(self) -> int:
        """How many rows have an error."""
        return sum(bool(form.errors) for form in self.forms)


def cells_of(rows: list[dict[str, str]]) -> dict[str, str]:
    """Rows of a text as the cells of the table would post them."""
    return {f"row-{number}-{name}": cell for number, row in enumerate(rows, 1) for name, cell in row.items()}
