"""Statements as the old interface has them: entries of the ledger, each with what it was about (decisions A.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Exists, OuterRef, Q

from service import errors, money, periods
from service.accounts.actions import StatementSlice, statement
from service.accounts.models import Wallet
from service.accounts.wallets import wallet
from service.auth import Caller
from service.expenses import shown
from service.expenses.models import Expense
from service.ledger.models import LedgerEntry

# Postings that put money on an account for whoever holds it; refunds and reversals give back what it had.
TOP_UPS = ("TOPUP", "ALLOCATION")
EXPENSE_REF, REFUND_REF = "expense:", "refund:"


@dataclass(frozen=True, slots=True)
class Span:
    """A page of inclusive days in the business's time zone."""

    page: int
    limit: int
    first: date | None
    last: date | None


def all_in_one(caller: Caller, org_wallet_ref: str, span: Span) -> tuple[list[dict[str, Any]], int]:
    """A page of all that happened on a wallet of the business, newest first, and how much there is; 404 without it."""
    own = wallet(caller.business, org_wallet_ref)
    found = statement(caller, own, page=span.page, limit=span.limit, first=span.first, last=span.last)
    return _entries(caller, own, own, found), found.total


def topups(caller: Caller, accno: str, org_wallet_ref: str, span: Span) -> tuple[list[dict[str, Any]], int]:
    """What was put on an account from outside, or from the wallet `org_wallet_ref`; 404 without either.

    The account is that wallet's own, or one of an employee or a card in its currency.
    """
    own = wallet(caller.business, org_wallet_ref)
    account = _account(own, accno)
    entries = LedgerEntry.objects.filter(account=account.ledger_account_id, amount__gt=0, transaction__kind__in=TOP_UPS)
    if account.pk != own.pk:
        from_wallet = LedgerEntry.objects.filter(account=own.ledger_account_id, transaction=OuterRef("transaction_id"))
        entries = entries.filter(Exists(from_wallet))
    start, end = periods.between(caller.business, span.first, span.last)
    if start:
        entries = entries.filter(posted_at__gte=start)
    if end:
        entries = entries.filter(posted_at__lt=end)
    total, skipped = entries.count(), (span.page - 1) * span.limit
    rows = entries.select_related("transaction").order_by("-seq")
    page = list(rows[skipped : skipped + span.limit]) if skipped < total else []
    return _entries(caller, account, own, StatementSlice(page, total)), total


def _account(own: Wallet, accno: str) -> Wallet:
    rows = Wallet.objects.filter(business_id=own.business_id, accno=accno, currency=own.currency)
    found = rows.filter(Q(id=own.id) | ~Q(holder_id="")).first()
    if found is None:
        raise errors.not_found("account")
    return found


def _entries(caller: Caller, account: Wallet, own: Wallet, found: StatementSlice) -> list[dict[str, Any]]:
    expenses = _expenses(caller, found.entries)
    business = _balances_after(own, found.entries)
    return [_entry(row, account, own, expenses.get(_about(row)), business) for row in found.entries]


def _entry(
    row: LedgerEntry, account: Wallet, own: Wallet, expense: dict[str, Any] | None, business: Mapping[int, int]
) -> dict[str, Any]:
    currency, kind = own.currency, _type(row)
    amount, nothing = money.to_number(abs(row.amount), currency), money.to_number(0, currency)
    entry = {
        "_id": f"{row.account_id}-{row.seq}",
        "currency": currency,
        "org_wallet_ref": own.org_wallet_ref,
        "account": account.accno,
        "credit": amount if row.amount > 0 else nothing,
        "debit": amount if row.amount < 0 else nothing,
        "counter": row.seq,
        "description": row.note or row.transaction.description,
        "ref": row.transaction.external_ref,
        "created_by": expense["employee_id"] if expense else "",
        "transaction_type": kind,
        "running_balance": money.to_number(row.balance_after or 0, currency),
        "business_running_balance": money.to_number(business.get(row.transaction_id, 0), currency),
        "createdAt": row.posted_at,
        "updatedAt": row.posted_at,
    }
    return {**entry, **_nested(kind, entry, expense)}


def _nested(kind: str, entry: Mapping[str, Any], expense: dict[str, Any] | None) -> dict[str, Any]:
    """The object of the entry's type. An expense is found where it was posted on its own, not in a batch."""
    moved = {"_id": entry["_id"], "ref": entry["ref"], "currency": entry["currency"], "createdAt": entry["createdAt"]}
    if kind == "EXPENSE":
        return {"expense": expense}
    if kind == "TOPUP":
        return {"topup": {**moved, "accno": entry["account"], "amount": entry["credit"]}}
    return {"refund": {**moved, "amount": max(entry["credit"], entry["debit"]), "expense": expense}}


def _type(row: LedgerEntry) -> str:
    """One of the four types of the old interface: what it has no name for is told by its direction."""
    if row.transaction.reverses_id is not None:
        return "REVERSAL"
    if row.transaction.kind in ("EXPENSE", "TOPUP", "REFUND"):
        return row.transaction.kind
    return "TOPUP" if row.amount > 0 else "EXPENSE"


def _about(row: LedgerEntry) -> str:
    return row.transaction.external_ref


def _expenses(caller: Caller, entries: Sequence[LedgerEntry]) -> dict[str, dict[str, Any]]:
    """The expenses that these entries are about, by the reference of the posting, in two statements."""
    refs = [_about(row) for row in entries]
    by_ref = [ref.removeprefix(EXPENSE_REF) for ref in refs if ref.startswith(EXPENSE_REF)]
    by_id = [ref.removeprefix(REFUND_REF) for ref in refs if ref.startswith(REFUND_REF)]
    if not by_ref and not by_id:
        return {}
    rows = Expense.objects.filter(business_id=caller.business.id)
    wanted = rows.filter(Q(transaction_ref__in=by_ref) | Q(id__in=by_id)).values_list("id", flat=True)
    found = shown.many(wanted)
    return {f"{EXPENSE_REF}{each['transaction_ref']}": each for each in found.values()} | {
        f"{REFUND_REF}{each['_id']}": each for each in found.values()
    }


def _balances_after(own: Wallet, entries: Sequence[LedgerEntry]) -> dict[int, int]:
    """What the business's wallet had after each of these transactions, which all touch it."""
    rows = LedgerEntry.objects.filter(
        account=own.ledger_account_id, transaction_id__in=[row.transaction_id for row in entries]
    )
    return {row.transaction_id: row.balance_after or 0 for row in rows.order_by("seq")}
