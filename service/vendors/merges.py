"""Two vendors that are one: what moves from the duplicate to the vendor that stays, and the merge itself.

An account that the vendor does not have yet waits in quarantine there, proposed by whoever merges: a merge brings no account
into use. The duplicate stays for the record, deleted, with what payments under way were approved for.
"""

from decimal import Decimal
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.vendors import changes, hooks, instructions
from service.vendors.destinations import reference_key
from service.vendors.models import InstructionStatus, PaymentInstruction, Vendor, VendorContact, VendorDocument
from service.vendors.selectors import get_vendor, lock_vendor

DISCOUNT = ("discount_bps", "discount_days")
CONTACTS = ("email", "phone", "tax_pin")
PUBLISHED = {"tax_pin": "taxPin"}
LIVE = (InstructionStatus.ACTIVE, InstructionStatus.QUARANTINED)


class MovedShape(TypedDict):
    """How many things of a noun, such as bills, a merge moves to the vendor that stays."""

    noun: str
    count: int


class DiscountShape(TypedDict):
    """Terms of an early-payment discount: per cent of what is open, within so many days of the issue."""

    percent: Decimal
    days: int


class MergePlanShape(TypedDict):
    """What a merge would do: what moves, which fields the vendor takes over, how many accounts will wait for a second person,
    what either gives for paying early and whether the duplicate's terms move, and what stands in the way."""

    vendor_id: str
    vendor_name: str
    duplicate_id: str
    duplicate_name: str
    moves: list[MovedShape]
    contact_fields: list[str]
    accounts_to_confirm: int
    vendor_discount: DiscountShape | None
    duplicate_discount: DiscountShape | None
    discount_moves: bool
    obstacles: list[str]


def merge_plan(caller: Caller, vendor_id: str, duplicate_id: str) -> MergePlanShape:
    """What merging the duplicate into the vendor would do; 404 without one of them, 409 for a deleted
    one, 422 for one and the same."""
    target, source = (_active(get_vendor(caller, known)) for known in _distinct(vendor_id, duplicate_id))
    moves = [MovedShape(noun=follower.noun, count=follower.count(source)) for follower in hooks.followers()]
    documents = VendorDocument.objects.filter(vendor=source, removed_at=None).count()
    contacts = VendorContact.objects.filter(vendor=source).count()
    return {
        "vendor_id": target.id,
        "vendor_name": target.name,
        "duplicate_id": source.id,
        "duplicate_name": source.name,
        "moves": [*moves, MovedShape(noun="document", count=documents), MovedShape(noun="contact", count=contacts)],
        "contact_fields": [PUBLISHED.get(name, name) for name in _missing_contacts(source, target)],
        "accounts_to_confirm": len(_new_accounts(source, target)),
        "vendor_discount": _discount(target),
        "duplicate_discount": _discount(source),
        "discount_moves": bool(_missing_discount(source, target)),
        "obstacles": _obstacles(source, target),
    }


def merge(caller: Caller, vendor_id: str, duplicate_id: str, reason: str) -> Vendor:
    """Moves what belongs to the duplicate, and deletes it. 404; 409 invalid_state for a deleted one, in_use with what stands
    in the way."""
    with transaction.atomic():
        _distinct(vendor_id, duplicate_id)
        # By their ids, whichever is which: two merges of the same pair do not wait for each other.
        locked = {known: lock_vendor(caller, known) for known in sorted((vendor_id, duplicate_id))}
        target, source = locked[vendor_id], locked[duplicate_id]
        if obstacles := _obstacles(source, target):
            raise errors.conflict("in_use", " ".join(obstacles))
        for follower in hooks.followers():
            follower.move(caller, source, target)
        VendorDocument.objects.filter(vendor=source).update(vendor=target)
        VendorContact.objects.filter(vendor=source).update(vendor=target)
        adopted = [*_missing_contacts(source, target), *_missing_discount(source, target)]
        before = {name: getattr(target, name) for name in adopted}
        for name in before:
            setattr(target, name, getattr(source, name))
        _propose_accounts(caller, source, target)
        target.also_known_as = list(dict.fromkeys([*target.also_known_as, source.name, *source.also_known_as]))
        source.status, source.merged_into = Vendor.Status.DELETED, target
        after = {"merged_into": target.id, "reason": reason}
        changes.record_change(caller, source, "vendor.deleted", "vendor.merge", {"status": Vendor.Status.ACTIVE}, after)
        merged = {**{name: getattr(target, name) for name in before}, "merged": source.id, "reason": reason}
        return changes.record_change(caller, target, "vendor.updated", "vendor.take_over", before, merged)


def _distinct(vendor_id: str, duplicate_id: str) -> tuple[str, str]:
    if vendor_id == duplicate_id:
        raise errors.validation_failed("duplicate_id", "A vendor is not a duplicate of itself.", "same")
    return vendor_id, duplicate_id


def _active(vendor: Vendor) -> Vendor:
    if vendor.status == Vendor.Status.DELETED:
        raise errors.invalid_state("The vendor is deleted.")
    return vendor


def _missing_contacts(source: Vendor, target: Vendor) -> list[str]:
    return [name for name in CONTACTS if getattr(source, name) and not getattr(target, name)]


def _missing_discount(source: Vendor, target: Vendor) -> tuple[str, ...]:
    """The terms of a discount stay together: those of the duplicate move whole, where the vendor has none."""
    return DISCOUNT if source.discount_bps and not target.discount_bps else ()


def _discount(vendor: Vendor) -> DiscountShape | None:
    if not vendor.discount_bps:
        return None
    return {"percent": Decimal(vendor.discount_bps) / 100, "days": vendor.discount_days}


def _new_accounts(source: Vendor, target: Vendor) -> list[PaymentInstruction]:
    known = PaymentInstruction.objects.filter(vendor=target, status__in=LIVE)
    keys = {_account_of(row) for row in known}
    rows = PaymentInstruction.objects.filter(vendor=source, status__in=LIVE).order_by("id")
    return [row for row in rows if _account_of(row) not in keys]


def _account_of(row: PaymentInstruction) -> tuple[str, str, str, str]:
    """What an account of one vendor is known again by: channel, number, bank and a paybill's reference."""
    return row.channel, row.account_key, row.bank_code, reference_key(row.channel, row.account_reference)


def _obstacles(source: Vendor, target: Vendor) -> list[str]:
    sentences = [follower.obstacle(source, target) for follower in hooks.followers()]
    accounts = PaymentInstruction.objects.filter(vendor=target, status__in=LIVE).count()
    if accounts + len(_new_accounts(source, target)) > instructions.MOST_ACCOUNTS:
        sentences.append(f"Together they have more than {instructions.MOST_ACCOUNTS} accounts.")
    return [sentence for sentence in sentences if sentence]


def _propose_accounts(caller: Caller, source: Vendor, target: Vendor) -> None:
    now, waiting = timezone.now(), InstructionStatus.QUARANTINED
    for row in _new_accounts(source, target):
        editors = [*row.editor_ids] if row.status == waiting else []
        PaymentInstruction.objects.create(
            vendor=target,
            business_id=row.business_id,
            channel=row.channel,
            account=row.account,
            account_key=row.account_key,
            bank_code=row.bank_code,
            branch_code=row.branch_code,
            account_name=row.account_name,
            account_reference=row.account_reference,
            status=waiting,
            editor_ids=list(dict.fromkeys([*editors, *([caller.employee_id] if caller.employee_id else [])])),
            editor_label=caller.label,
            changed_at=now,
        )
    # What waited at the duplicate waits at the vendor now: there nobody decides on it any more.
    left = PaymentInstruction.objects.filter(vendor=source, status=waiting)
    left.update(status=InstructionStatus.REJECTED, decided_by=caller.label, decided_at=now, reason="Merged.")
