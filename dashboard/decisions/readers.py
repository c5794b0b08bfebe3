"""Reading things afresh from the service, whatever their kind, and bringing them into the copy."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.client.call import Deadline
from dashboard.client.gateway import send
from dashboard.client.page import Page, every_row, read_page
from dashboard.decisions.things import named
from dashboard.errors import FinanceError, NotFound
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Approval, Expense, Source

READ_S = 6.0
MOST_PAGES = 10
Payloads = dict[str, dict[str, Any]]


def read(business: Business, kind: str, ids: Sequence[str]) -> Payloads:
    """The things by their ids, as far as they can be read in a few seconds; the copy has them then."""
    try:
        found = READERS[kind](business, ids)
        upsert(kind, business, list(found.values()), Source.POLL)
    except FinanceError:
        return {}
    return found


def _expenses(business: Business, ids: Sequence[str]) -> Payloads:
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


def _approvals(business: Business, ids: Sequence[str]) -> Payloads:
    refs = Approval.objects.filter(business=business, remote_id__in=ids).values_list("ref", flat=True)
    # One by its reference; a service that knows no such filter shows all, and it is found among them.
    narrowed = {"ref": refs[0]} if len(ids) == 1 and refs and refs[0] else {}
    return _first_of(business, operations.LIST_APPROVALS, narrowed, ids)


def _card_orders(business: Business, ids: Sequence[str]) -> Payloads:
    return _first_of(business, operations.LIST_CARD_ORDERS, {}, ids)


def _each_by(operation: Operation, name: str, kind: str = "") -> Callable[[Business, Sequence[str]], Payloads]:
    def one_by_one(business: Business, ids: Sequence[str]) -> Payloads:
        reader, patience, found = Actor.reader_for(business), Deadline(READ_S), Payloads()
        for each in ids:
            if not patience.left:
                break
            try:
                answer = send(reader, operation, path={name: each}, deadline=max(0.1, patience.left))
            except NotFound:
                continue
            found[each] = named(kind, answer.data)
        return found

    return one_by_one


def _first_of(business: Business, operation: Operation, query: dict[str, str], ids: Sequence[str]) -> Payloads:
    reader, wanted, found = Actor.reader_for(business), set(ids), Payloads()
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


READERS: dict[str, Callable[[Business, Sequence[str]], Payloads]] = {
    "expense": _expenses,
    "approval": _approvals,
    "card_order": _card_orders,
    "card_request": _each_by(operations_extra.READ_CARD_REQUEST, "id"),
    "fund_opt_in": _each_by(operations.READ_FUND_OPT_IN, "ref", "fund_opt_in"),
    "hand_transaction": _each_by(operations.READ_TRANSACTION, "id"),
}
