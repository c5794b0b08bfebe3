"""The forms of the expenses: notes, category, tags and receipts of one of them, and which receipts are exported."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, TypedDict

from django import forms

from dashboard.schemas.expenses import ReceiptsExportTerms
from dashboard.web.fields import DayField, TextBlock
from dashboard.web.upload_fields import MOST_FILES, RECEIPTS_ACCEPTED, SeveralFilesField


class NotesForm(forms.Form):
    """The notes of an expense: what it was for, at most 2000 characters."""

    notes = TextBlock(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3}))


class QuestionAnswerForm(NotesForm):
    """The spender's answer to a question: it is kept as the notes. `before` is what they were when the question was asked,
    "" once it is answered: the same again is no answer."""

    notes = TextBlock(
        label="Your answer",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Enter an answer."},
    )

    def __init__(self, *args: Any, before: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = before

    def clean_notes(self) -> str:
        """The answer; a form error where it is what the notes said before."""
        notes: str = self.cleaned_data["notes"]
        if self.before.strip() and notes.strip() == self.before.strip():
            raise forms.ValidationError("Enter an answer: these are the notes from before the question.")
        return notes


class AddReceiptsForm(forms.Form):
    """Files to add to an expense as its receipts: PDF, PNG or JPEG, up to 10 MB each."""

    receipts = SeveralFilesField(
        accept=RECEIPTS_ACCEPTED,
        label="Receipts",
        help_text=f"PDF, PNG or JPEG, up to 10 MB each, {MOST_FILES} at a time.",
    )


class ReceiptsInitial(TypedDict):
    """What ReceiptsForm begins with."""

    since: date
    until: date
    format: str


class ReceiptsForm(forms.Form):
    """Which receipts, as one archive or one document: at most a year of them."""

    since = DayField(label="Start date")
    until = DayField(label="End date")
    team = forms.ChoiceField(label="Team", required=False)
    status = forms.ChoiceField(label="Status", required=False)
    format = forms.ChoiceField(
        label="Format", choices=[("ZIP", "ZIP, one file per receipt"), ("PDF", "PDF, one document")]
    )

    def __init__(self, *args: Any, teams: list[tuple[str, str]], states: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, any_of, choices in (("team", "All teams", teams), ("status", "Any status", states)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", any_of), *choices]

    def clean(self) -> dict[str, Any]:
        """The days the right way round, and not more than a year apart."""
        cleaned = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", "The end date is before the start date.")
        elif since and until and until - since > timedelta(days=365):
            self.add_error("until", "At most one year: export several periods.")
        return cleaned

    @staticmethod
    def defaults(today: date) -> ReceiptsInitial:
        """The initial `since`, `until` and `format`: this month so far, as an archive."""
        return {"since": today.replace(day=1), "until": today, "format": "ZIP"}

    def body(self) -> ReceiptsExportTerms:
        """The body of START_RECEIPTS_EXPORT: from, to, format, and team_ids and statuses where one is chosen."""
        cleaned = self.cleaned_data
        body: ReceiptsExportTerms = {
            "from": str(cleaned["since"]),
            "to": str(cleaned["until"]),
            "format": cleaned["format"],
        }
        if cleaned["team"]:
            body["team_ids"] = [cleaned["team"]]
        if cleaned["status"]:
            body["statuses"] = [cleaned["status"]]
        return body
