"""Which month of the books a row is of, and what arrived late: posted in a month though its own day lies before it, which
was over or closed by then."""

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from dashboard.access.actor import Actor
from dashboard.mirror.models import Transaction
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_transactions

MOST_MONTHS = 24
# Those in which the service has periods: a month of another is in no address but one that was typed.
YEARS = (1970, 2200)
NONE = Q(pk__in=[])


def first_of(month: str) -> date | None:
    """The first day of a month by its name, "2026-11"; None for what is none, or no month of a ledger."""
    try:
        first = date.fromisoformat(f"{month}-01")
    except ValueError:
        return None
    return first if YEARS[0] <= first.year <= YEARS[1] else None


def months_of(actor: Actor) -> tuple[tuple[str, str], ...]:
    """The months of the last two years, by their names as they are chosen and read: "2026-11", "November 2026"."""
    return _months_up_to(today(actor.business).replace(day=1))


@lru_cache(maxsize=8)
def _months_up_to(first: date) -> tuple[tuple[str, str], ...]:
    months = []
    for _ in range(MOST_MONTHS):
        months.append((f"{first:%Y-%m}", f"{first:%B %Y}"))
        first = (first - timedelta(days=1)).replace(day=1)
    return tuple(months)


def late_in(actor: Actor, month: str) -> Q:
    """The condition on transactions for those that arrived late in a month; none for what is no month."""
    first = first_of(month)
    if first is None:
        return NONE
    return Q(effective_on__range=(first, _last(first)), occurred_at__lt=_begin(actor, first))


def booked_in(actor: Actor, month: str) -> Q:
    """The condition on transactions for those of a month of the books: posted in it, whenever they happened, or not posted yet and
    of its own days; none for what is no month."""
    first = first_of(month)
    if first is None:
        return NONE
    return Q(effective_on__range=(first, _last(first))) | Q(effective_on=None) & _within(actor, first, "occurred_at")


def expenses_booked_in(actor: Actor, month: str) -> Q:
    """The same of expenses, by the transactions that they were posted with, as far as the actor sees them."""
    first = first_of(month)
    if first is None:
        return NONE
    own_days, posted_then = _within(actor, first, "occurred_at"), Q(effective_on__range=(first, _last(first)))
    posted = (
        visible_transactions(actor).filter(type="EXPENSE", effective_on__isnull=False).exclude(expense_id="").order_by()
    )
    # As values, not as queries: they are few, and the planner knows how many.
    elsewhere = list(posted.filter(own_days).exclude(posted_then).values_list("expense_id", flat=True))
    brought = list(posted.filter(posted_then).exclude(own_days).values_list("expense_id", flat=True))
    return _within(actor, first, "transaction_date") & ~Q(remote_id__in=elsewhere) | Q(remote_id__in=brought)


def _last(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _begin(actor: Actor, day: date) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(actor.business.time_zone))


def _within(actor: Actor, first: date, field: str) -> Q:
    """The condition on a moment of a row that it is of the month of this first day, by the clock of the business."""
    return Q(**{f"{field}__gte": _begin(actor, first), f"{field}__lt": _begin(actor, _last(first) + timedelta(days=1))})


def late_transactions(actor: Actor, month: str) -> QuerySet[Transaction]:
    """Those that the actor sees and that arrived late in a month."""
    return visible_transactions(actor).filter(late_in(actor, month)).order_by()
