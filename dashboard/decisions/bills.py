"""The bill behind a payment, read as it is looked at: its lines and files are not copied."""

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.mirror.models import ApprovalRequest
from dashboard.schemas.bills import BillPayload

READ_S = 1.0


def bill_of(actor: Actor, paid: ApprovalRequest) -> BillPayload | None:
    """The bill of a payment; None where it cannot be read within a second."""
    bill_id = paid.payload.get("bill_id")
    if not bill_id or actor.role not in operations_payables.READ_BILL.roles:
        return None
    try:
        answer = read_live(actor, operations_payables.READ_BILL, path={"id": str(bill_id)}, deadline=READ_S, tries=1)
    except FinanceError:
        return None
    bill: BillPayload = answer.data
    return bill if isinstance(bill, dict) else None
