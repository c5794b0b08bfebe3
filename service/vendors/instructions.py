"""The accounts of vendors, and the quarantine: a new or changed account waits until a second person has confirmed it.

Until then it is not paid to. Before its cool-off is over it is confirmed only with a recorded call-back. Payments to an account that is in use go on, whatever is proposed beside it or in its
place (decisions F.7). Whoever proposed a change neither confirms nor rejects it. An account that came with a new vendor is in use at once; confirming marks it verified.
Locks: the vendor first, then its instructions.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, timedelta

from django.db import transaction
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.businesses.models import Business
from service.errors import FieldError
from service.vendors import changes, transitions
from service.vendors.destinations import (
    Destination,
    Payee,
    account_key,
    field_messages,
    masked,
    payee,
    reference_key,
)
from service.vendors.models import InstructionStatus, PaymentInstruction, Vendor
from service.vendors.schemas import CallBack, ChangedInstruction, NewInstruction
from service.vendors.selectors import lock_vendor

MOST_ACCOUNTS = 20
# The clock of whoever called may be so much ahead of ours, or behind it.
CLOCKS_APART = timedelta(minutes=2)
WAITING, ACTIVE = InstructionStatus.QUARANTINED, InstructionStatus.ACTIVE


def first_instructions(
    caller: Caller, vendor: Vendor, new_instructions: Sequence[NewInstruction]
) -> list[PaymentInstruction]:
    """The accounts that come with a new vendor, not saved: in use, not verified, one of them the default."""
    field_errors: list[FieldError] = []
    for place, new in enumerate(new_instructions):
        for field, message in _field_messages(caller, new).items():
            field_errors.append(
                {"field": f"payment_instructions.{place}.{field}", "code": "invalid", "message": message}
            )
    if sum(new.is_default for new in new_instructions) > 1:
        message = "One account is the default, not more."
        field_errors.append({"field": "payment_instructions", "code": "invalid", "message": message})
    if field_errors:
        raise errors.many_validation_failed(field_errors)
    rows = [_row(caller, vendor, new, ACTIVE) for new in new_instructions]
    if rows and not any(row.is_default for row in rows):
        rows[0].is_default = True
    return rows


def add(caller: Caller, vendor_id: str, new: NewInstruction) -> Vendor:
    """Proposes another account; 404 without the vendor, 409 when it has that account, 422 for what is wrong with it."""
    with transaction.atomic():
        vendor = lock_vendor(caller, vendor_id)
        _check(caller, vendor, new)
        row = _row(caller, vendor, new, WAITING)
        row.save(force_insert=True)
        return _record_instruction(caller, vendor, row, "vendor.add_payment_instruction", "")


def change_instruction(caller: Caller, vendor_id: str, new: ChangedInstruction) -> Vendor:
    """Proposes what an account in use becomes; 404 without it, 409 while an earlier change of it waits."""
    with transaction.atomic():
        vendor = lock_vendor(caller, vendor_id)
        old = _in_use(vendor, new.instruction_id)
        if old.changes.filter(status=WAITING).exists():
            raise errors.invalid_state("A change of this account waits already: confirm or reject it first.")
        _check(caller, vendor, new, replaced=old)
        row = _row(caller, vendor, new, WAITING)
        row.replaces, row.is_default = old, new.is_default or old.is_default
        row.save(force_insert=True)
        return _record_instruction(caller, vendor, row, "vendor.change_payment_instruction", "")


def confirm(
    caller: Caller, vendor_id: str, instruction_id: str, reason: str, call_back: CallBack | None = None
) -> Vendor:
    """The second person's yes: the account is in use and verified, and the one it replaces is not any more.

    409 cooling_off for a proposed one before its cool-off is over, without a call-back; 422 for one in the future, or from before
    it was proposed.
    """
    with transaction.atomic():
        vendor, row = _decided(caller, vendor_id, instruction_id, "confirm", reason, call_back)
        row.verified = True
        if row.replaces:
            old = PaymentInstruction.objects.select_for_update(no_key=True, of=("self",)).get(pk=row.replaces_id)
            transitions.move(old, "replace")
            old.is_default = False
            old.save(update_fields=["status", "is_default"])
        others = PaymentInstruction.objects.filter(vendor=vendor, status=ACTIVE, is_default=True).exclude(pk=row.pk)
        if row.is_default:
            others.update(is_default=False)
        elif not others.exists():
            row.is_default = True
        row.save()
        return _record_instruction(caller, vendor, row, "vendor.confirm_payment_instruction", reason)


def reject(caller: Caller, vendor_id: str, instruction_id: str, reason: str) -> Vendor:
    """The second person's no: the proposal is kept for the record, and what was in use stays."""
    with transaction.atomic():
        vendor, row = _decided(caller, vendor_id, instruction_id, "reject", reason)
        row.save()
        return _record_instruction(caller, vendor, row, "vendor.reject_payment_instruction", reason)


# Why an account is not paid to, the strongest first.
HELD = (InstructionStatus.QUARANTINED, InstructionStatus.REJECTED, InstructionStatus.REPLACED)


def held_back(business: Business, payees: Iterable[Payee]) -> dict[Payee, InstructionStatus]:
    """Which of these payees (`destinations.payee`) are known as a vendor's account that waits for a second person, was
    rejected by one, or was replaced, and are in use for no vendor; each with which of these it is.

    What a deleted vendor was paid on is in use no more: a merge deletes the duplicate, and its account waits at the vendor
    that stays.
    """
    distinct = set(payees)
    rows = PaymentInstruction.objects.filter(business=business, account_key__in={key for _, _, key in distinct})
    columns = ("channel", "account", "bank_code", "account_reference", "status", "vendor__status")
    known: dict[Payee, set[str]] = {}
    for *destination, status, vendor_status in rows.values_list(*columns) if distinct else ():
        if status != ACTIVE or vendor_status == Vendor.Status.ACTIVE:
            known.setdefault(payee(*destination), set()).add(status)
    held = ((row, known[row]) for row in distinct & known.keys())
    return {row: next(state for state in HELD if state in states) for row, states in held if ACTIVE not in states}


def _field_messages(caller: Caller, new: NewInstruction) -> dict[str, str]:
    if new.channel == "WALLET":
        return {"channel": "A vendor is not paid on a wallet of the business itself."}
    given = Destination(new.channel, new.account, new.bank_code, new.branch_code, new.account_reference)
    return field_messages(given, caller.business.country)


def _check(caller: Caller, vendor: Vendor, new: NewInstruction, replaced: PaymentInstruction | None = None) -> None:
    messages = _field_messages(caller, new)
    if messages:
        raise errors.many_validation_failed(
            [{"field": field, "code": "invalid", "message": message} for field, message in messages.items()]
        )
    others = PaymentInstruction.objects.filter(vendor=vendor, status__in=[ACTIVE, WAITING])
    if others.count() >= MOST_ACCOUNTS:
        raise errors.limit_exceeded(f"A vendor has at most {MOST_ACCOUNTS} accounts.")
    same = others.filter(channel=new.channel, account_key=account_key(new.account), bank_code=new.bank_code)
    references = same.exclude(pk=replaced.pk if replaced else "").values_list("account_reference", flat=True)
    given = reference_key(new.channel, new.account_reference)
    if any(reference_key(new.channel, reference) == given for reference in references):
        raise errors.duplicate("The vendor has this account already.")


def _row(
    caller: Caller, vendor: Vendor, new: NewInstruction, instruction_status: InstructionStatus
) -> PaymentInstruction:
    return PaymentInstruction(
        vendor=vendor,
        business=caller.business,
        channel=new.channel,
        account=new.account,
        account_key=account_key(new.account),
        bank_code=new.bank_code,
        branch_code=new.branch_code,
        account_name=new.account_name or vendor.name,
        account_reference=new.account_reference,
        is_default=new.is_default,
        status=instruction_status,
        editor_ids=[caller.employee_id] if caller.employee_id else [],
        editor_label=caller.label,
        proposal_reason=new.proposal_reason,
        changed_at=timezone.now(),
    )


def _in_use(vendor: Vendor, instruction_id: str | None) -> PaymentInstruction:
    rows = PaymentInstruction.objects.select_for_update(no_key=True, of=("self",)).filter(vendor=vendor, status=ACTIVE)
    instructions = list((rows.filter(id=instruction_id) if instruction_id else rows).order_by("id")[:2])
    if not instructions:
        raise errors.not_found("payment account in use")
    if len(instructions) > 1:
        raise errors.validation_failed("instruction_id", "The vendor has several accounts: say which.", "missing")
    return instructions[0]


def _decided(
    caller: Caller, vendor_id: str, instruction_id: str, decision: str, reason: str, call_back: CallBack | None = None
) -> tuple[Vendor, PaymentInstruction]:
    vendor = lock_vendor(caller, vendor_id)
    rows = PaymentInstruction.objects.select_for_update(no_key=True, of=("self",)).filter(vendor=vendor)
    row = rows.filter(id=instruction_id).first()
    if row is None:
        raise errors.not_found("payment account")
    if caller.employee_id in row.editor_ids or caller.label == row.editor_label:
        raise errors.self_approval_forbidden("Whoever proposed an account does not decide on it.")
    if decision == "confirm":
        _check_call_back(row, call_back)
    transitions.move(row, decision)
    row.decided_by, row.decided_at, row.reason = caller.label, timezone.now(), reason
    return vendor, row


def _check_call_back(row: PaymentInstruction, call_back: CallBack | None) -> None:
    """Writes a call-back into the account (unsaved)."""
    now, ends = timezone.now(), row.cool_off_ends_at
    if call_back is None:
        if ends is not None and now < ends:
            until = f"{ends.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
            raise errors.conflict(
                "cooling_off",
                f"Until {until} it is confirmed only once the vendor was called back, with that call recorded.",
            )
        return
    if call_back.called_at > now + CLOCKS_APART:
        raise errors.validation_failed("call_back.called_at", "The call lies in the future.", "invalid")
    # Said to the minute: what was proposed later in the minute of the call may be what it was about.
    proposed = row.changed_at.replace(second=0, microsecond=0)
    if row.status == WAITING and call_back.called_at < proposed - CLOCKS_APART:
        message = "The call was before the account was proposed."
        raise errors.validation_failed("call_back.called_at", message, "invalid")
    row.call_back_number, row.call_back_name = call_back.number, call_back.spoke_to
    row.called_back_at = call_back.called_at


def _record_instruction(caller: Caller, vendor: Vendor, row: PaymentInstruction, action: str, reason: str) -> Vendor:
    old = row.replaces
    before = {"account": masked(old.account), "channel": old.channel} if old else {}
    after = {"instruction_id": row.id, "channel": row.channel, "account": masked(row.account), "status": row.status}
    if row.called_back_at is not None:
        after["called_back_at"] = row.called_back_at.isoformat()
    why = reason or (row.proposal_reason if row.status == WAITING else "")
    return changes.record_change(
        caller, vendor, "vendor.updated", action, before, {**after, **({"reason": why} if why else {})}
    )
