"""How a change of a vendor is written down: the row with its event, and the audit line without whole account numbers."""

from service.auth import Caller
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import ChangedFields
from service.vendors import serializers
from service.vendors.destinations import masked
from service.vendors.models import Vendor
from service.vendors.selectors import get_vendor


def record_change(
    caller: Caller, row: Vendor, event: str, action: str, before: ChangedFields, after: ChangedFields
) -> Vendor:
    """Saves a changed vendor with its event and audit line; inside the caller's transaction. Answers it afresh."""
    row.version += 1
    row.save()
    changed = get_vendor(caller, row.id)
    record_event(caller.business, event, serializers.vendor(changed), previous=before, actor=caller)
    record_audit(caller, action, "vendor", row.id, before, after)
    return changed


def for_audit(vendor_shape: serializers.VendorShape) -> serializers.VendorShape:
    """A shown vendor as the audit trail keeps it: of each account the last characters."""
    accounts: list[serializers.InstructionShape] = [
        {**instruction, "account": masked(instruction["account"])}
        for instruction in vendor_shape["payment_instructions"]
    ]
    return {**vendor_shape, "payment_instructions": accounts}
