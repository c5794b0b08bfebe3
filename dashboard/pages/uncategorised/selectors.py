"""What the queue is read from: the rows of a list that have no category, and what stands before and after one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.shortcuts import get_object_or_404

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands import expenses as expense_commands
from dashboard.commands import transactions as transaction_commands
from dashboard.lists.columns import List
from dashboard.lists.query import Query
from dashboard.lists.registry import find
from dashboard.mirror.models import Expense, Transaction
from dashboard.mirror.scopes import visible_expenses, visible_transactions

# The filter of both lists that lets through what the queue holds: so its bulk action is the list's own.
FILTER = "to_file"


@dataclass(frozen=True, eq=False)
class Queue:
    """One of the two queues: `kind` is in its addresses, `moment` what it is sorted by."""

    kind: str
    list_name: str
    address: str
    moment: str
    operation: Operation
    visible: Callable[[Actor], QuerySet[Any]]
    command: Callable[..., object]

    @property
    def item_address(self) -> str:
        """The name of an item's address."""
        return f"uncategorised_{self.kind}"

    @property
    def form_address(self) -> str:
        """The name of the address that an item's form is sent to."""
        return f"uncategorised_categorise_{self.kind}"


EXPENSE_QUEUE = Queue(
    "expense", "expenses", "uncategorised", "transaction_date", operations.CATEGORISE_EXPENSE,
    visible_expenses, expense_commands.categorise,
)  # fmt: skip
TRANSACTION_QUEUE = Queue(
    "transaction", "transactions", "uncategorised_transactions", "occurred_at", operations.TAG_TRANSACTION,
    visible_transactions, transaction_commands.recategorise_transaction,
)  # fmt: skip
QUEUES = (EXPENSE_QUEUE, TRANSACTION_QUEUE)


@cache
def list_of(queue: Queue) -> List:
    """The declared list that the queue is a part of, each row as the object that it is."""
    listed = find(queue.list_name)
    assert listed is not None
    assert listed.declared is not None
    return replace(listed.declared, line=lambda _, row: row, has_box=lambda row: not row.category_name)


def query_of(queue: Queue, given: QueryDict) -> Query:
    """The list's query with the queue's filter, and of the address its search and its page."""
    narrowed = QueryDict(mutable=True)
    narrowed.update({name: given.get(name, "") for name in ("q", "after")} | {FILTER: "1"})
    return Query.read(list_of(queue), narrowed)


def item_of(queue: Queue, actor: Actor, remote_id: str) -> Expense | Transaction:
    """The item, filed by now or not; Http404 outside what the actor may see."""
    item: Expense | Transaction = get_object_or_404(queue.visible(actor), remote_id=remote_id)
    return item


def beside(queue: Queue, query: Query, actor: Actor, item: Expense | Transaction) -> tuple[str, str]:
    """The ids of what stands before and after an item in the queue as it is searched, "" at its ends, whether the item is
    in it or not."""
    moment = getattr(item, queue.moment)
    rows = query.rows(actor)
    newer = Q(**{f"{queue.moment}__gt": moment}) | Q(**{queue.moment: moment, "pk__gt": item.pk})
    older = Q(**{f"{queue.moment}__lt": moment}) | Q(**{queue.moment: moment, "pk__lt": item.pk})
    before = rows.filter(newer).order_by(queue.moment, "pk").values_list("remote_id", flat=True).first()
    after = rows.filter(older).order_by(f"-{queue.moment}", "-pk").values_list("remote_id", flat=True).first()
    return before or "", after or ""
