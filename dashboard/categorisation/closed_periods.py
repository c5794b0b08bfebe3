"""What a rule cannot file since the period of the item is closed: it waits, and is tried again once that is opened again."""

from __future__ import annotations

from datetime import date
from typing import Any

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.categorisation.models import FilingState, RuleFiling
from dashboard.categorisation.uncategorised import EXPENSE_KIND
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, InvalidState
from dashboard.schemas.accounting import AccountingPeriod
from dashboard.times import local

LIVE_S = 8.0


def closed_day(business: Business, kind: str, item: Any, refused: FinanceError) -> date | None:
    """The item's day, where the service refused to file it and its period is closed; None for any other refusal. Raises the
    FinanceError tree where that cannot be asked now."""
    if not isinstance(refused, InvalidState):
        return None
    if kind == EXPENSE_KIND:
        day: date | None = local(item.transaction_date, business).date()
    else:
        day = item.effective_on
    closed = closed_until(business)
    return day if day is not None and closed is not None and day <= closed else None


def closed_until(business: Business) -> date | None:
    """The last day of the closed periods of a business; None where none is closed. Raises the FinanceError tree."""
    answer = read_live(Actor.reader_for(business), operations_accounting.LIST_PERIODS, deadline=LIVE_S)
    periods = typed(read_page(answer.data).rows, AccountingPeriod)
    return max((period.last for period in periods if period.status == "CLOSED"), default=None)


def wait_anew(business: Business) -> int:
    """Lets what waits for a period that is open again be tried again: how many. The service is asked only where any waits."""
    waiting = RuleFiling.objects.filter(business=business, state=FilingState.CLOSED)
    if not waiting.exists():
        return 0
    closed = closed_until(business)
    opened = waiting if closed is None else waiting.filter(item_day__gt=closed)
    return opened.update(state=FilingState.WAITING, outcome="", item_day=None, settled_at=None, attempts=0)
