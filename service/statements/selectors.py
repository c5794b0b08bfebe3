"""Statements as the old interface has them: entries of the ledger by effective day, each with what it was about
(decisions A.2, F.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from django.db.models import Exists, OuterRef, Q

from service import errors, money, periods
from service.accounts import selectors
from service.accounts.models import Wallet
from service.accounts.wallets import wallet_by_ref
from service.auth import Caller
from service.expenses.serializers_v1 import ExpenseShapeV1
from service.ledger.models import LedgerEntry
from service.ledger.statements import EntryWithBalance, balances_after
from service.statements import subjects

# Postings that put money on an account for whoever holds it; refunds and reversals give back what it had.
TOP_UPS = ("TOPUP", "ALLOCATION")


@dataclass(frozen=True, slots=True)
class DaysPage:
    """A page of inclusive days in the business's time zone."""

    page: int
    limit: int
    first: date | None
    last: date | None


class TopupShape(TypedDict):
    """What a line of an employee's statement is about that is a TOPUP; the amount in units of its currency."""

    _id: str
    ref: str
    currency: str
    createdAt: datetime
    accno: str
    amount: Decimal


class RefundShape(TypedDict):
    """The object of a REFUND or a REVERSAL; `expense` is what was given back, where that is known."""

    _id: str
    ref: str
    currency: str
    createdAt: datetime
    amount: Decimal
    expense: ExpenseShapeV1 | None


class EntryShape(TypedDict):
    """An entry as the old interface shows it, its expense still in all fields; it has the one object of its type."""

    _id: str
    currency: str
    org_wallet_ref: str
    account: str
    credit: Decimal
    debit: Decimal
    counter: int
    description: str
    ref: str
    created_by: str
    transaction_type: str
    running_balance: Decimal
    business_running_balance: Decimal
    effective_on: date
    createdAt: datetime
    updatedAt: datetime
    expense: NotRequired[ExpenseShapeV1 | None]
    topup: NotRequired[TopupShape]
    refund: NotRequired[RefundShape]


def list_entries(caller: Caller, org_wallet_ref: str, days_page: DaysPage) -> tuple[list[EntryShape], int]:
    """A page of all that happened on a wallet of the business, newest first, and how much there is; 404 without it."""
    own = wallet_by_ref(caller.business, org_wallet_ref)
    statement = selectors.read_statement(
        own, page=days_page.page, limit=days_page.limit, first=days_page.first, last=days_page.last
    )
    return _entries(own, own, statement.lines), statement.total


def topups(caller: Caller, accno: str, org_wallet_ref: str, days_page: DaysPage) -> tuple[list[EntryShape], int]:
    """What was put on an account from outside, or from the wallet `org_wallet_ref`; 404 without either.

    The account is that wallet's own, or one of an employee or a card in its currency.
    """
    own = wallet_by_ref(caller.business, org_wallet_ref)
    account = _account(own, accno)
    entries = LedgerEntry.objects.filter(account=account.ledger_account_id, amount__gt=0, transaction__kind__in=TOP_UPS)
    if account.pk != own.pk:
        from_wallet = LedgerEntry.objects.filter(account=own.ledger_account_id, transaction=OuterRef("transaction_id"))
        entries = entries.filter(Exists(from_wallet))
    periods.in_order(days_page.first, days_page.last)
    if days_page.first:
        entries = entries.filter(transaction__effective_on__gte=days_page.first)
    if days_page.last:
        entries = entries.filter(transaction__effective_on__lte=days_page.last)
    total, skipped = entries.count(), (days_page.page - 1) * days_page.limit
    rows = entries.select_related("transaction").order_by("-transaction__effective_on", "-seq")
    page = list(rows[skipped : skipped + days_page.limit]) if skipped < total else []
    after = balances_after(account.ledger_account_id, [row.seq for row in page])
    return _entries(account, own, [EntryWithBalance(row, after[row.seq]) for row in page]), total


def _account(own: Wallet, accno: str) -> Wallet:
    rows = Wallet.objects.filter(business_id=own.business_id, accno=accno, currency=own.currency)
    wallet = rows.filter(Q(id=own.id) | ~Q(holder_id="")).first()
    if wallet is None:
        raise errors.not_found("account")
    return wallet


def _entries(wallet: Wallet, own: Wallet, lines: Sequence[EntryWithBalance]) -> list[EntryShape]:
    about = subjects.of(own, [line.entry for line in lines])
    business = _balances_of(wallet, own, lines)
    return [_entry(line, wallet, own, about.get(line.entry.seq), business) for line in lines]


def _entry(
    balanced: EntryWithBalance,
    wallet: Wallet,
    own: Wallet,
    expense_shape: ExpenseShapeV1 | None,
    business: Mapping[int, int],
) -> EntryShape:
    row, currency = balanced.entry, own.currency
    kind = _type(row)
    amount, nothing = money.to_number(abs(row.amount), currency), money.to_number(0, currency)
    entry: EntryShape = {
        "_id": f"{row.account_id}-{row.seq}",
        "currency": currency,
        "org_wallet_ref": own.org_wallet_ref,
        "account": wallet.accno,
        "credit": amount if row.amount > 0 else nothing,
        "debit": amount if row.amount < 0 else nothing,
        "counter": row.seq,
        "description": row.note or row.transaction.description,
        "ref": row.transaction.external_ref,
        "created_by": expense_shape["employee_id"] if expense_shape else "",
        "transaction_type": kind,
        "running_balance": money.to_number(balanced.balance, currency),
        "business_running_balance": money.to_number(business[row.seq], currency),
        "effective_on": row.transaction.effective_on,
        "createdAt": row.posted_at,
        "updatedAt": row.posted_at,
    }
    if kind == "EXPENSE":
        entry["expense"] = expense_shape
    elif kind == "TOPUP":
        entry["topup"] = _topup(entry)
    else:
        entry["refund"] = _refund(entry, expense_shape)
    return entry


def _topup(entry_shape: EntryShape) -> TopupShape:
    return {
        "_id": entry_shape["_id"],
        "ref": entry_shape["ref"],
        "currency": entry_shape["currency"],
        "createdAt": entry_shape["createdAt"],
        "accno": entry_shape["account"],
        "amount": entry_shape["credit"],
    }


def _refund(entry_shape: EntryShape, expense_shape: ExpenseShapeV1 | None) -> RefundShape:
    return {
        "_id": entry_shape["_id"],
        "ref": entry_shape["ref"],
        "currency": entry_shape["currency"],
        "createdAt": entry_shape["createdAt"],
        "amount": max(entry_shape["credit"], entry_shape["debit"]),
        "expense": expense_shape,
    }


def _type(row: LedgerEntry) -> str:
    """One of the four types of the old interface: what it has no name for is told by its direction."""
    if row.transaction.reverses_id is not None:
        return "REVERSAL"
    if row.transaction.kind in ("EXPENSE", "TOPUP", "REFUND"):
        return row.transaction.kind
    return "TOPUP" if row.amount > 0 else "EXPENSE"


def _balances_of(wallet: Wallet, own: Wallet, lines: Sequence[EntryWithBalance]) -> dict[int, int]:
    """What the business's wallet had after the transaction of each line, by the line's number; all of them touch it."""
    if wallet.pk == own.pk:
        return {line.entry.seq: line.balance for line in lines}
    transactions = [line.entry.transaction_id for line in lines]
    rows = LedgerEntry.objects.filter(account=own.ledger_account_id, transaction_id__in=transactions).order_by("seq")
    last = dict(rows.values_list("transaction_id", "seq"))
    after = balances_after(own.ledger_account_id, list(last.values()))
    return {line.entry.seq: after[last[line.entry.transaction_id]] for line in lines}
