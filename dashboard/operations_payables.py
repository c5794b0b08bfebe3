"""Bills, credit notes, vendors and budgets: what our own finance service offers for what is owed beside the published interface
(decisions B.9), used where it answers, never needed."""

from dashboard.access.operation import ALL, Operation, named_operations
from dashboard.access.roles import CONFIGURING, FINANCE, INITIATING, STAFF
from dashboard.schemas import bill_schedules, bills, budgets, credit_notes, vendors

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
# Budgets beside the published ways to list and read them.
CREATE_BUDGET = Operation(
    "Bills", "POST", "/bills/budgets", CONFIGURING, ALL, "created budget {title}",
    request_schema=budgets.NewBudget, response_schema=budgets.Budget,
)  # fmt: skip
UPDATE_BUDGET = Operation(
    "Bills", "PUT", "/bills/budgets/{budgetId}", CONFIGURING, ALL, "changed budget {title}",
    request_schema=budgets.BudgetChange, response_schema=budgets.Budget,
)  # fmt: skip

PAYABLES: dict[str, Operation] = named_operations(globals())
