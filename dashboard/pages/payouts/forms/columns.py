"""Which column of a file of payments is which of ours: asked where its first line does not say it, and remembered."""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from django import forms

from dashboard.access.models import Business
from dashboard.pages.payouts.services.lines import COLUMNS, FIELDS, REQUIRED
from dashboard.payout_files.services import nearest

PREFIX = "column"
NOT_THERE = "–"
# A first line with a number in it is no line of names: it would be lost as one.
FIGURE = re.compile(r"[+\-(]?[\d\s.,']*\d[\d\s.,')]*")


class PayoutColumnsForm(forms.Form):
    """A field for each of our columns, named `column-receiver` and so on: the place of the file's column, from 0.

    `gone` are sentences by our names about columns that were remembered and are not in this header.
    """

    def __init__(self, *args: Any, header: Sequence[str], gone: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **{"prefix": PREFIX, **kwargs})
        places = [(str(place), name or f"Column {place + 1}, without a name") for place, name in enumerate(header)]
        for name in FIELDS:
            self.fields[name] = forms.ChoiceField(
                choices=[("", NOT_THERE), *places], required=name in REQUIRED, label=name.capitalize(),
                help_text=(gone or {}).get(name, ""), error_messages={"required": "Choose the column."},
            )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """ValidationError at a column that stands for another one already."""
        data = super().clean() or self.cleaned_data
        first: dict[str, str] = {}
        for name in FIELDS:
            place = data.get(name)
            if place and first.setdefault(place, name) != name:
                self.add_error(name, f"This column is the {first[place]} already.")
        return data

    def columns(self) -> dict[str, int]:
        """Which column of the file is which of ours: places from 0, by our names."""
        return {name: int(place) for name, place in self.cleaned_data.items() if place}


def is_answered(data: Container[str]) -> bool:
    """Whether a form that was sent says which column is which."""
    return any(f"{PREFIX}-{name}" in data for name in FIELDS)


def is_header(header: Sequence[str]) -> bool:
    """Whether a first line can be one of names."""
    return not any(FIGURE.fullmatch(name) for name in header if name)


def columns_form(business: Business, header: Sequence[str]) -> PayoutColumnsForm:
    """The form for a header that nobody has said yet: filled in by the names that are known, and by what is remembered of a
    file like it, whose missing columns are named."""
    places = {name.casefold(): place for place, name in reversed(list(enumerate(header)))}
    initial: dict[str, str] = {}
    for called, name in COLUMNS.items():
        if called in places:
            initial.setdefault(name, str(places[called]))
    gone = {}
    known = nearest(business, header)
    for name, called in known.names.items() if known else ():
        if called.casefold() in places:
            initial[name] = str(places[called.casefold()])
        else:
            gone[name] = f"It was remembered as “{called}”, which is not in this file."
    return PayoutColumnsForm(header=header, gone=gone, initial=initial)
