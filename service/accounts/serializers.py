"""Wallets, currencies and statements as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from django.utils import timezone

from service import money
from service.accounts.models import Currency, Wallet
from service.ledger.balances import Balance
from service.ledger.statements import Line, Statement


def wallet(row: Wallet) -> dict[str, Any]:
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


def balance(row: Wallet) -> dict[str, Any]:
    """The balance alone."""
    shown = wallet(row)
    return {
        "account_id": row.id,
        **{name: shown[name] for name in ("org_wallet_ref", "currency", "balances", "as_of")},
    }


def statement(found: Statement, of: Wallet, *, page: int, limit: int) -> dict[str, Any]:
    """A page of a wallet's statement with its envelope, as StatementPage says."""
    pages = max(1, -(-found.total // limit))
    more = page < pages
    return {
        "docs": [entry(line, of) for line in found.lines],
        "total": found.total,
        "limit": limit,
        "page": page,
        "pages": pages,
        "hasNextPage": more,
        "nextPage": page + 1 if more else None,
        "opening": money.to_number(found.opening, of.currency),
        "opening_minor": found.opening,
        "closing": money.to_number(found.closing, of.currency),
        "closing_minor": found.closing,
    }


def entry(line: Line, of: Wallet) -> dict[str, Any]:
    """One entry of the statement."""
    row = line.entry
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
        "running_balance": money.to_number(line.balance, of.currency),
        "running_balance_minor": line.balance,
        "effective_on": row.transaction.effective_on,
        "posted_at": row.posted_at,
        "ledger_transaction_id": row.transaction_id,
        "createdAt": row.posted_at,
    }


def balances(found: Balance, currency: str) -> dict[str, Any]:
    """A balance in both spellings."""
    minor = {
        "posted": found.posted,
        "pending_in": found.pending_in,
        "pending_out": found.pending_out,
        "available": found.available,
    }
    numbers = {name: money.to_number(value, currency) for name, value in minor.items()}
    return {**numbers, **{f"{name}_minor": value for name, value in minor.items()}}


def currency(row: Currency) -> dict[str, Any]:
    """A currency of the business."""
    return {"_id": row.id, "code": row.code, "exponent": money.exponent(row.code), "createdAt": row.created_at}
