"""The permissions there are, in their groups, and which a role has to begin with (decisions A.3, B.12)."""

from dataclasses import dataclass

from service.businesses.models import Role


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission: RESOURCE_ACTION, and what it is about."""

    name: str
    title: str
    group: str


PERMISSIONS = (
    Permission("PEOPLE_VIEW", "View people", "People"),
    Permission("PEOPLE_EDIT", "Edit people and transfer their accounts", "People"),
    Permission("PEOPLE_FUND", "Allocate and remove employee funds", "People"),
    Permission("TEAM_EDIT", "Edit teams", "People"),
    Permission("EXPENSE_VIEW_OWN", "View own expenses", "Expenses"),
    Permission("EXPENSE_VIEW_TEAM", "View expenses of own teams", "Expenses"),
    Permission("EXPENSE_VIEW_ALL", "View all expenses", "Expenses"),
    Permission("EXPENSE_REVIEW", "Approve and reject expenses", "Expenses"),
    Permission("EXPENSE_EXPORT_RECEIPTS", "Export receipts", "Expenses"),
    Permission("BILL_VIEW", "View bills", "Bills"),
    Permission("BILL_EDIT", "Edit bills", "Bills"),
    Permission("BILL_PAY", "Request bill payments", "Bills"),
    Permission("BILL_APPROVE", "Approve bill payments", "Bills"),
    Permission("PAYOUT_VIEW", "View payouts", "Payouts"),
    Permission("PAYOUT_INITIATE", "Create and initiate payouts", "Payouts"),
    Permission("PAYOUT_APPROVE", "Approve payouts", "Payouts"),
    Permission("CARD_VIEW", "View cards", "Cards"),
    Permission("CARD_MANAGE", "Issue and manage cards", "Cards"),
    Permission("CARD_REQUEST", "Request a card", "Cards"),
    Permission("WALLET_VIEW", "View wallets", "Wallets"),
    Permission("WALLET_MANAGE", "Open, rename and suspend wallets", "Wallets"),
    Permission("FX_TRANSFER", "Convert currency between wallets", "Wallets"),
    Permission("VENDOR_EDIT", "Edit vendors", "Master data"),
    Permission("CUSTOMER_EDIT", "Edit customers", "Master data"),
    Permission("CATEGORY_EDIT", "Edit categories", "Master data"),
    Permission("TAX_EDIT", "Edit withholding taxes", "Master data"),
    Permission("TREASURY_VIEW", "View investments", "Treasury"),
    Permission("TREASURY_OPERATE", "Invest and withdraw", "Treasury"),
    Permission("POLICY_EDIT", "Edit spend policies", "Governance"),
    Permission("ROLE_EDIT", "Edit roles, permissions and mandates", "Governance"),
    Permission("AUDIT_VIEW", "View the audit log", "Governance"),
)
NAMES = tuple(permission.name for permission in PERMISSIONS)
GROUPS = tuple(dict.fromkeys(permission.group for permission in PERMISSIONS))

_CARD_USER = frozenset({"EXPENSE_VIEW_OWN", "CARD_VIEW", "CARD_REQUEST"})
_REVIEWER = _CARD_USER | {"PEOPLE_VIEW", "EXPENSE_VIEW_TEAM", "EXPENSE_REVIEW", "EXPENSE_EXPORT_RECEIPTS", "BILL_VIEW"}
_SEEING = frozenset(
    {
        "PEOPLE_VIEW",
        "EXPENSE_VIEW_OWN",
        "EXPENSE_VIEW_TEAM",
        "EXPENSE_VIEW_ALL",
        "EXPENSE_EXPORT_RECEIPTS",
        "BILL_VIEW",
        "PAYOUT_VIEW",
        "CARD_VIEW",
        "WALLET_VIEW",
        "TREASURY_VIEW",
        "AUDIT_VIEW",
    }
)
# An admin prepares and configures, an approver approves and moves money, a super admin says who may what.
DEFAULTS: dict[str, frozenset[str]] = {
    Role.CARD_USER: _CARD_USER,
    Role.REVIEWER: _REVIEWER,
    Role.APPROVER: frozenset(NAMES) - {"PEOPLE_EDIT", "TEAM_EDIT", "POLICY_EDIT", "ROLE_EDIT"},
    Role.ADMIN: _SEEING
    | {
        "PEOPLE_EDIT",
        "TEAM_EDIT",
        "EXPENSE_REVIEW",
        "BILL_EDIT",
        "BILL_PAY",
        "PAYOUT_INITIATE",
        "CARD_MANAGE",
        "CARD_REQUEST",
        "WALLET_MANAGE",
        "VENDOR_EDIT",
        "CUSTOMER_EDIT",
        "CATEGORY_EDIT",
        "TAX_EDIT",
        "POLICY_EDIT",
    },
    Role.SUPER_ADMIN: _SEEING
    | {
        "PEOPLE_EDIT",
        "TEAM_EDIT",
        "CARD_MANAGE",
        "CARD_REQUEST",
        "CATEGORY_EDIT",
        "TAX_EDIT",
        "POLICY_EDIT",
        "ROLE_EDIT",
    },
}

# What the holder of a scope needs besides it, where somebody took it from their role or from them.
BY_SCOPE = {
    "employees:write": "PEOPLE_EDIT",
    "employees:funds": "PEOPLE_FUND",
    "teams:write": "TEAM_EDIT",
    "expenses:review": "EXPENSE_REVIEW",
    "expenses:export": "EXPENSE_EXPORT_RECEIPTS",
    "bills:write": "BILL_EDIT",
    "bills:pay": "BILL_PAY",
    "bills:approve": "BILL_APPROVE",
    "payments:write": "PAYOUT_INITIATE",
    "approvals:decide": "PAYOUT_APPROVE",
    "cards:manage": "CARD_MANAGE",
    "accounts:write": "WALLET_MANAGE",
    "fx:transfer": "FX_TRANSFER",
    "vendors:write": "VENDOR_EDIT",
    "customers:write": "CUSTOMER_EDIT",
    "categories:write": "CATEGORY_EDIT",
    "taxes:write": "TAX_EDIT",
    "investments:move": "TREASURY_OPERATE",
    "policies:write": "POLICY_EDIT",
    "roles:write": "ROLE_EDIT",
    "audit:read": "AUDIT_VIEW",
}


def is_barred(role: str, permission: str) -> bool:
    """Whether a role can never have a permission: only an APPROVER approves, so no admin is ever given that (A.3)."""
    return permission.endswith("_APPROVE") and role != Role.APPROVER
