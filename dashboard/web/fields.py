"""The fields that every form of ours is made of: what they let through, the finance service takes (dashboard/inputs.py).

A plain CharField, DecimalField, IntegerField, DateField, DateTimeField or TimeField reads more than that, and stands in
no form (tests/house/test_rules.py).
"""

from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard import inputs
from dashboard.inputs import InputError
from dashboard.money import marks
from dashboard.phones import PhoneError, e164

MAIL = RegexValidator(r"^[^@\s<>]+@[^@\s<>]+\.[A-Za-z0-9\-]{2,}\Z", "Enter an email address, such as mary@example.com.")
# No currency has more digits after the point.
FINEST = Decimal("0.0001")
# How many characters of a reason the service takes, whatever it is of.
REASON_LENGTH = 500
DIGITS = {"inputmode": "decimal", "autocomplete": "off"}


def set_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, str]]) -> None:
    """Gives a field of a form what there is to choose from, which only the form's caller knows. TypeError for a field of
    another kind."""
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} is no field with choices")
    field.choices = list(choices)


class Verbatim(forms.CharField):
    """A text that is compared or stored to the letter, never shown: an id, a key, a secret. No control characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"strip": False, **options})

    def to_python(self, value: Any) -> str:
        """The text unchanged; ValidationError for a control character."""
        text = "" if value is None else str(value)
        _read(inputs.plain, text)
        return text.strip() if self.strip else text


class TextLine(forms.CharField):
    """One line of text in NFC, trimmed, without control characters."""

    many_lines = False
    visible = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"strip": False, **options})

    def to_python(self, value: Any) -> str:
        """The text; ValidationError where the service would refuse it."""
        text = "" if value is None else str(value)
        cleaned = str(_read(inputs.plain, text, many_lines=self.many_lines))
        if cleaned and self.visible and not inputs.is_visible(cleaned):
            raise forms.ValidationError("This is blank.", code="invisible")
        return cleaned


class TextBlock(TextLine):
    """Text of many lines, in which tabs and newlines stand too."""

    many_lines = True
    widget = forms.Textarea(attrs={"rows": 3})


class Name(TextLine):
    """A line with at least one visible character, where there is anything at all."""

    visible = True


class Sentences(TextBlock):
    """Many lines of text: at least one visible character, where there is anything at all."""

    visible = True


class Reason(Sentences):
    """Why something is decided or done, which somebody else reads: what the service takes of a reason, whatever it is of."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": REASON_LENGTH, **options})


class MailField(TextLine):
    """An e-mail address, by the service's own rule."""

    widget = forms.EmailInput

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 254, "validators": [MAIL], **options})


class PhoneField(TextLine):
    """A telephone number however it is written; E.164 without the + comes out, of the form's country where none is named."""

    widget = forms.TextInput(attrs={"type": "tel", "inputmode": "tel"})
    locale = "en_KE"
    # A number that is stored already, perhaps from another system, is left as it is.
    stored_number = ""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 40, **options})

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        """Binds the field with the country of its form's `locale`."""
        self.locale = form.locale  # type: ignore[attr-defined]
        return super().get_bound_field(form, field_name)

    def to_python(self, value: Any) -> str:
        """The number as the service stores it, E.164 without the +; "" for none. ValidationError for no number."""
        text = super().to_python(value)
        try:
            return text if text in {"", self.stored_number} else e164(text, self.locale)
        except PhoneError as wrong:
            raise forms.ValidationError(str(wrong), code="invalid") from None


class AmountField(forms.DecimalField):
    """An amount as the reader's locale writes it (the form's `locale`), as an exact Decimal."""

    locale = "en_KE"

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"widget": forms.TextInput(attrs=DIGITS), **options})

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        """Binds the field with its form's `locale`, which says how an amount is written."""
        self.locale = form.locale  # type: ignore[attr-defined]
        return super().get_bound_field(form, field_name)

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]
        """The number; ValidationError for any other spelling."""
        if value in self.empty_values:
            return None
        if isinstance(value, Decimal):
            return value
        cleaned: Decimal = _read(inputs.amount, str(value), self.locale)
        # Noughts at the end are no digits that anything lacks.
        short = cleaned.quantize(FINEST)
        return short if short == cleaned and len(str(short)) < len(str(cleaned)) else cleaned

    def prepare_value(self, value: Any) -> Any:
        """With the locale's own point, so that what is shown is read as what it is."""
        return f"{value:f}".replace(".", marks(self.locale)[1]) if isinstance(value, Decimal) else value

    def in_minor(self, value: Decimal | None, currency: str) -> int | None:
        """Minor units; ValidationError for more digits than the currency has, or more than money can be."""
        return None if value is None else _read(inputs.typed_minor, value, currency)


def field_minor(form: forms.BaseForm, name: str, amount: Decimal | None, currency: str) -> int | None:
    """What was typed in a form's amount in minor units of a currency that another field names; None for none. ValidationError
    as `AmountField.in_minor`; TypeError for a field of another kind."""
    field = form.fields[name]
    if not isinstance(field, AmountField):
        raise TypeError(f"{name} is no field with an amount")
    return field.in_minor(amount, currency)


class WholeField(forms.IntegerField):
    """A whole number in ASCII digits."""

    def to_python(self, value: Any) -> int | None:
        """The number; ValidationError for any other spelling."""
        if value in self.empty_values:
            return None
        text = str(value).strip(" ")
        if not inputs.WHOLE.fullmatch(text):
            raise forms.ValidationError("Enter a whole number of at most 15 digits.", code="invalid")
        return int(text.partition(".")[0])


def day_input() -> forms.DateInput:
    """A field of a day that a browser helps with."""
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


FIRST_YEAR, LAST_YEAR = 1900, 2999


class DayField(forms.DateField):
    """A day that is typed or chosen as "2026-11-20", and in no other spelling; of a year in which the day before it and the day after
    are days, too, on every clock."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"widget": day_input(), "input_formats": ["%Y-%m-%d"], **options})

    def to_python(self, value: Any) -> date | None:
        """The day; ValidationError for any other spelling."""
        if isinstance(value, str) and value.strip(" ") and not inputs.DAY.fullmatch(value.strip(" ")):
            raise forms.ValidationError("Enter the date as 2026-11-20.", code="invalid")
        day = super().to_python(value)
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise forms.ValidationError(f"Enter a date between {FIRST_YEAR} and {LAST_YEAR}.", code="invalid")
        return day


class MomentField(forms.DateTimeField):
    """A moment of a clock that the form names, YYYY-MM-DDTHH:MM alone."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(**{"widget": widget, **options})

    def to_python(self, value: Any) -> datetime | None:
        """The moment; ValidationError for any other spelling."""
        if isinstance(value, str) and value and not inputs.MOMENT.fullmatch(value):
            raise forms.ValidationError("Enter the date and time as 2026-11-20T09:00.", code="invalid")
        return super().to_python(value)


class HourField(forms.TimeField):
    """An hour of the day, HH:MM alone."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"widget": forms.TimeInput(attrs={"type": "time"}), **options})

    def to_python(self, value: Any) -> time | None:
        """The hour; ValidationError for any other spelling."""
        if isinstance(value, str) and value and not inputs.HOUR.fullmatch(value):
            raise forms.ValidationError("Enter the time as 09:00.", code="invalid")
        return super().to_python(value)


class LocaleForm(forms.Form):
    """A form whose amounts and telephone numbers are read as a business writes them."""

    def __init__(self, *args: Any, locale: str, **kwargs: Any) -> None:
        self.locale = locale
        super().__init__(*args, **kwargs)


def _read(reader: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
    try:
        return reader(value, *args, **kwargs)
    except InputError as wrong:
        raise forms.ValidationError(str(wrong), code="invalid") from None
