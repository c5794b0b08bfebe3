"""The local copy that lists, counts, search and exports are answered from; never the source of truth."""

from dashboard.mirror.models.approvals import WAITING_APPROVAL, Approval
from dashboard.mirror.models.bills import OPEN_BILL, OPEN_BILL_STATES, Bill
from dashboard.mirror.models.cached_responses import StoredResponse
from dashboard.mirror.models.cards import Card, CardDecline
from dashboard.mirror.models.customers import Customer
from dashboard.mirror.models.expenses import (
    ANSWERED_EXPENSE,
    MATCHING_EXPENSE,
    UNREAD_EXPENSE,
    WAITING_EXPENSE,
    Expense,
    ReceiptCheck,
)
from dashboard.mirror.models.funds import FundAccount
from dashboard.mirror.models.lookups import Category, Employee, Team, Wallet
from dashboard.mirror.models.mirrored import COPYING, LIVE, Mirrored, Origin
from dashboard.mirror.models.policies import WalletPermission, WalletPolicy, WalletRole
from dashboard.mirror.models.requests import DECIDED_REQUEST, WAITING_REQUEST, WAITING_STATES, ApprovalRequest
from dashboard.mirror.models.spend_policies import SpendPolicy, Workflow
from dashboard.mirror.models.sync_state import Drift, InboxEvent, InboxState, SyncCursor, SyncedDay
from dashboard.mirror.models.transactions import Transaction
from dashboard.mirror.models.vendors import Subscription, Vendor

__all__ = [
    "ANSWERED_EXPENSE",
    "COPYING",
    "DECIDED_REQUEST",
    "LIVE",
    "MATCHING_EXPENSE",
    "OPEN_BILL",
    "OPEN_BILL_STATES",
    "UNREAD_EXPENSE",
    "WAITING_APPROVAL",
    "WAITING_EXPENSE",
    "WAITING_REQUEST",
    "WAITING_STATES",
    "Approval",
    "ApprovalRequest",
    "Bill",
    "Card",
    "CardDecline",
    "Category",
    "Customer",
    "Drift",
    "Employee",
    "Expense",
    "FundAccount",
    "InboxEvent",
    "InboxState",
    "Mirrored",
    "Origin",
    "ReceiptCheck",
    "SpendPolicy",
    "StoredResponse",
    "Subscription",
    "SyncCursor",
    "SyncedDay",
    "Team",
    "Transaction",
    "Vendor",
    "Wallet",
    "WalletPermission",
    "WalletPolicy",
    "WalletRole",
    "Workflow",
]
