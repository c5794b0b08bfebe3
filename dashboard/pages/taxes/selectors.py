"""What is read of withholding taxes, live: the taxes, a page of what was deducted, and all of a period for its report."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.page import Page, every_row, read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import NotFound
from dashboard.schemas.taxes import Remittance, Tax, TaxTransaction

LIVE_S = 4.0
REPORT_S = 8.0
PAGE_SIZE = 50
RECENT = 20
# So many deductions are asked for by their ids at once: the address of a read has no room for more.
NAMED_AT_ONCE = 100
DEDUCTION_ID = re.compile(r"[0-9a-f]{24}")


@dataclass(frozen=True, slots=True)
class Deductions:
    """A page of deductions, and how many there are; `cursor` is the place behind which the next page goes on, "" at the end."""

    rows: list[TaxTransaction]
    total: int | None
    number: int
    cursor: str


def taxes_of(actor: Actor) -> list[Tax]:
    """All taxes by name, those in use before those that are archived. Raises the FinanceError tree."""
    rows = typed(_every(actor, operations.LIST_TAXES, {}, LIVE_S), Tax)
    return sorted(rows, key=lambda row: (row.status != "ACTIVE", row.name.casefold(), row.id))


def tax_of(actor: Actor, tax_id: str) -> Tax:
    """One tax with all its versions: the interface has no read of one. NotFound, and the rest of the FinanceError tree."""
    row = next((row for row in taxes_of(actor) if row.id == tax_id), None)
    if row is None:
        raise NotFound("There is no such tax.", code="not_found")
    return row


def deductions_of(actor: Actor, query: Mapping[str, str], number: int, cursor: str = "") -> Deductions:
    """A page of what was deducted, the newest first: behind the cursor, by its number where there is none; `query` is that of
    LIST_TAX_TRANSACTIONS."""
    sent: dict[str, str | int] = {**query, "page": number, "limit": PAGE_SIZE, **({"cursor": cursor} if cursor else {})}
    answer_page = read_page(read_live(actor, operations.LIST_TAX_TRANSACTIONS, query=sent, deadline=LIVE_S).data)
    return Deductions(typed(answer_page.rows, TaxTransaction), answer_page.total, number, answer_page.cursor)


def all_deductions(actor: Actor, query: Mapping[str, str]) -> list[TaxTransaction]:
    """All that was deducted, for a report. Raises the FinanceError tree; Drifted where it changed while it was read."""
    return typed(_every(actor, operations.LIST_TAX_TRANSACTIONS, query, REPORT_S), TaxTransaction)


def owed_of(actor: Actor, ids: Sequence[str]) -> list[TaxTransaction]:
    """Of these deductions those that are still owed, in the order in which they were made."""
    return _named(actor, ids, {"status": "DEDUCTED"})


def deductions_named(actor: Actor, ids: Sequence[str]) -> list[TaxTransaction]:
    """These deductions, owed or not, in the same order."""
    return _named(actor, ids, {})


def _named(actor: Actor, ids: Sequence[str], query: Mapping[str, str]) -> list[TaxTransaction]:
    # What is not shaped like an id is none of a deduction: it is not asked for.
    known = sorted(row_id for row_id in set(ids) if DEDUCTION_ID.fullmatch(row_id))
    parts = (known[start : start + NAMED_AT_ONCE] for start in range(0, len(known), NAMED_AT_ONCE))
    rows = [row for part in parts for row in all_deductions(actor, {**query, "ids": ",".join(part)})]
    # A service that does not know the filter answers with more than these.
    named = {row.id: row for row in rows if row.id in set(known)}
    return sorted(named.values(), key=lambda row: (row.deducted_at is None, row.deducted_at, row.id))


def remittances_of(actor: Actor) -> list[Remittance]:
    """The newest payments to the authority; none where the service has no such list."""
    query: dict[str, str | int] = {"limit": RECENT}
    try:
        answer = read_live(actor, operations_extra.LIST_REMITTANCES, query=query, deadline=LIVE_S)
    except NotFound:
        return []
    return typed(read_page(answer.data).rows, Remittance)


def _every(actor: Actor, operation: Operation, query: Mapping[str, str], deadline: float) -> list[dict[str, object]]:
    def fetch(number: int, size: int) -> Page:
        sent: dict[str, str | int] = {**query, "page": number, "limit": size}
        return read_page(read_live(actor, operation, query=sent, deadline=deadline).data)

    return [dict(row) for row in every_row(fetch)]
