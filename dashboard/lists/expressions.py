"""What stands in an export's cells, made by the database: so a file of a million rows costs no formatting here."""

from collections.abc import Mapping

from django.db.models import Case, CharField, DecimalField, F, Func, Value, When
from django.db.models.expressions import Combinable

from dashboard.access.actor import Actor
from dashboard.lists.columns import Exported
from dashboard.money import FOUR_DIGITS, NO_DIGITS, THREE_DIGITS


class LocalDay(Func):
    """The day of a moment in a zone."""

    template = "((%(expressions)s at time zone '%(zone)s')::date)"
    output_field = CharField()


class LocalMinute(Func):
    """The day and minute of a moment in a zone, as text."""

    template = "to_char(%(expressions)s at time zone '%(zone)s', 'YYYY-MM-DD HH24:MI')"
    output_field = CharField()


class Whole(Func):
    """Minor units as an exact amount with so many digits."""

    template = "round((%(expressions)s)::numeric / 1e%(places)s, %(places)s)"
    output_field = DecimalField(max_digits=24, decimal_places=4)


def plain(field: str) -> Exported:
    """A text of the row."""
    return lambda _: F(field)


def day(field: str) -> Exported:
    """A moment of the row as a day of the business."""
    return lambda actor: LocalDay(F(field), zone=zone_of(actor))


def minute(field: str) -> Exported:
    """A moment of the row on the business's clock."""
    return lambda actor: LocalMinute(F(field), zone=zone_of(actor))


def amount(minor: str, currency: str) -> Exported:
    """Minor units as the currency's exact amount."""

    def expression(_: Actor) -> Combinable:
        unusual = ((0, NO_DIGITS), (3, THREE_DIGITS), (4, FOUR_DIGITS))
        whens = [When(**{f"{currency}__in": sorted(codes)}, then=Whole(F(minor), places=n)) for n, codes in unusual]
        return Case(
            *whens, default=Whole(F(minor), places=2), output_field=DecimalField(max_digits=24, decimal_places=4)
        )

    return expression


def label(field: str, labels: Mapping[str, str]) -> Exported:
    """A code of the row by its label, or as it is where it has none."""
    whens = [When(**{field: code}, then=Value(text)) for code, text in labels.items()]
    return lambda _: Case(*whens, default=F(field), output_field=CharField())


def yes_or(field: str, yes: str, no: str) -> Exported:
    """A truth of the row in words."""
    return lambda _: Case(When(**{field: True}, then=Value(yes)), default=Value(no), output_field=CharField())


def zone_of(actor: Actor) -> str:
    """The business's zone, fit to stand in a statement."""
    zone = actor.business.time_zone
    if not zone.replace("/", "").replace("_", "").replace("-", "").replace("+", "").isalnum():
        raise ValueError("that is no time zone")
    return zone
