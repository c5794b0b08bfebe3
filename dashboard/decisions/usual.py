"""What is usual at a business: how long each team takes to decide, and what is paid in each currency. Written onto what
waits, where the database weighs it (mirror/models/weights.py); reckoned anew each hour."""

from datetime import timedelta
from statistics import median
from typing import Any, TypedDict

from django.utils import timezone

from dashboard.access.models import Business
from dashboard.cache import load, store
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import WAITING_APPROVAL, WAITING_EXPENSE, Approval, Expense, Team
from dashboard.mirror.models.weights import USUAL_S

REMEMBERED_S = 3600
WITHIN = timedelta(days=180)
# Of so many of the newest the middle one is usual; of fewer than FEWEST nothing is.
NEWEST, FEWEST = 200, 5
DECIDED = ("APPROVED", "REJECTED")
# The key of the time that payment requests take: they have no team.
PAYMENTS = ""


class Usual(TypedDict):
    """`seconds` from the spending to the decision by team id, "" for payment requests; `minor` by currency."""

    seconds: dict[str, int]
    minor: dict[str, int]


def write_usual() -> int:
    """Writes what is usual onto every row that waits and has another value; how many rows were written."""
    return sum(write_usual_of(business, _remembered(business)) for business in Business.objects.all())


def _remembered(business: Business) -> Usual:
    name = f"usual:{business.pk}"
    usual: Usual | None = load(name)
    if usual is None:
        usual = usual_of(business)
        store(name, usual, REMEMBERED_S)
    return usual


def write_usual_of(business: Business, usual: Usual) -> int:
    """Writes it onto the waiting rows of a business."""
    expenses = Expense.objects.filter(WAITING_EXPENSE, business=business)
    approvals = Approval.objects.filter(WAITING_APPROVAL, business=business)
    written = 0
    for team_id, seconds in usual["seconds"].items():
        rows: Any = approvals if team_id == PAYMENTS else expenses.filter(team_id=team_id)
        written += rows.exclude(usual_s=seconds).update(usual_s=seconds)
    for currency, minor in usual["minor"].items():
        for rows in (expenses, approvals):
            written += rows.filter(currency=currency).exclude(usual_minor=minor).update(usual_minor=minor)
    return written


def usual_of(business: Business) -> Usual:
    """What is usual at the business now, by its newest decisions of half a year."""
    teams = [*Team.objects.filter(business=business, tombstoned_at=None).values_list("remote_id", flat=True)]
    seconds = {team_id: _seconds_of_team(business, team_id) for team_id in teams}
    return {"seconds": {**seconds, PAYMENTS: _seconds_of_payments(business)}, "minor": _minor_of(business)}


def _seconds_of_team(business: Business, team_id: str) -> int:
    rows = Expense.objects.filter(
        business=business, team_id=team_id, status__in=DECIDED, transaction_date__gt=timezone.now() - WITHIN
    ).order_by("-transaction_date", "-id")
    times = rows.values_list("transaction_date", "payload__reviewed_at")[:NEWEST]
    return _middle([(began, moment(ended)) for began, ended in times])


def _seconds_of_payments(business: Business) -> int:
    rows = Approval.objects.filter(
        business=business, status__in=DECIDED, requested_at__gt=timezone.now() - WITHIN
    ).order_by("-requested_at", "-id")
    return _middle([*rows.values_list("requested_at", "remote_updated_at")[:NEWEST]])


def _middle(times: list[tuple[Any, Any]]) -> int:
    durations = [(ended - began).total_seconds() for began, ended in times if ended is not None and ended > began]
    if len(durations) < FEWEST:
        return USUAL_S
    seconds = max(60, int(median(durations)))
    # USUAL_S says that nothing is known; who really takes so long is told from that by a second.
    return seconds if seconds != USUAL_S else USUAL_S + 1


def _minor_of(business: Business) -> dict[str, int]:
    rows = Expense.objects.filter(business=business, status="APPROVED").order_by("-transaction_date", "-id")
    amounts: dict[str, list[int]] = {}
    for currency, minor in rows.values_list("currency", "amount_minor")[: NEWEST * 10]:
        amounts.setdefault(currency, []).append(minor)
    return {code: max(1, int(median(minors))) for code, minors in amounts.items() if len(minors) >= FEWEST}
