"""Down from a figure of the books: one posting with all its legs."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypedDict

from django.db import connection

from service import errors, money
from service.auth import Caller
from service.inputs import whole_number
from service.journal.models import Transaction
from service.ledger.models import LedgerTransaction
from service.ledger.statements import balances_after

LARGEST_ID = 10**18 - 1
# The kinds of what an exchange posts (service/fx/transfers.py).
FX, FX_SPREAD = "FX", "FX_SPREAD"
LEGS = """
select account.id, account.kind, coalesce(wallet.name, ''), account.currency, coalesce(entry.note, ''), entry.amount,
    case when wallet.holder_id = '' then wallet.org_wallet_ref end, entry.seq, account.mode = 'IMMEDIATE'
from ledger_entry entry
join ledger_account account on account.id = entry.account_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
where entry.transaction_id = %(posting)s and account.business_id = %(business)s
order by account.currency, entry.amount, account.id, entry.seq
"""


class LegShape(TypedDict):
    """One entry of a posting: below zero where it lowers what the account's holder has. `balance` is what the account had after
    it, by the ledger's days, None where the account keeps none; `org_wallet_ref` is that of a wallet of the business."""

    account_id: int
    kind: str
    name: str
    currency: str
    amount: Decimal
    amount_minor: int
    note: str
    org_wallet_ref: str | None
    balance: Decimal | None
    balance_minor: int | None


class SpreadShape(TypedDict):
    """What an exchange cost against the mid rate: a posting of its own, beside that of its legs."""

    ledger_transaction_id: int
    currency: str
    amount: Decimal
    amount_minor: int


class SumShape(TypedDict):
    """What the entries of a posting come to in a currency."""

    currency: str
    amount: Decimal
    amount_minor: int


class MovementShape(TypedDict):
    """A transaction of the business that a posting belongs to."""

    _id: str
    type: str
    org_wallet_ref: str
    expense_id: str | None


class PostingShape(TypedDict):
    """A posting whole: its entries, their sums, the spread of an exchange, and the transactions that it belongs to."""

    ledger_transaction_id: int
    ref: str
    type: str
    description: str
    effective_on: date
    posted_at: datetime
    reverses: int | None
    entries: list[LegShape]
    sums: list[SumShape]
    spread: SpreadShape | None
    transactions: list[MovementShape]


def ledger_id(text: str) -> int:
    """A number of the ledger as it stands in a path; 404 for what is none."""
    number = whole_number(text, LARGEST_ID)
    if number is None:
        raise errors.not_found("ledger account or posting")
    return number


def posting(caller: Caller, posting_id: int) -> PostingShape:
    """One posting; 404 for one of another business."""
    posted = LedgerTransaction.objects.filter(business=caller.business.id, id=posting_id).first()
    if posted is None:
        raise errors.not_found("posting")
    with connection.cursor() as cursor:
        cursor.execute(LEGS, {"posting": posting_id, "business": caller.business.id})
        rows = cursor.fetchall()
    legs = _legs(rows)
    movements = Transaction.objects.filter(business_id=caller.business.id, ledger_transaction_id=posting_id)
    return {
        "ledger_transaction_id": posted.pk,
        "ref": posted.external_ref,
        "type": posted.kind,
        "description": posted.description,
        "effective_on": posted.effective_on,
        "posted_at": posted.created_at,
        "reverses": posted.reverses_id,
        "entries": legs,
        "sums": _sums(legs),
        "spread": _spread(posted),
        "transactions": [
            {
                "_id": row.id,
                "type": row.type,
                "org_wallet_ref": row.org_wallet_ref,
                "expense_id": row.expense_id or None,
            }
            for row in movements.order_by("occurred_at", "id")[:1000]
        ],
    }


def _legs(rows: Sequence[tuple[Any, ...]]) -> list[LegShape]:
    """The entries as LEGS reads them, each with the balance after it where its account keeps one."""
    numbers: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        if row[-1]:
            numbers[row[0]].append(row[-2])
    balances = {account_id: balances_after(account_id, seqs) for account_id, seqs in numbers.items()}
    return [_leg(*row[:-2], balance=balances.get(row[0], {}).get(row[-2])) for row in rows]


def _leg(
    account_id: int, kind: str, name: str, currency: str, note: str, amount: int, wallet_ref: str | None, *,
    balance: int | None,
) -> LegShape:  # fmt: skip
    return {
        "account_id": account_id,
        "kind": kind,
        "name": name or kind.replace("_", " ").capitalize(),
        "currency": currency,
        "amount": money.to_number(amount, currency),
        "amount_minor": amount,
        "note": note,
        "org_wallet_ref": wallet_ref,
        "balance": None if balance is None else money.to_number(balance, currency),
        "balance_minor": balance,
    }


def _spread(posted: LedgerTransaction) -> SpreadShape | None:
    """The spread of an exchange, by the reference of its posting; None for any other posting, and where there was none."""
    if posted.kind != FX:
        return None
    spread = LedgerTransaction.objects.filter(
        business=posted.business_id, external_ref=f"{posted.external_ref}:spread", kind=FX_SPREAD
    ).first()
    earned = spread.entries.filter(amount__gt=0).first() if spread else None
    if spread is None or earned is None:
        return None
    return {
        "ledger_transaction_id": spread.pk,
        "currency": earned.currency,
        "amount": money.to_number(earned.amount, earned.currency),
        "amount_minor": earned.amount,
    }


def _sums(legs: Sequence[LegShape]) -> list[SumShape]:
    sums: list[SumShape] = []
    for currency in sorted({leg["currency"] for leg in legs}):
        minor = sum(leg["amount_minor"] for leg in legs if leg["currency"] == currency)
        sums.append({"currency": currency, "amount": money.to_number(minor, currency), "amount_minor": minor})
    return sums
