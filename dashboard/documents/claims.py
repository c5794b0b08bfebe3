"""What a transaction says of itself, for its documents to be compared with."""

from decimal import Decimal, InvalidOperation
from typing import Any

from dashboard.access.models import Business
from dashboard.documents.comparison import Expectation
from dashboard.documents.payment_accounts import KnownAccount, known_accounts
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Expense, Transaction, Vendor
from dashboard.money import Money
from dashboard.schemas.bills import BillPayload
from dashboard.times import local


def claim_of_expense(expense: Expense, business: Business) -> Expectation:
    """The card's side of an expense: as it was booked, and before exchange where it was spent in another currency."""
    amounts = [(Money(expense.amount_minor, expense.currency).amount, expense.currency)]
    original, currency = _decimal(expense.payload.get("original_amount")), expense.payload.get("original_currency")
    if original is not None and isinstance(currency, str) and currency != expense.currency:
        amounts.append((original, currency))
    day = local(expense.transaction_date, business).date()
    return Expectation("receipt", "card", expense.merchant, day, tuple(amounts), locale=business.locale)


def claim_of_transaction(transaction: Transaction, business: Business) -> Expectation:
    """The booked side of a transaction: what moved, without fees, on the day it happened."""
    moved = Money(abs(transaction.amount_minor), transaction.currency).amount
    day = local(transaction.occurred_at, business).date()
    amounts = ((moved, transaction.currency),)
    return Expectation("document", "transaction", transaction.counterparty, day, amounts, locale=business.locale)


def claim_of_bill(bill_payload: BillPayload, business: Business) -> Expectation:
    """The bill's own values, as it was entered."""
    currency = str(bill_payload.get("currency") or "")
    issued = moment(str(bill_payload.get("issued_at") or ""))
    return Expectation(
        "document",
        "bill",
        str(bill_payload.get("vendor_name") or ""),
        local(issued, business).date() if issued else None,
        ((_amount(bill_payload.get("total"), bill_payload.get("total_minor"), currency) or Decimal(0), currency),),
        _amount(bill_payload.get("tax_amount"), bill_payload.get("tax_amount_minor"), currency),
        business.locale,
        _accounts(business, str(bill_payload.get("vendor_id") or "")),
    )


def _accounts(business: Business, vendor_id: str) -> tuple[KnownAccount, ...] | None:
    """The accounts in use of the vendor; None where no vendor is known."""
    rows = Vendor.objects.filter(business=business, remote_id=vendor_id, tombstoned_at=None) if vendor_id else ()
    return next((known_accounts(vendor.instructions) for vendor in rows), None)


def _amount(amount: Decimal | str | None, minor: int | None, currency: str) -> Decimal | None:
    return Money(minor, currency).amount if isinstance(minor, int) else _decimal(amount)


def _decimal(value: Any) -> Decimal | None:
    try:
        return None if value is None else Decimal(str(value))
    except InvalidOperation:
        return None
