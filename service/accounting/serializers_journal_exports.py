"""Exports of the journal as the interface shows them: their lines, corrections, sums and how each entry is filed."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.accounting import export_contents
from service.accounting.export_contents import AccountSum, ExportLine
from service.accounting.export_corrections import Correction
from service.accounting.models import JournalExport

# `from` is a word of Python: a TypedDict can name it in this form alone.
_Days = TypedDict("_Days", {"from": date, "to": date})


class AccountSumShape(TypedDict):
    """What one account was debited and credited in an export."""

    account_id: int
    kind: str
    name: str
    currency: str
    holder_type: str | None
    holder_id: str | None
    debit: Decimal
    debit_minor: int
    credit: Decimal
    credit_minor: int
    line_count: int


class JournalPartShape(TypedDict):
    """A part of an entry that is filed in several, or stands on another account in the business's own books."""

    subcategory_id: str
    team_id: str | None
    account_id: int | None
    tag_ids: list[str]
    amount: Decimal
    amount_minor: int


class JournalLineShape(TypedDict):
    """An entry of a journal export, with its account and posting."""

    number: int
    effective_on: date
    posted_at: datetime
    ledger_transaction_id: int
    type: str
    ref: str
    description: str
    account_id: int
    seq: int
    account_kind: str
    account_name: str
    holder_type: str | None
    holder_id: str | None
    currency: str
    amount: Decimal
    amount_minor: int
    subcategory_id: str | None
    team_id: str | None
    tax_id: str | None
    tag_ids: list[str]
    parts: list[JournalPartShape]
    correction: int
    corrected_export: int | None


class FiledShape(TypedDict):
    """What an entry is filed under."""

    subcategory_id: str | None
    team_id: str | None
    tag_ids: list[str]
    parts: list[JournalPartShape]


class CorrectionShape(TypedDict):
    """An exported entry that is filed otherwise now."""

    effective_on: date
    ledger_transaction_id: int
    account_id: int
    seq: int
    account_name: str
    description: str
    currency: str
    amount: Decimal
    amount_minor: int
    corrected_export: int
    exported: FiledShape
    now: FiledShape


class ExportShape(_Days):
    """An export as it is listed."""

    _id: str
    number: int
    status: str
    line_count: int
    posting_count: int
    correction_count: int
    is_partial: bool
    sha256: str
    exported_by: str
    undo_proposed_by: str | None
    undone_by: str | None
    undo_reason: str | None
    undone_at: datetime | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling


def account_sum(row: AccountSum) -> AccountSumShape:
    """What one account moved in an export, or would move: amounts in its currency and in minor units."""
    return {
        "account_id": row.account_id,
        "kind": row.kind,
        "name": row.name or row.kind.replace("_", " ").capitalize(),
        "currency": row.currency,
        "holder_type": row.holder_type or None,
        "holder_id": row.holder_id or None,
        "debit": money.to_number(row.debit_minor, row.currency),
        "debit_minor": row.debit_minor,
        "credit": money.to_number(row.credit_minor, row.currency),
        "credit_minor": row.credit_minor,
        "line_count": row.line_count,
    }


def export_line(row: ExportLine) -> JournalLineShape:
    """A line of an export, or one that the next export would have."""
    return {
        "number": row.number,
        "effective_on": row.effective_on,
        "posted_at": row.posted_at,
        "ledger_transaction_id": row.ledger_transaction_id,
        "type": row.kind,
        "ref": row.ref,
        "description": row.description,
        "account_id": row.account_id,
        "seq": row.seq,
        "account_kind": row.account_kind,
        "account_name": row.account_name or row.account_kind.replace("_", " ").capitalize(),
        "holder_type": row.holder_type or None,
        "holder_id": row.holder_id or None,
        "currency": row.currency,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "subcategory_id": row.subcategory_id or None,
        "team_id": row.team_id or None,
        "tax_id": row.tax_id or None,
        "tag_ids": list(row.tag_ids),
        "parts": [_part(part, row.currency) for part in row.parts],
        "correction": row.correction,
        "corrected_export": row.corrected_export,
    }


def correction(row: Correction) -> CorrectionShape:
    """An exported entry with what it was filed under then and what it is filed under now."""
    exported, now = (
        FiledShape(
            subcategory_id=subcategory_id or None,
            team_id=team_id or None,
            tag_ids=list(tag_ids),
            parts=[_part(part, row.currency) for part in parts],
        )
        for subcategory_id, team_id, tag_ids, parts in (
            (row.exported_subcategory_id, row.exported_team_id, row.exported_tag_ids, row.exported_parts),
            (row.subcategory_id, row.team_id, row.tag_ids, row.parts),
        )
    )
    return {
        "effective_on": row.effective_on,
        "ledger_transaction_id": row.ledger_transaction_id,
        "account_id": row.account_id,
        "seq": row.seq,
        "account_name": row.account_name or row.account_kind.replace("_", " ").capitalize(),
        "description": row.description,
        "currency": row.currency,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "corrected_export": row.corrected_export,
        "exported": exported,
        "now": now,
    }


def _part(text: str, currency: str) -> JournalPartShape:
    part = export_contents.ExportPart.from_text(text)
    return {
        "subcategory_id": part.subcategory_id,
        "team_id": part.team_id or None,
        "account_id": part.account_id,
        "tag_ids": list(part.tag_ids),
        "amount": money.to_number(part.amount_minor, currency),
        "amount_minor": part.amount_minor,
    }


def journal_export(row: JournalExport) -> ExportShape:
    """An export as it is listed, without its lines."""
    return {
        "_id": row.id,
        "number": row.number,
        "from": row.first_day,
        "to": row.last_day,
        "status": row.status,
        "line_count": row.line_count,
        "posting_count": row.posting_count,
        "correction_count": row.correction_count,
        "is_partial": row.is_partial,
        "sha256": row.sha256,
        "exported_by": row.exported_by,
        "undo_proposed_by": row.undo_proposed_by or None,
        "undone_by": row.undone_by or None,
        "undo_reason": row.undo_reason or None,
        "undone_at": row.undone_at,
        "version": row.version,
        "createdAt": row.created_at,
    }
