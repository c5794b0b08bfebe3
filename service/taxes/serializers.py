"""Withholding taxes and remittances as the interface shows them: dictionaries in the shapes of the schemas."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from service import money
from service.taxes.models import Remittance, Tax, TaxRate, TaxTransaction


def rate(row: TaxRate, ends: date | None, currency: str) -> dict[str, Any]:
    """One version of a tax."""
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


def in_force(rates: Iterable[TaxRate], day: date) -> TaxRate | None:
    """The version that holds on a day: the latest that has begun."""
    begun = [row for row in rates if row.effective_from <= day]
    return max(begun, key=lambda row: row.effective_from, default=None)


def tax(row: Tax, today: date) -> dict[str, Any]:
    """A tax as the interface shows it; its rates should be prefetched."""
    rates = sorted(row.rates.all(), key=lambda each: each.effective_from)
    ends = [after.effective_from - timedelta(days=1) for after in rates[1:]] + [None]
    versions = {each.id: rate(each, end, row.currency) for each, end in zip(rates, ends, strict=True)}
    now = dict(versions[(in_force(rates, today) or rates[0]).id])
    now.pop("_id")
    return {
        "_id": row.id,
        "code": row.code,
        "name": row.name,
        "currency": row.currency,
        "rate_bps": now["resident_rate_bps"],
        **now,
        "threshold_period": "MONTH",
        "liability_account": "WHT_PAYABLE",
        "status": row.status,
        "versions": list(reversed(versions.values())),
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def tax_transaction(row: TaxTransaction) -> dict[str, Any]:
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


def remittance(row: Remittance) -> dict[str, Any]:
    """A remittance; its transactions should be prefetched."""
    ids = [each.id for each in row.transactions.all()]
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
