"""Which month of the books a row is of, and what arrived late: posted in a month though its own day lies before it, which
was over or closed by then."""

from datetime import UTC, date, datetime, time, timedelta
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
    return Q(booked_month=first, effective_on__isnull=False, occurred_at__lt=_begin(actor, first))


def booked_in(actor: Actor, month: str) -> Q:
    """The condition on transactions for those of a month of the books: posted in it, whenever they happened, or not posted yet and
    of its own days; none for what is no month."""
    first = first_of(month)
    if first is None:
        return NONE
    missing, wrong = _not_as_utc(actor, first)
    booked = Q(booked_month=first) & ~Q(pk__in=wrong) if wrong else Q(booked_month=first)
    return booked | Q(pk__in=missing) if missing else booked


def _not_as_utc(actor: Actor, first: date) -> tuple[list[int], list[int]]:
    """Of what is not posted and happened between the turn of a month by the clock of the business and its turn by UTC, the keys of
    those that are of the month by the business alone, and by UTC alone."""
    after = _after(first)
    turns = [(_begin(actor, day), datetime.combine(day, time(), UTC)) for day in (first, after)]
    if all(own == utc for own, utc in turns):
        return [], []
    between = Q(*(Q(occurred_at__gte=min(turn), occurred_at__lt=max(turn)) for turn in turns), _connector=Q.OR)
    rows = visible_transactions(actor).filter(between, effective_on=None).order_by()
    (own_begin, _), (own_end, _) = turns
    by_month = [
        (key, own_begin <= at < own_end, booked == first)
        for key, at, booked in rows.values_list("pk", "occurred_at", "booked_month")
    ]
    missing = [key for key, is_own, is_booked in by_month if is_own and not is_booked]
    return missing, [key for key, is_own, is_booked in by_month if is_booked and not is_own]


def expenses_booked_in(actor: Actor, month: str) -> Q:
    """The same of expenses, by the transactions that they were posted with, as far as the actor sees them."""
    first = first_of(month)
    if first is None:
        return NONE
    begin, end = _begin(actor, first), _begin(actor, _after(first))
    rows = visible_transactions(actor).order_by()
    posted = rows.filter(type="EXPENSE", effective_on__isnull=False).exclude(expense_id="")
    # As values, not as queries: they are few, and the planner knows how many. Month by month, so that in each those of these days
    # alone are looked at.
    others = posted.filter(occurred_at__gte=begin, occurred_at__lt=end, booked_month__in=_other_months(rows, first))
    elsewhere = list(others.values_list("expense_id", flat=True))
    of_month = posted.filter(Q(occurred_at__lt=begin) | Q(occurred_at__gte=end), booked_month=first)
    brought = list(of_month.values_list("expense_id", flat=True))
    own_days = Q(transaction_date__gte=begin, transaction_date__lt=end)
    return own_days & ~Q(remote_id__in=elsewhere) | Q(remote_id__in=brought)


def _other_months(rows: QuerySet[Transaction], first: date) -> list[date]:
    """The months of the books from the first to the last that there is, but for this one."""
    months = rows.order_by("booked_month").values_list("booked_month", flat=True)
    month, last = months.first(), months.last()
    others = []
    while month is not None and last is not None and month <= last:
        others += [month] if month != first else []
        month = _after(month)
    return others


def _after(first: date) -> date:
    """The first day of the month after that of a first day."""
    return (first + timedelta(days=31)).replace(day=1)


def _begin(actor: Actor, day: date) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(actor.business.time_zone))


def late_transactions(actor: Actor, month: str) -> QuerySet[Transaction]:
    """Those that the actor sees and that arrived late in a month."""
    return visible_transactions(actor).filter(late_in(actor, month)).order_by()
