"""What our own finance service offers beside the published interface (decisions B.6): used where it answers, never needed.

These rows are not in dashboard/operations.py, which equals the published interface; they pass the same gate. Those of the
accountant stand in operations_accounting.py, those of bills and vendors in operations_payables.py.
"""

from dashboard.access.operation import ALL, OWN, OWN_UNLESS, SCOPED, Operation, named_operations
from dashboard.access.roles import APPROVING, CONFIGURING, EVERYONE, FINANCE, OWNING, REVIEWING, STAFF
from dashboard.operations_accounting import ACCOUNTING
from dashboard.operations_payables import PAYABLES
from dashboard.schemas import (
    card_bodies,
    cards,
    categories,
    investments,
    payments,
    taxes,
    transactions,
    workflows,
)

READ_EVENTS = Operation("Events", "GET", "/events", FINANCE, ALL, "read the event feed")
READ_DEMO_PROGRESS = Operation("Events", "GET", "/demo-progress", EVERYONE, ALL, "viewed the progress of the demo")
LIST_WEBHOOK_ENDPOINTS = Operation("Events", "GET", "/webhook-endpoints", FINANCE, ALL, "viewed the webhook endpoints")
CREATE_WEBHOOK_ENDPOINT = Operation(
    "Events", "POST", "/webhook-endpoints", OWNING, ALL, "registered webhooks to {title}"
)
ROTATE_WEBHOOK_SECRET = Operation(
    "Events", "POST", "/webhook-endpoints/{id}/rotate-secret", OWNING, ALL, "rotated the secret of the webhooks"
)
CANCEL_RECEIPTS_EXPORT = Operation(
    "Expenses", "DELETE", "/expenses/export-receipts/{jobId}", STAFF, OWN, "cancelled the receipt export {title}"
)
LIST_EXPENSE_TAGS = Operation("Expenses", "GET", "/expenses/tags", EVERYONE, ALL, "viewed the expense tags")
CREATE_EXPENSE_TAG = Operation("Expenses", "POST", "/expenses/tags", STAFF, ALL, "added an expense tag")
TAG_EXPENSE = Operation("Expenses", "PUT", "/expenses/{id}/tags", EVERYONE, SCOPED, "tagged expense {title}")
SPLIT_TRANSACTION = Operation(
    "Transactions", "PUT", "/transactions/{id}/parts", EVERYONE, SCOPED, "changed the split of transaction {title}",
    request_schema=transactions.Split, response_schema=transactions.TransactionRow,
)  # fmt: skip
# The chart of accounts beside the published ways: what names a category, and subcategories that move to another.
LIST_CATEGORY_USES = Operation(
    "Categories", "GET", "/categories/{categoryId}/uses", CONFIGURING, ALL, "viewed what uses {title}",
    response_schema=categories.CategoryUse,
)  # fmt: skip
LIST_CATEGORY_USERS = Operation(
    "Categories", "GET", "/categories/{categoryId}/uses/{kind}", CONFIGURING, ALL, "viewed the records that use {title}",
    response_schema=categories.CategoryUser,
)  # fmt: skip
READ_CATEGORY_MOVE = Operation(
    "Categories", "GET", "/categories/{categoryId}/move", CONFIGURING, ALL, "viewed what a move into {title} changes",
    response_schema=categories.CategoryMovePlan,
)  # fmt: skip
MOVE_SUBCATEGORIES = Operation(
    "Categories", "POST", "/categories/{categoryId}/move", CONFIGURING, ALL, "moved {title}",
    request_schema=categories.CategoryMove, response_schema=categories.Category,
)  # fmt: skip
DOWNLOAD_RECEIPTS_EXPORT = Operation(
    "Expenses", "GET", "/expenses/export-receipts/download/{token}", STAFF, OWN, "downloaded the receipts of {title}"
)
# What waits for a decision beside the published ways to it.
LIST_CARD_REQUESTS = Operation(
    "Cards", "GET", "/cards/single-use/requests", EVERYONE, SCOPED, "viewed the single-use card requests"
)
READ_CARD_REQUEST = Operation(
    "Cards", "GET", "/cards/single-use/requests/{id}", EVERYONE, SCOPED, "viewed the request {title}"
)
APPROVE_CARD_REQUEST = Operation(
    "Cards", "PATCH", "/cards/single-use/requests/{id}", REVIEWING, SCOPED, "approved the request {title}",
    rule="not_own not_read_only", undo_s=10,
)  # fmt: skip
REJECT_CARD_REQUEST = Operation(
    "Cards", "PATCH", "/cards/single-use/requests/{id}", REVIEWING, SCOPED, "rejected the request {title}",
    rule="not_own not_read_only", undo_s=10,
)  # fmt: skip
CANCEL_CARD_REQUEST = Operation(
    "Cards", "PATCH", "/cards/single-use/requests/{id}", EVERYONE, SCOPED, "withdrew the request {title}",
    rule="requester_or_admin", request_schema=card_bodies.TakeBack,
)  # fmt: skip
REJECT_FUND_OPT_IN = Operation(
    "Investments", "POST", "/investments/opt-in/{ref}/reject", APPROVING, ALL, "rejected the fund account in {title}",
    rule="not_own mandate", undo_s=10,
)  # fmt: skip
LIST_FUNDS = Operation("Investments", "GET", "/investments/funds", FINANCE, ALL, "viewed the funds")
LIST_FUND_ACCOUNTS = Operation(
    "Investments", "GET", "/investments/accounts", FINANCE, ALL, "viewed the fund accounts",
    private_label=True, grant="TREASURY_OPERATOR",
)  # fmt: skip
READ_FUND_ACCOUNT = Operation(
    "Investments", "GET", "/investments/accounts/{fundAccountId}", FINANCE, ALL, "viewed fund account {title}",
    private_label=True, grant="TREASURY_OPERATOR",
)  # fmt: skip
# Whoever named an operator is not the other admin: `about` says both.
CONFIRM_TREASURY_OPERATOR = Operation(
    "Investments", "POST", "/investments/accounts/{fundAccountId}/permissions/{employeeId}/confirm", CONFIGURING, ALL,
    "confirmed treasury operator {title}", private_label=True, rule="not_self", response_schema=investments.Operators,
)  # fmt: skip
READ_PORTFOLIO = Operation(
    "Investments", "GET", "/investments/portfolio", FINANCE, ALL, "viewed the portfolio", private_label=True
)
READ_PERFORMANCE = Operation(
    "Investments", "GET", "/investments/portfolio/performance", FINANCE, ALL, "viewed the portfolio over time",
    private_label=True,
)  # fmt: skip
# Cards beside the published ways to them.
LIST_CARD_USES = Operation(
    "Cards", "GET", "/cards/authorizations", EVERYONE, SCOPED, "viewed the card activity of {title}"
)
TRY_PURCHASE = Operation(
    "Cards", "POST", "/cards/authorizations/try", EVERYONE, SCOPED, "simulated a purchase on card {title}",
    request_schema=card_bodies.Purchase, response_schema=cards.SimulatedPurchase,
)  # fmt: skip
ACTIVATE_CARD = Operation(
    "Cards", "PUT", "/cards/{id}/activate", EVERYONE, OWN_UNLESS(FINANCE), "activated card {title}"
)
REQUEST_PHYSICAL_CARD = Operation(
    "Cards", "POST", "/cards/physical/orders/request", EVERYONE, ALL, "requested a physical card",
    request_schema=card_bodies.NewPhysicalCard,
)  # fmt: skip
REQUEST_SINGLE_USE_CARD = Operation(
    "Cards", "POST", "/cards/single-use/requests", EVERYONE, ALL, "requested a single-use card",
    request_schema=card_bodies.NewSingleUseCard,
)  # fmt: skip
READ_SINGLE_USE_POLICY = Operation(
    "Cards", "GET", "/cards/single-use/policy", FINANCE, ALL, "viewed the single-use card policy",
    private_label=True, response_schema=cards.OncePolicy,
)  # fmt: skip
SET_SINGLE_USE_POLICY = Operation(
    "Cards", "PUT", "/cards/single-use/policy", CONFIGURING, ALL, "changed the single-use card policy",
    private_label=True, request_schema=card_bodies.OncePolicyChange, response_schema=cards.OncePolicy,
)  # fmt: skip
LIST_AUDIT_EVENTS = Operation("Events", "GET", "/audit-events", FINANCE, ALL, "viewed the finance service's audit")
# Workflows that policies ask for, beside the published ways to list and create them.
UPDATE_POLICY_WORKFLOW = Operation(
    "Business policies", "PATCH", "/business-policies/workflows/{workflowId}", CONFIGURING, ALL,
    "changed policy workflow {title}", private_label=True, request_schema=workflows.WorkflowChange, response_schema=workflows.Workflow,
)  # fmt: skip
DEACTIVATE_POLICY_WORKFLOW = Operation(
    "Business policies", "DELETE", "/business-policies/workflows/{workflowId}", CONFIGURING, ALL,
    "deactivated policy workflow {title}", private_label=True, response_schema=workflows.Workflow,
)  # fmt: skip
DOWNLOAD_TRANSACTION_DOCUMENT = Operation(
    "Transactions", "GET", "/transactions/{id}/documents/{documentId}", EVERYONE, SCOPED,
    "viewed a document of transaction {title}",
)  # fmt: skip
# What the ledger holds of a payout: the closing sheet is compared with it.
READ_PAYOUT_LEDGER = Operation(
    "Payments", "GET", "/payments/{batch_no}/ledger", FINANCE, ALL, "viewed the postings of payout {title}",
    private_label=True, response_schema=payments.PayoutLedger,
)  # fmt: skip
# How far a payout is that is being paid, and which of the rows that a page shows have changed.
READ_PAYOUT_PROGRESS = Operation(
    "Payments", "GET", "/payments/{batch_no}/progress", FINANCE, ALL, "viewed the progress of payout {title}",
    private_label=True, response_schema=payments.PayoutProgress,
)  # fmt: skip
# Which payments that are about to be made were made already by a payout, or may be.
FIND_DUPLICATE_PAYMENTS = Operation(
    "Payments", "POST", "/payments/duplicates", FINANCE, ALL, "looked for payments that were made already",
    private_label=True, request_schema=payments.ComparisonBody, response_schema=payments.DuplicatePayment,
)  # fmt: skip
# What became of the requests for mobile money: who asked for what can see whether it came, late too.
LIST_MOBILE_MONEY_REQUESTS = Operation(
    "Payments", "GET", "/payments/request-mpesa-payment", FINANCE, ALL, "viewed the requests for mobile money",
    private_label=True, response_schema=payments.MobileMoneyRequest,
)  # fmt: skip
# What was withheld is paid over to the authority, and each vendor gets a certificate of it.
LIST_REMITTANCES = Operation(
    "Taxes", "GET", "/taxes/remittances", FINANCE, ALL, "viewed the tax remittances", response_schema=taxes.Remittance
)
CREATE_REMITTANCE = Operation(
    "Taxes", "POST", "/taxes/remittances", CONFIGURING, ALL, "recorded a remittance of {title}",
    request_schema=taxes.NewRemittance, response_schema=taxes.Remittance,
)  # fmt: skip

# With those of the accountant and of what is owed: all of them, by their names.
OPERATIONS_EXTRA: dict[str, Operation] = {**named_operations(globals()), **ACCOUNTING, **PAYABLES}
