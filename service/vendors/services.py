"""What can be done with vendors: make, change and delete them. Their accounts are in instructions.py."""

from django.db import transaction

from service import errors, money
from service.auth import Caller
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.vendors import changes, hooks, instructions, serializers
from service.vendors.changes import for_audit
from service.vendors.models import PaymentInstruction, Vendor
from service.vendors.schemas import ChangedVendor, NewVendor
from service.vendors.selectors import get_vendor, lock_deleted_vendor, lock_vendor

COLUMNS = {"taxPin": "tax_pin"}
EMPTIED = frozenset({"email", "phone", "tax_pin"})


def create(caller: Caller, new: NewVendor) -> Vendor:
    """A vendor with its first accounts, in use at once; 422 naming what is wrong with an account or the currency."""
    row = Vendor(
        business=caller.business,
        name=new.name,
        email=new.email or "",
        phone=new.phone or "",
        tax_pin=new.taxPin or "",
        type=new.type,
        country=new.country or caller.business.country,
        currency=_currency(new.currency or caller.business.currency),
        **_discount(new),
    )
    accounts = instructions.first_instructions(caller, row, new.payment_instructions)
    with transaction.atomic():
        row.save(force_insert=True)
        PaymentInstruction.objects.bulk_create(accounts)
        payload = serializers.vendor(get_vendor(caller, row.id))
        record_event(caller.business, "vendor.created", payload, actor=caller)
        record_audit(caller, "vendor.create", "vendor", row.id, after=for_audit(payload))
    return get_vendor(caller, row.id)


def change_vendor(caller: Caller, vendor_id: str, changed: ChangedVendor) -> Vendor:
    """Changes the fields that were sent; 404, 409 for a deleted one."""
    with transaction.atomic():
        row = lock_vendor(caller, vendor_id)
        sent = changed.model_dump(exclude_unset=True, exclude={"discount_percent", "discount_days"})
        columns = {COLUMNS.get(name, name): value for name, value in sent.items()} | _discount(changed)
        stored = {name: ("" if value is None else value) for name, value in columns.items() if _settable(name, value)}
        if "currency" in stored:
            stored["currency"] = _currency(stored["currency"])
        before = {name: getattr(row, name) for name, value in stored.items() if getattr(row, name) != value}
        for name, value in stored.items():
            setattr(row, name, value)
        return changes.record_change(
            caller, row, "vendor.updated", "vendor.change", before, {name: stored[name] for name in before}
        )


def _discount(body: NewVendor | ChangedVendor) -> dict[str, int]:
    """The columns of the terms that were sent, both 0 where they are taken off; none where none were sent."""
    if body.discount_percent is None:
        return {}
    return {"discount_bps": int(body.discount_percent * 100), "discount_days": body.discount_days or 0}


def _settable(name: str, value: object) -> bool:
    return value is not None or name in EMPTIED


def _currency(code: str) -> str:
    if code not in money.CURRENCIES:
        raise errors.validation_failed("currency", "It is not an ISO 4217 currency.", "unknown")
    return code


def delete(caller: Caller, vendor_id: str) -> Vendor:
    """Deletes softly; 409 in_use while a bill of the vendor is not paid or cancelled."""
    with transaction.atomic():
        row = lock_vendor(caller, vendor_id)
        if dependents := hooks.dependents_of(row):
            raise errors.conflict("in_use", dependents)
        row.status = Vendor.Status.DELETED
        before, after = {"status": Vendor.Status.ACTIVE}, {"status": Vendor.Status.DELETED}
        return changes.record_change(caller, row, "vendor.deleted", "vendor.delete", before, after)


def restore(caller: Caller, vendor_id: str) -> Vendor:
    """Brings a deleted vendor back, with the accounts that it had; 409 for one that is not deleted, or was merged."""
    with transaction.atomic():
        row = lock_deleted_vendor(caller, vendor_id)
        row.status = Vendor.Status.ACTIVE
        before, after = {"status": Vendor.Status.DELETED}, {"status": Vendor.Status.ACTIVE}
        return changes.record_change(caller, row, "vendor.updated", "vendor.restore", before, after)
