"""The kinds of fields that a card's controls are typed into: amounts, countries, codes of merchants, lists of names."""

import re
from decimal import Decimal
from typing import Any

from django import forms

from dashboard.inputs import is_visible
from dashboard.pages.cards.presenters.codes import countries, country_of
from dashboard.web import fields

MAX = 10**13


class CardAmountField(fields.AmountField):
    """An amount of the card's currency, as whole units; minor units come out. The form says which currency."""

    def __init__(self, **given: Any) -> None:
        messages = {"min_value": "The amount must be above zero; leave empty for none."}
        super().__init__(min_value=Decimal("0.0001"), max_value=MAX, required=False, error_messages=messages, **given)


class CodesField(fields.TextBlock):
    """Four-digit codes of kinds of merchants, with anything between them."""

    def __init__(self, **given: Any) -> None:
        super().__init__(max_length=2000, required=False, **given)

    def clean(self, value: Any) -> list[str]:
        """The distinct codes, in the order in which they were typed."""
        words = re.split(r"[\s,;]+", super().clean(value).strip())
        wrong = [word for word in words if word and not re.fullmatch(r"[0-9]{4}", word)]
        if wrong:
            raise forms.ValidationError(f"“{wrong[0][:20]}” is not an MCC: it has four digits.")
        return list(dict.fromkeys(word for word in words if word))


class NamesField(fields.TextBlock):
    """Names of merchants, one a line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def __init__(self, **given: Any) -> None:
        super().__init__(max_length=20_000, required=False, **given)

    def clean(self, value: Any) -> list[str]:
        """The distinct names, in the order in which they were typed."""
        names = [" ".join(line.split()) for line in super().clean(value).splitlines()]
        if long := next((name for name in names if len(name) > 100), ""):
            raise forms.ValidationError(f"“{long[:30]}…” is too long.")
        if unseen := next((name for name in names if name and not is_visible(name)), ""):
            raise forms.ValidationError(f"Line {names.index(unseen) + 1} is blank.")
        distinct = list(dict.fromkeys(name for name in names if name))
        if len(distinct) > 300:
            raise forms.ValidationError("At most 300 merchants.")
        return distinct


class CountriesField(fields.TextBlock):
    """Countries by their names or codes, with commas between; their codes come out."""

    def __init__(self, **given: Any) -> None:
        super().__init__(max_length=4000, required=False, **given)
        self.locale = "en_KE"

    def clean(self, value: Any) -> list[str]:
        """The distinct codes, in the order in which they were typed."""
        words = [word.strip() for word in re.split(r"[,;\n]+", super().clean(value)) if word.strip()]
        codes = {word: country_of(word, self.locale) for word in words}
        if wrong := next((word for word, code in codes.items() if not code), ""):
            raise forms.ValidationError(f"“{wrong[:30]}” is not a known country.")
        return list(dict.fromkeys(codes.values()))


def named_countries(codes: list[str], locale: str) -> str:
    """Codes of countries as the initial value of a CountriesField: their names, with commas between."""
    names = countries(locale)
    return ", ".join(names.get(code, code) for code in codes)
