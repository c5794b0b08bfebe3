"""Looking at how things stand upstream: to learn who was faster, and to find out what became of an unknown decision."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.subject import people, person
from dashboard.client.call import Deadline
from dashboard.client.errors import FinanceError
from dashboard.client.gateway import send
from dashboard.client.page import Page, every_row, read_page
from dashboard.decisions.models import Decision
from dashboard.decisions.requests import wire_of
from dashboard.mirror.apply import upsert_approvals, upsert_expenses
from dashboard.mirror.models import Approval, Employee, Expense
from dashboard.operations import OPERATIONS

READ_S = 6.0
MOST_PAGES = 10
FRESH_FOR = timedelta(seconds=60)


@dataclass(frozen=True)
class Found:
    """How a thing stands upstream, judged for one decision."""

    status: str
    done: bool
    ours: bool
    by: str


def look(decisions: Sequence[Decision]) -> dict[UUID, Found]:
    """Reads the things of decisions afresh, in one go, brings them into the copy, and judges each.

    All are of one business and kind. A thing that cannot be read or found in a few seconds is left out.
    """
    if not decisions:
        return {}
    payloads = _read(decisions[0].business, decisions[0].object_type, [one.object_id for one in decisions])
    return {one.pk: judge(one, payloads[one.object_id]) for one in decisions if one.object_id in payloads}


def freshen(decisions: Sequence[Decision]) -> None:
    """Reads again what the copy last heard of more than a minute ago, before a decision on it is sent.

    Where the service cannot be read the copy stands: the service has the last word on the decision itself.
    """
    if not decisions:
        return
    kind = decisions[0].object_type
    rows: Any = Expense.objects if kind == "expense" else Approval.objects
    old = rows.filter(
        business=decisions[0].business,
        remote_id__in=[one.object_id for one in decisions],
        last_seen__lt=timezone.now() - FRESH_FOR,
    )
    if ids := list(old.values_list("remote_id", flat=True)):
        _read(decisions[0].business, kind, ids)


def judge(decision: Decision, payload: dict[str, Any]) -> Found:
    """Whether the payload shows that the decision was done, and whether it was this person's doing."""
    wire = wire_of(OPERATIONS[decision.operation])
    employee_id = decision.membership.employee_id
    status = str(payload.get("status") or "")
    if decision.is_vote:
        voted = _voters(payload)
        ours = bool(employee_id) and employee_id in voted
        return Found(status, done=ours, ours=ours, by=_name(decision.business, _last_voter(payload)))
    reviewer = payload.get("reviewed_by")
    ours = bool(employee_id) and person(reviewer) == employee_id
    return Found(status, done=status in wire.becomes, ours=ours, by=_name(decision.business, reviewer))


def _voters(payload: dict[str, Any]) -> frozenset[str]:
    votes: list[Any] = [*(payload.get("votes") or [])]
    for step in payload.get("steps") or []:
        if isinstance(step, dict):
            votes.extend(step.get("votes") or [])
    return people(*(vote.get("approver_id") or vote if isinstance(vote, dict) else vote for vote in votes))


def _last_voter(payload: dict[str, Any]) -> Any:
    votes = payload.get("votes") or []
    return votes[-1] if votes and isinstance(votes, list) else payload.get("decided_by")


def _name(business: Business, reviewer: Any) -> str:
    if isinstance(reviewer, dict) and reviewer.get("name"):
        return str(reviewer["name"])
    known = Employee.objects.filter(business=business, remote_id=person(reviewer) or "-").values_list("name", flat=True)
    return known.first() or ""


def _read(business: Business, kind: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    try:
        if kind == "expense":
            found = _expenses(business, ids)
            upsert_expenses(business, list(found.values()), "POLL")
        else:
            found = _first_of(business, operations.LIST_APPROVALS, {}, ids)
            upsert_approvals(business, list(found.values()), "POLL")
    except FinanceError:
        return {}
    return found


def _expenses(business: Business, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    # There is no GET of one expense: the days around it are read until it is found.
    rows = Expense.objects.filter(business=business, remote_id__in=ids)
    days = sorted(day.date() for day in rows.values_list("transaction_date", flat=True))
    if not days:
        return {}
    around = {
        "from": (days[0] - timedelta(days=1)).isoformat(),
        "to": (days[-1] + timedelta(days=1)).isoformat(),
    }
    return _first_of(business, operations.LIST_EXPENSES, around, ids)


def _first_of(
    business: Business, operation: Operation, query: dict[str, str], ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    reader, wanted, found = Actor.reader_for(business), set(ids), dict[str, dict[str, Any]]()
    patience = Deadline(READ_S)

    def fetch(number: int, limit: int) -> Page:
        asked: dict[str, str | int] = {**query, "page": number, "limit": limit}
        return read_page(send(reader, operation, query=asked, deadline=max(0.1, patience.left)).data)

    rows: Iterator[dict[str, Any]] = every_row(fetch, max_pages=MOST_PAGES)
    for row in rows:
        row_id = str(row.get("_id") or "")
        if row_id in wanted:
            found[row_id] = row
            wanted.discard(row_id)
        if not wanted or not patience.left:
            break
    return found
