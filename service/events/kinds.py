"""Every kind of event there is (decisions B.6), and the schema of the object that it carries in the v2 document.

An event of another kind cannot be recorded, nor asked for by a webhook.
"""

# By the noun of a kind: the schema of its object, then its verbs.
_KINDS: dict[str, tuple[str, str]] = {
    "approval": ("ApprovalOut", "decided expired requested"),
    "bill": ("BillOut", "cancelled created paid updated"),
    "bill_payment": (
        "PaymentOut",
        "approval_requested approved created failed on_hold processing rejected retried scheduled succeeded unknown"
        " withdrawn",
    ),
    "bill_schedule": ("BillScheduleOut", "created updated"),
    "budget": ("BudgetOut", "created threshold_reached updated"),
    "card": ("CardOut", "activated blocked created expired reissued retired unblocked updated"),
    "card_authorization": ("AuthorizationOut", "approved captured declined expired reversed"),
    "card_order": ("OrderOut", "approved cancelled delivered rejected requested shipped"),
    "card_request": ("RequestOut", "approved cancelled expired rejected requested"),
    "category": ("CategoryOut", "created deleted updated"),
    "credit_note": ("CreditNoteOut", "applied created"),
    "customer": ("CustomerOut", "created deleted updated"),
    "employee": (
        "EmployeeOut",
        "activated created deleted funds_allocated funds_removed moved ownership_transferred suspended updated",
    ),
    "expense": ("ExpenseOut", "approved created deleted details_requested refunded rejected tagged updated"),
    "expense_tag": ("TagOut", "created"),
    "fx": ("FxTransferOut", "transfer.completed transfer.failed transfer.requested"),
    "investment": (
        "FundMovementOut",
        "approved cancelled failed interest_paid invest_requested invested operator_confirmed operators_replaced optin_approved"
        " optin_expired optin_rejected optin_requested topped_up topup_requested withdraw_requested withdrawn",
    ),
    "mandate": ("MandateOut", "updated"),
    "payout": (
        "PayoutOut",
        "approved cancelled completed created failed initiated on_hold partially_completed processing rejected"
        " returned_to_draft",
    ),
    "payout_item": ("ItemOut", "failed succeeded"),
    "period": ("AccountingPeriodOut", "closed reopened"),
    "policy": ("BusinessPolicyOut", "deleted updated"),
    "receipts_export": ("ExportOut", "cancelled completed failed"),
    "role": ("RoleOut", "updated"),
    "single_use_policy": ("SingleUsePolicyOut", "updated"),
    "subscription": ("SubscriptionOut", "charged created limit_near paused resumed updated"),
    "tax": ("TaxOut", "archived created updated"),
    "tax_transaction": ("TaxTransactionOut", "remitted"),
    "team": ("TeamOut", "created deleted reviewer_added reviewer_removed updated"),
    "topup": ("", "received"),
    "transaction": (
        "TransactionOut",
        "approved created document_added document_removed failed posted rejected reversed tagged",
    ),
    "vendor": ("VendorOut", "created deleted updated"),
    "wallet": ("WalletOut", "activated balance_changed closed created suspended updated"),
    "wallet_policy": ("WalletPolicyOut", "expired granted modified reactivated revoked suspended"),
    "workflow": ("WorkflowOut", "created deleted updated"),
}
# Kinds whose object is another one than their noun's.
_OTHERS = {
    "investment.operator_confirmed": "OperatorsOut",
    "investment.operators_replaced": "OperatorsOut",
    **{f"investment.optin_{verb}": "OptInOut" for verb in ("approved", "expired", "rejected", "requested")},
}

# kind -> the name of its object's schema, "" where no operation answers with such an object
KINDS: dict[str, str] = {
    f"{noun}.{verb}": _OTHERS.get(f"{noun}.{verb}", schema)
    for noun, (schema, verbs) in sorted(_KINDS.items())
    for verb in sorted(verbs.split())
}
# What a webhook may ask for: a kind, or all of a noun ("expense.*").
SELECTABLE = frozenset(KINDS) | {f"{noun}.*" for noun in _KINDS}
