"""What is read for the expenses: one of them with its receipts, sums for the reports, one's exports of receipts."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.client.reads import read_live
from dashboard.lists.models import ReceiptsJob
from dashboard.lists.query import Query
from dashboard.mirror.category_sums import SPENT, sums_by_category
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses

NOT_FILED, NO_TEAM = "Uncategorised", "No team"
MAX_JOBS = 20
DOWNLOAD_S = 60.0

# By the names of team and category: how many expenses, their sum in minor units, and how many of them stand in another
# category already.
Cells = dict[tuple[str, str], tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class ReceiptFile:
    """A receipt as the service keeps it: the name that it came with, and its bytes."""

    name: str
    content: bytes


def expense_for(actor: Actor, remote_id: str) -> Expense:
    """The expense of that id; Http404 outside what the actor may see."""
    expense: Expense = get_object_or_404(visible_expenses(actor), remote_id=remote_id)
    return expense


def receipt_file(actor: Actor, expense: Expense, receipt_id: str) -> ReceiptFile | None:
    """A receipt of the expense, read live; None where it has none of that id. Raises FinanceError."""
    receipts = [row for row in expense.payload.get("receipts") or [] if isinstance(row, dict)]
    files: dict[str, dict[str, Any]] = {str(row.get("_id")): row for row in receipts}
    if receipt_id not in files:
        return None
    path = {"transactionRef": expense.transaction_ref or expense.remote_id}
    query = {"receipt": receipt_id} if len(files) > 1 else None
    answer = read_live(actor, operations.DOWNLOAD_RECEIPT, path=path, query=query, subject=expense, as_bytes=True)
    return ReceiptFile(str(files[receipt_id].get("file_name") or "receipt"), answer.data)


def is_of_spent(query: Query) -> bool:
    """Whether reports are of what was spent: of expenses of one state only where the filters name it."""
    return "status" not in query.chosen


def sums_by_currency(actor: Actor, query: Query) -> dict[str, Cells]:
    """What the list's filters leave, summed by currency, then by team and category; what is split by its parts. Without a
    state among the filters, of what was spent."""
    sums: dict[str, Cells] = defaultdict(dict)
    rows = query.rows(actor)
    if is_of_spent(query):
        rows = rows.filter(status__in=SPENT)
    for row in sums_by_category(rows, "currency", "team_name"):
        currency, team = row.values
        place = team or NO_TEAM, row.category or NOT_FILED
        count, minor, again = sums[currency].get(place, (0, 0, 0))
        sums[currency][place] = count + row.count, minor + row.minor, again + row.again
    return dict(sorted(sums.items()))


def _own_jobs(actor: Actor) -> QuerySet[ReceiptsJob]:
    return ReceiptsJob.objects.filter(membership_id=actor.member_id).select_related("membership")


def receipts_jobs(actor: Actor) -> list[ReceiptsJob]:
    """The actor's own exports of receipts, the newest first, MAX_JOBS at most."""
    return list(_own_jobs(actor).order_by("-created_at")[:MAX_JOBS])


def receipts_job(actor: Actor, job_id: int) -> ReceiptsJob:
    """One of the actor's own exports of receipts; Http404 for any other."""
    job: ReceiptsJob = get_object_or_404(_own_jobs(actor), pk=job_id)
    return job


def export_content(actor: Actor, receipts_job: ReceiptsJob, download_url: str) -> bytes:
    """The bytes of a finished export, by the address that the service has just signed; raises FinanceError."""
    path = {"token": urlsplit(download_url).path.rstrip("/").rpartition("/")[2]}
    operation = operations_extra.DOWNLOAD_RECEIPTS_EXPORT
    answer = read_live(actor, operation, path=path, subject=receipts_job, as_bytes=True, deadline=DOWNLOAD_S)
    content: bytes = answer.data
    return content
