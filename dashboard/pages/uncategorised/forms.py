"""The category of an item of the queue: a suggestion that was chosen, or a name that was typed."""

from collections.abc import Sequence
from typing import Any

from django import forms

from dashboard.mirror.models import Expense, Transaction
from dashboard.web.fields import TextLine

LISTED = 5


class ChosenCategoryForm(forms.Form):
    """`suggested` is the suggestion that was chosen, "" for none; what is typed comes before it."""

    category = TextLine(
        label="Another category", required=False, max_length=410, help_text="Type its name, or a part of it.",
        widget=forms.TextInput(attrs={"list": "category-names", "autocomplete": "off", "data-category": "", "data-correct": "c"}),
    )  # fmt: skip

    def __init__(self, *args: Any, choices: Sequence[tuple[str, str]], suggested: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.choices, self.suggested = choices, suggested

    def clean(self) -> dict[str, Any]:
        """The cleaned fields with `subcategory_id`, the one category that is meant."""
        cleaned, typed = self.cleaned_data, self.cleaned_data.get("category", "")
        if "category" in self.errors:
            return cleaned
        if not typed and self.suggested not in dict(self.choices):
            self.add_error("category", "Choose a suggestion, or type the name of a category.")
            return cleaned
        cleaned["subcategory_id"] = self._named(typed) if typed else self.suggested
        return cleaned

    def is_of(self, seen: str, item: Expense | Transaction) -> bool:
        """Whether an item still has the category with which it was seen; the form says so if not."""
        if seen == item.subcategory_id:
            return True
        now = item.category_name or "no category"
        self.add_error("category", f"It was changed since you looked: it has {now} now. Nothing was changed by you.")
        return False

    def _named(self, typed: str) -> str:
        names = [(subcategory_id, label.casefold()) for subcategory_id, label in self.choices]
        exact = [subcategory_id for subcategory_id, name in names if name == typed.casefold()]
        words = typed.casefold().split()
        near = [subcategory_id for subcategory_id, name in names if all(word in name for word in words)]
        matches = exact or near
        if len(matches) == 1:
            return matches[0]
        labels = dict(self.choices)
        if not matches:
            self.add_error("category", "No category has this name.")
        else:
            listed = ", ".join(labels[subcategory_id] for subcategory_id in matches[:LISTED])
            self.add_error("category", f"{len(matches)} categories have this in their name: {listed}. Type more of it.")
        return ""
