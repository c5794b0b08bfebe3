"""How the desk shows what is decided on: the item of each kind, the list beside it, plans and results."""

from dashboard.decisions.desk_items import register_presenter
from dashboard.decisions.preconditions import register_red_flags
from dashboard.mirror.models import Approval, ApprovalRequest, Expense
from dashboard.pages.approvals.presenters.expenses import expense_item
from dashboard.pages.approvals.presenters.red_flags import red_flags_of_approvals, red_flags_of_expenses
from dashboard.pages.approvals.presenters.requests import request_item
from dashboard.pages.approvals.presenters.votes import approval_item

register_presenter(Expense, expense_item)
register_red_flags(Expense, red_flags_of_expenses)
register_red_flags(Approval, red_flags_of_approvals)
register_presenter(ApprovalRequest, request_item)
register_presenter(Approval, approval_item)
