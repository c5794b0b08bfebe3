"""What is read of wallets and their statements: within the business of the caller, and as far as they may see."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db.models import Q, QuerySet

from service import errors, grants, periods
from service.accounts.models import Currency, Wallet
from service.auth import OFFICE, Caller
from service.ledger.statements import Statement
from service.ledger.statements import statement as ledger_statement


def wallets(caller: Caller) -> QuerySet[Wallet]:
    """The business's own wallets, with their balances; employee and card wallets are not among them."""
    rows = Wallet.objects.filter(business_id=caller.business.id, holder_id="")
    return rows.select_related("ledger_account__balance")


def changed_since(rows: QuerySet[Wallet], moment: datetime | None) -> QuerySet[Wallet]:
    """Those that changed at or after a moment, in themselves or in what they have; all where it is None."""
    if moment is None:
        return rows
    return rows.filter(Q(updated_at__gte=moment) | Q(ledger_account__balance__changed_at__gte=moment))


def visible(caller: Caller, grant: str = "WALLET_VIEW") -> QuerySet[Wallet]:
    """All wallets for the office; for anybody else those on which a wallet policy gives them `grant`."""
    rows = wallets(caller)
    if caller.role in OFFICE:
        return rows
    held = grants.held(caller, grant)
    return rows if grants.EVERYTHING in held else rows.filter(id__in=held)


def get_wallet(caller: Caller, wallet_id: str, grant: str = "WALLET_VIEW") -> Wallet:
    """One wallet; 404 when it is none of the business's, or not the caller's to see."""
    wallet = visible(caller, grant).filter(id=wallet_id).first()
    if wallet is None:
        raise errors.not_found("account")
    return wallet


def currencies(caller: Caller) -> Sequence[Currency]:
    """The currencies of the business, by code."""
    return list(Currency.objects.filter(business_id=caller.business.id).order_by("code"))


def read_statement(wallet: Wallet, *, page: int, limit: int, first: date | None, last: date | None) -> Statement:
    """A page of it, newest first, by effective day (inclusive, in the business's zone), ties by the order of posting.

    400 for days that are the wrong way round.
    """
    periods.in_order(first, last)
    return ledger_statement(wallet.ledger_account_id, first, last, skipped=(page - 1) * limit, limit=limit)
