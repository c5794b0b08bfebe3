"""Bills of vendors, their lines and files, and the payments made on them (decisions B.9).

Two axes are kept apart: how far a thing has come (`status`) and what was decided about it (`approval_status`).
"""

from service.bills.models.bills import Bill, BillFile, BillLine, BillStatus, LineSplit
from service.bills.models.payments import ApprovalAxis, Attempt, AttemptStatus, BillPayment, PaymentStatus

__all__ = [
    "ApprovalAxis",
    "Attempt",
    "AttemptStatus",
    "Bill",
    "BillFile",
    "BillLine",
    "BillPayment",
    "BillStatus",
    "LineSplit",
    "PaymentStatus",
]
