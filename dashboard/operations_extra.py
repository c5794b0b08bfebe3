"""What our own finance service offers beside the published interface (decisions B.6): used where it answers, never needed.

These rows are not in dashboard/operations.py, which equals the published interface; they pass the same gate.
"""

from dashboard.access.operation import ALL, OWN, OWN_UNLESS, SCOPED, Operation
from dashboard.access.roles import APPROVING, CONFIGURING, EVERYONE, FINANCE, INITIATING, OWNING, REVIEWING, STAFF
from dashboard.schemas import (
    accounting,
    bill_schedules,
    bills,
    budgets,
    card_bodies,
    cards,
    categories,
    credit_notes,
    investments,
    journal_exports,
    payments,
    reconciliation,
    taxes,
    transactions,
    vendors,
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
# Bills beside the published payments of them (decisions B.9).
LIST_BILLS = Operation("Bills", "GET", "/bills", FINANCE, ALL, "viewed the bills", response_schema=bills.Bill)
READ_BILL = Operation("Bills", "GET", "/bills/{id}", FINANCE, ALL, "viewed bill {title}", response_schema=bills.Bill)
CREATE_BILL = Operation(
    "Bills",
    "POST",
    "/bills",
    INITIATING,
    ALL,
    "entered bill {title}",
    request_schema=bills.NewBill,
    response_schema=bills.Bill,
)
UPDATE_BILL = Operation(
    "Bills", "PUT", "/bills/{id}", INITIATING, ALL, "changed bill {title}",
    request_schema=bills.BillChange, response_schema=bills.Bill,
)  # fmt: skip
CANCEL_BILL = Operation(
    "Bills", "POST", "/bills/{id}/cancel", INITIATING, ALL, "cancelled bill {title}",
    request_schema=bills.CancelBody, response_schema=bills.Bill,
)  # fmt: skip
UPLOAD_BILL_FILE = Operation(
    "Bills", "POST", "/bills/files", INITIATING, ALL, "uploaded a file of a bill", response_schema=bills.BillFile
)
ATTACH_BILL_FILES = Operation(
    "Bills", "POST", "/bills/{id}/attachments", INITIATING, ALL, "attached a file to bill {title}",
    request_schema=bills.FilesBody, response_schema=bills.Bill,
)  # fmt: skip
DETACH_BILL_FILES = Operation(
    "Bills", "DELETE", "/bills/{id}/attachments", INITIATING, ALL, "removed a file from bill {title}",
    request_schema=bills.FilesBody, response_schema=bills.Bill,
)  # fmt: skip
DOWNLOAD_BILL_FILE = Operation("Bills", "GET", "/bills/files/{fileId}", FINANCE, ALL, "viewed a file of {title}")
# Credit notes of vendors, and bills that come again.
LIST_CREDIT_NOTES = Operation(
    "Bills", "GET", "/credit-notes", FINANCE, ALL, "viewed the credit notes", response_schema=credit_notes.CreditNote
)
CREATE_CREDIT_NOTE = Operation(
    "Bills", "POST", "/credit-notes", INITIATING, ALL, "recorded a credit note for bill {title}",
    request_schema=credit_notes.NewCreditNote, response_schema=credit_notes.CreditNote,
)  # fmt: skip
APPLY_CREDIT_NOTE = Operation(
    "Bills", "POST", "/credit-notes/{id}/apply", INITIATING, ALL, "applied credit note {title}",
    request_schema=credit_notes.ApplyBody, response_schema=credit_notes.CreditNote,
)  # fmt: skip
LIST_BILL_SCHEDULES = Operation(
    "Bills",
    "GET",
    "/bill-schedules",
    FINANCE,
    ALL,
    "viewed the recurring bills",
    response_schema=bill_schedules.BillSchedule,
)
READ_BILL_SCHEDULE = Operation(
    "Bills", "GET", "/bill-schedules/{id}", FINANCE, ALL, "viewed recurring bill {title}",
    response_schema=bill_schedules.BillSchedule,
)  # fmt: skip
CREATE_BILL_SCHEDULE = Operation(
    "Bills", "POST", "/bill-schedules", INITIATING, ALL, "added recurring bill {title}",
    request_schema=bill_schedules.NewBillSchedule, response_schema=bill_schedules.BillSchedule,
)  # fmt: skip
PAUSE_BILL_SCHEDULE = Operation(
    "Bills", "POST", "/bill-schedules/{id}/pause", INITIATING, ALL, "paused recurring bill {title}",
    response_schema=bill_schedules.BillSchedule,
)  # fmt: skip
RESUME_BILL_SCHEDULE = Operation(
    "Bills", "POST", "/bill-schedules/{id}/resume", INITIATING, ALL, "resumed recurring bill {title}",
    response_schema=bill_schedules.BillSchedule,
)  # fmt: skip
END_BILL_SCHEDULE = Operation(
    "Bills", "POST", "/bill-schedules/{id}/end", INITIATING, ALL, "ended recurring bill {title}",
    response_schema=bill_schedules.BillSchedule,
)  # fmt: skip
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
# A proposed account of a vendor: whoever proposed it neither confirms nor rejects it.
CONFIRM_PAYMENT_INSTRUCTION = Operation(
    "Vendors", "POST", "/vendors/{id}/payment-instruction/{instructionId}/confirm", INITIATING, ALL,
    "confirmed a payment account of vendor {title}", rule="not_own",
    request_schema=vendors.InstructionDecision, response_schema=vendors.Vendor,
)  # fmt: skip
REJECT_PAYMENT_INSTRUCTION = Operation(
    "Vendors", "POST", "/vendors/{id}/payment-instruction/{instructionId}/reject", INITIATING, ALL,
    "rejected a payment account of vendor {title}", rule="not_own",
    request_schema=vendors.InstructionDecision, response_schema=vendors.Vendor,
)  # fmt: skip
# A vendor beside the published ways to it: brought back, merged with a duplicate, its documents, what it was paid.
RESTORE_VENDOR = Operation(
    "Vendors",
    "POST",
    "/vendors/{id}/restore",
    INITIATING,
    ALL,
    "restored vendor {title}",
    response_schema=vendors.Vendor,
)
LIST_DUPLICATE_VENDORS = Operation(
    "Vendors", "GET", "/vendors/duplicates", STAFF, ALL, "viewed the possible duplicates of vendors",
    response_schema=vendors.DuplicateVendors,
)  # fmt: skip
READ_VENDOR_MERGE = Operation(
    "Vendors", "GET", "/vendors/{id}/merge/{duplicateId}", INITIATING, ALL, "viewed what a merge into vendor {title} moves",
    response_schema=vendors.MergePlan,
)  # fmt: skip
MERGE_VENDOR = Operation(
    "Vendors", "POST", "/vendors/{id}/merge", INITIATING, ALL, "merged a duplicate into vendor {title}",
    request_schema=vendors.NewMerge, response_schema=vendors.Vendor,
)  # fmt: skip
READ_VENDOR_ACTIVITY = Operation(
    "Vendors", "GET", "/vendors/{id}/activity", STAFF, ALL, "viewed what vendor {title} was paid",
    response_schema=vendors.VendorActivity,
)  # fmt: skip
ADD_VENDOR_DOCUMENT = Operation(
    "Vendors", "POST", "/vendors/{id}/documents", INITIATING, ALL, "added a document to vendor {title}",
    response_schema=vendors.Vendor,
)  # fmt: skip
REMOVE_VENDOR_DOCUMENT = Operation(
    "Vendors", "DELETE", "/vendors/{id}/documents/{documentId}", INITIATING, ALL,
    "removed a document from vendor {title}", response_schema=vendors.Vendor,
)  # fmt: skip
DOWNLOAD_VENDOR_DOCUMENT = Operation(
    "Vendors", "GET", "/vendors/{id}/documents/{documentId}", STAFF, ALL, "viewed a document of vendor {title}"
)
ADD_VENDOR_CONTACT = Operation(
    "Vendors", "POST", "/vendors/{id}/contacts", INITIATING, ALL, "added a contact to vendor {title}",
    request_schema=vendors.ContactBody, response_schema=vendors.Vendor,
)  # fmt: skip
CHANGE_VENDOR_CONTACT = Operation(
    "Vendors", "PUT", "/vendors/{id}/contacts/{contactId}", INITIATING, ALL, "changed a contact of vendor {title}",
    request_schema=vendors.ContactBody, response_schema=vendors.Vendor,
)  # fmt: skip
REMOVE_VENDOR_CONTACT = Operation(
    "Vendors", "DELETE", "/vendors/{id}/contacts/{contactId}", INITIATING, ALL,
    "removed a contact from vendor {title}", response_schema=vendors.Vendor,
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
# Accounting periods and the books of a month (decisions B.16): closed by one admin, reopened by another.
LIST_PERIODS = Operation(
    "Accounting", "GET", "/accounting/periods", FINANCE, ALL, "viewed the accounting periods",
    response_schema=accounting.AccountingPeriod,
)  # fmt: skip
READ_PERIOD = Operation(
    "Accounting", "GET", "/accounting/periods/{period}", FINANCE, ALL, "viewed accounting period {title}",
    response_schema=accounting.AccountingPeriod,
)  # fmt: skip
LIST_PERIOD_WALLETS = Operation(
    "Accounting", "GET", "/accounting/periods/{period}/wallets", FINANCE, ALL,
    "viewed what bank and books lack of each other in a period", response_schema=accounting.PeriodWallet,
)  # fmt: skip
CLOSE_PERIOD = Operation(
    "Accounting", "POST", "/accounting/periods/{period}/close", CONFIGURING, ALL, "closed accounting period {title}",
    request_schema=accounting.CloseBody, response_schema=accounting.AccountingPeriod,
)  # fmt: skip
REOPEN_PERIOD = Operation(
    "Accounting", "POST", "/accounting/periods/{period}/reopen", CONFIGURING, ALL,
    "reopened accounting period {title}", rule="not_own", request_schema=accounting.ReopenBody, response_schema=accounting.AccountingPeriod,
)  # fmt: skip
READ_TRIAL_BALANCE = Operation(
    "Accounting", "GET", "/accounting/periods/{period}/trial-balance", FINANCE, ALL, "viewed a trial balance",
    response_schema=accounting.TrialBalance,
)  # fmt: skip
READ_ACCOUNT_LEDGER = Operation(
    "Accounting", "GET", "/accounting/periods/{period}/accounts/{account_id}", FINANCE, ALL,
    "viewed the general ledger of an account", response_schema=accounting.AccountLedger,
)  # fmt: skip
DOWNLOAD_GENERAL_LEDGER = Operation(
    "Accounting", "GET", "/accounting/periods/{period}/general-ledger", FINANCE, ALL, "exported the general ledger"
)
READ_POSTING = Operation(
    "Accounting", "GET", "/accounting/postings/{posting_id}", FINANCE, ALL, "viewed a posting",
    response_schema=accounting.Posting,
)  # fmt: skip
LIST_LATE_TRANSACTIONS = Operation(
    "Accounting", "GET", "/accounting/periods/{period}/late", FINANCE, ALL, "viewed what arrived late",
    response_schema=accounting.LateTransaction,
)  # fmt: skip
LIST_BANK_LINES = Operation(
    "Accounting", "GET", "/accounting/bank-lines", FINANCE, ALL, "viewed the lines of bank statements",
    response_schema=reconciliation.BankLine,
)  # fmt: skip
# Statements of banks beside the ledger: imported, matched with entries, proven.
LIST_BANK_STATEMENTS = Operation(
    "Accounting", "GET", "/accounting/bank-statements", FINANCE, ALL, "viewed the bank statements",
    response_schema=reconciliation.BankStatement,
)  # fmt: skip
CHECK_BANK_STATEMENT = Operation(
    "Accounting", "POST", "/accounting/bank-statements/check", CONFIGURING, ALL, "checked a bank statement of {title}",
    request_schema=reconciliation.NewBankStatement, response_schema=reconciliation.StatementCheck,
)  # fmt: skip
IMPORT_BANK_LINES = Operation(
    "Accounting", "POST", "/accounting/bank-statements/lines", CONFIGURING, ALL, "imported a bank statement of {title}",
    request_schema=reconciliation.NewBankStatement, response_schema=reconciliation.BankStatement,
)  # fmt: skip
READ_BANK_STATEMENT = Operation(
    "Accounting", "GET", "/accounting/bank-statements/{id}", FINANCE, ALL, "viewed a bank statement",
    response_schema=reconciliation.BankStatement,
)  # fmt: skip
READ_BANK_PROOF = Operation(
    "Accounting", "GET", "/accounting/bank-statements/{id}/proof", FINANCE, ALL, "viewed the proof of a bank statement",
    response_schema=reconciliation.Proof,
)  # fmt: skip
LIST_UNMATCHED_ENTRIES = Operation(
    "Accounting", "GET", "/accounting/unmatched-entries", FINANCE, ALL, "viewed the entries no bank line belongs to",
    response_schema=reconciliation.LedgerEntry,
)  # fmt: skip
LIST_BANK_SUGGESTIONS = Operation(
    "Accounting", "GET", "/accounting/bank-matches/suggestions", FINANCE, ALL, "viewed the suggested bank matches",
    response_schema=reconciliation.Suggestions,
)  # fmt: skip
COUNT_CERTAIN_MATCHES = Operation(
    "Accounting", "GET", "/accounting/bank-matches/certain", FINANCE, ALL, "viewed how many bank matches are certain",
    response_schema=reconciliation.CertainCount,
)  # fmt: skip
LIST_BANK_MATCHES = Operation(
    "Accounting", "GET", "/accounting/bank-matches", FINANCE, ALL, "viewed the bank matches",
    response_schema=reconciliation.BankMatch,
)  # fmt: skip
CREATE_BANK_MATCH = Operation(
    "Accounting", "POST", "/accounting/bank-matches", CONFIGURING, ALL, "matched bank lines of {title}",
    request_schema=reconciliation.NewBankMatch, response_schema=reconciliation.BankMatch,
)  # fmt: skip
ACCEPT_CERTAIN_MATCHES = Operation(
    "Accounting", "POST", "/accounting/bank-matches/accept-certain", CONFIGURING, ALL,
    "accepted the certain bank matches of {title}", request_schema=reconciliation.WalletBody, response_schema=reconciliation.Accepted,
)  # fmt: skip
UNDO_BANK_MATCH = Operation(
    "Accounting", "POST", "/accounting/bank-matches/{id}/undo", CONFIGURING, ALL, "undid a bank match of {title}",
    response_schema=reconciliation.BankMatch,
)  # fmt: skip
# Of one person, or of two where the business asks for a second admin (dashboard/proposals/).
ACCEPT_BANK_DIFFERENCE = Operation(
    "Accounting", "POST", "/accounting/bank-statements/{id}/accept-difference", CONFIGURING, ALL,
    "accepted the difference before the first statement of {title}", request_schema=reconciliation.NewAcceptedDifference,
    response_schema=reconciliation.Proof,
)  # fmt: skip
WITHDRAW_BANK_DIFFERENCE = Operation(
    "Accounting", "POST", "/accounting/bank-statements/{id}/withdraw-difference", CONFIGURING, ALL,
    "withdrew the acceptance of the difference before the first statement of {title}",
    request_schema=reconciliation.NewAcceptedDifference, response_schema=reconciliation.Proof,
)  # fmt: skip
REMOVE_BANK_STATEMENT = Operation(
    "Accounting", "POST", "/accounting/bank-statements/{id}/remove", CONFIGURING, ALL,
    "removed an imported bank statement of {title}", request_schema=reconciliation.RemovedStatement,
    response_schema=reconciliation.BankStatement,
)  # fmt: skip
LIST_BANK_RULES = Operation(
    "Accounting", "GET", "/accounting/bank-rules", FINANCE, ALL, "viewed the rules for bank lines",
    response_schema=reconciliation.BankRule,
)  # fmt: skip
CREATE_BANK_RULE = Operation(
    "Accounting", "POST", "/accounting/bank-rules", CONFIGURING, ALL, "added rule {title} for bank lines",
    request_schema=reconciliation.NewBankRule, response_schema=reconciliation.BankRule,
)  # fmt: skip
DELETE_BANK_RULE = Operation(
    "Accounting", "DELETE", "/accounting/bank-rules/{id}", CONFIGURING, ALL, "deleted rule {title} for bank lines",
    response_schema=reconciliation.BankRule,
)  # fmt: skip
# Entries of the ledger given to the accountant, each once; undone by two (dashboard/proposals/).
READ_PENDING_JOURNAL_EXPORT = Operation(
    "Accounting", "GET", "/accounting/journal-exports/pending", CONFIGURING, ALL, "viewed what is not exported yet",
    response_schema=journal_exports.PendingExport,
)  # fmt: skip
LIST_PENDING_JOURNAL_LINES = Operation(
    "Accounting", "GET", "/accounting/journal-exports/pending/lines", CONFIGURING, ALL,
    "read the lines that are not exported yet", response_schema=journal_exports.PendingLines,
)  # fmt: skip
LIST_JOURNAL_CORRECTIONS = Operation(
    "Accounting", "GET", "/accounting/journal-exports/pending/corrections", CONFIGURING, ALL,
    "viewed what the next journal export corrects", response_schema=journal_exports.JournalCorrections,
)  # fmt: skip
LIST_JOURNAL_EXPORTS = Operation(
    "Accounting", "GET", "/accounting/journal-exports", CONFIGURING, ALL, "viewed the journal exports",
    response_schema=journal_exports.JournalExport,
)  # fmt: skip
CREATE_JOURNAL_EXPORT = Operation(
    "Accounting", "POST", "/accounting/journal-exports", CONFIGURING, ALL, "exported the journal of {title}",
    request_schema=journal_exports.NewJournalExport, response_schema=journal_exports.JournalExportWithSums,
)  # fmt: skip
READ_JOURNAL_EXPORT = Operation(
    "Accounting", "GET", "/accounting/journal-exports/{id}", CONFIGURING, ALL, "viewed journal export {title}",
    response_schema=journal_exports.JournalExportWithSums,
)  # fmt: skip
LIST_JOURNAL_EXPORT_LINES = Operation(
    "Accounting", "GET", "/accounting/journal-exports/{id}/lines", CONFIGURING, ALL,
    "read the lines of journal export {title}", response_schema=journal_exports.JournalExportLines,
)  # fmt: skip
UNDO_JOURNAL_EXPORT = Operation(
    "Accounting", "POST", "/accounting/journal-exports/{id}/undo", CONFIGURING, ALL, "undid journal export {title}",
    request_schema=journal_exports.UndoJournalExport, response_schema=journal_exports.JournalExport,
)  # fmt: skip
# Budgets beside the published ways to list and read them.
CREATE_BUDGET = Operation(
    "Bills", "POST", "/bills/budgets", CONFIGURING, ALL, "created budget {title}",
    request_schema=budgets.NewBudget, response_schema=budgets.Budget,
)  # fmt: skip
UPDATE_BUDGET = Operation(
    "Bills", "PUT", "/bills/budgets/{budgetId}", CONFIGURING, ALL, "changed budget {title}",
    request_schema=budgets.BudgetChange, response_schema=budgets.Budget,
)  # fmt: skip

for name, operation in list(globals().items()):
    if isinstance(operation, Operation):
        object.__setattr__(operation, "name", name.lower())
