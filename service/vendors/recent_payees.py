"""Who was paid lately on a channel: vendors and, from expenses and payouts, those who could become vendors.

One row per channel and normalised account (decisions B.20), of a paybill with the account there, which its payees have in common. A row whose account is a vendor's carries the vendor's _id.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import NotRequired, TypedDict

from django.db import connection
from django.utils import timezone

from service import errors, money
from service.auth import Caller
from service.rails import catalogue
from service.vendors.destinations import PAYBILL, account_key, reference_key
from service.vendors.models import InstructionStatus, PaymentInstruction, Vendor

LOOK_BACK = timedelta(days=365)
# How many payees of each source are looked at, newest first, before they are merged.
MOST_PAYEES = 2000
SPENDING = frozenset({"CARD", "MPESA", "BANK"})  # how expenses are paid, where no channel of a payout says it

# Each area that pays registers its payments as a SELECT of name, account, account reference, currency, moment and amount (minor units); its
# parameters are business, channel and since.
_SOURCES: list[str] = []


def register(select: str) -> None:
    """Called by an area that pays, when it is loaded."""
    _SOURCES.append(select)


@cache
def _newest() -> str:
    """Per payee: the newest payment, and how many there were. Expenses without an account are known by their merchant. Only on
    a paybill does the reference tell payees apart: anywhere else it is free text, and many of one payee count once."""
    paid = " UNION ALL ".join(_SOURCES)
    return f"""
        WITH paid (name, account, reference, currency, at, amount) AS ({paid}),
        keyed AS (SELECT *, CASE WHEN %(channel)s::text = '{PAYBILL}' THEN reference ELSE '' END AS behind FROM paid)
        SELECT name, account, reference, currency, at, amount, count FROM (
            SELECT DISTINCT ON (account, behind) name, account, reference, currency, at, amount,
                   count(*) OVER (PARTITION BY account, behind)
            FROM keyed ORDER BY account, behind, at DESC) payee
        ORDER BY at DESC LIMIT {MOST_PAYEES}"""  # noqa: S608  put together from the areas' own constants


@dataclass(slots=True)
class Payee:
    """Somebody who was paid: the newest payment (minor units) and how many there were."""

    name: str
    account: str
    reference: str
    currency: str
    at: datetime
    amount_minor: int
    count: int


class PayeeShape(TypedDict):
    """Somebody who was paid; `_id` is the vendor's, where there is one."""

    _id: NotRequired[str]
    name: str
    channel: str
    account: str
    account_reference: str
    currency: str
    last_paid_at: datetime
    last_amount: Decimal
    last_amount_minor: int
    count: int
    source: str


def recent(caller: Caller, channel: str, limit: int) -> list[PayeeShape]:
    """The payees of a channel, the last paid first; 400 for a channel that is none."""
    if channel not in catalogue.CHANNELS and channel not in SPENDING:
        raise errors.invalid_parameters("channel", "There is no such channel: see /payments/channels.", "unknown")
    merged = _merged(channel, _paid(caller, channel))
    known = _vendors(caller, channel, merged)
    newest = sorted(merged.items(), key=lambda keyed_payee: (keyed_payee[1].at, keyed_payee[0]), reverse=True)[:limit]
    return [_serialize(payee, channel, known.get(key)) for key, payee in newest]


def _paid(caller: Caller, channel: str) -> list[Payee]:
    since = timezone.now() - LOOK_BACK
    with connection.cursor() as cursor:
        cursor.execute(_newest(), {"business": caller.business.id, "channel": channel, "since": since})
        return [Payee(*row) for row in cursor.fetchall()]


# An account without case and punctuation, and of a paybill the account there.
Key = tuple[str, str]


def _merged(channel: str, payees: Iterable[Payee]) -> dict[Key, Payee]:
    """One payee per normalised account, with the newest payment and all of the count."""
    by_account: dict[Key, Payee] = {}
    for payee in payees:
        key = account_key(payee.account) or payee.account, reference_key(channel, payee.reference)
        earlier = by_account.get(key)
        if earlier is None:
            by_account[key] = payee
        else:
            newer = payee if payee.at > earlier.at else earlier
            newer.count = payee.count + earlier.count
            by_account[key] = newer
    return by_account


def _vendors(caller: Caller, channel: str, keys: Iterable[Key]) -> dict[Key, Vendor]:
    rows = PaymentInstruction.objects.filter(
        business=caller.business,
        channel=channel,
        account_key__in={account for account, _ in keys},
        status=InstructionStatus.ACTIVE,
        vendor__status=Vendor.Status.ACTIVE,
    )
    return {
        (row.account_key, reference_key(channel, row.account_reference)): row.vendor
        for row in rows.select_related("vendor").order_by("-id")
    }


def _serialize(payee: Payee, channel: str, vendor: Vendor | None) -> PayeeShape:
    shape: PayeeShape = {
        "name": vendor.name if vendor else payee.name,
        "channel": channel,
        "account": payee.account,
        "account_reference": payee.reference,
        "currency": payee.currency,
        "last_paid_at": payee.at,
        "last_amount": money.to_number(payee.amount_minor, payee.currency),
        "last_amount_minor": payee.amount_minor,
        "count": payee.count,
        "source": "SUPPLIER" if vendor else "EXPENSE",
    }
    return {"_id": vendor.id, **shape} if vendor else shape
