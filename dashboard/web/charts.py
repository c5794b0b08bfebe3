"""Charts as figures for js/charts.js: bars side by side, bars from the left, or a line. The table beside each says the same
without it."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypedDict

from babel import Locale

from dashboard.bidi import isolated
from dashboard.money import exponent, marks, text

# A rate is handed over as a whole number of so many digits after the point.
RATE_DIGITS = 9
# As many bars as can be told apart; the table has all.
MOST_PARTS = 10


class Series(TypedDict):
    """Bars or a line of one kind: its tone (in, out, line), its values as whole numbers, and each as it is written."""

    name: str
    tone: str
    values: list[int]
    texts: list[str]


class ShortForm(TypedDict):
    """How a locale writes large numbers in short: from `least` on, divided by `divisor`, with what stands before and after."""

    least: int
    divisor: int
    before: str
    after: str


class Chart(TypedDict):
    """What a chart draws, as the page hands it over in JSON.

    `kind` is bar, across (bars from the left) or line; the values of the series are whole numbers with `digits` after the point, in `unit`; the
    business's marks between thousands (`group`) and before the digits (`point`), and its short forms, the smallest first.
    """

    kind: str
    unit: str
    digits: int
    group: str
    point: str
    shorts: list[ShortForm]
    labels: list[str]
    series: list[Series]
    crosses_zero: bool


def flow_chart(labels: Sequence[str], flows: Sequence[tuple[int, int]], currency: str, locale: str) -> Chart:
    """Two bars for each label: what came in and what went out, in minor units."""
    series = [
        _amounts("In", "in", [came_in for came_in, _ in flows], currency, locale),
        _amounts("Out", "out", [went_out for _, went_out in flows], currency, locale),
    ]
    return _chart("bar", labels, series, currency, exponent(currency), locale)


def balance_chart(name: str, labels: Sequence[str], minors: Sequence[int], currency: str, locale: str) -> Chart | None:
    """The line through at least two amounts in minor units; None for fewer."""
    if len(minors) < 2:
        return None
    series = _amounts(name, "line", minors, currency, locale)
    return _chart("line", labels, [series], currency, exponent(currency), locale)


def parts_chart(
    name: str,
    parts: Sequence[tuple[str, int]],
    currency: str,
    locale: str,
    *,
    kind: Literal["bar", "across"] = "across",
) -> Chart | None:
    """A bar for each part, its name and its amount in minor units, at most MOST_PARTS of them; None for fewer than two."""
    if len(parts) < 2:
        return None
    labels = [label for label, _ in parts[:MOST_PARTS]]
    series = _amounts(name, "line", [minor for _, minor in parts[:MOST_PARTS]], currency, locale)
    return _chart(kind, labels, [series], currency, exponent(currency), locale)


def rate_chart(
    labels: Sequence[str], rates: Sequence[Decimal], currency: str, locale: str, written: Callable[[Decimal], str]
) -> Chart | None:
    """The line through at least two rates, each `written` as the table beside it has it; None for fewer."""
    if len(rates) < 2:
        return None
    values = [int(rate.scaleb(RATE_DIGITS)) for rate in rates]
    series = Series(name="Mid rate", tone="line", values=values, texts=[written(rate) for rate in rates])
    return _chart("line", labels, [series], currency, RATE_DIGITS, locale)


def _amounts(name: str, tone: str, minors: Sequence[int], currency: str, locale: str) -> Series:
    return Series(
        name=isolated(name), tone=tone, values=list(minors), texts=[text(minor, currency, locale) for minor in minors]
    )


def _chart(kind: str, labels: Sequence[str], series: list[Series], unit: str, digits: int, locale: str) -> Chart:
    group, point = marks(locale)
    values = [value for drawn in series for value in drawn["values"]]
    return Chart(
        kind=kind,
        unit=unit,
        digits=digits,
        group=group,
        point=point,
        shorts=_short_forms(locale),
        # Vendors and categories: drawn on the canvas and read out beside amounts.
        labels=[isolated(label) for label in labels],
        series=series,
        crosses_zero=bool(values) and min(values) < 0 < max(values),
    )


@lru_cache(maxsize=64)
def _short_forms(locale: str) -> list[ShortForm]:
    """Those of CLDR, from thousands on: "00K" from 10,000 on is a number with two digits before K, so that it is divided by 1,000."""
    forms = Locale.parse(locale).compact_decimal_formats["short"]["other"]
    shorts: list[ShortForm] = []
    for least, form in sorted((int(least), form) for least, form in forms.items()):
        # A locale without a word for thousands writes them out. A point in quotes is one that stands for itself.
        divisor = 1 if form.pattern == "0" else least // 10 ** (form.pattern.count("0") - 1)
        before, after = (affix[0].replace("'", "") for affix in (form.prefix, form.suffix))
        last = shorts[-1] if shorts else None
        if last is None or (divisor, before, after) != (last["divisor"], last["before"], last["after"]):
            shorts.append(ShortForm(least=least, divisor=divisor, before=before, after=after))
    return shorts
