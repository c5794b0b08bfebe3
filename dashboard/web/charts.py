"""Charts as numbers for an SVG of attributes alone: columns side by side, a line. The table beside it says the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

HEIGHT = 100
STEP, WIDTH, GAP = 12, 4, 1


@dataclass(frozen=True)
class Column:
    """A bar standing on the ground."""

    x: int
    y: int
    height: int
    tone: str


@dataclass(frozen=True)
class Columns:
    """Two bars for each step, what came in and what went out, measured against the greatest of them."""

    width: int
    bars: list[Column]


@dataclass(frozen=True)
class Curve:
    """A line through values, from the least to the greatest; `points` as a polyline has them.

    `ground` is how far down nought lies, where some of the values are below it.
    """

    width: int
    points: str
    ground: int | None = None


def columns_of(pairs: Sequence[tuple[Decimal, Decimal]]) -> Columns:
    """The columns of (in, out), the oldest first."""
    top = max((amount for pair in pairs for amount in pair), default=Decimal(0))
    bars = []
    for place, pair in enumerate(pairs):
        for side, (amount, tone) in enumerate(zip(pair, ("in", "out"), strict=True)):
            height = int(amount * HEIGHT / top) if top > 0 and amount > 0 else 0
            x = place * STEP + GAP + side * (WIDTH + GAP)
            bars.append(Column(x, HEIGHT - height, height, tone))
    return Columns(max(1, len(pairs)) * STEP, bars)


def curve_of(values: Sequence[Decimal]) -> Curve | None:
    """The line through at least two values; None for fewer."""
    if len(values) < 2:
        return None
    least, span = min(values), max(values) - min(values)
    inside = HEIGHT - 8

    def down(value: Decimal) -> int:
        return HEIGHT - 4 - (int((value - least) * inside / span) if span else inside // 2)

    points = " ".join(f"{place * STEP},{down(value)}" for place, value in enumerate(values))
    return Curve((len(values) - 1) * STEP, points, down(Decimal(0)) if least < 0 < max(values) else None)
