"""What follows from a decided request for votes about investments: it is about an opt-in, or about a movement."""

from service.approvals.models import Approval, ApprovalStatus
from service.auth import Caller
from service.investments import movements, opt_ins
from service.investments.models import OptIn

KIND = opt_ins.KIND
VERBS = {ApprovalStatus.APPROVED: "approve", ApprovalStatus.EXPIRED: "expire"}


def voted(caller: Caller, approval: Approval) -> None:
    """Moves the opt-in or the movement on, in the transaction of the deciding vote."""
    row = OptIn.objects.select_for_update(no_key=True, of=("self",)).filter(pk=approval.subject_id).first()
    if row is not None:
        opt_ins.decide(caller, row, VERBS.get(ApprovalStatus(approval.status), "reject"))
    else:
        movements.decide(caller, approval.subject_id, approved=approval.status == ApprovalStatus.APPROVED)
