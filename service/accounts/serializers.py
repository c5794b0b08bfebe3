"""Wallets, currencies and statements as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from django.utils import timezone

from service import money
from service.accounts.models import Currency, Wallet
from service.ledger.balances import Balance
from service.ledger.statements import EntryWithBalance, Statement


class BalancesShape(TypedDict):
    """A balance in both spellings."""

    posted: Decimal
    pending_in: Decimal
    pending_out: Decimal
    available: Decimal
    posted_minor: int
    pending_in_minor: int
    pending_out_minor: int
    available_minor: int


class WalletShape(TypedDict):
    """A wallet as the interface shows it."""

    _id: str
    org_wallet_ref: str
    currency: str
    walletType: str
    name: str
    accno: str
    status: str
    balances: BalancesShape | None
    as_of: datetime
    ledger_account_id: int
    version: int
    createdAt: datetime
    updatedAt: datetime


class BalanceShape(TypedDict):
    """What a wallet holds as of a moment, without the wallet's own fields."""

    account_id: str
    org_wallet_ref: str
    currency: str
    balances: BalancesShape | None
    as_of: datetime


class EntryShape(TypedDict):
    """One entry of the statement."""

    _id: str
    currency: str
    org_wallet_ref: str
    account: str
    credit: Decimal
    debit: Decimal
    amount_minor: int
    counter: int
    description: str
    ref: str
    transaction_type: str
    running_balance: Decimal
    running_balance_minor: int
    effective_on: date
    posted_at: datetime
    ledger_transaction_id: int
    createdAt: datetime


class StatementShape(TypedDict):
    """A page of a wallet's statement with its envelope, as StatementPage says."""

    docs: list[EntryShape]
    total: int
    limit: int
    page: int
    pages: int
    hasNextPage: bool
    nextPage: int | None
    opening: Decimal
    opening_minor: int
    closing: Decimal
    closing_minor: int


class CurrencyShape(TypedDict):
    """A currency of the business."""

    _id: str
    code: str
    exponent: int
    createdAt: datetime


def wallet(row: Wallet) -> WalletShape:
    """A wallet as the interface shows it; the ledger account and its balance should be joined."""
    hot = row.ledger_account.balance
    return {
        "_id": row.id,
        "org_wallet_ref": row.org_wallet_ref,
        "currency": row.currency,
        "walletType": row.wallet_type,
        "name": row.name,
        "accno": row.accno,
        "status": row.status,
        "balances": balances(Balance(hot.posted, hot.pending_in, hot.pending_out), row.currency),
        "as_of": timezone.now(),
        "ledger_account_id": row.ledger_account_id,
        # A change of what it has is a change of the wallet.
        "version": row.version + hot.seq + hot.holds,
        "createdAt": row.created_at,
        "updatedAt": max(row.updated_at, hot.changed_at),
    }


def balance(row: Wallet) -> BalanceShape:
    """The balance of an account alone, without what else is known of it."""
    shape = wallet(row)
    return {
        "account_id": row.id,
        "org_wallet_ref": shape["org_wallet_ref"],
        "currency": shape["currency"],
        "balances": shape["balances"],
        "as_of": shape["as_of"],
    }


def statement(ledger_statement: Statement, of: Wallet, *, page: int, limit: int) -> StatementShape:
    """A page of a wallet's statement with its envelope, as StatementPage says."""
    pages = max(1, -(-ledger_statement.total // limit))
    more = page < pages
    return {
        "docs": [entry(line, of) for line in ledger_statement.lines],
        "total": ledger_statement.total,
        "limit": limit,
        "page": page,
        "pages": pages,
        "hasNextPage": more,
        "nextPage": page + 1 if more else None,
        "opening": money.to_number(ledger_statement.opening, of.currency),
        "opening_minor": ledger_statement.opening,
        "closing": money.to_number(ledger_statement.closing, of.currency),
        "closing_minor": ledger_statement.closing,
    }


def entry(balanced: EntryWithBalance, of: Wallet) -> EntryShape:
    """One entry of the statement."""
    row = balanced.entry
    number = money.to_number(abs(row.amount), of.currency)
    nothing = money.to_number(0, of.currency)
    return {
        "_id": f"{row.account_id}-{row.seq}",
        "currency": of.currency,
        "org_wallet_ref": of.org_wallet_ref,
        "account": of.accno,
        "credit": number if row.amount > 0 else nothing,
        "debit": number if row.amount < 0 else nothing,
        "amount_minor": row.amount,
        "counter": row.seq,
        "description": row.note or row.transaction.description,
        "ref": row.transaction.external_ref,
        "transaction_type": row.transaction.kind,
        "running_balance": money.to_number(balanced.balance, of.currency),
        "running_balance_minor": balanced.balance,
        "effective_on": row.transaction.effective_on,
        "posted_at": row.posted_at,
        "ledger_transaction_id": row.transaction_id,
        "createdAt": row.posted_at,
    }


def balances(ledger_balance: Balance, currency: str) -> BalancesShape:
    """A balance in both spellings."""
    return {
        "posted": money.to_number(ledger_balance.posted, currency),
        "pending_in": money.to_number(ledger_balance.pending_in, currency),
        "pending_out": money.to_number(ledger_balance.pending_out, currency),
        "available": money.to_number(ledger_balance.available, currency),
        "posted_minor": ledger_balance.posted,
        "pending_in_minor": ledger_balance.pending_in,
        "pending_out_minor": ledger_balance.pending_out,
        "available_minor": ledger_balance.available,
    }


def currency(row: Currency) -> CurrencyShape:
    """A currency of the business."""
    return {"_id": row.id, "code": row.code, "exponent": money.exponent(row.code), "createdAt": row.created_at}
