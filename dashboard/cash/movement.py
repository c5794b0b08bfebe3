"""Money in and out with its trend, read live."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import parsed
from dashboard.client.reads import read_live
from dashboard.money import number, to_minor
from dashboard.schemas.transactions import Movements, most
from dashboard.times import as_of

LIVE_S = 4.0


@dataclass(frozen=True)
class Month:
    """A month of the trend: its amounts as numbers of the trend's currency, and the lengths of their bars, 0 to 100."""

    name: str
    came_in: str
    went_out: str
    net: str
    in_bar: int
    out_bar: int


@dataclass(frozen=True)
class Trend:
    """The months of one currency, the oldest first; `flows` are what came in and went out in each, in minor units."""

    currency: str
    months: list[Month]
    flows: list[tuple[int, int]]


@dataclass(frozen=True)
class SpendPart:
    """A part of the spending: its name, the amount as a number, how many expenses, and the length of its bar."""

    name: str
    amount: str
    count: int
    bar: int


def trends_of(actor: Actor) -> tuple[list[Trend], str]:
    """The trend of each currency, and as of when. Raises the FinanceError tree where the service does not answer."""
    movements, moment = read_movements(actor)
    return trends_in(movements, actor.business.locale), as_of(moment, actor.business)


def read_movements(
    actor: Actor, query: Mapping[str, str] | None = None, deadline: float = LIVE_S
) -> tuple[Movements, datetime]:
    """Money in and out of each currency, and when it was read. Raises the FinanceError tree."""
    answer = read_live(actor, operations.READ_MONEY_MOVEMENT, query=query, deadline=deadline)
    data = answer.data if isinstance(answer.data, dict) else {"docs": answer.data}
    return parsed(data, Movements), answer.as_of


def trends_in(movements: Movements, locale: str) -> list[Trend]:
    """The months of each currency, the amounts as numbers of the locale."""
    trends = []
    for movement in movements.docs:
        top, code = most(movement.trend), movement.currency

        def number_of(amount: Decimal, code: str = code) -> str:
            return number(to_minor(amount, code), code, locale)

        months = [
            Month(
                name=f"{datetime.strptime(month.month[:7], '%Y-%m'):%b %Y}",  # noqa: DTZ007 - a month has no zone
                came_in=number_of(month.money_in),
                went_out=number_of(month.money_out),
                net=number_of(month.net),
                in_bar=share(month.money_in, top),
                out_bar=share(month.money_out, top),
            )
            for month in movement.trend
        ]
        flows = [(to_minor(month.money_in, code), to_minor(month.money_out, code)) for month in movement.trend]
        trends.append(Trend(code, months, flows))
    return trends


def share(part: Decimal | int, total: Decimal | int) -> int:
    """The length of a part's bar against the whole's, 0 to 100."""
    if total <= 0 or part <= 0:
        return 0
    return int((Decimal(part) * 100 / Decimal(total)).quantize(Decimal(1), ROUND_HALF_UP))
