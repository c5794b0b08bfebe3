"""Closing the books, banks' statements and journal exports: what our own finance service offers for the accountant beside the
published interface (decisions B.16), used where it answers, never needed."""

from dashboard.access.operation import ALL, Operation, named_operations
from dashboard.access.roles import CONFIGURING, FINANCE
from dashboard.schemas import accounting, journal_exports, reconciliation

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

ACCOUNTING: dict[str, Operation] = named_operations(globals())
