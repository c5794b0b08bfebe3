"""Accounting in v2, at paths of ours: periods, trial balance, general ledger, bank statements beside the ledger."""

from collections.abc import Iterator

from django.db.models import Count
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Form, Query, Router, UploadedFile

from service import errors
from service.accounting import (
    account_ledgers,
    books,
    late_transactions,
    period_wallets,
    periods,
    postings,
    reconciliation,
    schemas,
    serializers,
)
from service.accounting.models import BankStatement, LineStatus, StatementLine
from service.accounting.schemas_books import AccountLedger, EntriesQuery, LedgerQuery, Posting, TrialBalance
from service.accounts.wallets import wallet_by_ref
from service.auth import ADMINS, OFFICE, ApiRequest, Caller, requires
from service.businesses.models import Role
from service.documentation import EXTENSION
from service.documents import checked
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.periods import between
from service.respond import answer
from service.text import WalletRef

router = Router(tags=["Accounting"])

BOOKKEEPERS = frozenset({Role.ADMIN, Role.APPROVER})
CSV = {"content": {"text/csv": {"schema": {"type": "string"}}}}
CSV_EXTENSION = {**EXTENSION, "responses": {"200": {"description": "The file", **CSV}}}


@router.get(
    "/periods", response=schemas.AccountingPeriodList, summary="List accounting periods", openapi_extra=EXTENSION
)
@requires(scope="accounting:read", roles=OFFICE)
def list_periods(request: ApiRequest) -> HttpResponse:
    """Every month with its state, newest first."""
    rows = periods.listed(request.caller)
    return answer({"docs": rows, "total": len(rows)})


@router.get("/periods/{period}", response=schemas.AccountingPeriodOut, summary="Read a period", openapi_extra=EXTENSION)
@requires(scope="accounting:read", roles=OFFICE)
def read_period(request: ApiRequest, period: str) -> HttpResponse:
    """One month, whether anything was posted in it or not; 404 for what is no month."""
    return answer(periods.get_period(request.caller, period))


@router.get(
    "/periods/{period}/wallets", response=schemas.PeriodWalletList,
    summary="What bank and books lack of each other in a period, by wallet", openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=OFFICE)
def list_period_wallets(request: ApiRequest, period: str) -> HttpResponse:
    """Of each wallet that a bank statement was imported for: entries of the month without a bank line, and whether its last
    statement of the month is proven, and the one that goes on beyond the month where that ends before it does."""
    docs = period_wallets.period_wallets(request.caller, period)
    return answer({"docs": docs, "total": len(docs)})


@router.post(
    "/periods/{period}/close", response=schemas.AccountingPeriodOut, summary="Close a period", openapi_extra=EXTENSION
)
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def close_period(request: ApiRequest, period: str, body: schemas.CloseBody) -> HttpResponse:
    """Nothing is posted into it any more, and decisions on its expenses stop."""
    closed_period = periods.close(request.caller, period, accept_open_items=body.accept_open_items)
    return answer(closed_period)


@router.post(
    "/periods/{period}/reopen",
    response=schemas.AccountingPeriodOut,
    summary="Open the last period again",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def reopen_period(request: ApiRequest, period: str, body: schemas.ReopenBody) -> HttpResponse:
    """By another admin than the one who closed it."""
    return answer(periods.reopen(request.caller, period, body.reason))


@router.get(
    "/periods/{period}/trial-balance",
    response=TrialBalance,
    summary="The trial balance",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:read", roles=OFFICE)
def read_trial_balance(request: ApiRequest, period: str) -> HttpResponse:
    """Every account that ever moved until the month's end, and per currency the totals, whose closing is zero."""
    return answer(books.trial_balance(request.caller, periods.month(period)))


@router.get("/periods/{period}/trial-balance/export", summary="The trial balance as CSV", openapi_extra=CSV_EXTENSION)
@requires(scope="accounting:read", roles=OFFICE)
def export_trial_balance(request: ApiRequest, period: str) -> HttpResponseBase:
    """The trial balance as lines of CSV, the names of its columns first; 404 for what is no month."""
    month = periods.month(period)
    return _csv(books.trial_balance_lines(request.caller, month), f"trial-balance-{month.name}.csv")


@router.get("/periods/{period}/general-ledger", summary="The general ledger as CSV", openapi_extra=CSV_EXTENSION)
@requires(scope="accounting:read", roles=OFFICE)
def export_general_ledger(request: ApiRequest, period: str, query: Query[LedgerQuery]) -> HttpResponseBase:
    """Every entry of every account in the period, streamed, with its codes where they are asked for."""
    month = periods.month(period)
    lines = books.general_ledger_lines(request.caller, month, query.order, with_codes=query.codes)
    return _csv(lines, f"general-ledger-{month.name}.csv")


@router.get(
    "/periods/{period}/accounts/{account_id}",
    response=AccountLedger,
    summary="The general ledger of one account",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:read", roles=OFFICE)
def read_account_ledger(request: ApiRequest, period: str, account_id: str, query: Query[EntriesQuery]) -> HttpResponse:
    """Its entries in the period, the oldest first, each with the balance after it."""
    page = account_ledgers.PageOfEntries(query.after, query.limit)
    month = periods.month(period)
    return answer(account_ledgers.account_ledger(request.caller, month, postings.ledger_id(account_id), page))


@router.get(
    "/periods/{period}/late",
    response=schemas.LateTransactionPage,
    summary="What was posted in a period though its own day lies before",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:read", roles=OFFICE)
def list_late_transactions(request: ApiRequest, period: str, query: Query[PageQuery]) -> HttpResponse:
    """What was posted in the month though it happened before its first day: it arrived late, when its own month was
    closed or over."""
    rows = late_transactions.late(request.caller, periods.month(period))
    return page_of(rows, request, query, late_transactions.late_row)


@router.get(
    "/postings/{posting_id}", response=Posting, summary="One posting with all its entries",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=OFFICE)
def read_posting(request: ApiRequest, posting_id: str) -> HttpResponse:
    """One posting with its entries; 404 for one of another business."""
    return answer(postings.posting(request.caller, postings.ledger_id(posting_id)))


@router.post(
    "/bank-statements",
    response={200: schemas.BankStatementOut, 201: schemas.BankStatementOut},
    summary="Import a bank statement (CSV)",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:write", roles=BOOKKEEPERS, upload=True)
@idempotent()
def import_bank_statement(
    request: ApiRequest, org_wallet_ref: Form[WalletRef], file: File[UploadedFile]
) -> HttpResponse:
    """Columns by name: date, amount (or debit and credit), description, reference. The same file again changes nothing."""
    statement, fresh = reconciliation.import_statement(request.caller, org_wallet_ref, checked(file))
    row = BankStatement.objects.select_related("wallet").get(pk=statement.pk)
    return answer(_statements([row])[0], 201 if fresh else 200)


@router.get(
    "/bank-statements", response=schemas.BankStatementPage, summary="List bank statements", openapi_extra=EXTENSION
)
@requires(scope="accounting:read", roles=OFFICE)
def list_bank_statements(request: ApiRequest, query: Query[schemas.BankStatementQuery]) -> HttpResponse:
    """The bank statements of the business or of one wallet that reach into the days; 400 for days the wrong way round."""
    between(request.caller.business, query.from_, query.to)
    rows = BankStatement.objects.filter(business_id=request.caller.business.id).select_related("wallet")
    if query.accountref:
        rows = rows.filter(wallet_id=_wallet_id(request.caller, query.accountref))
    if query.from_:
        rows = rows.filter(last_day__gte=query.from_)
    if query.to:
        rows = rows.filter(first_day__lte=query.to)
    return page_of(rows, request, query, show_all=_statements)


@router.get(
    "/bank-statements/{statement_id}",
    response=schemas.BankStatementOut,
    summary="Read a bank statement",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:read", roles=OFFICE)
def read_bank_statement(request: ApiRequest, statement_id: str) -> HttpResponse:
    """One bank statement; 404 when the business has none such."""
    rows = BankStatement.objects.filter(business_id=request.caller.business.id, id=statement_id)
    row = rows.select_related("wallet").first()
    if row is None:
        raise errors.not_found("bank statement")
    return answer(_statements([row])[0])


@router.get("/bank-lines", response=schemas.BankLinePage, summary="List bank lines", openapi_extra=EXTENSION)
@requires(scope="accounting:read", roles=OFFICE)
def list_bank_lines(request: ApiRequest, query: Query[schemas.LineQuery]) -> HttpResponse:
    """By their day, the newest first; `status=UNMATCHED`: what the bank says and the ledger does not."""
    between(request.caller.business, query.from_, query.to)  # refuses days the wrong way round
    rows = reconciliation.lines(request.caller)
    filters = {
        "status": query.status,
        "statement_id": query.statement_id,
        "wallet_id": _wallet_id(request.caller, query.accountref) if query.accountref else None,
        "day__gte": query.from_,
        "day__lte": query.to,
    }
    rows = rows.filter(**{name: value for name, value in filters.items() if value is not None})
    if query.search:
        rows = rows.filter(reconciliation.holds_text(query.search))
    if query.amount_minor is not None:
        rows = rows.filter(reconciliation.of_amount(query.amount_minor))
    return page_of(rows, request, query, serializers.line, order="day")


@router.get(
    "/unmatched-entries",
    response=schemas.UnmatchedEntryList,
    summary="Entries of a wallet that no bank line belongs to",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:read", roles=OFFICE)
def list_unmatched_entries(request: ApiRequest, query: Query[schemas.EntryQuery]) -> HttpResponse:
    """What the ledger says and the bank does not."""
    between(request.caller.business, query.from_, query.to)
    owner = wallet_by_ref(request.caller.business, query.accountref)
    first, begun = query.from_, reconciliation.first_day(owner) if query.since_first_statement else None
    if begun is not None:
        first = max(first, begun) if first else begun
    rows = reconciliation.unmatched_entries(owner, first, query.to)
    rows = reconciliation.filter_entries(rows, query.search or "", query.amount_minor)
    if query.before_seq:
        rows = rows.filter(seq__lt=query.before_seq)
    entries = list(rows[: query.limit + 1])
    page = entries[: query.limit]
    more = len(entries) > query.limit
    docs = [serializers.entry(row) for row in page]
    return answer({"docs": docs, "next_before_seq": page[-1].seq if more else None})


@router.post(
    "/bank-lines/{line_id}/match",
    response=schemas.BankLineOut,
    summary="Match a bank line manually",
    openapi_extra=EXTENSION,
)
@requires(scope="accounting:write", roles=BOOKKEEPERS)
@idempotent()
def match_bank_line(request: ApiRequest, line_id: str, body: schemas.MatchBody) -> HttpResponse:
    """Puts a line beside the entry of a ledger transaction on its wallet, by hand. 404 for the line or the transaction,
    409 where either is matched already, 422 where no entry has the amount."""
    return answer(serializers.line(reconciliation.match(request.caller, line_id, body.ledger_transaction_id)))


@router.post(
    "/bank-lines/{line_id}/unmatch", response=schemas.BankLineOut, summary="Take a bank line off its entry",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=BOOKKEEPERS)
@idempotent()
def unmatch_bank_line(request: ApiRequest, line_id: str) -> HttpResponse:
    """Takes the match of a line apart, with all else that it holds; 409 for a line that is of none."""
    return answer(serializers.line(reconciliation.unmatch(request.caller, line_id)))


def _statements(rows: list[BankStatement]) -> list[serializers.StatementShape]:
    """Statements with how many of their lines are matched; one query for all."""
    lines = StatementLine.objects.filter(statement__in=[row.pk for row in rows], status=LineStatus.MATCHED)
    matched = dict(lines.values_list("statement_id").annotate(n=Count("id")).order_by())
    return [serializers.statement(row, matched.get(row.pk, 0)) for row in rows]


def _wallet_id(caller: Caller, ref: str) -> str:
    return wallet_by_ref(caller.business, ref).id


def _csv(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    response["X-Content-Type-Options"] = "nosniff"
    return response
