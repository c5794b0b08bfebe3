"""How a resource of the interface becomes a row of the copy: one function per kind, tolerant of what it does not know."""

from dashboard.mirror.mappers.approvals import APPROVAL
from dashboard.mirror.mappers.cards import CARD, CARD_DECLINE
from dashboard.mirror.mappers.customers import CUSTOMER
from dashboard.mirror.mappers.expenses import EXPENSE
from dashboard.mirror.mappers.funds import FUND_ACCOUNT
from dashboard.mirror.mappers.lookups import CATEGORY, EMPLOYEE, TEAM, WALLET
from dashboard.mirror.mappers.mapper import Mapper, Payload, canonical, moment, remote_id, updated_at, version
from dashboard.mirror.mappers.policies import WALLET_PERMISSION, WALLET_POLICY, WALLET_ROLE
from dashboard.mirror.mappers.requests import (
    BILL_PAYMENT,
    CARD_ORDER,
    CARD_REQUEST,
    FUND_OPT_IN,
    HAND_TRANSACTION,
    PAYOUT,
)
from dashboard.mirror.mappers.transactions import TRANSACTION
from dashboard.mirror.mappers.vendors import SUBSCRIPTION, VENDOR

__all__ = ["MAPPERS", "Mapper", "Payload", "canonical", "moment", "remote_id", "updated_at", "version"]

# By the noun of a kind's events.
MAPPERS: dict[str, Mapper] = {
    "expense": EXPENSE,
    "approval": APPROVAL,
    "employee": EMPLOYEE,
    "team": TEAM,
    "category": CATEGORY,
    "wallet": WALLET,
    "wallet_policy": WALLET_POLICY,
    "wallet_permission": WALLET_PERMISSION,
    "wallet_role": WALLET_ROLE,
    "customer": CUSTOMER,
    "card": CARD,
    "card_authorization": CARD_DECLINE,
    "transaction": TRANSACTION,
    "fund_account": FUND_ACCOUNT,
    "vendor": VENDOR,
    "subscription": SUBSCRIPTION,
    "card_order": CARD_ORDER,
    "card_request": CARD_REQUEST,
    "fund_opt_in": FUND_OPT_IN,
    "bill_payment": BILL_PAYMENT,
    "payout": PAYOUT,
    "hand_transaction": HAND_TRANSACTION,
}
