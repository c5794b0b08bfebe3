"""What a person spent and asked for in the days of their pack: each expense, and each request and vote that is theirs."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.errors import Rejected
from dashboard.evidence.current_rows import CurrentRows, ReadBudget, current_rows, read_again
from dashboard.evidence.item_evidence import evidence_key, expense_transactions
from dashboard.mirror.models import Approval, ApprovalRequest, Expense, Mirrored
from dashboard.mirror.scopes import visible_approvals, visible_expenses, visible_requests

MOST_OWN = 5_000
CHUNK = 20


@dataclass(frozen=True, slots=True)
class OwnItem:
    """An item of a person's own: its key in the copy, and when it was spent or requested."""

    pk: int
    at: datetime


@dataclass(frozen=True, slots=True)
class OwnItems:
    """What is a person's own in some days, the earliest first: expenses, requests beside them, and requests for votes."""

    expenses: list[OwnItem]
    requests: list[OwnItem]
    votes: list[OwnItem]

    def moments(self) -> Iterator[datetime]:
        """When each was spent or requested: then the policies decided on it."""
        for own in (*self.expenses, *self.requests, *self.votes):
            yield own.at


def own_items(actor: Actor, employee_id: str, begin: datetime | None, end: datetime | None) -> OwnItems:
    """What somebody spent and asked for from one moment to another, as far as the actor sees it.

    Rejected for more than MOST_OWN.
    """
    mine = Q(holder_id=employee_id) | Q(requested_by_id=employee_id)
    expenses = visible_expenses(actor).filter(_between("transaction_date", begin, end), employee_id=employee_id)
    requests = visible_requests(actor).filter(mine, _between("requested_at", begin, end))
    votes = visible_approvals(actor).filter(_between("requested_at", begin, end), requested_by_id=employee_id)
    listed: list[list[OwnItem]] = []
    for rows, moment in ((expenses, "transaction_date"), (requests, "requested_at"), (votes, "requested_at")):
        keys = rows.order_by(moment, "pk").values_list("pk", moment)[: MOST_OWN + 1]
        listed.append([OwnItem(pk, at) for pk, at in keys])
    if sum(map(len, listed)) > MOST_OWN:
        raise Rejected(f"These are more than {MOST_OWN:,} expenses and requests: choose fewer days.", code="too_many")
    return OwnItems(*listed)


def _between(moment: str, begin: datetime | None, end: datetime | None) -> Q:
    bounds = {f"{moment}__gte": begin, f"{moment}__lt": end}
    return Q(**{name: at for name, at in bounds.items() if at is not None})


def own_rows(
    actor: Actor, owned: OwnItems, beat: Callable[[], None], read_budget: ReadBudget, known: Container[tuple[str, str]]
) -> Iterator[CurrentRows]:
    """The rows of each, itself first, a few at a time: an expense as the copy has it, for the finance service reads none by itself,
    with its transactions; these and requests as they are there now, as far as the budget goes. What is `known` by then, by kind and
    id, was read with another one, and is left out."""
    for start in range(0, len(owned.expenses), CHUNK):
        beat()
        for rows in _expenses(actor, [item.pk for item in owned.expenses[start : start + CHUNK]]):
            yield read_again(actor, rows, beat, read_budget)
    for items, seen in ((owned.requests, visible_requests(actor)), (owned.votes, visible_approvals(actor))):
        for item in items:
            row: ApprovalRequest | Approval | None = seen.filter(pk=item.pk).first()
            if row is not None and evidence_key(row) not in known:
                yield current_rows(actor, *evidence_key(row), beat, read_budget)


def _expenses(actor: Actor, pks: Sequence[int]) -> Iterator[list[Mirrored]]:
    rows: list[Expense] = list(visible_expenses(actor).filter(pk__in=pks).order_by("transaction_date", "pk"))
    posted: dict[str, list[Mirrored]] = {}
    for transaction in expense_transactions(actor, rows):
        posted.setdefault(transaction.expense_id, []).append(transaction)
    for row in rows:
        yield [row, *posted.get(row.remote_id, ())]
