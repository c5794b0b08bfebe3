"""Accounts of vendors that wait for a second person: which, whom to call back about them, and which payments wait for one or stop
with the one that it replaces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from pydantic import ValidationError

from dashboard import operations, operations_extra
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


def change_of(account: KnownPayeeAccount) -> PayeeChange:
    """An account that waits, with the one that it would take the place of."""
    known = {other.id: other for other in accounts_of(account.vendor)}
    return PayeeChange(account, known.get(account.replaces))


def earlier_phone(account: KnownPayeeAccount) -> str | None:
    """The number that the vendor's record had before it was changed, where it was changed here in the 14 days before the
    account was proposed, or since: "" where it had none then. None where it was not changed."""
    vendor, proposed = account.vendor, moment(account.at)
    lines = AuditEntry.objects.filter(
        chain=vendor.business_id, object_type="vendor", object_id=vendor.remote_id,
        operation=operations.UPDATE_VENDOR.name, before__has_key="phone",
    )  # fmt: skip
    if proposed is not None:
        lines = lines.filter(at__gte=proposed - SUSPECT)
    first = lines.order_by("id").values_list("before", flat=True).first()
    return None if first is None else str(first.get("phone") or "")


def number_on_record(account: KnownPayeeAccount) -> str:
    """The number to call back: that which the vendor's record had before the account was proposed; "" where it had none."""
    earlier = earlier_phone(account)
    return account.vendor.phone if earlier is None else earlier


def waiting_count(actor: Actor) -> int:
    """How many vendors have an account that waits for a second person."""
    return visible_vendors(actor).filter(quarantined=True, status="ACTIVE").count()


@dataclass(frozen=True, slots=True)
class ChangeEffects:
    """What hangs on an account that waits: the bills and payouts that are held until it is confirmed, and the bill payments and
    payouts to the account that it replaces, of which nothing is sent once it is. `is_whole` where every payout that is not
    over could be looked at."""

    held_bills: list[Bill] = field(default_factory=list)
    held_payouts: list[ApprovalRequest] = field(default_factory=list)
    stopped: list[ApprovalRequest] = field(default_factory=list)
    is_whole: bool = True


Payees = Mapping[str, frozenset[PayeeKey]]


def effects_of(actor: Actor, changes: Sequence[PayeeChange]) -> dict[str, ChangeEffects]:
    """What hangs on each of these accounts, by its id."""
    payouts, is_whole = _open_payouts(actor) if changes else ([], True)
    vendors = list({change.account.vendor.pk: change.account.vendor for change in changes}.values())
    accounts: dict[str, PayeeKey] = {}
    payees: Payees = {}
    if payouts:
        accounts, payees, is_read = _read_payees(actor, payouts, vendors[:MAX_VENDORS])
        is_whole = is_whole and is_read and len(vendors) <= MAX_VENDORS
    effects = {}
    for change in changes:
        waits, old = accounts.get(change.account.id), accounts.get(change.replaces.id) if change.replaces else None
        held = [row for row in payouts if row.status == "ON_HOLD" and waits in payees.get(row.remote_id, ())]
        stopped = [row for row in payouts if old in payees.get(row.remote_id, ())] if old else []
        if change.replaces is not None and old and stopped and _is_used_elsewhere(actor, change.replaces, old):
            stopped = []
        effects[change.account.id] = ChangeEffects(
            _held_bills(actor, change.account.vendor), held, [*_stopped_payments(actor, change), *stopped], is_whole
        )
    return effects


def shared_accounts(actor: Actor, changes: Sequence[PayeeChange]) -> dict[str, list[SharedDetail]]:
    """By the id of an account that waits, whose it is besides, as far as the service says it now: of MAX_VENDORS vendors."""
    vendors = list({change.account.vendor.pk: change.account.vendor for change in changes}.values())[:MAX_VENDORS]
    operation = operations_extra.READ_VENDOR_ACTIVITY
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


def _is_used_elsewhere(actor: Actor, account: KnownPayeeAccount, payee: PayeeKey) -> bool:
    """Whether another vendor may have the account in use: a payout to it goes on then. The copy knows the last characters
    alone, which those who are paid on one paybill share: whoever has the same is read, and who is not read may have it."""
    same = [{"last": account.last, "status": IN_USE}]
    rows = visible_vendors(actor).filter(status="ACTIVE", instructions__contains=same).exclude(pk=account.vendor.pk)
    others = list(rows.order_by("pk")[: MAX_VENDORS + 1])
    if not others or len(others) > MAX_VENDORS:
        return bool(others)
    calls = {row.remote_id: _vendor_call(row) for row in others}
    try:
        results = read_together(actor, calls)
        whole = [
            WholeVendor.model_validate(result.answer.data) for result in results.values() if isinstance(result, Ok)
        ]
    except (FinanceError, ValidationError):
        return True
    in_use = {_payee_of(row) for vendor in whole for row in vendor.payment_instructions if row.status in (IN_USE, "")}
    return len(whole) < len(others) or payee in in_use


def _payee_of(row: PaymentInstruction | PayoutItem) -> PayeeKey:
    return payee_key(row.channel, row.account, row.bank_code, row.account_reference)


def _vendor_call(row: Vendor) -> ReadCall:
    return ReadCall(operations.READ_VENDOR, path={"id": row.remote_id}, subject=row, deadline=LIVE_S)


def _held_bills(actor: Actor, vendor: Vendor) -> list[Bill]:
    """The open bills of a vendor that has no account in use, those due first: nothing of them can be paid."""
    if any(account.status == IN_USE for account in accounts_of(vendor)):
        return []
    rows = visible_bills(actor).filter(vendor_id=vendor.remote_id, status__in=OPEN_BILL_STATES)
    return list(rows.order_by("due_on", "id"))


def _stopped_payments(actor: Actor, change: PayeeChange) -> list[ApprovalRequest]:
    """The bill payments to the account that is replaced, of which nothing is sent yet, the oldest first."""
    if change.replaces is None:
        return []
    rows = visible_requests(actor).filter(
        kind=PAYMENT_KIND, status__in=STOPPABLE_PAYMENTS, payload__payment_instruction_id=change.replaces.id
    )
    return list(rows.order_by("requested_at", "pk"))


def _open_payouts(actor: Actor) -> tuple[list[ApprovalRequest], bool]:
    """The newest payouts that pay and of which nothing is sent, and whether they are all."""
    if not can_open(actor, operations.LIST_PAYOUTS):
        return [], True
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
