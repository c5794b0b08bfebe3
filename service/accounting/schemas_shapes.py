"""The shapes of reconciliation's answers, as the serializers fill them."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict


class StatementLineShape(TypedDict):
    """A line of a bank statement: day, amount in minor units, text and what it is matched with."""

    _id: str
    statement_id: str
    number: int
    org_wallet_ref: str
    day: date
    amount: Decimal
    amount_minor: int
    currency: str
    description: str
    reference: str
    status: str
    match_id: str | None
    rule: str | None
    reason: str | None
    ledger_transaction_id: int | None
    matched_by: str | None
    matched_at: datetime | None
    version: int


class WalletEntryShape(TypedDict):
    """An entry of a wallet, as it stands beside the lines of a statement."""

    seq: int
    ledger_transaction_id: int
    effective_on: date
    amount: Decimal
    amount_minor: int
    currency: str
    type: str
    ref: str
    description: str


class HeldEntryShape(TypedDict):
    """An entry that a match holds."""

    seq: int
    ledger_transaction_id: int
    effective_on: date
    amount: Decimal
    amount_minor: int


class BankMatchShape(TypedDict):
    """A match with its lines and entries; `difference` is lines less entries."""

    _id: str
    org_wallet_ref: str
    currency: str
    rule: str
    reason: str
    difference: Decimal
    difference_minor: int
    tolerance_minor: int
    matched_by: str
    matched_at: datetime
    lines: list[StatementLineShape]
    entries: list[HeldEntryShape]


class SuggestionShape(TypedDict):
    """What may belong together, and why."""

    rule: str
    reason: str
    certain: bool
    difference: Decimal
    difference_minor: int
    lines: list[StatementLineShape]
    entries: list[WalletEntryShape]


class AcceptedShape(TypedDict):
    """A difference that was accepted."""

    amount: Decimal
    amount_minor: int
    reason: str
    proposed_by: str | None
    accepted_by: str
    createdAt: datetime


class ProofShape(TypedDict):
    """The figures of a proof, each in the currency's units and in minor ones."""

    statement_id: str
    currency: str
    proven: bool
    closing: Decimal
    closing_minor: int
    books: Decimal
    books_minor: int
    unmatched_lines: Decimal
    unmatched_lines_minor: int
    unmatched_line_count: int
    unmatched_entries: Decimal
    unmatched_entries_minor: int
    unmatched_entry_count: int
    fees: Decimal
    fees_minor: int
    carried: Decimal
    carried_minor: int
    missing: Decimal
    missing_minor: int
    accepted: AcceptedShape | None


class BankRuleShape(TypedDict):
    """A stored rule; a condition that it does not have is empty, an amount null."""

    _id: str
    name: str
    text: str
    reference: str
    amount_minor: int | None
    currency: str | None
    type: str
    created_by: str
    createdAt: datetime
