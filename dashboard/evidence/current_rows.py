"""The rows of an item as the finance service has them when its pack is made: the copy follows later, and of a payout it does not hold
what is paid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from dashboard import operations, operations_extra, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.decisions.registry import with_id
from dashboard.errors import FinanceError, NotFound
from dashboard.evidence.item_evidence import evidence_key, evidence_title, rows_of
from dashboard.mirror.bill_payments import PAYMENT_KIND, follow_bill_payment
from dashboard.mirror.live_rows import store_rows
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.models import (
    Approval,
    ApprovalRequest,
    Bill,
    Employee,
    FundAccount,
    Mirrored,
    Transaction,
    Vendor,
)
from dashboard.mirror.scopes import visible_fund_accounts
from dashboard.schemas.base import JsonObject

READ_S = 10.0
# Of an account that a payout pays to, as everywhere but at the service.
VISIBLE_CHARACTERS = 4
PAYOUT, FUND_OPT_IN = "payout", "fund_opt_in"
# Of the many items of a person or a period: so many reads, for so long, and none after so many in a row had no answer.
MOST_READS, MOST_SECONDS, MOST_UNANSWERED = 400, 240.0, 5
UNREAD = "{title}: the finance service did not answer, so it is as the copy has it, and may have changed since."
GONE = "{title} is no longer at the finance service: it is as it was read before."
NOT_TRIED = "{title}: not read again, so it is as the copy has it, and may have changed since."
NO_MOVEMENTS = "{title}: the movements of its fund account could not be read."


@dataclass
class ReadBudget:
    """How much may still be read live, in reads and until when on the clock of the process; and how many reads in a row had no
    answer."""

    left: int = field(default_factory=lambda: MOST_READS)
    until: float = field(default_factory=lambda: monotonic() + MOST_SECONDS)
    unanswered: int = 0

    def is_spent(self) -> bool:
        """Whether nothing more is read."""
        return self.left <= 0 or self.unanswered >= MOST_UNANSWERED or monotonic() > self.until

    def count(self, *, is_answered: bool) -> None:
        """Takes one read off, and forgets earlier ones without an answer once there is one."""
        self.left -= 1
        self.unanswered = 0 if is_answered else self.unanswered + 1


@dataclass
class CurrentRows:
    """The rows of an item, the item first; the payments of each payout among them, by its id and as the service sent them but for
    their accounts, of which the last characters are left; the movements of the fund account of each opt-in, by the opt-in's id; which
    rows the service has answered for, by their kind and id, and for which not, with the reason; a sentence for everything that could
    not be read."""

    rows: list[Mirrored]
    payments: dict[str, list[JsonObject]] = field(default_factory=dict)
    movements: dict[str, list[JsonObject]] = field(default_factory=dict)
    answered: set[tuple[str, str]] = field(default_factory=set)
    unread: dict[tuple[str, str], str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def leave(self, row: Mirrored, sentence: str) -> None:
        """Says of a row that it was not read, and why."""
        text = sentence.format(title=evidence_title(row))
        self.unread.setdefault(evidence_key(row), text)
        self.notes.append(text)


@dataclass(frozen=True, slots=True)
class RowRead:
    """How a row is read again: what is asked, in its path or its query, and the kind of the copy that is answered."""

    kind: str
    operation: Operation
    path: dict[str, str] | None = None
    query: dict[str, str | int] | None = None


def current_rows(
    actor: Actor, kind: str, remote_id: str, beat: Callable[[], None], read_budget: ReadBudget | None = None
) -> CurrentRows:
    """The item and what belongs to it, as the service has them now; no rows where the actor sees no such item. `beat` is called
    before each read, and may stop it. What `read_budget` does not allow is not read, and said to be not read."""
    rows_now = CurrentRows(rows_of(actor, kind, remote_id))
    read: set[tuple[str, str]] = set()
    read_before: list[RowRead] = []
    # What is read of one may name others: a bill its newest payment, a payment its votes.
    while unread := [row for row in rows_now.rows if evidence_key(row) not in read]:
        for row in unread:
            read.add(evidence_key(row))
            # The votes on one payment are answered together.
            row_reads = [row_read for row_read in _reads_of(row) if row_read not in read_before]
            read_before += row_reads
            _read_again(actor, row, row_reads, rows_now, beat, read_budget)
        rows_now.rows = rows_of(actor, kind, remote_id)
    rows_now.notes = list(dict.fromkeys(rows_now.notes))
    return rows_now


def read_again(
    actor: Actor, rows: Sequence[Mirrored], beat: Callable[[], None], read_budget: ReadBudget
) -> CurrentRows:
    """These rows and no others, as the service has them now, as far as the budget goes."""
    rows_now = CurrentRows([*rows])
    for row in rows:
        _read_again(actor, row, _reads_of(row), rows_now, beat, read_budget)
        if evidence_key(row) in rows_now.answered:
            row.refresh_from_db()
    return rows_now


def _read_again(
    actor: Actor,
    row: Mirrored,
    row_reads: Iterable[RowRead],
    rows_now: CurrentRows,
    beat: Callable[[], None],
    read_budget: ReadBudget | None,
) -> None:
    for row_read in row_reads:
        if read_budget is not None and read_budget.is_spent():
            rows_now.leave(row, NOT_TRIED)
            return
        beat()
        is_answered = True
        try:
            answer = read_live(
                actor, row_read.operation, path=row_read.path, query=row_read.query, subject=row, deadline=READ_S
            )
            rows_now.answered |= _store(actor, row, row_read, answer.data, rows_now)
        except NotFound:
            _leave(row, row_read, rows_now, GONE)
        except (FinanceError, ValueError):
            is_answered = False
            _leave(row, row_read, rows_now, UNREAD)
        if read_budget is not None:
            read_budget.count(is_answered=is_answered)
        if is_answered and row_read.kind == FUND_OPT_IN and isinstance(row, ApprovalRequest):
            _read_movements(actor, row, rows_now, beat)


def _leave(row: Mirrored, row_read: RowRead, rows_now: CurrentRows, sentence: str) -> None:
    """Says that what was to be read was not: the row, or the votes on it."""
    unread: list[Mirrored] = [row]
    if row_read.kind == "approval" and isinstance(row, ApprovalRequest):
        unread = [vote for vote in rows_now.rows if isinstance(vote, Approval) and vote.ref == row.ref]
    for left in unread:
        rows_now.leave(left, sentence)


def _read_movements(actor: Actor, opt_in: ApprovalRequest, rows_now: CurrentRows, beat: Callable[[], None]) -> None:
    """What moved into and out of the fund account that an opt-in is about."""
    account_id = str(opt_in.payload.get("fund_account_id") or "")
    account: FundAccount | None = visible_fund_accounts(actor).filter(remote_id=account_id or "-").first()
    beat()
    try:
        if account is None:
            raise NotFound
        answer = read_live(
            actor,
            operations_extra.READ_FUND_ACCOUNT,
            path={"fundAccountId": account_id},
            subject=account,
            deadline=READ_S,
        )
        rows_now.movements[opt_in.remote_id] = [dict(movement) for movement in answer.data["movements"]]
    except (FinanceError, KeyError, TypeError, ValueError):
        rows_now.notes.append(NO_MOVEMENTS.format(title=evidence_title(opt_in)))


def _reads_of(row: Mirrored) -> Iterator[RowRead]:
    if isinstance(row, Bill):
        yield RowRead("bill", operations_payables.READ_BILL, path={"id": row.remote_id})
    elif isinstance(row, Employee):
        yield RowRead("employee", operations.READ_EMPLOYEE, path={"employee_id": row.remote_id})
    elif isinstance(row, Vendor):
        yield RowRead("vendor", operations.READ_VENDOR, path={"id": row.remote_id})
    elif isinstance(row, Transaction):
        yield RowRead("transaction", operations.READ_TRANSACTION, path={"id": row.remote_id})
    elif isinstance(row, ApprovalRequest):
        yield from _reads_of_request(row)
    elif isinstance(row, Approval) and row.ref:
        yield RowRead("approval", operations.LIST_APPROVALS, query={"ref": row.ref})


def _reads_of_request(row: ApprovalRequest) -> Iterator[RowRead]:
    reads = MAPPERS[row.kind].approval_reads
    if row.kind == PAYOUT:
        yield RowRead(PAYOUT, operations.LIST_PAYOUTS, query={"batch_no": row.ref})
    elif reads is not None and reads.single is not None:
        operation, name = reads.single
        yield RowRead(row.kind, operation, path={name: row.remote_id if name == "id" else row.ref})
    if row.ref and row.voted:
        yield RowRead("approval", operations.LIST_APPROVALS, query={"ref": row.ref})


def _store(actor: Actor, row: Mirrored, row_read: RowRead, data: Any, rows_now: CurrentRows) -> set[tuple[str, str]]:
    """Brings into the copy what was answered, and says for which rows, by kind and id; ValueError where it is not what was asked
    for."""
    if row_read.query is None:
        store_rows(actor, row_read.kind, [with_id(row_read.kind, data)])
        if row_read.kind == PAYMENT_KIND:
            follow_bill_payment(actor.business, data)
        return {evidence_key(row)}
    rows = list(read_page(data).rows)
    if row_read.kind == PAYOUT:
        [whole] = [payout for payout in rows if str(payout.get("_id")) == row.remote_id]
        rows_now.payments[row.remote_id] = [_paid(item) for item in whole.get("items") or ()]
        rows = [{name: value for name, value in whole.items() if name != "items"}]
    store_rows(actor, row_read.kind, rows)
    return {(row_read.kind, str(payload.get("_id"))) for payload in rows}


def _paid(item: JsonObject) -> JsonObject:
    account = str(item.get("account") or "")
    return {**item, "account": f"···{account[-VISIBLE_CHARACTERS:]}" if account else ""}
