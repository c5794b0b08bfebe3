"""What a person spent, entered and asked for in the days of their pack: each expense, each bill that they entered, and each request
and vote that is theirs."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.errors import Rejected
from dashboard.evidence.current_rows import CurrentRows, ReadBudget, current_rows, read_again
from dashboard.evidence.entered_bills import bills_entered
from dashboard.evidence.item_evidence import evidence_key, expense_transactions
from dashboard.evidence.own_item import OwnItem
from dashboard.mirror.models import Approval, ApprovalRequest, Bill, Expense, Mirrored
from dashboard.mirror.scopes import visible_approvals, visible_bills, visible_expenses, visible_requests

MOST_OWN = 5_000
CHUNK = 20
SPENT, REQUESTED, FOR_THEM, VOTE_REQUESTED = (
    "spent by them",
    "requested by them",
    "for them",
    "approval requested by them",
)
BELONGS = "belongs to {item}"


@dataclass(frozen=True, slots=True)
class OwnItems:
    """What is a person's own in some days, the earliest first of each: expenses, requests beside them, requests for votes, bills."""

    expenses: list[OwnItem] = field(default_factory=list)
    requests: list[OwnItem] = field(default_factory=list)
    votes: list[OwnItem] = field(default_factory=list)
    bills: list[OwnItem] = field(default_factory=list)

    def __iter__(self) -> Iterator[OwnItem]:
        """Expenses, requests, requests for votes and bills, in this order."""
        for own in (self.expenses, self.requests, self.votes, self.bills):
            yield from own

    def moments(self) -> Iterator[datetime]:
        """When each was spent, requested or entered: then the policies decided on it."""
        for item in self:
            yield item.at

    def reasons(self) -> Mapping[tuple[str, str], str]:
        """Why each is their own, by its kind and id."""
        return {item.key: item.because for item in self}


def own_items(actor: Actor, employee_id: str, begin: datetime | None, end: datetime | None) -> OwnItems:
    """What somebody spent, entered and asked for from one moment to another, as far as the actor sees it.

    Rejected for more than MOST_OWN.
    """
    mine = Q(holder_id=employee_id) | Q(requested_by_id=employee_id)
    expenses = visible_expenses(actor).filter(_between("transaction_date", begin, end), employee_id=employee_id)
    requests = visible_requests(actor).filter(mine, _between("requested_at", begin, end))
    votes = visible_approvals(actor).filter(_between("requested_at", begin, end), requested_by_id=employee_id)
    owned = OwnItems(
        [
            OwnItem(pk, at, ("expense", remote_id), SPENT)
            for pk, at, remote_id in expenses.order_by("transaction_date", "pk").values_list(
                "pk", "transaction_date", "remote_id"
            )[: MOST_OWN + 1]
        ],
        [
            OwnItem(pk, at, (kind, remote_id), REQUESTED if requester == employee_id else FOR_THEM)
            for pk, at, remote_id, kind, requester in requests.order_by("requested_at", "pk").values_list(
                "pk", "requested_at", "remote_id", "kind", "requested_by_id"
            )[: MOST_OWN + 1]
        ],
        [
            OwnItem(pk, at, ("approval", remote_id), VOTE_REQUESTED)
            for pk, at, remote_id in votes.order_by("requested_at", "pk").values_list(
                "pk", "requested_at", "remote_id"
            )[: MOST_OWN + 1]
        ],
        bills_entered(actor, employee_id, begin, end, MOST_OWN + 1),
    )
    if sum(1 for _ in owned) > MOST_OWN:
        raise Rejected(
            f"These are more than {MOST_OWN:,} expenses, bills and requests: choose fewer days.", code="too_many"
        )
    return owned


def _between(moment: str, begin: datetime | None, end: datetime | None) -> Q:
    bounds = {f"{moment}__gte": begin, f"{moment}__lt": end}
    return Q(**{name: at for name, at in bounds.items() if at is not None})


def own_rows(
    actor: Actor, owned: OwnItems, beat: Callable[[], None], read_budget: ReadBudget, known: Container[tuple[str, str]]
) -> Iterator[tuple[datetime, CurrentRows]]:
    """When each was spent, requested or entered, and its rows, itself first, a few at a time: an expense as the copy has it, for the
    finance service reads none by itself, with its transactions; these, requests and bills as they are there now, as far as the budget
    goes. What is `known` by then, by kind and id, was read with another one, and is left out."""
    for start in range(0, len(owned.expenses), CHUNK):
        beat()
        for row, rows in _expenses(actor, [item.pk for item in owned.expenses[start : start + CHUNK]]):
            yield row.transaction_date, read_again(actor, rows, beat, read_budget)
    for items, seen in (
        (owned.requests, visible_requests(actor)),
        (owned.votes, visible_approvals(actor)),
        (owned.bills, visible_bills(actor)),
    ):
        for item in items:
            own: ApprovalRequest | Approval | Bill | None = seen.filter(pk=item.pk).first()
            if own is not None and evidence_key(own) not in known:
                yield item.at, current_rows(actor, *evidence_key(own), beat, read_budget)


def _expenses(actor: Actor, pks: Sequence[int]) -> Iterator[tuple[Expense, list[Mirrored]]]:
    rows: list[Expense] = list(visible_expenses(actor).filter(pk__in=pks).order_by("transaction_date", "pk"))
    posted: dict[str, list[Mirrored]] = {}
    for transaction in expense_transactions(actor, rows):
        posted.setdefault(transaction.expense_id, []).append(transaction)
    for row in rows:
        yield row, [row, *posted.get(row.remote_id, ())]
