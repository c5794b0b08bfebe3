"""How the desk shows what is decided on: the item of each kind, the list beside it, plans and results."""

from dashboard.decisions.items import register_presenter
from dashboard.mirror.models import Approval, Expense, Request
from dashboard.pages.approvals.presenters.expenses import expense_item
from dashboard.pages.approvals.presenters.orders import order_item
from dashboard.pages.approvals.presenters.votes import approval_item

register_presenter(Expense, expense_item)
register_presenter(Request, order_item)
register_presenter(Approval, approval_item)
