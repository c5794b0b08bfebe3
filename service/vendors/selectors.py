"""What is read of vendors, and locked, within the business of the caller."""

from django.db.models import Prefetch, Q, QuerySet

from service import errors
from service.auth import Caller
from service.vendors.models import PaymentInstruction, Vendor, VendorContact, VendorDocument
from service.vendors.schemas import VendorQuery


def vendors(caller: Caller) -> QuerySet[Vendor]:
    """Those of the caller's business, with their accounts."""
    accounts = PaymentInstruction.objects.order_by("-is_default", "id")
    rows = Vendor.objects.filter(business_id=caller.business.id)
    documents = VendorDocument.objects.filter(removed_at=None).order_by("id")
    contacts = VendorContact.objects.order_by("name", "id")
    return rows.prefetch_related(
        Prefetch("instructions", queryset=accounts),
        Prefetch("documents", queryset=documents),
        Prefetch("contacts", queryset=contacts),
    )


def get_vendor(caller: Caller, vendor_id: str) -> Vendor:
    """One vendor, deleted ones too; 404 when the business has none such."""
    vendor = vendors(caller).filter(id=vendor_id).first()
    if vendor is None:
        raise errors.not_found("vendor")
    return vendor


def known_vendors(caller: Caller, ids: set[str]) -> set[str]:
    """Which of these ids are of active vendors of the business."""
    if not ids:
        return set()
    rows = Vendor.objects.filter(business_id=caller.business.id, id__in=ids, status=Vendor.Status.ACTIVE)
    return set(rows.values_list("id", flat=True))


def lock_vendor(caller: Caller, vendor_id: str) -> Vendor:
    """One vendor, locked to change it or what belongs to it; 404 without it, 409 invalid_state for a deleted one."""
    rows = Vendor.objects.select_for_update(no_key=True, of=("self",)).filter(business_id=caller.business.id)
    vendor = rows.filter(id=vendor_id).first()
    if vendor is None:
        raise errors.not_found("vendor")
    if vendor.status == Vendor.Status.DELETED:
        raise errors.invalid_state("The vendor is deleted.")
    return vendor


def lock_deleted_vendor(caller: Caller, vendor_id: str) -> Vendor:
    """A deleted vendor, locked to bring it back; 404 without it, 409 invalid_state for one that is active or was merged."""
    rows = Vendor.objects.select_for_update(no_key=True, of=("self",)).filter(business_id=caller.business.id)
    vendor = rows.filter(id=vendor_id).first()
    if vendor is None:
        raise errors.not_found("vendor")
    if vendor.status != Vendor.Status.DELETED:
        raise errors.invalid_state("The vendor is not deleted.")
    if vendor.merged_into_id:
        raise errors.invalid_state("The vendor was merged into another one, which has all that belonged to it.")
    return vendor


def filter_vendors(caller: Caller, query: VendorQuery) -> QuerySet[Vendor]:
    """Those that the filters let through."""
    rows = vendors(caller)
    if query.status != "ALL":
        rows = rows.filter(status=query.status)
    term = (query.search or "").strip()
    if term:
        named = Q(name__icontains=term) | Q(email__icontains=term)
        rows = rows.filter(named | Q(phone__contains=term) | Q(tax_pin__icontains=term))
    return rows
