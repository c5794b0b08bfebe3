"""Bank statements, their lines and entries as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.accounting.matches import Pairing
from service.accounting.models import BankMatch, BankRule, BankStatement, OpeningDifference, StatementLine
from service.accounting.proofs import Proof
from service.accounting.schemas_shapes import (
    AcceptedShape,
    BankMatchShape,
    BankRuleShape,
    ProofShape,
    StatementLineShape,
    SuggestionShape,
    WalletEntryShape,
)
from service.accounts.wallets import Wallet
from service.ledger.models import LedgerEntry

StatementShape = TypedDict(
    "StatementShape",
    {
        "_id": str,
        "org_wallet_ref": str,
        "file_name": str,
        "source_format": str,
        "account": str,
        "currency": str,
        "opening": Decimal | None,
        "opening_minor": int | None,
        "closing": Decimal | None,
        "closing_minor": int | None,
        "from": date,
        "to": date,
        "line_count": int,
        "matched": int,
        "unmatched": int,
        "skipped": int,
        "imported_by": str,
        "createdAt": datetime,
    },
)
"""A statement."""


def statement(row: BankStatement, matched: int) -> StatementShape:
    """A statement; its wallet should be joined."""
    currency = row.wallet.currency
    return {
        "_id": row.id,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "file_name": row.file_name,
        "source_format": row.source_format,
        "account": row.account,
        "currency": currency,
        "opening": None if row.opening_minor is None else money.to_number(row.opening_minor, currency),
        "opening_minor": row.opening_minor,
        "closing": None if row.closing_minor is None else money.to_number(row.closing_minor, currency),
        "closing_minor": row.closing_minor,
        "from": row.first_day,
        "to": row.last_day,
        "line_count": row.line_count,
        "matched": matched,
        "unmatched": row.line_count - matched,
        "skipped": row.skipped_count,
        "imported_by": row.imported_by,
        "createdAt": row.created_at,
    }


def line(row: StatementLine) -> StatementLineShape:
    """A line; its wallet and its match should be joined."""
    return {
        "_id": row.id,
        "statement_id": row.statement_id,
        "number": row.number,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "day": row.day,
        "amount": money.to_number(row.amount_minor, row.wallet.currency),
        "amount_minor": row.amount_minor,
        "currency": row.wallet.currency,
        "description": row.description,
        "reference": row.reference,
        "status": row.status,
        "match_id": row.match_id,
        "rule": row.match.rule if row.match else None,
        "reason": row.match.reason if row.match else None,
        "ledger_transaction_id": row.match.ledger_transaction_id if row.match else None,
        "matched_by": row.match.matched_by if row.match else None,
        "matched_at": row.match.matched_at if row.match else None,
        "version": row.version,
    }


def entry(row: LedgerEntry) -> WalletEntryShape:
    """An entry; its transaction should be joined."""
    return {
        "seq": row.seq,
        "ledger_transaction_id": row.transaction_id,
        "effective_on": row.transaction.effective_on,
        "amount": money.to_number(row.amount, row.currency),
        "amount_minor": row.amount,
        "currency": row.currency,
        "type": row.transaction.kind,
        "ref": row.transaction.external_ref,
        "description": row.note or row.transaction.description,
    }


def bank_match(row: BankMatch) -> BankMatchShape:
    """A match; its wallet, lines and entries should be joined."""
    currency = row.wallet.currency
    return {
        "_id": row.id,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "currency": currency,
        "rule": row.rule,
        "reason": row.reason,
        "difference": money.to_number(row.difference_minor, currency),
        "difference_minor": row.difference_minor,
        "tolerance_minor": row.tolerance_minor,
        "matched_by": row.matched_by,
        "matched_at": row.matched_at,
        "lines": [line(_with_wallet(item, row.wallet)) for item in row.lines.all()],
        "entries": [
            {
                "seq": item.entry_seq,
                "ledger_transaction_id": item.ledger_transaction_id,
                "effective_on": item.effective_on,
                "amount": money.to_number(item.amount_minor, currency),
                "amount_minor": item.amount_minor,
            }
            for item in row.entries.all()
        ],
    }


def suggestion(pairing: Pairing, owner: Wallet) -> SuggestionShape:
    """What may belong together on a wallet."""
    return {
        "rule": pairing.rule,
        "reason": pairing.reason,
        "certain": pairing.certain,
        "difference": money.to_number(pairing.difference, owner.currency),
        "difference_minor": pairing.difference,
        "lines": [line(_with_wallet(item, owner)) for item in pairing.lines],
        "entries": [entry(item) for item in pairing.entries],
    }


def _with_wallet(row: StatementLine, owner: Wallet) -> StatementLine:
    row.wallet = owner
    return row


def proof(row: BankStatement, figures: Proof) -> ProofShape:
    """The proof of a statement; its wallet should be joined."""
    currency = row.wallet.currency
    return {
        "statement_id": row.id,
        "currency": currency,
        "proven": figures.is_proven,
        "closing": money.to_number(figures.closing, currency),
        "closing_minor": figures.closing,
        "books": money.to_number(figures.books, currency),
        "books_minor": figures.books,
        "unmatched_lines": money.to_number(figures.unmatched_lines, currency),
        "unmatched_lines_minor": figures.unmatched_lines,
        "unmatched_line_count": figures.unmatched_line_count,
        "unmatched_entries": money.to_number(figures.unmatched_entries, currency),
        "unmatched_entries_minor": figures.unmatched_entries,
        "unmatched_entry_count": figures.unmatched_entry_count,
        "fees": money.to_number(figures.fees, currency),
        "fees_minor": figures.fees,
        "carried": money.to_number(figures.carried, currency),
        "carried_minor": figures.carried,
        "missing": money.to_number(figures.missing, currency),
        "missing_minor": figures.missing,
        "accepted": _accepted(figures.accepted, currency) if figures.accepted else None,
    }


def _accepted(row: OpeningDifference, currency: str) -> AcceptedShape:
    return {
        "amount": money.to_number(row.amount_minor, currency),
        "amount_minor": row.amount_minor,
        "reason": row.reason,
        "proposed_by": row.proposed_by or None,
        "accepted_by": row.accepted_by,
        "createdAt": row.created_at,
    }


def bank_rule(row: BankRule) -> BankRuleShape:
    """A rule of the reconciliation as it is stored."""
    return {
        "_id": row.id,
        "name": row.name,
        "text": row.text,
        "reference": row.reference,
        "amount_minor": row.amount_minor,
        "currency": row.currency or None,
        "type": row.kind,
        "created_by": row.created_by,
        "createdAt": row.created_at,
    }
