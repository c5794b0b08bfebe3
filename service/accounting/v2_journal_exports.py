"""The accountant's export in v2, at paths of ours: what is not exported yet, exports with their lines, and undoing one."""

from django.http import HttpResponse
from ninja import Query, Router

from service.accounting import export_contents, journal_exports
from service.accounting import schemas_journal_exports as schemas
from service.accounting import serializers_journal_exports as serializers
from service.auth import ADMINS, ApiRequest, requires
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer

router = Router(tags=["Accounting"])


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
            "accounts": [serializers.account_sum(row) for row in waiting.accounts], "subcategory_ids": waiting.subcategories,
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
    docs = [serializers.export_line(row) for row in lines]
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
    docs = [serializers.correction(row) for row in listed]
    return answer({"docs": docs, "next_after": listed[-1].place if len(rows) > query.limit else None})


@router.get(
    "/journal-exports", response=schemas.JournalExportPage, summary="List journal exports", openapi_extra=EXTENSION
)
@requires(scope="accounting:read", roles=ADMINS)
def list_journal_exports(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """The newest first, those that were undone among them."""
    return page_of(journal_exports.journal_exports(request.caller), request, query, serializers.journal_export)


@router.post(
    "/journal-exports", response={201: schemas.JournalExportWithSums}, summary="Export the journal",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent(required=True)
def create_journal_export(request: ApiRequest, body: schemas.NewJournalExport) -> HttpResponse:
    """Claims every entry of these days that no other export holds, late ones included: each is exported once."""
    row = journal_exports.create_export(request.caller, body.from_, body.to, body.most_lines, body.correctable)
    return answer(
        {
            **serializers.journal_export(row),
            "accounts": [serializers.account_sum(account) for account in export_contents.sums(row)],
        },
        201,
    )


@router.get(
    "/journal-exports/{export_id}", response=schemas.JournalExportWithSums, summary="Read a journal export",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=ADMINS)
def read_journal_export(request: ApiRequest, export_id: str) -> HttpResponse:
    """With what each account moved in it."""
    row = journal_exports.get_export(request.caller, export_id)
    return answer(
        {
            **serializers.journal_export(row),
            "accounts": [serializers.account_sum(account) for account in export_contents.sums(row)],
        }
    )


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
    docs = [serializers.export_line(line) for line in export_contents.export_lines(row, query.after, query.limit)]
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
    return answer(
        serializers.journal_export(
            journal_exports.undo_export(request.caller, export_id, body.proposed_by, body.reason)
        )
    )
