"""What is withheld from a payment: computed by the rates of its day, and written down once it was posted.

A vendor of the business's own country is resident. Below the monthly threshold nothing is withheld: what the vendor
was paid in the month under the tax, this payment included, decides; earlier payments of the month are not caught up on.
Beside what was paid count payments on their way, and approved ones that are to be paid in the month and were added before
this one. A payment that awaits votes does not count. What is withheld is computed once more before a payment is sent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import TypedDict

from django.db.models import Prefetch

from service import errors, periods
from service.businesses.models import Business
from service.taxes.models import Base, Tax, TaxRate, TaxStatus, TaxTransaction
from service.taxes.serializers import rate_in_force
from service.vendors.models import Vendor

REMIT_WITHIN_WORKING_DAYS = 5
SATURDAY = 5
BPS = 10_000


@dataclass(frozen=True, slots=True)
class Payable:
    """What a payment is about: minor units, of which `net_of_vat_minor` is without VAT; paid before in this month."""

    gross_minor: int
    net_of_vat_minor: int
    currency: str
    paid_this_month: Mapping[str, int] = field(default_factory=dict)  # by tax id


class WithholdingShape(TypedDict):
    """One tax on one payment as the payment keeps it, in minor units."""

    tax_id: str
    rate_id: str
    code: str
    name: str
    rate_bps: int
    base_minor: int
    tax_minor: int


@dataclass(frozen=True, slots=True)
class Withheld:
    """One tax on one payment, in minor units; an exempt payment has a tax of 0."""

    tax_id: str
    rate_id: str
    code: str
    name: str
    rate_bps: int
    base_minor: int
    tax_minor: int

    def as_dict(self) -> WithholdingShape:
        """As it is stored with the payment."""
        return {
            "tax_id": self.tax_id,
            "rate_id": self.rate_id,
            "code": self.code,
            "name": self.name,
            "rate_bps": self.rate_bps,
            "base_minor": self.base_minor,
            "tax_minor": self.tax_minor,
        }


def chosen(business: Business, tax_ids: Sequence[str]) -> list[Tax]:
    """The active taxes of these ids in their order, with their rates; 422 for one that is none."""
    by_id = {row.id: row for row in known(business, tax_ids) if row.status == TaxStatus.ACTIVE}
    if missing := [tax_id for tax_id in tax_ids if tax_id not in by_id]:
        raise errors.validation_failed("withholding_tax_ids", f"There is no active tax {missing[0]}.", "unknown")
    return [by_id[tax_id] for tax_id in tax_ids]


def known(business: Business, tax_ids: Sequence[str]) -> list[Tax]:
    """The taxes of these ids with their rates, archived ones too: a bill keeps what it was made with."""
    if not tax_ids:
        return []
    rates = Prefetch("rates", queryset=TaxRate.objects.order_by("effective_from"))
    rows = Tax.objects.filter(business=business, id__in=tax_ids).prefetch_related(rates)
    return sorted(rows, key=lambda row: tax_ids.index(row.id))


def of(taxes: Iterable[Tax], vendor: Vendor, home: str, payable: Payable, day: date) -> list[Withheld]:
    """What each tax takes of a payment on a day, for a business whose country is `home`."""
    withheld = []
    for tax in taxes:
        rate = rate_in_force(tax.rates.all(), day)
        if rate is not None:
            withheld.append(_withhold(tax, rate, vendor.country == home, payable))
    return withheld


def _withhold(tax: Tax, tax_rate: TaxRate, resident: bool, payable: Payable) -> Withheld:
    base = payable.gross_minor if tax_rate.base == Base.GROSS else payable.net_of_vat_minor
    bps = tax_rate.resident_rate_bps if resident else tax_rate.non_resident_rate_bps
    month = payable.paid_this_month.get(tax.id, 0) + payable.gross_minor
    exempt = tax.currency == payable.currency and month < tax_rate.threshold_minor
    amount = 0 if exempt else rounded(base, bps)
    return Withheld(tax.id, tax_rate.id, tax.code, tax.name, bps, base, amount)


def rounded(base_minor: int, bps: int) -> int:
    """The share of an amount, half a minor unit rounded up."""
    return share(base_minor, bps, BPS)


def share(amount_minor: int, part_minor: int, whole_minor: int) -> int:
    """How much of an amount is of a part of a whole, half a minor unit rounded up."""
    return int((Decimal(amount_minor) * part_minor / whole_minor).quantize(Decimal(1), ROUND_HALF_UP))


def due_on(day: date) -> date:
    """When what was deducted on a day must be with the authority: five working days later."""
    left = REMIT_WITHIN_WORKING_DAYS
    while left:
        day += timedelta(days=1)
        left -= day.weekday() < SATURDAY
    return day


def write(
    business: Business,
    vendor: Vendor,
    payment_ref: str,
    currency: str,
    withheld: Iterable[WithholdingShape],
    ledger_transaction_id: int,
    at: datetime,
) -> list[TaxTransaction]:
    """Writes down what was deducted from a payment, in the transaction of its posting."""
    rows = [
        TaxTransaction(
            business=business,
            tax_id=deducted["tax_id"],
            rate_id=deducted["rate_id"],
            vendor=vendor,
            vendor_tax_pin=vendor.tax_pin,
            bill_payment_ref=payment_ref,
            base_minor=deducted["base_minor"],
            rate_bps=deducted["rate_bps"],
            tax_minor=deducted["tax_minor"],
            currency=currency,
            ledger_transaction_id=ledger_transaction_id,
            deducted_at=at,
            due_on=due_on(periods.day_of(at, business)),
        )
        for deducted in withheld
        if deducted["tax_minor"]
    ]
    return TaxTransaction.objects.bulk_create(rows)
