"""What was paid lately or may be: payments of payouts and of bills that are the same as one that is about to be made.

Payouts are looked through by the service, by account and amount, however many there are; bill payments stand in the copy.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import product

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from pydantic import ValidationError

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.mirror.bill_payments import PAYMENT_KIND
from dashboard.mirror.scopes import visible_requests
from dashboard.money import Money
from dashboard.payee_accounts import payee_of
from dashboard.payout_files.services import recent_bank_files
from dashboard.schemas.payments import DuplicatePayment

RECENT = timedelta(days=30)
COMPARE_S = 5.0
# The service compares so many payments at once, with so many payouts that are named.
COMPARED_AT_ONCE = 5_000
NAMED_AT_ONCE = 5_000
# What pays nothing any more. A draft may yet.
NEVER_PAID = ("REJECTED", "CANCELLED", "FAILED")
NOT_PAID = ("FAILED", "RETURNED")
NO_BILL_PAYMENT = ("REJECTED", "WITHDRAWN", "FAILED")


@dataclass(frozen=True, slots=True)
class ComparedPayment:
    """A payment that may have been made already: to an account on a channel, or to the vendor of that id on any of its accounts."""

    amount_minor: int
    channel: str = ""
    account: str = ""
    account_reference: str = ""
    vendor_id: str = ""


@dataclass(frozen=True, slots=True)
class EarlierPayment:
    """A payment that was made or may be, and is the same as the one at `place` among those compared (from 0).

    `title`, `ref` and `href` are of the payout or bill payment that it stands in, `at` when that was made, `row` its row there (0 of
    a bill payment); the account by its last characters. `status` is how the payout stands, `item_status` how the payment in it does
    ("" of a bill payment); `is_in_bank_file` where a bank was given it.
    """

    place: int
    title: str
    ref: str
    href: str
    at: datetime
    status: str
    row: int
    receiver: str
    channel: str
    account_ends: str
    amount_minor: int
    item_status: str = ""
    is_in_bank_file: bool = False

    @property
    def is_draft(self) -> bool:
        """Whether it may yet be made, and was not asked for."""
        return self.status == "DRAFT"


def earlier_payments(
    actor: Actor, currency: str, payments: Sequence[ComparedPayment], *, besides: str = "", copies: Collection[str] = (),
) -> tuple[list[EarlierPayment], bool]:  # fmt: skip
    """What the last 30 days paid or may pay that is the same as one of these, drafts too, the newest first; and whether all of it
    could be looked at. Payouts of the remote ids `copies` are compared whenever they were made; `besides` is not."""
    earlier, is_read = earlier_payouts(actor, currency, payments, besides=besides, copies=copies)
    return [*earlier, *_bill_payments(actor, currency, payments)], is_read


def earlier_payouts(
    actor: Actor, currency: str, payments: Sequence[ComparedPayment], *, besides: str = "", copies: Collection[str] = (),
) -> tuple[list[EarlierPayment], bool]:  # fmt: skip
    """The same, of payouts alone. COMPARED_AT_ONCE of the payments stand in one read, and NAMED_AT_ONCE of the payouts that are
    named; after one that fails there is none, and what was found before it is answered."""
    # What a bank was given a file of may be paid, whatever it is here.
    in_files = recent_bank_files(actor.business, timezone.now() - RECENT) if payments else {}
    named = sorted({*copies, *in_files})
    # A payout that another part names is found of the last 30 days by each: it is one.
    earlier: dict[tuple[int, str, int], EarlierPayment] = {}
    is_read = True
    for first, payouts in product(range(0, len(payments), COMPARED_AT_ONCE), _parts(named)):
        sent = [_as_sent(payment, currency) for payment in payments[first : first + COMPARED_AT_ONCE]]
        body = {"currency": currency, "payouts": payouts, "payments": sent, **({"besides": besides} if besides else {})}
        try:
            answer = read_live(actor, operations_extra.FIND_DUPLICATE_PAYMENTS, body=body, deadline=COMPARE_S)
            rows = typed(read_page(answer.data).rows, DuplicatePayment)
        except (FinanceError, ValueError, ValidationError):
            is_read = False
            break
        for row in (row for row in rows if _may_be_paid(row, in_files)):
            key = (first + row.place, row.payout_id, row.position)
            earlier[key] = _earlier(actor, row, first, is_in_bank_file=_is_in(in_files, row))
    return sorted(earlier.values(), key=lambda row: row.at, reverse=True), is_read


def _parts(named: Sequence[str]) -> list[Sequence[str]]:
    """The payouts that are named, in parts that the service takes; one without any where none is."""
    return [named[first : first + NAMED_AT_ONCE] for first in range(0, len(named), NAMED_AT_ONCE)] or [[]]


def _as_sent(unsent: ComparedPayment, currency: str) -> dict[str, str | Decimal]:
    amount = Money(unsent.amount_minor, currency).amount
    if unsent.vendor_id:
        return {"vendor_id": unsent.vendor_id, "amount": amount}
    sent: dict[str, str | Decimal] = {"channel": unsent.channel, "account": unsent.account, "amount": amount}
    if unsent.account_reference:
        sent["account_reference"] = unsent.account_reference
    return sent


def _may_be_paid(row: DuplicatePayment, in_files: Mapping[str, frozenset[int]]) -> bool:
    is_open = row.status not in NEVER_PAID and row.item_status not in NOT_PAID
    return is_open or _is_in(in_files, row)


def _is_in(in_files: Mapping[str, frozenset[int]], row: DuplicatePayment) -> bool:
    return row.position + 1 in in_files.get(row.payout_id, frozenset())


def _earlier(actor: Actor, row: DuplicatePayment, first: int, *, is_in_bank_file: bool) -> EarlierPayment:
    return EarlierPayment(
        place=first + row.place, title=row.name, ref=row.batch_no, at=row.created_at, status=row.status, row=row.position + 1,
        href=reverse("payouts_item", args=[actor.business.slug, row.payout_id]), receiver=row.receiver_name,
        channel=row.channel, account_ends=row.account_ends, amount_minor=row.amount_minor, item_status=row.item_status,
        is_in_bank_file=is_in_bank_file,
    )  # fmt: skip


def _bill_payments(actor: Actor, currency: str, payments: Sequence[ComparedPayment]) -> list[EarlierPayment]:
    """The payments of bills of the last 30 days that pay the same account one of the amounts, or did: what the vendor gets, or
    what it lowers the bill by."""
    places: dict[tuple[str, str, int], list[int]] = {}
    for place, payment in enumerate(payments):
        if payment.account:
            payee = payee_of(payment.channel, payment.account, payment.account_reference, payment.amount_minor)
            places.setdefault(payee, []).append(place)
    amounts = sorted({payment.amount_minor for payment in payments})
    rows = visible_requests(actor).filter(
        kind=PAYMENT_KIND, currency=currency, requested_at__gte=timezone.now() - RECENT
    )
    of_amount = Q(amount_minor__in=amounts) | Q(payload__net_amount_minor__in=amounts)
    earlier = []
    for row in rows.filter(of_amount).exclude(status__in=NO_BILL_PAYMENT).order_by("-requested_at", "-pk"):
        channel, account, reference = (
            str(row.payload.get(name) or "") for name in ("channel", "account", "account_reference")
        )
        for minor in {row.amount_minor or 0, int(row.payload.get("net_amount_minor") or 0)} if account else ():
            earlier += [
                EarlierPayment(
                    place=place, title=row.title, ref=row.ref, at=row.requested_at, status=row.status, row=0,
                    href=reverse("bills_item", args=[actor.business.slug, str(row.payload.get("bill_id") or "-")]),
                    receiver=str(row.payload.get("receiver_name") or row.payee), channel=channel,
                    account_ends=account[-4:], amount_minor=minor,
                )
                for place in places.get(payee_of(channel, account, reference, minor), ())
            ]  # fmt: skip
    return earlier
