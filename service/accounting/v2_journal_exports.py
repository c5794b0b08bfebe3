"""The accountant's export in v2, at paths of ours: what is not exported yet, exports with their lines, and undoing one."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from django.http import HttpResponse
from ninja import Query, Router

from service import money
from service.accounting import export_contents, journal_exports
from service.accounting import schemas_journal_exports as schemas
from service.accounting.export_contents import AccountSum, ExportLine
from service.accounting.export_corrections import Correction
from service.accounting.models import JournalExport
from service.auth import ADMINS, ApiRequest, requires
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer

router = Router(tags=["Accounting"])


class SumShape(TypedDict):
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


# `from` is a word of Python: a TypedDict can name it in this form alone.
_Days = TypedDict("_Days", {"from": date, "to": date})


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


@router.get(
    "/journal-exports/pending", response=schemas.PendingJournalExport, summary="What is not exported yet",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=ADMINS)
def read_pending_journal_export(request: ApiRequest, query: Query[schemas.PendingQuery]) -> HttpResponse:
    """Of these days: how many entries, what each account moves, and what they are filed under."""
    waiting = export_contents.pending(request.caller, query.from_, query.to)
    return answer(
        {
            "from": query.from_, "to": query.to, "line_count": waiting.line_count, "posting_count": waiting.posting_count,
            "correction_count": waiting.correction_count, "corrected_exports": waiting.corrected_exports,
            "accounts": [_sum(row) for row in waiting.accounts], "subcategory_ids": waiting.subcategories,
            "team_ids": waiting.teams, "tax_ids": waiting.taxes, "tag_ids": waiting.tags,
        }
    )  # fmt: skip


@router.get(
    "/journal-exports/pending/lines", response=schemas.PendingJournalLines, summary="The lines that are not exported yet",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=ADMINS)
def list_pending_journal_lines(request: ApiRequest, query: Query[schemas.PendingLineQuery]) -> HttpResponse:
    """Of these days, in the order in which an export would number them; `next_after` goes on, null at the end."""
    rows = export_contents.pending_lines(request.caller, query.from_, query.to, query.after, query.limit + 1)
    lines = rows[: query.limit]
    docs = [_line(row) for row in lines]
    return answer({"docs": docs, "next_after": lines[-1].place if len(rows) > query.limit else None})


@router.get(
    "/journal-exports/pending/corrections", response=schemas.JournalCorrections,
    summary="What was exported and is filed otherwise now", openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=ADMINS)
def list_journal_corrections(request: ApiRequest, query: Query[schemas.PendingLineQuery]) -> HttpResponse:
    """Of these days, what the next export would correct, each with two lines; `next_after` goes on, null at the end."""
    rows = export_contents.corrections(request.caller, query.from_, query.to, query.after, query.limit + 1)
    listed = rows[: query.limit]
    docs = [_correction(row) for row in listed]
    return answer({"docs": docs, "next_after": listed[-1].place if len(rows) > query.limit else None})


@router.get(
    "/journal-exports", response=schemas.JournalExportPage, summary="List journal exports", openapi_extra=EXTENSION
)
@requires(scope="accounting:read", roles=ADMINS)
def list_journal_exports(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """The newest first, those that were undone among them."""
    return page_of(journal_exports.journal_exports(request.caller), request, query, _export)


@router.post(
    "/journal-exports", response={201: schemas.JournalExportWithSums}, summary="Export the journal",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent(required=True)
def create_journal_export(request: ApiRequest, body: schemas.NewJournalExport) -> HttpResponse:
    """Claims every entry of these days that no other export holds, late ones included: each is exported once."""
    row = journal_exports.create_export(request.caller, body.from_, body.to, body.most_lines, body.correctable)
    return answer({**_export(row), "accounts": [_sum(account) for account in export_contents.sums(row)]}, 201)


@router.get(
    "/journal-exports/{export_id}", response=schemas.JournalExportWithSums, summary="Read a journal export",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=ADMINS)
def read_journal_export(request: ApiRequest, export_id: str) -> HttpResponse:
    """With what each account moved in it."""
    row = journal_exports.get_export(request.caller, export_id)
    return answer({**_export(row), "accounts": [_sum(account) for account in export_contents.sums(row)]})


@router.get(
    "/journal-exports/{export_id}/lines", response=schemas.JournalExportLines, summary="The lines of a journal export",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=ADMINS)
def list_journal_export_lines(
    request: ApiRequest, export_id: str, query: Query[schemas.JournalLineQuery]
) -> HttpResponse:
    """In their order, which does not change; `next_after` goes on, null at the end."""
    row = journal_exports.get_export(request.caller, export_id)
    docs = [_line(line) for line in export_contents.export_lines(row, query.after, query.limit)]
    last = docs[-1]["number"] if docs else row.line_count
    return answer({"docs": docs, "total": row.line_count, "next_after": last if last < row.line_count else None})


@router.post(
    "/journal-exports/{export_id}/undo", response=schemas.JournalExportOut, summary="Undo a journal export",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def undo_journal_export(request: ApiRequest, export_id: str, body: schemas.UndoJournalExport) -> HttpResponse:
    """Confirmed by another admin than the one who proposed it; its entries can be exported again."""
    return answer(_export(journal_exports.undo_export(request.caller, export_id, body.proposed_by, body.reason)))


def _sum(row: AccountSum) -> SumShape:
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


def _line(row: ExportLine) -> JournalLineShape:
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


def _correction(row: Correction) -> CorrectionShape:
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


def _export(row: JournalExport) -> ExportShape:
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
