"""The people to speak to at a vendor: added, changed, and removed."""

from django.db import transaction

from service import errors
from service.auth import Caller
from service.vendors import changes
from service.vendors.models import Vendor, VendorContact
from service.vendors.schemas import ContactBody
from service.vendors.selectors import lock_vendor

MOST_CONTACTS = 50


def add_contact(caller: Caller, vendor_id: str, new: ContactBody) -> Vendor:
    """Adds somebody. 404; 409 for a deleted vendor, or one that has MOST_CONTACTS."""
    with transaction.atomic():
        vendor = lock_vendor(caller, vendor_id)
        if VendorContact.objects.filter(vendor=vendor).count() >= MOST_CONTACTS:
            raise errors.limit_exceeded(f"A vendor has at most {MOST_CONTACTS} contacts.")
        row = VendorContact.objects.create(vendor=vendor, **_columns(new))
        return changes.record_change(caller, vendor, "vendor.updated", "vendor.add_contact", {}, _for_audit(row))


def change_contact(caller: Caller, vendor_id: str, contact_id: str, contact_body: ContactBody) -> Vendor:
    """Writes somebody anew as they were sent. 404 without them, 409 for a deleted vendor."""
    with transaction.atomic():
        vendor = lock_vendor(caller, vendor_id)
        row = _contact(vendor, contact_id)
        before = _for_audit(row)
        for name, value in _columns(contact_body).items():
            setattr(row, name, value)
        row.save()
        return changes.record_change(caller, vendor, "vendor.updated", "vendor.change_contact", before, _for_audit(row))


def remove_contact(caller: Caller, vendor_id: str, contact_id: str) -> Vendor:
    """Removes somebody for good. 404 without them, 409 for a deleted vendor."""
    with transaction.atomic():
        vendor = lock_vendor(caller, vendor_id)
        row = _contact(vendor, contact_id)
        before = _for_audit(row)
        row.delete()
        return changes.record_change(caller, vendor, "vendor.updated", "vendor.remove_contact", before, {})


def _contact(vendor: Vendor, contact_id: str) -> VendorContact:
    row = VendorContact.objects.filter(vendor=vendor, id=contact_id).first()
    if row is None:
        raise errors.not_found("contact")
    return row


def _columns(body: ContactBody) -> dict[str, str]:
    return {"name": body.name, "role": body.role or "", "email": body.email or "", "phone": body.phone or ""}


def _for_audit(row: VendorContact) -> dict[str, str]:
    return {"contact_id": row.id, "name": row.name, "role": row.role, "email": row.email, "phone": row.phone}
