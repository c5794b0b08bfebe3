"""What waits for one: what of it is about to miss its cut-off, and what is asked of one about one's own expenses."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.filters import Filters
from dashboard.decisions.totals import waiting_approvals, waiting_requests
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses
from dashboard.pages.home.sums import summed

AT_RISK = timedelta(days=1)
SHOWN = 3


@dataclass(frozen=True)
class Risk:
    """What of one's queue reaches its cut-off within a day, and what is past it: how many, and what it comes to."""

    soon: int
    soon_sums: list[str]
    missed: int
    missed_sums: list[str]


@dataclass(frozen=True)
class Asked:
    """What is asked of one about one's own expenses: an answer, or a receipt; and the first few of them."""

    answers: int
    receipts: int
    first: list[dict[str, str]]


def risk_of(actor: Actor) -> Risk:
    """Of what waits for one's own decision."""
    now, waiting = timezone.now(), (waiting_approvals(actor, Filters()), waiting_requests(actor, Filters()))
    soon = (rows.filter(due_at__gt=now, due_at__lte=now + AT_RISK) for rows in waiting)
    missed = (rows.filter(due_at__lte=now) for rows in waiting)
    return Risk(*summed(actor, *soon), *summed(actor, *missed))


def asked_of(actor: Actor) -> Asked:
    """How many of one's own expenses somebody wants to know more about, or wants the receipt of."""
    answer = Q(status="DETAILS_REQUESTED")
    receipt = Q(status="PENDING", has_receipt=False, payload__receipt_required=True)
    own = _own(actor).filter(answer | receipt)
    many = own.aggregate(answers=Count("pk", filter=answer), receipts=Count("pk", filter=receipt))
    columns = ("remote_id", "merchant", "amount_text", "status")
    rows = own.order_by("-transaction_date", "-id").values_list(*columns)[:SHOWN]
    first = [
        {
            "id": remote_id,
            "title": f"{merchant or 'Expense'} {amount}".strip(),
            "what": "Answer the question" if status == "DETAILS_REQUESTED" else "Add the receipt",
        }
        for remote_id, merchant, amount, status in rows
    ]
    return Asked(many["answers"], many["receipts"], first)


def _own(actor: Actor) -> QuerySet[Expense]:
    return visible_expenses(actor).filter(employee_id=actor.employee_id or "-")
