"""Statements: their list, a file on its way, its columns, what is wrong with it, and its import."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.bank_statements import csv_table
from dashboard.bank_statements.models import StatementDraft
from dashboard.bank_statements.statement import ParsedStatement, StatementError
from dashboard.commands import reconciliation as commands
from dashboard.errors import FinanceError
from dashboard.mirror.models import Wallet
from dashboard.money import Money
from dashboard.pages.reconciliation import services
from dashboard.pages.reconciliation.forms import StatementColumnsForm, StatementForm
from dashboard.pages.reconciliation.presenters import statements as presenters
from dashboard.pages.reconciliation.selectors.desk import desk_pages
from dashboard.pages.reconciliation.selectors.statements import (
    check_of,
    csv_columns_of,
    draft_of,
    statement_of,
)
from dashboard.pages.reconciliation.selectors.wallets import bank_wallet, bank_wallets
from dashboard.schemas.reconciliation import BankStatement, NewBankStatement
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key
from dashboard.web.upload_limit import SINGLE_FILE_BYTES, files_cut, is_too_large, limits_upload

LIST, FILE = "reconciliation/statements.html", "reconciliation/file.html"


@require_GET
@needs(operations_accounting.LIST_BANK_STATEMENTS)
def statements(request: ActorRequest, business: str) -> HttpResponse:
    """The statements, the newest first, and a field for another."""
    return _list(request)


def _list(request: ActorRequest, form: StatementForm | None = None, status: int = 200) -> HttpResponse:
    context = presenters.statements_context(request.actor, desk_pages(request.GET), posted_key(request), form)
    return page(request, LIST, context, status=status)


@limits_upload(SINGLE_FILE_BYTES)
@require_POST
@needs(operations_accounting.IMPORT_BANK_LINES)
def upload_statement(request: ActorRequest, business: str) -> HttpResponse:
    """Takes a file in; nothing is imported yet."""
    wallets = presenters.wallet_choices(bank_wallets(request.actor))
    form = StatementForm(request.POST, request.FILES, wallets=wallets)
    if is_too_large(request) or files_cut(request):
        form.refuse_file(unread=is_too_large(request))
        return _list(request, form, 413)
    if not form.is_valid():
        return _list(request, form, 422)
    wallet, file = bank_wallet(request.actor, form.cleaned_data["wallet"]), form.cleaned_data["file"]
    try:
        draft = services.create_draft(request.actor, wallet, file.name, file.read())
    except StatementError as wrong:
        form.add_error("file", str(wrong))
        return _list(request, form, 422)
    return redirect("reconciliation_file", business, draft.pk)


@require_GET
@needs(operations_accounting.CHECK_BANK_STATEMENT)
def preview(request: ActorRequest, business: str, draft_id: UUID) -> HttpResponse:
    """What a file holds and what is wrong with it, or which of its columns is what."""
    draft = draft_of(request.actor, draft_id)
    return _file(request, draft, bank_wallet(request.actor, draft.wallet_id))


def _file(
    request: ActorRequest, statement_draft: StatementDraft, wallet: Wallet, status: int = 200, failed: str = ""
) -> HttpResponse:
    is_csv = statement_draft.source_format == csv_table.NAME
    columns = _columns_form(request, statement_draft, wallet) if is_csv else None
    context = presenters.file_context(request.actor, statement_draft, wallet, posted_key(request), columns, failed)
    return page(request, FILE, context, status=status)


def _columns_form(
    request: ActorRequest, statement_draft: StatementDraft, wallet: Wallet, data: Any = None
) -> StatementColumnsForm:
    header = csv_table.header_of(bytes(statement_draft.content))
    remembered = statement_draft.columns or csv_columns_of(request.actor, csv_table.header_key(header))
    initial: dict[str, Any] = {**remembered}
    for name, minor in (("opening", statement_draft.opening_minor), ("closing", statement_draft.closing_minor)):
        initial[name] = None if minor is None else Money(minor, wallet.currency).amount
    return StatementColumnsForm(
        data, header=header, currency=wallet.currency, locale=request.actor.business.locale, initial=initial
    )


@require_POST
@needs(operations_accounting.IMPORT_BANK_LINES)
def map_columns(request: ActorRequest, business: str, draft_id: UUID) -> HttpResponse:
    """Says which column is what, for this file and, unless somebody says otherwise, the next with its header."""
    draft = draft_of(request.actor, draft_id)
    wallet = bank_wallet(request.actor, draft.wallet_id)
    if draft.source_format != csv_table.NAME:
        return redirect("reconciliation_file", business, draft.pk)
    form = _columns_form(request, draft, wallet, request.POST)
    if not form.is_valid():
        return page(request, FILE, presenters.unread_file(draft, wallet, posted_key(request), form), status=422)
    values = form.cleaned_data
    services.save_columns(request.actor, draft, form.mapping(), values["opening_minor"], values["closing_minor"])
    return redirect("reconciliation_file", business, draft.pk)


@require_POST
@needs(operations_accounting.IMPORT_BANK_LINES)
def import_statement(request: ActorRequest, business: str, draft_id: UUID) -> HttpResponse:
    """Imports a file as it was shown; the same file again changes nothing."""
    draft = draft_of(request.actor, draft_id)
    wallet = bank_wallet(request.actor, draft.wallet_id)
    parsed = _readable(request, draft, wallet)
    if parsed is None:
        return _file(request, draft, wallet, 422)
    statement = commands.statement_body(parsed, wallet.org_wallet_ref, draft.file_name, draft.sha256)
    try:
        message = _import(request, wallet, statement)
    except (*commands.REFUSALS, FinanceError) as refused:
        return _file(request, draft, wallet, refused.status, refused.on_form)
    draft.delete()
    messages.success(request, message)
    return redirect("reconciliation_wallet", business, wallet.remote_id)


def _readable(request: ActorRequest, statement_draft: StatementDraft, wallet: Wallet) -> ParsedStatement | None:
    try:
        return statement_of(statement_draft, wallet.currency)
    except StatementError:
        return None


def _import(request: ActorRequest, wallet: Wallet, new_statement: NewBankStatement) -> str:
    """Imports a statement; what became of it, in a sentence."""
    subject = commands.wallet_subject(request.actor, wallet.org_wallet_ref, presenters.wallet_title(wallet))
    check = check_of(request.actor, wallet, new_statement)
    done = commands.import_statement(request.actor, subject, new_statement, key=form_key_of(request))
    imported = BankStatement.model_validate(done.data)
    if check.already_imported:
        return "This file was imported already."
    return f"{imported.line_count:,} new lines, {imported.skipped:,} already there."
