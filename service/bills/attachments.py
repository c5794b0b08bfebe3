"""Putting files on bills and taking them off: what a payment is voted on by stays while it is under way."""

from collections.abc import Sequence

from django.db import transaction

from service import errors
from service.auth import Caller
from service.bills import duplicates, files, selectors, services
from service.bills.models import Bill, BillStatus


def attach(caller: Caller, bill_id: str, file_ids: Sequence[str]) -> Bill:
    """Attaches files that were sent in; the bill is looked at again for being a duplicate. 409 for a cancelled bill."""
    with transaction.atomic():
        row = selectors.lock_bill(caller, bill_id)
        if row.status == BillStatus.CANCELLED:
            raise errors.invalid_state("The bill is cancelled.")
        files.attach_to(caller, row, file_ids)
        duplicates.flag(row)
        return services.record_edit(caller, row, "bill.updated", "bill.attach", {"attachments": []})


def detach(caller: Caller, bill_id: str, file_ids: Sequence[str]) -> Bill:
    """Takes files off; 409 once a payment is under way or was made, 404 for a file that the bill does not have."""
    with transaction.atomic():
        row = selectors.lock_bill(caller, bill_id)
        services.check_unpaid(row)
        files.detach_from(row, file_ids)
        duplicates.flag(row)
        return services.record_edit(caller, row, "bill.updated", "bill.detach", {"attachments": sorted(set(file_ids))})
