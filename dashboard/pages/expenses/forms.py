"""What comes in from one expense's page: new notes, another category."""

from django import forms


class NotesForm(forms.Form):
    """What the expense was for."""

    notes = forms.CharField(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3}))


class CategoryForm(forms.Form):
    """Where the expense belongs: one of the business's subcategories."""

    subcategory_id = forms.ChoiceField(label="Category")

    def __init__(self, *args: object, choices: list[tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field_ = self.fields["subcategory_id"]
        assert isinstance(field_, forms.ChoiceField)
        field_.choices = choices
        field_.error_messages["invalid_choice"] = "Choose one of the categories."
