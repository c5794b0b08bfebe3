"""Vendors as rows: read and locked within the caller's business, and saved with what tells of the change."""

from typing import Any

from django.db.models import Prefetch, QuerySet

from service import errors
from service.auth import Caller
from service.events.audit import note
from service.events.outbox import record
from service.vendors import schemas
from service.vendors.destinations import masked
from service.vendors.models import PaymentInstruction, Vendor


def vendors(caller: Caller) -> QuerySet[Vendor]:
    """Those of the caller's business, with their accounts."""
    accounts = PaymentInstruction.objects.order_by("-is_default", "id")
    rows = Vendor.objects.filter(business_id=caller.business.id)
    return rows.prefetch_related(Prefetch("instructions", queryset=accounts))


def vendor(caller: Caller, vendor_id: str) -> Vendor:
    """One vendor, deleted ones too; 404 when the business has none such."""
    found = vendors(caller).filter(id=vendor_id).first()
    if found is None:
        raise errors.not_found("vendor")
    return found


def known_vendors(caller: Caller, ids: set[str]) -> set[str]:
    """Which of these ids are of active vendors of the business."""
    if not ids:
        return set()
    rows = Vendor.objects.filter(business_id=caller.business.id, id__in=ids, status=Vendor.Status.ACTIVE)
    return set(rows.values_list("id", flat=True))


def locked(caller: Caller, vendor_id: str) -> Vendor:
    """The same for changing it or what belongs to it; 409 invalid_state for a deleted one."""
    rows = Vendor.objects.select_for_update(no_key=True, of=("self",)).filter(business_id=caller.business.id)
    found = rows.filter(id=vendor_id).first()
    if found is None:
        raise errors.not_found("vendor")
    if found.status == Vendor.Status.DELETED:
        raise errors.invalid_state("The vendor is deleted.")
    return found


def record_change(
    caller: Caller, row: Vendor, event: str, action: str, before: dict[str, Any], after: dict[str, Any]
) -> Vendor:
    """Saves a changed vendor with its event and audit line; inside the caller's transaction. Answers it afresh."""
    row.version += 1
    row.save()
    found = vendor(caller, row.id)
    record(caller.business, event, schemas.vendor(found), previous=before, actor=caller)
    note(caller, action, "vendor", row.id, before, after)
    return found


def for_audit(shown: dict[str, Any]) -> dict[str, Any]:
    """A shown vendor as the audit trail keeps it: of each account the last characters."""
    accounts = [{**each, "account": masked(each["account"])} for each in shown["payment_instructions"]]
    return {**shown, "payment_instructions": accounts}
