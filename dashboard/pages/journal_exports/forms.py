"""The forms of journal exports: period and formats, a table of mappings, a pasted one, and why an export is undone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.journal_exports.formats.registry import FORMATS
from dashboard.journal_exports.mapped_lines import MappedCode, Mappings
from dashboard.sheets import SheetError, match_columns, read_text
from dashboard.spreadsheet import without_formulas
from dashboard.web.fields import DayField, Reason, TextBlock, TextLine

ALL_PERIODS = "all"
LONGEST_CODE, LONGEST_NAME = 100, 150
# The files of packages have codes and names without these (without_formulas): no account would be found under what is left.
FORMULA = "A spreadsheet would run this: write it without =, +, - or @ at its beginning and after ; or |."
# A line of the journal as the service names its place: its day, posting, account and number there.
PLACE = r"\A\d{4}-\d{2}-\d{2}(\.\d{1,18}){3}\Z"
MOST_PASTED = 5000
COLUMNS = {
    "id": "source", "account": "source", "ledger account": "source", "category": "source", "tax": "source",
    "team": "source", "tag": "source", "name here": "source", "code": "code", "accountant's code": "code", "account code": "code",
    "name": "name", "account name": "name", "accountant's account": "name", "description": "name",
}  # fmt: skip


class ExportForm(forms.Form):
    """Which period is exported, up to which day of it where that is named, and to which formats."""

    period = forms.ChoiceField(label="Period", error_messages={"invalid_choice": "Choose one of the periods."})
    until = DayField(
        label="Up to",
        required=False,
        help_text="A day of the period: only what lies up to then is exported.",
    )
    formats = forms.MultipleChoiceField(
        label="Formats",
        choices=[(form.name, form.title) for form in FORMATS.values()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one format."},
    )

    def __init__(self, *args: Any, periods: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [*periods, (ALL_PERIODS, "All periods")] if periods else []
        self.fields["period"] = forms.ChoiceField(label="Period", choices=choices)


class PlaceForm(forms.Form):
    """Up to which day of a period its lines are read, and behind which one a page goes on; "" for the first one."""

    after = TextLine(max_length=80, required=False, validators=[RegexValidator(PLACE)])
    until = DayField(required=False)

    def read(self, days: tuple[date, date]) -> tuple[str, date | None]:
        """The place and the day; what is no place, or no day of these, is as if it were not there."""
        self.is_valid()
        after, until = (self.cleaned_data.get(name) for name in ("after", "until"))
        return after or "", until if until and days[0] <= until <= days[1] else None


class UndoForm(forms.Form):
    """Why an export is to be undone: whoever confirms it reads this."""

    reason = Reason(label="Reason", widget=forms.Textarea(attrs={"rows": 2}))


class MappingForm(forms.Form):
    """What the accountant calls each of ours: a code, and with `named` a name; a row without a code is not mapped."""

    def __init__(
        self, *args: Any, rows: Sequence[tuple[str, str]], source: str, stored: Mappings, named: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rows = list(rows)
        self.source = source
        for source_id, title in rows:
            target = stored.target(source, source_id) or MappedCode("")
            self.fields[f"code-{source_id}"] = TextLine(
                label=f"Code of {title}", max_length=LONGEST_CODE, required=False, initial=target.code
            )
            if named:
                self.fields[f"name-{source_id}"] = TextLine(
                    label=f"Name of {title}", max_length=LONGEST_NAME, required=False, initial=target.name
                )

    def clean(self) -> dict[str, Any]:
        """A name alone is no mapping."""
        cleaned: dict[str, Any] = super().clean() or {}
        for name in [name for name, text in cleaned.items() if without_formulas(text) != text]:
            self.add_error(name, FORMULA)
        for source_id, _ in self.rows:
            code = f"code-{source_id}"
            if cleaned.get(f"name-{source_id}") and not cleaned.get(code) and not self.has_error(code):
                self.add_error(code, "Enter the code as well.")
        return cleaned

    def refuse(self, sentence: str, stored: Mappings) -> None:
        """Says why nothing of it was stored; what was left empty has what is mapped by now, not to be taken off unseen, and
        each row with another code than is mapped by now says so."""
        brought = {name: self.data[name] for name in self.data}
        others: dict[str, str] = {}
        for source_id, _ in self.rows:
            target = stored.target(self.source, source_id)
            if target and f"code-{source_id}" in brought and not brought[f"code-{source_id}"]:
                brought[f"code-{source_id}"], brought[f"name-{source_id}"] = target.code, target.name
            elif target and brought.get(f"code-{source_id}", target.code) != target.code:
                others[f"code-{source_id}"] = f"It is {target.code} by now: saving puts yours in its place."
        self.data = brought
        for code, text in others.items():
            self.add_error(code, text)
        self.add_error(None, sentence)

    def targets(self) -> dict[str, MappedCode]:
        """What was typed, by the id of ours; an empty code where there is to be none. What the form did not bring stays."""
        return {
            source_id: MappedCode(
                self.cleaned_data[f"code-{source_id}"], self.cleaned_data.get(f"name-{source_id}", "")
            )
            for source_id, _ in self.rows
            if f"code-{source_id}" in self.data
        }


class PasteMappingForm(forms.Form):
    """Mappings as a pasted table; what is wrong is told at its row, and nothing of it is stored then."""

    table = TextBlock(
        label="Table",
        max_length=500_000,
        widget=forms.Textarea(attrs={"rows": 10, "placeholder": "account\tcode\tname"}),
        help_text="The first line names the columns: account (its number or name here), code, name.",
    )

    def __init__(self, *args: Any, rows: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ids = {source_id for source_id, _ in rows}
        self._by_name: dict[str, list[str]] = {}
        for source_id, title in rows:
            self._by_name.setdefault(title.casefold(), []).append(source_id)
        self.row_errors: list[tuple[int, str]] = []
        self.targets: dict[str, MappedCode] = {}

    def clean_table(self) -> str:
        """The text; its rows are in `targets`, what is wrong with them in `row_errors`."""
        text: str = self.cleaned_data["table"]
        try:
            rows = read_text(text)
            columns = match_columns(rows[0], COLUMNS, ("source", "code"))
        except SheetError as wrong:
            raise forms.ValidationError(str(wrong).replace("source", "account")) from None
        if len(rows) > MOST_PASTED:
            raise forms.ValidationError(f"Paste at most {MOST_PASTED:,} rows at a time.")
        for number, cells in enumerate(rows[1:], start=2):
            if any(cell.strip() for cell in cells):
                self._read_row(number, dict(zip(columns, (cell.strip() for cell in cells), strict=False)))
        if self.row_errors:
            raise forms.ValidationError("Nothing was stored: correct these rows.")
        if not self.targets:
            raise forms.ValidationError("The table has no rows below its first line.")
        return text

    def _read_row(self, number: int, cells: dict[str, str]) -> None:
        source, code, name = (cells.get(column, "") for column in ("source", "code", "name"))
        ids = [source] if source in self._ids else self._by_name.get(source.casefold(), [])
        problem = ""
        if not ids:
            problem = f"“{source}” is none of the rows here."
        elif len(ids) > 1:
            problem = f"“{source}” is the name of several: write its number."
        elif ids[0] in self.targets:
            problem = f"“{source}” is there twice."
        elif not code:
            problem = f"“{source}” has no code."
        elif len(code) > LONGEST_CODE or len(name) > LONGEST_NAME:
            problem = f"The code has up to {LONGEST_CODE} characters, the name up to {LONGEST_NAME}."
        elif any(without_formulas(text) != text for text in (code, name)):
            problem = FORMULA
        if problem:
            self.row_errors.append((number, problem))
        else:
            self.targets[ids[0]] = MappedCode(code, name)
