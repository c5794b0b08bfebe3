"""The days whose unmatched bank lines are looked at together for what may be suggested: so few that the answer comes while somebody
waits, however many lines the wallet has. Each window begins where the one before it ended."""

from dataclasses import dataclass
from datetime import date, timedelta

from service.accounting.suggestions import open_lines
from service.accounts.wallets import Wallet
from service.auth import Caller

MOST_LINES, MOST_DAYS = 1_000, 31


@dataclass(frozen=True, slots=True)
class SuggestionWindow:
    """The first and the last day of a window; `following` is the day that the next one begins with, None where no line is unmatched
    behind it; `left_out` how many unmatched lines lie outside it, those of closed periods apart."""

    first: date
    last: date
    following: date | None
    left_out: int


def window_of(caller: Caller, owner: Wallet, start: date | None) -> SuggestionWindow | None:
    """The window that begins with the first unmatched line of a day or later, of the oldest that can still be matched where none is
    named; None where there is none."""
    lines = open_lines(caller, owner)
    from_start = lines.filter(day__gte=start) if start else lines
    days = list(from_start.values_list("day", flat=True)[: MOST_LINES + 1])
    if not days:
        return None
    last = min(_last(days), days[0] + timedelta(days=MOST_DAYS - 1))
    following = from_start.filter(day__gt=last).values_list("day", flat=True).first()
    outside = lines.exclude(day__range=(days[0], last)).count()
    return SuggestionWindow(days[0], last, following, outside)


def _last(days: list[date]) -> date:
    """The last day of which all lines are among the first ones; the first, where that alone has more."""
    if len(days) <= MOST_LINES or days[0] == days[-1]:
        return days[-1]
    return max(day for day in days if day < days[-1])
