"""What the gate must know of an export of receipts: whose it is. Registered at start-up by the app."""

from dashboard.access.subject import Subject
from dashboard.lists.models import ReceiptsJob


def receipts_job_subject(receipts_job: ReceiptsJob) -> Subject:
    """The subject of an export of receipts: its period as title, and its member's employee as holder."""
    period = f"{receipts_job.asked.get('from', '')} to {receipts_job.asked.get('to', '')}"
    holder = receipts_job.membership.employee_id
    return Subject(
        business_id=receipts_job.business_id,
        kind="receipts_export",
        id=receipts_job.remote_id,
        title=period,
        holder_id=holder,
    )
