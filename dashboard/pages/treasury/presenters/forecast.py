"""A forecast as it is printed: per currency the sums, both charts, each day with what it rests on, and what is left out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from dashboard.cash.balances import Holding
from dashboard.forecast.days import Day, Expected, Forecast, forecast_of
from dashboard.forecast.look import Look
from dashboard.forecast.payments_due import payments_due, sums_of
from dashboard.money import number, text
from dashboard.times import as_of
from dashboard.web.charts import Columns, Curve, columns_of, curve_of

# So many things of a day stand open; the rest is unfolded.
OPEN = 8


@dataclass(frozen=True)
class Line:
    """One thing: what it is, what is known of it, its page where it has one, and its amount with its sign."""

    title: str
    said: str
    href: str
    amount: str


@dataclass(frozen=True)
class ShownDay:
    """A day on which something moves; the amounts in the currency that the heading names."""

    name: str
    lines: list[Line]
    more: list[Line]
    came_in: str
    went_out: str
    closing: str
    below: bool


@dataclass(frozen=True)
class Section:
    """One currency; without `opening` it is not known what there is, and so nothing is said of what is left.

    `due` and `undated` are what payments_due.py counts, as on Home; empty where there is no such payment.
    """

    currency: str
    opening: str
    seen: str
    copied: str
    why_unknown: str
    came_in: str
    went_out: str
    closing: str
    lowest: str
    short: str
    due: str
    undated: str
    columns: Columns | None
    curve: Curve | None
    days: list[ShownDay]
    left: list[tuple[Line, str]]


def sections_of(look: Look, holdings: list[Holding], expected: list[Expected]) -> list[Section]:
    """Every currency that there is a wallet of, or that something is expected in; those that run short first."""
    currencies = {each.wallet.currency for each in holdings} | {each.currency for each in expected}
    made = [_section(look, name, _held(holdings, name), expected) for name in sorted(currencies)]
    return sorted(made, key=lambda one: not one.short)


def _held(holdings: list[Holding], currency: str) -> list[Holding]:
    return [each for each in holdings if each.wallet.currency == currency]


def _section(look: Look, currency: str, held: list[Holding], expected: Iterable[Expected]) -> Section:
    known = bool(held) and all(each.available is not None for each in held)
    opening = sum(each.available or 0 for each in held) if known else None
    found = forecast_of(currency, opening, expected, look.first, look.last)
    flows, closings = found.flows(), found.closings()
    moves, payments = bool(found.days), payments_due(expected, look.first)
    return Section(
        currency=currency,
        opening="" if opening is None else look.money(opening, currency),
        seen=_seen(look, held) if known else "",
        copied=_copied(held),
        why_unknown="" if known else _unknown(currency, held),
        came_in=look.money(sum(came for came, _ in flows), currency),
        went_out=look.money(sum(went for _, went in flows), currency),
        closing=look.money(closings[-1][1], currency) if closings else "",
        lowest=_at(look, currency, found.lowest),
        short=_short(look, found),
        due=_sum(look, currency, payments.dated),
        undated=_sum(look, currency, payments.undated),
        columns=columns_of([(Decimal(came), Decimal(went)) for came, went in flows]) if moves else None,
        curve=curve_of([Decimal(minor) for _, minor in closings]) if moves else None,
        days=[_day(look, currency, each) for each in found.days],
        left=[(_line(look, each), why) for each, why in found.left_out],
    )


def _sum(look: Look, currency: str, payments: Iterable[Expected]) -> str:
    minor = sums_of(payments).get(currency)
    return look.money(minor, currency) if minor else ""


def _seen(look: Look, held: list[Holding]) -> str:
    copies = [each.wallet.last_seen for each in held if not each.live]
    return as_of(min(copies), look.actor.business) if copies else held[0].seen


def _copied(held: list[Holding]) -> str:
    if all(each.live for each in held):
        return ""
    return "partly from the copy," if any(each.live for each in held) else "from the copy,"


def _unknown(currency: str, held: list[Holding]) -> str:
    if not currency:
        return "The service names no currency for these."
    if not held:
        return f"No wallet in {currency} is known, so what is left after each day is not known either."
    return f"What every wallet in {currency} holds is not known now, and so neither is what is left after each day."


def _at(look: Look, currency: str, found: tuple[date, int] | None) -> str:
    return f"{look.money(found[1], currency)} on {look.said(found[0])}" if found else ""


def _short(look: Look, found: Forecast) -> str:
    if found.short is None:
        return ""
    day, minor = found.short
    missing = text(-minor, found.currency, look.actor.business.locale)
    return f"{found.currency} runs short {'today' if day == look.first else f'on {look.said(day)}'} by {missing}"


def _day(look: Look, currency: str, day: Day) -> ShownDay:
    def said(minor: int | None) -> str:
        return "" if minor is None else number(minor, currency, look.actor.business.locale)

    lines = [_line(look, each) for each in day.items]
    return ShownDay(
        name=f"{day.day:%a} {look.said(day.day)}{', today' if day.day == look.first else ''}",
        lines=lines[:OPEN],
        more=lines[OPEN:],
        came_in=said(day.came_in) if day.came_in else "",
        went_out=said(day.went_out) if day.went_out else "",
        closing=said(day.closing) or "not known",
        below=day.closing is not None and day.closing < 0,
    )


def _line(look: Look, each: Expected) -> Line:
    late = each.day is not None and each.day < look.first and not each.why_not
    said = f"{each.said}; overdue, so it counts today" if late else each.said
    if each.minor is None:
        return Line(each.title, said, each.href, "")
    sign = "+" if each.minor > 0 else ""
    return Line(each.title, said, each.href, f"{sign}{number(each.minor, each.currency, look.actor.business.locale)}")
