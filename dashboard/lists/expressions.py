"""What stands in an export's cells, made by the database: so a file of a million rows costs no formatting here."""

from collections.abc import Mapping

from django.db.models import Case, CharField, DecimalField, F, Func, Value, When
from django.db.models.expressions import Combinable

from dashboard.access.actor import Actor
from dashboard.lists.columns import Exported
from dashboard.money import FOUR_DIGITS, NO_DIGITS, THREE_DIGITS, TWO_DIGITS


class LocalDay(Func):
    """SQL: the day of a moment in a time zone."""

    template = "((%(expressions)s at time zone '%(zone)s')::date)"
    output_field = CharField()


class LocalMinute(Func):
    """SQL: a moment in a time zone as text, "YYYY-MM-DD HH:MM"."""

    template = "to_char(%(expressions)s at time zone '%(zone)s', 'YYYY-MM-DD HH24:MI')"
    output_field = CharField()


class Whole(Func):
    """SQL: minor units as an exact amount with `places` digits."""

    template = "round((%(expressions)s)::numeric / 1e%(places)s, %(places)s)"
    output_field = DecimalField(max_digits=24, decimal_places=4)


def exported_field(field: str) -> Exported:
    """The field as it is stored, for the column of a file."""
    return lambda _: F(field)


def exported_day(field: str) -> Exported:
    """A moment as a day in the business's time zone."""
    return lambda actor: LocalDay(F(field), zone=zone_of(actor))


def minute(field: str) -> Exported:
    """A moment as day and minute in the business's time zone."""
    return lambda actor: LocalMinute(F(field), zone=zone_of(actor))


def exported_amount(minor: str, currency: str) -> Exported:
    """Minor units as an exact amount with the digits of its currency; empty where that is not known."""

    def expression(_: Actor) -> Combinable:
        digits = ((2, TWO_DIGITS), (0, NO_DIGITS), (3, THREE_DIGITS), (4, FOUR_DIGITS))
        whens = [When(**{f"{currency}__in": sorted(codes)}, then=Whole(F(minor), places=n)) for n, codes in digits]
        return Case(*whens, default=None, output_field=DecimalField(max_digits=24, decimal_places=4))

    return expression


def label(field: str, labels: Mapping[str, str]) -> Exported:
    """The label of a code; the code itself where it has none."""
    whens = [When(**{field: code}, then=Value(text)) for code, text in labels.items()]
    return lambda _: Case(*whens, default=F(field), output_field=CharField())


def yes_or(field: str, yes: str, no: str) -> Exported:
    """A boolean field as one of two words."""
    return lambda _: Case(When(**{field: True}, then=Value(yes)), default=Value(no), output_field=CharField())


def zone_of(actor: Actor) -> str:
    """The business's time zone, checked to be safe in SQL; ValueError for anything else."""
    zone = actor.business.time_zone
    if not zone.replace("/", "").replace("_", "").replace("-", "").replace("+", "").isalnum():
        raise ValueError("that is no time zone")
    return zone
