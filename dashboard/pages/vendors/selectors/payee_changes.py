"""Accounts of vendors that wait for a second person: which, whom to call back about them, and which payments wait for one or stop
with the one that it replaces."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from django.db.models import Count, F, Q, Window
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import RowNumber
from pydantic import ValidationError

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.audit.models import AuditEntry
from dashboard.client.page import read_page
from dashboard.client.reads import Ok, ReadCall, read_together
from dashboard.commands.vendors import IN_USE, KnownPayeeAccount, accounts_of
from dashboard.errors import FinanceError
from dashboard.mirror.bill_payments import PAYMENT_KIND
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import OPEN_BILL_STATES, ApprovalRequest, Bill, Vendor
from dashboard.mirror.scopes import visible_bills, visible_payouts, visible_requests, visible_vendors
from dashboard.payee_accounts import PayeeKey, payee_key
from dashboard.schemas.payments import Payout, PayoutItem
from dashboard.schemas.vendors import PaymentInstruction, SharedDetail, VendorActivity
from dashboard.schemas.vendors import Vendor as WholeVendor

LIVE_S = 1.5
MAX_WAITING = 200
# Each payout that is not over is read to see whom it pays, and each vendor to see on which account.
MAX_PAYOUTS = MAX_VENDORS = 20
# Of the bills of a vendor and of the bill payments to an account so many are named; the others are counted.
MAX_LISTED = 10
# A contact that was changed so shortly before an account is proposed may be part of the same fraud.
SUSPECT = timedelta(days=14)
# Nothing of these is sent yet, and each keeps the account that it was made for.
STOPPABLE_PAYMENTS = ("PENDING_APPROVAL", "APPROVED", "SCHEDULED")
STOPPABLE_PAYOUTS = ("DRAFT", "PENDING_APPROVAL", "AWAITING_CODE", "APPROVED", "ON_HOLD")


@dataclass(frozen=True, slots=True)
class PayeeChange:
    """An account that waits for a second person, and the one in use that it would take the place of."""

    account: KnownPayeeAccount
    replaces: KnownPayeeAccount | None


def waiting_changes(actor: Actor, vendor: Vendor | None = None) -> list[PayeeChange]:
    """The accounts that wait for a second person, of one vendor or of all, the oldest first; MAX_WAITING at most."""
    rows = visible_vendors(actor).filter(quarantined=True, status="ACTIVE").order_by("sort_name", "pk")
    vendors = [vendor] if vendor else list(rows[:MAX_WAITING])
    changes = []
    for row in vendors:
        accounts = {account.id: account for account in accounts_of(row)}
        changes += [
            PayeeChange(account, accounts.get(account.replaces)) for account in accounts.values() if account.is_waiting
        ]
    return sorted(changes, key=lambda change: change.account.at)


def change_of(payee_account: KnownPayeeAccount) -> PayeeChange:
    """An account that waits, with the one that it would take the place of."""
    known = {other.id: other for other in accounts_of(payee_account.vendor)}
    return PayeeChange(payee_account, known.get(payee_account.replaces))


def earlier_phone(payee_account: KnownPayeeAccount) -> str | None:
    """The number that the vendor's record had before it was changed, where it was changed here in the 14 days before the
    account was proposed, or since: "" where it had none then. None where it was not changed."""
    vendor, proposed = payee_account.vendor, moment(payee_account.at)
    lines = AuditEntry.objects.filter(
        chain=vendor.business_id, object_type="vendor", object_id=vendor.remote_id,
        operation=operations.UPDATE_VENDOR.name, before__has_key="phone",
    )  # fmt: skip
    if proposed is not None:
        lines = lines.filter(at__gte=proposed - SUSPECT)
    first = lines.order_by("id").values_list("before", flat=True).first()
    return None if first is None else str(first.get("phone") or "")


def number_on_record(payee_account: KnownPayeeAccount) -> str:
    """The number to call back: that which the vendor's record had before the account was proposed; "" where it had none."""
    earlier = earlier_phone(payee_account)
    return payee_account.vendor.phone if earlier is None else earlier


def waiting_count(actor: Actor) -> int:
    """How many vendors have an account that waits for a second person."""
    return visible_vendors(actor).filter(quarantined=True, status="ACTIVE").count()


class EffectGap(StrEnum):
    """Why it is not known in full what hangs on an account that waits."""

    NOT_LISTED = "NOT_LISTED"  # the actor's role lists no bills or no payouts
    NOT_READ = "NOT_READ"  # there are too many open payouts or vendors, or the service did not answer
    ALSO_OTHERS = "ALSO_OTHERS"  # another vendor may have the account that is replaced: a payout to it goes on then


@dataclass(frozen=True, slots=True)
class ChangeEffects:
    """What hangs on an account that waits: the bills and payouts that are held until it is confirmed, and the bill payments and
    payouts to the account that it replaces, of which nothing is sent once it is. Of bills and of bill payments the first
    MAX_LISTED, of which `bill_count` and `stopped_count` (payouts too) say how many there are. `unknown` says why that may not
    be all or not be so: empty where everything is known."""

    held_bills: list[Bill] = field(default_factory=list)
    held_payouts: list[ApprovalRequest] = field(default_factory=list)
    stopped: list[ApprovalRequest] = field(default_factory=list)
    bill_count: int = 0
    stopped_count: int = 0
    unknown: frozenset[EffectGap] = frozenset()


Payees = Mapping[str, frozenset[PayeeKey]]


def effects_of(actor: Actor, changes: Sequence[PayeeChange]) -> dict[str, ChangeEffects]:
    """What hangs on each of these accounts, by its id; with one query for the bills of all, and one for their payments."""
    if not changes:
        return {}
    payouts, is_whole = _open_payouts(actor)
    vendors = list({change.account.vendor.pk: change.account.vendor for change in changes}.values())
    accounts: dict[str, PayeeKey] = {}
    payees: Payees = {}
    if payouts:
        accounts, payees, is_read = _read_payees(actor, payouts, vendors[:MAX_VENDORS])
        is_whole = is_whole and is_read and len(vendors) <= MAX_VENDORS
    is_listed = can_open(actor, operations.LIST_PAYOUTS) and can_open(actor, operations_payables.LIST_BILLS)
    of_all = {EffectGap.NOT_READ: not is_whole and bool(is_listed), EffectGap.NOT_LISTED: not is_listed}
    stopped_payouts = {
        change.account.id: [row for row in payouts if old in payees.get(row.remote_id, ())]
        for change in changes
        if change.replaces is not None and (old := accounts.get(change.replaces.id))
    }
    used_elsewhere = _used_elsewhere(actor, [change for change in changes if stopped_payouts.get(change.account.id)])
    bills, payments = _held_bills(actor, vendors), _stopped_payments(actor, changes)
    effects = {}
    for change in changes:
        name, waits = change.account.id, accounts.get(change.account.id)
        held_bills, bill_count = bills.get(change.account.vendor.remote_id, ([], 0))
        stopped, payment_count = payments.get(change.replaces.id if change.replaces else "", ([], 0))
        besides = stopped_payouts.get(name, [])
        effects[name] = ChangeEffects(
            held_bills=held_bills,
            held_payouts=[row for row in payouts if row.status == "ON_HOLD" and waits in payees.get(row.remote_id, ())],
            stopped=[*stopped, *besides],
            bill_count=bill_count,
            stopped_count=payment_count + len(besides),
            unknown=frozenset(
                why for why, is_so in (of_all | {EffectGap.ALSO_OTHERS: name in used_elsewhere}).items() if is_so
            ),
        )
    return effects


def shared_accounts(actor: Actor, changes: Sequence[PayeeChange]) -> dict[str, list[SharedDetail]]:
    """By the id of an account that waits, whose it is besides, as far as the service says it now: of MAX_VENDORS vendors."""
    vendors = list({change.account.vendor.pk: change.account.vendor for change in changes}.values())[:MAX_VENDORS]
    operation = operations_payables.READ_VENDOR_ACTIVITY
    calls = {
        row.remote_id: ReadCall(operation, path={"id": row.remote_id}, subject=row, deadline=LIVE_S) for row in vendors
    }
    try:
        results = read_together(actor, calls) if calls and can_open(actor, operation) else {}
        shared = {
            name: VendorActivity.model_validate(result.answer.data).shared
            for name, result in results.items()
            if isinstance(result, Ok)
        }
    except (FinanceError, ValidationError):
        return {}
    return {
        change.account.id: [
            row
            for row in shared.get(change.account.vendor.remote_id, [])
            if row.what == "ACCOUNT" and row.ends == change.account.last
        ]
        for change in changes
    }


def _payee_of(row: PaymentInstruction | PayoutItem) -> PayeeKey:
    return payee_key(row.channel, row.account, row.bank_code, row.account_reference)


def _vendor_call(row: Vendor) -> ReadCall:
    return ReadCall(operations.READ_VENDOR, path={"id": row.remote_id}, subject=row, deadline=LIVE_S)


def _used_elsewhere(actor: Actor, changes: Sequence[PayeeChange]) -> set[str]:
    """The ids of those whose replaced account another vendor may have in use, as far as its last characters say."""
    replaced = {change.account.id: change.replaces for change in changes if change.replaces is not None}
    if not replaced:
        return set()
    is_same = Q()
    for account in replaced.values():
        is_same |= Q(instructions__contains=[{"last": account.last, "status": IN_USE}])
    users: defaultdict[str, set[int]] = defaultdict(set)
    for vendor in visible_vendors(actor).filter(is_same, status="ACTIVE"):
        for account in accounts_of(vendor):
            if account.status == IN_USE:
                users[account.last].add(vendor.pk)
    return {name for name, account in replaced.items() if users[account.last] - {account.vendor.pk}}


def _held_bills(actor: Actor, vendors: Sequence[Vendor]) -> dict[str, tuple[list[Bill], int]]:
    """The open bills of vendors that have no account in use, by the vendor's remote id: the MAX_LISTED due first, and how many
    there are. Nothing of them can be paid."""
    names = [row.remote_id for row in vendors if not any(account.status == IN_USE for account in accounts_of(row))]
    if not names:
        return {}
    order = [F("due_on"), F("pk")]
    rows = (
        visible_bills(actor)
        .filter(vendor_id__in=names, status__in=OPEN_BILL_STATES)
        .annotate(
            place=Window(RowNumber(), partition_by=F("vendor_id"), order_by=order),
            total=Window(Count("pk"), partition_by=F("vendor_id")),
        )
    )
    bills: dict[str, tuple[list[Bill], int]] = {}
    for row in rows.filter(place__lte=MAX_LISTED).order_by("due_on", "pk"):
        bills.setdefault(row.vendor_id, ([], row.total))[0].append(row)
    return bills


def _stopped_payments(actor: Actor, changes: Sequence[PayeeChange]) -> dict[str, tuple[list[ApprovalRequest], int]]:
    """The bill payments to accounts that are replaced, of which nothing is sent yet, by the account's id: the MAX_LISTED oldest,
    and how many there are."""
    names = [change.replaces.id for change in changes if change.replaces is not None]
    if not names:
        return {}
    account = KeyTextTransform("payment_instruction_id", "payload")
    order = [F("requested_at"), F("pk")]
    rows = (
        visible_requests(actor)
        .filter(kind=PAYMENT_KIND, status__in=STOPPABLE_PAYMENTS, payload__payment_instruction_id__in=names)
        .annotate(
            place=Window(RowNumber(), partition_by=account, order_by=order),
            total=Window(Count("pk"), partition_by=account),
        )
    )
    payments: dict[str, tuple[list[ApprovalRequest], int]] = {}
    for row in rows.filter(place__lte=MAX_LISTED).order_by("requested_at", "pk"):
        payments.setdefault(str(row.payload["payment_instruction_id"]), ([], row.total))[0].append(row)
    return payments


def _open_payouts(actor: Actor) -> tuple[list[ApprovalRequest], bool]:
    """The newest payouts that pay and of which nothing is sent, and whether they are known to be all."""
    if not can_open(actor, operations.LIST_PAYOUTS):
        return [], False
    rows = visible_payouts(actor).filter(status__in=STOPPABLE_PAYOUTS).order_by("-requested_at", "-pk")
    newest = list(rows[: MAX_PAYOUTS + 1])
    return newest[:MAX_PAYOUTS], len(newest) <= MAX_PAYOUTS


def _read_payees(
    actor: Actor, payouts: Sequence[ApprovalRequest], vendors: Sequence[Vendor]
) -> tuple[dict[str, PayeeKey], Payees, bool]:
    """The accounts of the vendors by their ids, whom each payout pays by its remote id, and whether all were read."""
    calls = {
        row.remote_id: ReadCall(
            operations.LIST_PAYOUTS, query={"batch_no": row.ref}, subject=row, deadline=LIVE_S
        ) for row in payouts
    } | {row.remote_id: _vendor_call(row) for row in vendors}  # fmt: skip
    try:
        results = read_together(actor, calls)
    except FinanceError:
        return {}, {}, False
    answers = {name: result.answer.data for name, result in results.items() if isinstance(result, Ok)}
    try:
        whole = [WholeVendor.model_validate(answers[row.remote_id]) for row in vendors if row.remote_id in answers]
        items = {
            row.remote_id: Payout.model_validate(read_page(answers[row.remote_id]).rows[0]).items or []
            for row in payouts
            if row.remote_id in answers
        }
    except (ValueError, ValidationError, IndexError):
        return {}, {}, False
    accounts = {account.id: _payee_of(account) for vendor in whole for account in vendor.payment_instructions}
    payees = {name: frozenset(_payee_of(item) for item in of) for name, of in items.items()}
    return accounts, payees, len(answers) == len(calls)
