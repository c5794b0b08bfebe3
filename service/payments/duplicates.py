"""Payments that payouts made already or may make: of the same account and amount, found through an index however many there are.

One that is known by its vendor is compared on every account that the vendor has or had, save those that were rejected.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypedDict

from django.db import connection
from django.utils import timezone

from service import money
from service.auth import Caller
from service.errors import FieldError, many_validation_failed
from service.ids import oldest_id
from service.payments.models import ItemStatus, Status
from service.payments.schemas_duplicates import ComparedPayment, Comparison
from service.vendors import destinations
from service.vendors.models import InstructionStatus, PaymentInstruction

RECENT: Final = timedelta(days=30)
# Of each payment the newest few that are the same are answered. What pays nobody any more, of the payouts that are named, is counted
# by itself: it stands in the way of none that may be paid.
MOST_SAME: Final = 3
MOST_ENDED: Final = 100
# What pays nobody any more. A draft may yet.
NEVER_PAID: Final = [Status.REJECTED, Status.CANCELLED, Status.FAILED]
NOT_PAID: Final = [ItemStatus.FAILED, ItemStatus.RETURNED]
AIRTIME: Final = "AIRTIME"
# Ids sort by age (service/ids.py), and an item is made before its payout is written: a day before is early enough for all of them.
ID_LEEWAY: Final = timedelta(days=1)
COLUMNS: Final = """p.place, b.id, b.batch_no, b.name, b.status, b.created_at, i.position, i.status AS item_status, i.receiver_name,
           i.channel, i.account, i.account_reference, i.amount_minor
    FROM unnest(%(places)s::int[], %(keys)s::text[], %(amounts)s::bigint[]) AS p (place, account_key, amount_minor)
    JOIN payments_item i ON i.business_id = %(business)s AND i.amount_minor = p.amount_minor
         AND regexp_replace(lower(i.account), '[^a-z0-9]', '', 'g') = p.account_key
    JOIN payments_batch b ON b.id = i.batch_id AND b.currency = %(currency)s AND b.id <> %(besides)s"""
# Each is found through item_by_account_key, from the ids of thirty days ago on: what was paid before is not visited. How long it takes,
# the number of payments that are compared says, and what these thirty days paid of the same. Those named have no such bound.
RECENT_SAME: Final = f"""
    SELECT {COLUMNS}
    WHERE i.id >= %(oldest)s AND b.created_at >= %(since)s AND b.id <> ALL(%(named)s)
      AND b.status <> ALL(%(never_paid)s) AND i.status <> ALL(%(not_paid)s)"""
# Asked for only where payouts are named: of an empty list PostgreSQL takes every partial index to be enough, and may then read all
# that the business ever paid.
NAMED_SAME: Final = f"""
    SELECT {COLUMNS}
    WHERE i.batch_id = ANY(%(named)s)"""
NEWEST_FIRST: Final = """
    ORDER BY created_at DESC, id DESC, position"""

# The sort of an account, the reference there, and its key.
Sort = tuple[str, str, str]


class DuplicateShape(TypedDict):
    """A payment of a payout that one of those compared is the same as; `place` is that one's, from 0, `position` its own row in
    the payout."""

    place: int
    payout_id: str
    batch_no: str
    name: str
    status: str
    createdAt: datetime
    position: int
    item_status: str
    receiver_name: str
    channel: str
    account_ends: str
    amount_minor: int


def duplicates_of(caller: Caller, body: Comparison) -> list[DuplicateShape]:
    """What payouts of the last 30 days paid or may pay, drafts too, that is the same as one of these payments, and whatever of
    it stands in the payouts that are named, when and as what they were made; of each the newest MOST_SAME, beside which those
    that pay nobody any more stand, the newest MOST_ENDED.

    422 for a payment that names neither an account nor a vendor, and for an amount that the currency has not.
    """
    sorts = _sorts(caller, body.payments)
    amounts = _amounts(body)
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    for place, of in enumerate(sorts):
        for _, _, key in of:
            places[key, amounts[place]].add(place)
    keys = sorted(places)
    shapes: list[DuplicateShape] = []
    count: dict[tuple[int, bool], int] = defaultdict(int)
    for group, *columns in _read(caller, body, keys) if keys else ():
        shape, sort = _shape(columns)
        ended = shape["status"] in NEVER_PAID or shape["item_status"] in NOT_PAID
        for place in sorted(places[keys[group]]):
            if sort in sorts[place] and count[place, ended] < (MOST_ENDED if ended else MOST_SAME):
                count[place, ended] += 1
                shapes.append({**shape, "place": place})
    return shapes


def _sorts(caller: Caller, payments: Sequence[ComparedPayment]) -> list[frozenset[Sort]]:
    """By the places of the payments, which accounts they may go to."""
    of_vendors: dict[str, set[Sort]] = defaultdict(set)
    named = {payment.vendor_id for payment in payments if payment.vendor_id}
    rows = PaymentInstruction.objects.filter(business=caller.business, vendor_id__in=named)
    columns = ("vendor_id", "channel", "account", "account_reference")
    for vendor_id, *account in rows.exclude(status=InstructionStatus.REJECTED).values_list(*columns) if named else ():
        of_vendors[vendor_id].add(_sort(*account))
    return [
        frozenset(of_vendors.get(payment.vendor_id or "", ()))
        | ({_sort(payment.channel, payment.account, payment.account_reference)} if payment.account else frozenset())
        for payment in payments
    ]


def _sort(channel: str, account: str, reference: str) -> Sort:
    """An account at a bank is the same by EFT and by PesaLink, at whichever bank; airtime for a phone is no money to it."""
    sort, reference, key = destinations.payee(channel, account, "", reference)
    return (AIRTIME if channel == AIRTIME else sort), reference, key


def _amounts(body: Comparison) -> list[int]:
    """The amounts in minor units."""
    amounts, field_errors = [], list[FieldError]()
    for place, payment in enumerate(body.payments):
        try:
            amounts.append(money.to_minor(payment.amount, body.currency))
        except money.MoneyError as error:
            field_errors.append({"field": f"payments.{place}.amount", "code": "invalid", "message": str(error)})
    if field_errors:
        raise many_validation_failed(field_errors[:100])
    return amounts


def _read(caller: Caller, body: Comparison, compared: Sequence[tuple[str, int]]) -> list[tuple[Any, ...]]:
    since = timezone.now() - RECENT
    values: dict[str, Any] = {
        "places": list(range(len(compared))), "keys": [key for key, _ in compared],
        "amounts": [amount for _, amount in compared],
        "business": caller.business.id, "currency": body.currency, "besides": body.besides or "", "named": body.payouts,
        "since": since, "oldest": oldest_id(since - ID_LEEWAY), "never_paid": NEVER_PAID, "not_paid": NOT_PAID,
    }  # fmt: skip
    parts = [RECENT_SAME, NAMED_SAME] if body.payouts else [RECENT_SAME]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts) + NEWEST_FIRST, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _shape(columns: Sequence[Any]) -> tuple[DuplicateShape, Sort]:
    (
        batch_id,
        batch_no,
        name,
        status,
        created_at,
        position,
        item_status,
        receiver,
        channel,
        account,
        reference,
        minor,
    ) = columns
    shape: DuplicateShape = {
        "place": 0, "payout_id": batch_id, "batch_no": batch_no, "name": name, "status": status, "createdAt": created_at,
        "position": position, "item_status": item_status, "receiver_name": receiver, "channel": channel,
        "account_ends": account[-destinations.VISIBLE_DIGITS :], "amount_minor": minor,
    }  # fmt: skip
    return shape, _sort(channel, account, reference)
