"""What the gate must know of an export of receipts: whose it is. Read at start-up by the app."""

from dashboard.access.subject import Subject, subject_of
from dashboard.lists.models import ReceiptsJob


@subject_of.register
def _(job: ReceiptsJob) -> Subject:
    period = f"{job.asked.get('from', '')} to {job.asked.get('to', '')}"
    holder = job.membership.employee_id
    return Subject(
        business_id=job.business_id, kind="receipts_export", id=job.remote_id, title=period, holder_id=holder
    )
