"""What the gate must know of an export of receipts: whose it is. Read at start-up by the app."""

from dashboard.access.subject import Subject, subject_of
from dashboard.lists.models import ReceiptsJob


@subject_of.register
def _(thing: ReceiptsJob) -> Subject:
    asked = f"{thing.asked.get('from', '')} to {thing.asked.get('to', '')}"
    holder = thing.membership.employee_id
    return Subject(
        business_id=thing.business_id, kind="receipts_export", id=thing.remote_id, title=asked, holder_id=holder
    )
