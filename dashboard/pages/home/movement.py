"""What was spent this month, by category and by team, from the copy."""

from zoneinfo import ZoneInfo

from django.db.models import Count, Sum
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.cash.movement import Part, share
from dashboard.mirror.scopes import visible_expenses
from dashboard.money import number
from dashboard.times import local

TOP = 5
SPENT = ("PENDING", "APPROVED", "DETAILS_REQUESTED")


def spending_of(actor: Actor) -> list[tuple[str, list[Part], list[Part]]]:
    """Per currency what was spent since the first of the month: the top categories, and the top teams."""
    zone = ZoneInfo(actor.business.time_zone)
    first = local(timezone.now(), actor.business).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    rows = visible_expenses(actor).filter(transaction_date__gte=first.astimezone(zone), status__in=SPENT)
    found: dict[str, tuple[list[Part], list[Part]]] = {}
    for place, name in enumerate(("category_name", "team_name")):
        grouped = rows.order_by().values_list("currency", name).annotate(Count("pk"), Sum("amount_minor"))
        by_currency: dict[str, list[tuple[str, int, int]]] = {}
        for currency, label, many, minor in grouped:
            by_currency.setdefault(currency, []).append((label or "Not filed", many, minor))
        for currency, parts in by_currency.items():
            found.setdefault(currency, ([], []))[place].extend(_top(parts, currency, actor.business.locale))
    return [(currency, *parts) for currency, parts in sorted(found.items())]


def _top(parts: list[tuple[str, int, int]], currency: str, locale: str) -> list[Part]:
    ordered = sorted(parts, key=lambda each: (-each[2], each[0]))[:TOP]
    whole = sum(minor for _, _, minor in parts)
    return [Part(name, number(minor, currency, locale), many, share(minor, whole)) for name, many, minor in ordered]
