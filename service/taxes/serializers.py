"""Withholding taxes and remittances as the interface shows them: dictionaries in the shapes of the schemas."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TypedDict

from service import money
from service.taxes.models import Remittance, Tax, TaxRate, TaxTransaction


class RateTermsShape(TypedDict):
    """The terms of a version, which the tax itself shows too, of the version that holds today."""

    base: str
    resident_rate_bps: int
    non_resident_rate_bps: int
    threshold_amount: Decimal
    threshold_amount_minor: int
    final: bool
    effective_from: date
    effective_to: date | None
    note: str


class RateShape(RateTermsShape):
    """The terms of a withholding tax that hold from a day on: one version of it."""

    _id: str


class TaxShape(RateTermsShape):
    """A tax as the interface shows it."""

    _id: str
    code: str
    name: str
    currency: str
    rate_bps: int
    threshold_period: str
    liability_account: str
    status: str
    versions: list[RateShape]
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


class TaxTransactionShape(TypedDict):
    """A deducted tax as the interface shows it."""

    _id: str
    tax_id: str
    tax_code: str
    bill_payment_ref: str
    vendor_id: str
    vendor_name: str
    vendor_tax_pin: str
    base_amount: Decimal
    base_amount_minor: int
    rate_bps: int
    tax_amount: Decimal
    tax_amount_minor: int
    currency: str
    deducted_at: datetime
    due_at: date
    status: str
    certificate_no: str
    remittance_id: str | None
    ledger_transaction_id: int


class RemittanceShape(TypedDict):
    """A payment of deducted taxes to the authority: its sum in units and minor units, and the taxes that it pays."""

    _id: str
    reference: str | None
    remitted_on: date
    currency: str
    amount: Decimal
    amount_minor: int
    count: int
    transactions: list[str]
    ledger_transaction_id: int
    created_by: str
    createdAt: datetime


def rate(row: TaxRate, ends: date | None, currency: str) -> RateShape:
    """A version of a tax as answers have it: its rates, and the days on which it is in force."""
    return {
        "_id": row.id,
        "base": row.base,
        "resident_rate_bps": row.resident_rate_bps,
        "non_resident_rate_bps": row.non_resident_rate_bps,
        "threshold_amount": money.to_number(row.threshold_minor, currency),
        "threshold_amount_minor": row.threshold_minor,
        "final": row.final,
        "effective_from": row.effective_from,
        "effective_to": ends,
        "note": row.note,
    }


def rate_in_force(rates: Iterable[TaxRate], day: date) -> TaxRate | None:
    """The version that holds on a day: the latest that has begun."""
    begun = [row for row in rates if row.effective_from <= day]
    return max(begun, key=lambda row: row.effective_from, default=None)


def tax(row: Tax, today: date) -> TaxShape:
    """A tax as the interface shows it; its rates should be prefetched."""
    rates = sorted(row.rates.all(), key=lambda version: version.effective_from)
    ends = [after.effective_from - timedelta(days=1) for after in rates[1:]] + [None]
    versions = {version.id: rate(version, end, row.currency) for version, end in zip(rates, ends, strict=True)}
    now = versions[(rate_in_force(rates, today) or rates[0]).id]
    return {
        "_id": row.id,
        "code": row.code,
        "name": row.name,
        "currency": row.currency,
        "rate_bps": now["resident_rate_bps"],
        "base": now["base"],
        "resident_rate_bps": now["resident_rate_bps"],
        "non_resident_rate_bps": now["non_resident_rate_bps"],
        "threshold_amount": now["threshold_amount"],
        "threshold_amount_minor": now["threshold_amount_minor"],
        "final": now["final"],
        "effective_from": now["effective_from"],
        "effective_to": now["effective_to"],
        "note": now["note"],
        "threshold_period": "MONTH",
        "liability_account": "WHT_PAYABLE",
        "status": row.status,
        "versions": list(reversed(versions.values())),
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def tax_transaction(row: TaxTransaction) -> TaxTransactionShape:
    """A deducted tax as the interface shows it; tax and vendor should be joined."""
    return {
        "_id": row.id,
        "tax_id": row.tax_id,
        "tax_code": row.tax.code,
        "bill_payment_ref": row.bill_payment_ref,
        "vendor_id": row.vendor_id,
        "vendor_name": row.vendor.name,
        "vendor_tax_pin": row.vendor_tax_pin,
        "base_amount": money.to_number(row.base_minor, row.currency),
        "base_amount_minor": row.base_minor,
        "rate_bps": row.rate_bps,
        "tax_amount": money.to_number(row.tax_minor, row.currency),
        "tax_amount_minor": row.tax_minor,
        "currency": row.currency,
        "deducted_at": row.deducted_at,
        "due_at": row.due_on,
        "status": row.status,
        "certificate_no": row.certificate_no,
        "remittance_id": row.remittance_id,
        "ledger_transaction_id": row.ledger_transaction_id,
    }


def remittance(row: Remittance) -> RemittanceShape:
    """A remittance; its transactions should be prefetched."""
    ids = [transaction.id for transaction in row.transactions.all()]
    return {
        "_id": row.id,
        "reference": row.reference or None,
        "remitted_on": row.remitted_on,
        "currency": row.currency,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "count": len(ids),
        "transactions": ids,
        "ledger_transaction_id": row.ledger_transaction_id,
        "created_by": row.created_by,
        "createdAt": row.created_at,
    }
