"""A body for every operation that names a thing in its path or body: "@vendor" stands for the stage's id of a vendor.

The organisation's wallet refs ("1", "2") are numbers within a business, so they are no other business's to name.
"""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from tests.days import business_day

# Stands for the moment at which the body is sent.
NOW = "$now"
# Whoever may, where it is not the first approver: a requester, somebody who edits people.
CONFIRM = "POST /investments/accounts/{fundAccountId}/permissions/{employeeId}/confirm"
UNDO_EXPORT = "POST /accounting/journal-exports/{export_id}/undo"
ACCEPT_DIFFERENCE = "POST /accounting/bank-statements/{statement_id}/accept-difference"
WITHDRAW_DIFFERENCE = "POST /accounting/bank-statements/{statement_id}/withdraw-difference"
REMOVE_STATEMENT = "POST /accounting/bank-statements/{statement_id}/remove"
BY = {
    "POST /payments/payout/cancel": "Ada",
    "POST /employees/update-profile": "Ada",
    CONFIRM: "Sam",
    UNDO_EXPORT: "Sam",
    ACCEPT_DIFFERENCE: "Sam",
    WITHDRAW_DIFFERENCE: "Sam",
    REMOVE_STATEMENT: "Sam",
}
SECOND = {"If-Match": '"2"'}
HEADERS = {"PUT /investments/accounts/{fundAccountId}/permissions": SECOND, CONFIRM: SECOND}
# What refuses the things as they stand on the stage, after it has found them.
STATES = {
    "POST /payments/confirm": "it waits for votes first",
    ACCEPT_DIFFERENCE: "its statement has no balances",
    WITHDRAW_DIFFERENCE: "its statement has no balances",
}
# What a reading operation cannot be asked without.
QUERIES = {"GET /categories/{categoryId}/move": {"subcategory_ids": "@subcategory"}}
# 200 with a result for each id: those of another business say not_found.
BULK = {
    "POST /expenses/approve", "POST /expenses/reject", "POST /cards/physical/orders", "PATCH /cards/physical/orders",
}  # fmt: skip
# A filter of a reading operation: what is another's adds nothing to the answer.
FILTERS = {
    ("POST /subscriptions/amount-spent", "subscription"),
    ("POST /payments/duplicates", "vendor"),
    ("POST /wallet-policies/audit/query", "wallet"),
    ("POST /wallet-policies/audit/query", "employee"),
    ("POST /wallet-policies/audit/query", "wallet_policy"),
}
# Looked up once the rest is there; the savepoint of the request takes all of it back.
UNDONE = {("POST /bills", "spare_file"): "/bills"}

REASON = {"reason": "It is not ours."}
ACCOUNT = {"channel": "MPESA_SEND_MONEY", "account": "254733000222"}
ITEM = {"receiver_name": "Payee", **ACCOUNT, "amount": 150}
STEP = {"order": 1, "approver_ids": ["@approver"]}
FOR = {"team_ids": ["@team"], "subcategory_ids": ["@subcategory"], "vendor_ids": ["@vendor"]}
EXEMPT = {"team_ids": ["@team"], "employee_ids": ["@employee"]}
ASKS = {"action": "REQUIRE_APPROVAL", "workflow_id": "@workflow", "exempt": EXEMPT}
MOVED = {"amount": 100, "org_wallet_ref": "1"}
BILL = {
    "budget_id": "@budget", "team_id": "@team", "subcategory_id": "@subcategory", "withholding_tax_ids": ["@tax"],
    "line_items": [{
        "description": "Paper", "unit_price": 10, "subcategory_id": "@subcategory",
        "splits": [{"team_id": "@team", "percent": 60}, {"team_id": "@other_team", "percent": 40}],
    }],
}  # fmt: skip

BODIES: dict[str, Any] = {
    "POST /expenses/approve": {"ids": ["@expense"]},
    "POST /expenses/reject": {"ids": ["@expense"], **REASON},
    "POST /expenses/reject/{expenseId}": REASON,
    "POST /expenses/requestDetails/{expenseId}": REASON,
    "POST /expenses/notes/{id}": {"notes": "Lunch"},
    "PUT /expenses/{id}/tags": {"tags": ["Client visit"]},
    "POST /expenses/changeSubCategory/{expenseId}": {"subcategory_id": "@subcategory"},
    "POST /expenses/export-receipts": {
        "from": "2026-02-01", "to": "2026-02-28", "team_ids": ["@team"], "employee_ids": ["@employee"],
        "subcategory_ids": ["@subcategory"],
    },
    "PUT /accounts/{id}": {"name": "Main"},
    "POST /approvals/approve": {"approval_id": "@approval"},
    "POST /approvals/reject": {"approval_id": "@approval", **REASON},
    "DELETE /approvals/bills/reject": {"approval_id": "@bill_approval", **REASON},
    "POST /payments": {
        "name": "March", "team_id": "@team", "items": [{**ITEM, "subcategory_id": "@subcategory", "vendor_id": "@vendor"}],
    },
    "POST /payments/intent": {
        "payment": {**ITEM, "org_wallet_ref": "1", "subcategory_id": "@subcategory", "vendor_id": "@vendor"},
    },
    "POST /payments/duplicates": {"currency": "KES", "payments": [{"vendor_id": "@vendor", "amount": 150}]},
    "POST /payments/confirm": {"intent_id": "@intent", "otp": "123456"},
    "POST /payments/payout/cancel": {"batch_no": "@batch_no"},
    "PUT /categories/{id}": {"name": "Journeys"},
    "POST /categories/{categoryId}/subcategories": {"name": "Ferries"},
    "PUT /categories/{categoryId}/subcategories/{subcategoryId}": {"name": "Ferries"},
    "POST /categories/{categoryId}/move": {"subcategory_ids": ["@subcategory"]},
    "PUT /customers/{id}": {"name": "Duka Mbili"},
    "POST /employees/allocate-funds": {"employee_id": "@employee", **MOVED},
    "POST /employees/remove-funds": {"employee_id": "@employee", **MOVED},
    "POST /employees/move-to-team": {"employee_id": "@employee", "team_id": "@other_team"},
    "POST /employees/make-employee-team-reviewer": {"employee_id": "@approver", "team_id": "@team"},
    "POST /employees/update-profile": {"employee_id": "@employee", "supervisor_id": "@approver"},
    "PATCH /employees/activate-employee": {"employee_id": "@employee"},
    "POST /employees/transfer-ownership": {
        "employee_id": "@employee", "name": "Nia Wafula", "organization_email": "nia@example.com",
        "phone_number": "+254711222333", "existing": "SUSPEND",
    },
    "PUT /teams/{id}": {"name": "Field", "reviewers": [{"employee_id": "@approver", "read_only": False}]},
    "POST /cards": {"employee_id": "@employee", "name": "Second"},
    "PUT /cards/{id}": {"name": "Third"},
    "POST /cards/physical/orders": {"ids": ["@order"]},
    "PATCH /cards/physical/orders": {"ids": ["@order"], **REASON},
    "POST /cards/physical/orders/request": {"name": "Chip", "employee_id": "@other_employee"},
    "POST /cards/authorizations": {"card_id": "@card", "amount": 50, "merchant": "Java House"},
    "POST /cards/authorizations/try": {"card_id": "@card", "amount": 50, "merchant": "Java House"},
    "POST /cards/authorizations/{id}/clearing": {"kind": "CAPTURE"},
    "PATCH /cards/single-use/requests/{id}": {"action": "approve"},
    "PATCH /permissions/employees/{employee_id}/role": {"role": "REVIEWER"},
    "PATCH /permissions/employees/{employee_id}": {"add": ["PEOPLE_VIEW"]},
    "PATCH /permissions/mandates/{mandate_id}": {"min_approvers": 1},
    "PATCH /permissions/mandates/{mandate_id}/approvers/{approver_id}": {"active": True},
    "DELETE /permissions/mandates/{mandate_id}/approvers": {"approver_ids": ["@seat"]},
    "POST /permissions/mandates/{mandate_id}/approvers": {"approvers": [{"approver_id": "@unseated"}]},
    "PUT /business-policies/category-policies": {"type": "CATEGORY", "target": "@category", **ASKS},
    "PUT /business-policies/category-policies/{businessPolicyId}": {"target": "@category", **ASKS},
    "PUT /business-policies/{businessPolicyId}": {"target": "@category", **ASKS},
    "POST /business-policies/create/{policyId}": {"type": "VENDOR", "target": "@vendor", **ASKS},
    "POST /business-policies/workflows": {"name": "Some", "conditions": FOR, "steps": [STEP]},
    "PATCH /business-policies/workflows/{workflowId}": {"conditions": FOR, "steps": [STEP]},
    "POST /bills/workflow": {"name": "Some", "conditions": FOR, "steps": [STEP]},
    "PATCH /bills/workflow/{workflowId}": {"conditions": FOR, "steps": [STEP]},
    "POST /wallet-policies": {"wallet_id": "@wallet", "employee_id": "@other_employee", "permissions": ["WALLET_VIEW"]},
    "POST /wallet-policies/audit/query": {
        "wallet_id": "@wallet", "employee_id": "@employee", "policy_id": "@wallet_policy",
    },
    "PATCH /wallet-policies/{policyId}": {"permissions": ["WALLET_VIEW"]},
    "POST /transactions/new": {
        "type": "EXPENSE", "org_wallet_ref": "1", "amount": 10, "counterparty": "Duka", "subcategory_id": "@subcategory",
        "employee_id": "@employee",
    },
    "PUT /transactions/{id}/reject": REASON,
    "PUT /transactions/{id}/reverse": REASON,
    "POST /transactions/{id}/tag": {"subcategory_id": "@subcategory"},
    "PUT /transactions/{id}/parts": {
        "version": 2,
        "parts": [{"subcategory_id": "@subcategory", "amount": 1000}, {"subcategory_id": "@subcategory", "amount": 1500}],
    },
    "POST /transactions/{id}/remove-document": {"document_id": "@document"},
    "POST /transactions/supporting-document": {"transaction_id": "@transaction"},
    "POST /fx/transfer": {"quote_id": "@quote", "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"},
    "POST /accounting/bank-lines/{line_id}/match": {"ledger_transaction_id": "@posting"},
    "POST /accounting/bank-matches": {
        "org_wallet_ref": "1", "line_ids": ["@line"], "entry_seqs": [1], "tolerance_minor": 10**12,
    },
    UNDO_EXPORT: {"proposed_by": "@admin", **REASON},
    ACCEPT_DIFFERENCE: {"amount_minor": 100, "proposed_by": "@admin", **REASON},
    WITHDRAW_DIFFERENCE: {"amount_minor": 100, "proposed_by": "@admin", **REASON},
    REMOVE_STATEMENT: {"proposed_by": "@admin", **REASON},
    "POST /vendors/{id}/contacts": {"name": "Mary Otieno"},
    "PUT /vendors/{id}/contacts/{contactId}": {"name": "Mary Otieno"},
    "POST /investments/opt-in/{ref}/reject": REASON,
    "POST /investments/accounts/{fundAccountId}/invest": MOVED,
    "POST /investments/accounts/{fundAccountId}/top-up": MOVED,
    "POST /investments/accounts/{fundAccountId}/withdraw": {"all": True},
    "PUT /investments/accounts/{fundAccountId}/permissions": {"operators": [{"employee_id": "@employee", "can_invest": True}]},
    "PUT /vendors/{id}": {"name": "Acacia"},
    "POST /vendors/{id}/merge": {"duplicate_id": "@spare_vendor", "reason": "Entered twice"},
    "POST /vendors/{id}/payment-instruction": {**ACCOUNT, "instruction_id": "@instruction"},
    "POST /vendors/{id}/payment-instruction/add": ACCOUNT,
    "POST /vendors/{id}/payment-instruction/{instructionId}/confirm": {
        **REASON, "call_back": {"number": "254712345678", "spoke_to": "Mary Otieno", "called_at": NOW},
    },
    "POST /vendors/{id}/payment-instruction/{instructionId}/reject": REASON,
    "POST /taxes/remittances": {
        "remitted_on": business_day().isoformat(),
        "transactions": [{"tax_transaction_id": "@tax_transaction", "certificate_no": "KRAWHT1"}],
    },
    "PUT /taxes/{taxId}/edit": {"note": "As of the new act", "effective_from": "2027-01-01"},
    "POST /subscriptions/amount-spent": {"subscription_ids": ["@subscription"]},
    "POST /subscriptions/create": {
        "name": "Mail", "vendor": "Post Co", "currency": "KES", "amount": 20, "employee_id": "@employee", "card_id": "@card",
        "team_id": "@team", "subcategory_id": "@subcategory",
    },
    "PUT /subscriptions/status": {"subscription_id": "@subscription", "status": "PAUSED"},
    "PUT /subscriptions/team": {"subscription_id": "@subscription", "team_id": "@team"},
    "PUT /subscriptions/limits-billing-frequency": {"subscription_id": "@subscription", "limit": 5000},
    "PUT /subscriptions/assign-employee": {"subscription_id": "@subscription", "employee_id": "@employee", "card_id": "@card"},
    "PUT /subscriptions/subcategory": {"subscription_id": "@subscription", "subcategory_id": "@subcategory"},
    "POST /bills/budgets": {
        "name": "Field", "currency": "KES", "amount": 5000, "team_id": "@team", "category_id": "@category",
    },
    "PUT /bills/budgets/{budgetId}": {"name": "All"},
    "POST /bills/vendors/{vendorId}/payment-method": ACCOUNT,
    "POST /bills/{billId}/payments": {"amount": 10, "payment_instruction_id": "@instruction"},
    "POST /bills/{billId}/payments/{paymentRef}/reject": REASON,
    "POST /bills": {"bill_no": "INV-2", "vendor_id": "@vendor", "issued_at": "2026-01-05", "attachments": ["@spare_file"], **BILL},
    "PUT /bills/{id}": {"budget_id": "@budget", "team_id": "@team", "subcategory_id": "@subcategory", "withholding_tax_ids": ["@tax"]},
    "POST /bills/{id}/cancel": REASON,
    "POST /bill-schedules": {
        "number_prefix": "TEA", "vendor_id": "@vendor", "interval": "MONTHLY",
        "starts_on": f"{datetime.now(ZoneInfo('Africa/Nairobi')).year + 1}-01-01", "budget_id": "@budget",
        "team_id": "@team", "subcategory_id": "@subcategory",
        "line_items": [
            {
                "description": "Tea", "unit_price": 10, "subcategory_id": "@subcategory",
                "splits": [{"team_id": "@team", "percent": 100}],
            },
        ],
    },
    "POST /credit-notes": {
        "credit_no": "CN-2", "bill_id": "@bill", "amount": 10, "issued_at": "2026-01-06", "reason": "Returned",
    },
    "POST /credit-notes/{id}/apply": {"bill_id": "@bill", "amount": 10},
    "POST /bills/{id}/attachments": {"file_ids": ["@spare_file"]},
    "DELETE /bills/{id}/attachments": {"file_ids": ["@file"]},
    "POST /webhook-endpoints/{id}/replay": {"after": 0},
}  # fmt: skip

# Path parameters: which id of the stage stands there. The longest beginning of the path that fits says it.
PARAMETERS: dict[str, dict[str, str]] = {
    "/expenses": {"expenseId": "expense", "id": "expense", "jobId": "export", "transactionRef": "transaction_ref"},
    "/accounts": {"id": "wallet"},
    "/payments": {"batch_no": "batch_no"},
    "/categories": {"id": "category", "categoryId": "category", "subcategoryId": "subcategory", "kind": "use_kind"},
    "/customers": {"id": "customer"},
    "/employees": {"employee_id": "employee", "_id": "employee"},
    "/teams": {"id": "team"},
    "/cards": {"id": "card", "employeeId": "employee"},
    "/cards/authorizations": {"id": "authorization"},
    "/cards/single-use/requests": {"id": "single_use"},
    "/permissions": {"employee_id": "employee", "mandate_id": "mandate", "approver_id": "seat"},
    "/business-policies": {"businessPolicyId": "policy", "policyId": "group", "businessId": "business", "workflowId": "workflow"},
    "/wallet-policies": {"policyId": "wallet_policy", "walletId": "wallet", "employeeId": "employee"},
    "/transactions": {"id": "transaction", "documentId": "document"},
    "/accounting": {
        "statement_id": "statement", "line_id": "line", "period": "period", "account_id": "ledger_account",
        "posting_id": "posting", "match_id": "bank_match", "rule_id": "bank_rule",
        "export_id": "journal_export",
    },
    "/investments": {
        "fund_account_id": "fund_account", "fundAccountId": "fund_account", "ref": "opt_in", "employeeId": "employee",
    },
    "/vendors": {
        "id": "vendor", "instructionId": "new_instruction", "duplicateId": "spare_vendor", "documentId": "vendor_document",
        "contactId": "contact",
    },
    "/taxes": {"taxId": "tax"},
    "/bills": {
        "id": "bill", "billId": "bill", "paymentRef": "payment_ref", "fileId": "file", "workflowId": "bill_workflow",
        "budgetId": "budget", "vendorId": "vendor",
    },
    "/bill-schedules": {"id": "schedule"},
    "/credit-notes": {"id": "credit_note"},
    "/webhook-endpoints": {"id": "webhook"},
}  # fmt: skip


def path_parameters(path: str) -> dict[str, str]:
    """For each parameter of a path the name of the thing that stands there."""
    beginning = max((each for each in PARAMETERS if path.startswith(each)), key=len, default="")
    return PARAMETERS.get(beginning, {})


def named(template: Any) -> list[str]:
    """The things that a body names, in order."""
    if isinstance(template, str):
        return [template[1:]] if template.startswith("@") else []
    inner = template.values() if isinstance(template, dict) else template if isinstance(template, list) else []
    return list(dict.fromkeys(name for each in inner for name in named(each)))


def filled(template: Any, ids: dict[str, Any]) -> Any:
    """The body with the ids of a business in it, and the moment where it says NOW."""
    if template == NOW:
        return datetime.now(UTC).isoformat()
    if isinstance(template, str):
        return ids[template[1:]] if template.startswith("@") else template
    if isinstance(template, dict):
        return {name: filled(each, ids) for name, each in template.items()}
    return [filled(each, ids) for each in template] if isinstance(template, list) else template
