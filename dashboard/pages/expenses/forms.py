"""What comes in from one expense's page: new notes, another category."""

from datetime import date, timedelta
from typing import Any

from django import forms

from dashboard.web.fields import DayField, TextBlock


class NotesForm(forms.Form):
    """What the expense was for."""

    notes = TextBlock(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3}))


class CategoryForm(forms.Form):
    """Where the expense belongs: one of the business's subcategories."""

    subcategory_id = forms.ChoiceField(label="Category")

    def __init__(self, *args: object, choices: list[tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field_ = self.fields["subcategory_id"]
        assert isinstance(field_, forms.ChoiceField)
        field_.choices = choices
        field_.error_messages["invalid_choice"] = "Choose one of the categories."


class ReceiptsForm(forms.Form):
    """Which receipts, as one archive or one document: at most a year of them."""

    since = DayField(label="From")
    until = DayField(label="To")
    team = forms.ChoiceField(label="Team", required=False)
    status = forms.ChoiceField(label="State", required=False)
    format = forms.ChoiceField(
        label="As", choices=[("ZIP", "ZIP, one file per receipt"), ("PDF", "PDF, all in one document")]
    )

    def __init__(self, *args: Any, teams: list[tuple[str, str]], states: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, any_of, choices in (("team", "All teams", teams), ("status", "Any state", states)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", any_of), *choices]

    def clean(self) -> dict[str, Any]:
        """The days the right way round, and not more than a year apart."""
        found = super().clean() or self.cleaned_data
        since, until = found.get("since"), found.get("until")
        if since and until and until < since:
            self.add_error("until", "This day lies before the first one.")
        elif since and until and until - since > timedelta(days=365):
            self.add_error("until", "A year at most: split it into several.")
        return found

    @staticmethod
    def usual(today: date) -> dict[str, Any]:
        """What the form begins with: this month so far."""
        return {"since": today.replace(day=1), "until": today, "format": "ZIP"}

    def body(self) -> dict[str, Any]:
        """What is asked of the service."""
        found = self.cleaned_data
        body: dict[str, Any] = {"from": str(found["since"]), "to": str(found["until"]), "format": found["format"]}
        if found["team"]:
            body["team_ids"] = [found["team"]]
        if found["status"]:
            body["statuses"] = [found["status"]]
        return body
