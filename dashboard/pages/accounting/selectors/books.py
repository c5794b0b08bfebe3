"""The books of a month, live: the trial balance, an account's entries, one posting, and the general ledger whole."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import parsed
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer, FinanceError
from dashboard.mirror.models import Transaction
from dashboard.mirror.scopes import visible_transactions
from dashboard.schemas.accounting import AccountLedger, Posting, TrialAccount, TrialBalance

LIVE_S = 8.0
FILE_S = 60.0
PAGE_SIZE = 100
FX_CLEARING = "FX_CLEARING"
LEDGER_COLUMNS = (
    "effective_on", "posted_at", "account_id", "account_kind", "account_name", "currency", "transaction_id", "ref",
    "type", "description", "debit", "credit",
)  # fmt: skip
# What the service puts a quote before, so that no spreadsheet runs it: our files mark it again, each in its own way.
MARKED = ("'=", "'+", "'-", "'@")
Cell = str | int | Decimal | date | datetime | None


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """Every entry of a month as rows of cells, in the order of LEDGER_COLUMNS."""

    rows: list[tuple[Cell, ...]]


def trial_balance_of(actor: Actor, period: str) -> TrialBalance:
    """The trial balance of a month; NotFound, and the rest of the FinanceError tree."""
    path = {"period": period}
    return parsed(read_live(actor, operations_extra.READ_TRIAL_BALANCE, path=path, deadline=LIVE_S).data, TrialBalance)


def fx_open_of(actor: Actor, period: str) -> list[TrialAccount] | None:
    """The accounts that FX passes through and that are not at nothing at the month's end; None where that is not known."""
    try:
        return fx_open(trial_balance_of(actor, period))
    except FinanceError:
        return None


def fx_open(report: TrialBalance) -> list[TrialAccount]:
    """Of a trial balance the accounts that FX passes through and left something on."""
    return [row for row in report.accounts if row.kind == FX_CLEARING and row.closing_minor]


def account_ledger_of(actor: Actor, period: str, account_id: int, after: str) -> AccountLedger:
    """A page of an account's entries in a month, the oldest first, behind a place of it ("" from the first); NotFound for an account that had none until then."""
    answer = read_live(
        actor, operations_extra.READ_ACCOUNT_LEDGER, path={"period": period, "account_id": str(account_id)},
        query={"after": after, "limit": PAGE_SIZE}, deadline=LIVE_S,
    )  # fmt: skip
    return parsed(answer.data, AccountLedger)


def posting_of(actor: Actor, posting_id: int) -> Posting:
    """One posting with all its entries; NotFound, and the rest of the FinanceError tree."""
    path = {"posting_id": str(posting_id)}
    return parsed(read_live(actor, operations_extra.READ_POSTING, path=path, deadline=LIVE_S).data, Posting)


def transactions_of(actor: Actor, posting: Posting) -> list[Transaction]:
    """The transactions of a posting that the actor sees, as the copy has them."""
    ids = [row.id for row in posting.transactions]
    return list(visible_transactions(actor).filter(remote_id__in=ids).order_by("occurred_at", "id"))


def general_ledger_of(actor: Actor, period: str) -> LedgerFile:
    """Every entry of the month, account by account. BadAnswer for a file that is none of this kind."""
    answer = read_live(
        actor, operations_extra.DOWNLOAD_GENERAL_LEDGER, path={"period": period}, deadline=FILE_S, as_bytes=True
    )
    return LedgerFile(list(_typed_rows(bytes(answer.data))))


def _typed_rows(content: bytes) -> Iterator[tuple[Cell, ...]]:
    try:
        rows = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True)
        if tuple(next(rows, ())) != LEDGER_COLUMNS:
            raise BadAnswer("The finance service sent a general ledger with other columns.", code="columns")
        for row in rows:
            day, posted, account, kind, name, currency, posting, ref, type_, text, debit, credit = row
            yield (
                date.fromisoformat(day), datetime.fromisoformat(posted), int(account), kind, _text(name), currency,
                int(posting), _text(ref), type_, _text(text), _amount(debit), _amount(credit),
            )  # fmt: skip
    except (ValueError, InvalidOperation, csv.Error):
        raise BadAnswer("The finance service sent a general ledger that cannot be read.", code="unreadable") from None


def _text(cell: str) -> str:
    return cell[1:] if cell.startswith(MARKED) else cell


def _amount(cell: str) -> Decimal | None:
    return Decimal(cell) if cell else None
