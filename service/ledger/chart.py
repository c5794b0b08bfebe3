"""The chart of accounts: opening what a holder owns, and the business's own accounts on the other side."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from service import money
from service.businesses.models import Business
from service.ledger.models import BalanceMode, LedgerAccount
from service.ledger.retry import retried

# The other side of what leaves and enters a wallet. Written by everybody at once, so deferred: no row is locked.
# Their balance is negative where money came in through them, positive where it went out.
SYSTEM_KINDS = frozenset(
    {
        "BANK_FLOAT",  # at the bank rail: top-ups and settlements by transfer
        "MOBILE_FLOAT",  # at the mobile-money rail
        "CARD_FLOAT",  # at the card network
        "FEE_INCOME",
        "FX_CLEARING",
        "FX_INCOME",  # the spread of exchanges
        "FUND_INCOME",  # interest and gains of investments
        "WHT_PAYABLE",
        "OPENING",  # where balances come from that were there before us (sandbox, demo)
    }
)


@dataclass(frozen=True, slots=True)
class AccountOrder:
    """An account to open; a deferred one is a system account."""

    kind: str
    currency: str
    holder_type: str = ""
    holder_id: str = ""
    deferred: bool = False


@retried
def open_accounts(business: Business, orders: Sequence[AccountOrder]) -> list[int]:
    """Opens many accounts in one statement; answers their ids in the order asked for."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_open_account(%s, o.kind, o.currency, o.holder_type, o.holder_id,"
            " CASE WHEN o.deferred THEN 'DEFERRED' ELSE 'IMMEDIATE' END, o.deferred)"
            " FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::boolean[]) WITH ORDINALITY"
            " AS o(kind, currency, holder_type, holder_id, deferred, place) ORDER BY o.place",
            [
                business.id,
                [order.kind for order in orders],
                [order.currency for order in orders],
                [order.holder_type for order in orders],
                [order.holder_id for order in orders],
                [order.deferred for order in orders],
            ],
        )
        return [row[0] for row in cursor.fetchall()]


@retried
def _open(
    business: Business, kind: str, currency: str, holder_type: str, holder_id: str, mode: str, allow_negative: bool
) -> LedgerAccount:
    money.exponent(currency)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_open_account(%s, %s, %s, %s, %s, %s, %s)",
            [business.id, kind, currency, holder_type, holder_id, mode, allow_negative],
        )
        row = cursor.fetchone()
    assert row is not None
    return LedgerAccount.objects.get(pk=row[0])


def open_account(
    business: Business,
    kind: str,
    currency: str,
    holder_type: str = "",
    holder_id: str = "",
    allow_negative: bool = False,
) -> LedgerAccount:
    """The account of a holder, made the first time; MoneyError for a currency that is none."""
    return _open(business, kind, currency, holder_type, holder_id, BalanceMode.IMMEDIATE, allow_negative)


def system_account(business: Business, kind: str, currency: str) -> LedgerAccount:
    """One of the business's own deferred accounts (SYSTEM_KINDS), made the first time."""
    if kind not in SYSTEM_KINDS:
        raise ValueError(f"{kind} is not a system account")
    account = LedgerAccount.objects.filter(
        business=business, kind=kind, currency=currency, holder_type="", holder_id=""
    ).first()
    return account or _open(business, kind, currency, "", "", BalanceMode.DEFERRED, True)
