"""What a vendor was paid by month and lately, and whose its accounts and its phone are besides."""

from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import TypedDict

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from service import money
from service.auth import Caller
from service.vendors import hooks
from service.vendors.destinations import Payee, payee
from service.vendors.models import InstructionStatus, PaymentInstruction, Vendor

LOOK_BACK = timedelta(days=366)
MOST_PAYMENTS = 20
MOST_SHARED = 10

# Each area that pays vendors registers its payments as a SELECT of kind, reference, currency, moment and amount (minor
# units); its parameters are business, vendor and since.
_PAYMENTS: list[str] = []


def register_payments(select: str) -> None:
    """Called by an area that pays, when it is loaded."""
    _PAYMENTS.append(select)


class MonthShape(TypedDict):
    """What was paid in a month of the business's calendar (YYYY-MM), in one currency."""

    month: str
    currency: str
    amount: Decimal
    amount_minor: int
    count: int


class PaymentShape(TypedDict):
    """One payment to the vendor: BILL_PAYMENT or PAYOUT, by its reference."""

    kind: str
    ref: str
    currency: str
    amount: Decimal
    amount_minor: int
    paid_at: datetime


class SharedShape(TypedDict):
    """What the vendor has in common with another vendor or an employee: ACCOUNT, PHONE or TAX_NUMBER."""

    what: str
    ends: str
    owner: str
    name: str
    vendor_id: str | None


class ActivityShape(TypedDict):
    """What a vendor was paid in the last twelve months, its latest payments, and what it shares with others."""

    months: list[MonthShape]
    payments: list[PaymentShape]
    shared: list[SharedShape]


@cache
def _query(last: str) -> str:
    return f"WITH paid (kind, ref, currency, at, amount) AS ({' UNION ALL '.join(_PAYMENTS)}) {last}"


# Of the areas' own constants; values are parameters.
MONTHS = """
    SELECT to_char(at AT TIME ZONE %(zone)s, 'YYYY-MM'), currency, sum(amount), count(*) FROM paid GROUP BY 1, 2 ORDER BY 1, 2"""
LATEST = f"SELECT kind, ref, currency, at, amount FROM paid ORDER BY at DESC, ref LIMIT {MOST_PAYMENTS}"  # noqa: S608  a constant


def activity(caller: Caller, vendor: Vendor) -> ActivityShape:
    """Of one vendor of the business."""
    parameters: dict[str, str | datetime] = {
        "business": caller.business.id,
        "vendor": vendor.id,
        "since": timezone.now() - LOOK_BACK,
        "zone": caller.business.time_zone,
    }
    with connection.cursor() as cursor:
        cursor.execute(_query(MONTHS), parameters)
        months = [_month(*row) for row in cursor.fetchall()]
        cursor.execute(_query(LATEST), parameters)
        payments = [_payment(*row) for row in cursor.fetchall()]
    return {"months": months, "payments": payments, "shared": shared(vendor)}


def _month(month: str, currency: str, total: Decimal, count: int) -> MonthShape:
    minor = int(total)
    return {
        "month": month,
        "currency": currency,
        "amount": money.to_number(minor, currency),
        "amount_minor": minor,
        "count": count,
    }


def _payment(kind: str, ref: str, currency: str, at: datetime, minor: int) -> PaymentShape:
    return {
        "kind": kind,
        "ref": ref,
        "currency": currency,
        "amount": money.to_number(minor, currency),
        "amount_minor": minor,
        "paid_at": at,
    }


def shared(vendor: Vendor) -> list[SharedShape]:
    """What the vendor has in common with other active vendors and with employees; MOST_SHARED at most."""
    live = (InstructionStatus.ACTIVE, InstructionStatus.QUARANTINED)
    accounts = list(PaymentInstruction.objects.filter(vendor=vendor, status__in=live).order_by("id"))
    details: list[SharedShape] = []
    for account in accounts:
        others = PaymentInstruction.objects.filter(
            business_id=vendor.business_id,
            account_key=account.account_key,
            status__in=live,
            vendor__status=Vendor.Status.ACTIVE,
        ).exclude(vendor=vendor)
        for other in others.select_related("vendor").order_by("id"):
            if _payee(other) == _payee(account):
                details.append(_shared("ACCOUNT", account.account, "VENDOR", other.vendor.name, other.vendor.id))
    details += _of_employees(vendor, accounts)
    vendors = Vendor.objects.filter(business_id=vendor.business_id, status=Vendor.Status.ACTIVE).exclude(id=vendor.id)
    same = (Q(tax_pin=vendor.tax_pin) if vendor.tax_pin else Q()) | (Q(phone=vendor.phone) if vendor.phone else Q())
    for named in vendors.filter(same).order_by("id")[:MOST_SHARED] if same else ():
        is_number = bool(vendor.tax_pin) and named.tax_pin == vendor.tax_pin
        what, value = ("TAX_NUMBER", vendor.tax_pin) if is_number else ("PHONE", vendor.phone)
        details.append(_shared(what, value, "VENDOR", named.name, named.id))
    return details[:MOST_SHARED]


def _payee(row: PaymentInstruction) -> Payee:
    return payee(row.channel, row.account, row.bank_code, row.account_reference)


def _of_employees(vendor: Vendor, accounts: list[PaymentInstruction]) -> list[SharedShape]:
    keys = [account.account_key for account in accounts]
    phone = vendor.phone.lstrip("+")
    return [
        _shared("ACCOUNT" if number in keys else "PHONE", number, "EMPLOYEE", name, None)
        for number, name in hooks.phone_owners(vendor.business_id, dict.fromkeys([*keys, phone]))
    ]


def _shared(what: str, value: str, owner: str, name: str, vendor_id: str | None) -> SharedShape:
    return {"what": what, "ends": value[-4:], "owner": owner, "name": name, "vendor_id": vendor_id}
