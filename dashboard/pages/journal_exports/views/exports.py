"""Exports: their list, a new one, one with its files, carried on after a lost answer, and proposed to be undone."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.client.page import Page
from dashboard.commands.journal_exports import NOTHING_CLAIMED
from dashboard.errors import Conflict, FinanceError
from dashboard.journal_exports.formats.registry import chosen
from dashboard.journal_exports.models import JournalExport
from dashboard.journal_files import worker
from dashboard.journal_files.exports import remote_export
from dashboard.journal_files.mappings import mappings_of, missing
from dashboard.journal_files.writer import UNDONE, carry_on, export_title
from dashboard.pages.journal_exports import services
from dashboard.pages.journal_exports.forms import ExportForm, UndoForm
from dashboard.pages.journal_exports.presenters import exports as presenters
from dashboard.pages.journal_exports.presenters.export_list import export_list_context
from dashboard.pages.journal_exports.selectors import exports as selectors
from dashboard.proposals.models import JOURNAL_EXPORT
from dashboard.proposals.services import Draft, propose
from dashboard.schemas.accounting import AccountingPeriod
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import new_key, posted_key

LIST, NEW, ITEM = (f"journal_exports/{name}.html" for name in ("list", "new", "item"))


@require_GET
@needs(operations_accounting.LIST_JOURNAL_EXPORTS)
def journal_exports(request: ActorRequest, business: str) -> HttpResponse:
    """A page of all exports, the newest first, and of ours that are none at the service."""
    pages, problem = selectors.pages_of(request.GET), ""
    try:
        remote, on_page = selectors.remote_exports(request.actor, pages.after)
        own = selectors.own_exports(request.actor, remote, pages.before)
    except FinanceError as trouble:
        remote, on_page, problem = [], Page([]), trouble.user_message
        own = selectors.own_exports(request.actor, None, pages.before)
    return page(request, LIST, export_list_context(request.actor, pages, remote, on_page, own, problem))


@require_http_methods(["GET", "POST"])
@needs(operations_accounting.READ_PENDING_JOURNAL_EXPORT)
def new_export(request: ActorRequest, business: str) -> HttpResponse:
    """What an export would hold, and the export itself."""
    periods = selectors.exported_periods(request.actor)
    posted = request.POST if request.method == "POST" else request.GET if "period" in request.GET else None
    initial = {"period": periods[0].period if periods else "", "formats": ["csv", "xlsx"]}
    form = ExportForm(posted, periods=presenters.period_choices(periods), initial=initial)
    if posted is None or not form.is_valid() or not _is_of_period(form, periods):
        return _new(request, form, periods, 200 if posted is None else 422)
    if request.method == "GET":
        return _new(request, form, periods)
    return _export(request, form, periods)


def _new(
    request: ActorRequest, form: ExportForm, periods: Sequence[AccountingPeriod], status: int = 200, problem: str = ""
) -> HttpResponse:
    context: presenters.NewContext = {"form": form, "key": posted_key(request), "problem": problem}
    if form.is_bound and form.is_valid():
        try:
            pending = selectors.pending_of(request.actor, *_days(form, periods))
            unmapped = missing(
                request.actor, mappings_of(request.actor), pending.accounts, pending.tax_ids,
                chosen(form.cleaned_data["formats"]),
            )  # fmt: skip
            presenters.add_pending(request.actor, context, form, pending, unmapped, periods)
        except FinanceError as trouble:
            context["problem"] = problem or trouble.user_message
    return page(request, NEW, context, status=status)


def _days(form: ExportForm, periods: Sequence[AccountingPeriod]) -> tuple[date, date]:
    days = selectors.days_of(periods, form.cleaned_data["period"])
    assert days is not None, "the form offers periods that are there"
    first, last = days
    return first, form.cleaned_data["until"] or last


def _is_of_period(form: ExportForm, periods: Sequence[AccountingPeriod]) -> bool:
    """Whether the day up to which is exported, where one is named, is one of the period's; the form says so if not."""
    days, until = selectors.days_of(periods, form.cleaned_data["period"]), form.cleaned_data["until"]
    is_of = until is None or (days is not None and days[0] <= until <= days[1])
    if not is_of:
        form.add_error("until", "Choose a day of the period.")
    return is_of


def _export(request: ActorRequest, form: ExportForm, periods: Sequence[AccountingPeriod]) -> HttpResponse:
    actor, (first, last) = request.actor, _days(form, periods)
    check_or_record_denial(actor, operations_accounting.CREATE_JOURNAL_EXPORT, None)
    key, formats, lines = posted_key(request), form.cleaned_data["formats"], 0
    # What was sent before under this key is carried on, whatever is not exported by now.
    if not selectors.exports_of(actor).filter(key=key).exists():
        lines = selectors.exportable_lines(actor, first, last, formats)
        if not lines:
            return _new(request, form, periods, 422)
    row, is_new = services.start_export(actor, key, first, last, formats)
    if lines > worker.BACKGROUND_LINES or row.waits_since:
        return _handed_over(request, row)
    return _carried_on(request, row, is_new=is_new)


def _carried_on(request: ActorRequest, row: JournalExport, *, is_new: bool = False) -> HttpResponse:
    """Carries an export on; what nobody knows, and what is missing, stands on its page."""
    try:
        carry_on(request.actor, row)
    except FinanceError as trouble:
        # Nothing was claimed: by a first try that surely changed nothing, or since there is nothing left to claim. An
        # export that may have been claimed by an earlier try stays.
        if not row.remote_id and ((is_new and trouble.changed is False) or trouble.code in NOTHING_CLAIMED):
            row.delete()
            raise
        return _item(request, row, trouble.status, failed=trouble.on_form)
    messages.success(request, f"{row.line_count:,} lines were exported.")
    return redirect("journal-exports_item", request.actor.business.slug, row.pk)


def _handed_over(request: ActorRequest, row: JournalExport) -> HttpResponse:
    """A long export is carried on by a worker: its page says how far it is."""
    if row.waits_since is None:
        worker.hand_over(row, request.actor)
    return redirect("journal-exports_item", request.actor.business.slug, row.pk)


@polls
@require_GET
@needs(operations_accounting.READ_JOURNAL_EXPORT)
def progress(request: ActorRequest, business: str, export_id: UUID) -> HttpResponse:
    """How far a long export is: its page asks by itself."""
    return _item(request, selectors.export_of(request.actor, export_id))


@require_GET
@needs(operations_accounting.READ_JOURNAL_EXPORT)
def journal_export(request: ActorRequest, business: str, export_id: UUID) -> HttpResponse:
    """One export with its files and its manifest."""
    return _item(request, selectors.export_of(request.actor, export_id))


def _item(
    request: ActorRequest, row: JournalExport, status: int = 200, *, form: UndoForm | None = None, failed: str = ""
) -> HttpResponse:
    undo = selectors.open_undo(request.actor, row)
    context = presenters.item_context(request.actor, row, undo, form or UndoForm(), new_key(), failed)
    return page(request, ITEM, context, fragments=("result",), status=status)


@require_POST
@needs(operations_accounting.CREATE_JOURNAL_EXPORT)
def continue_export(request: ActorRequest, business: str, export_id: UUID) -> HttpResponse:
    """Asks again under the export's own key, and writes its files; a long one is handed to a worker again."""
    row = selectors.export_of(request.actor, export_id)
    if row.undone_at:
        return _item(request, row, 409, failed=UNDONE)
    if row.waits_since or max(row.line_count, row.lines_read) > worker.BACKGROUND_LINES:
        return _handed_over(request, row)
    return _carried_on(request, row)


@require_POST
@needs(operations_accounting.UNDO_JOURNAL_EXPORT)
def propose_undo(request: ActorRequest, business: str, export_id: UUID) -> HttpResponse:
    """Proposes to undo an export: another admin confirms it."""
    row, form = selectors.export_of(request.actor, export_id), UndoForm(request.POST)
    if not form.is_valid() or not row.remote_id or row.undone_at:
        return _item(request, row, 422, form=form)
    try:
        proposal = propose(request.actor, _draft(request, row, form.cleaned_data["reason"]))
    except Conflict as refused:
        form.add_error(None, refused.on_form)
        return _item(request, row, refused.status, form=form)
    messages.success(request, "The undo waits for a second admin.")
    return redirect("wallet-policies_proposal", business, proposal.pk)


def _draft(request: ActorRequest, row: JournalExport, reason: str) -> Draft:
    title, days = export_title(row), presenters.days_text(row.first_day, row.last_day)
    version = remote_export(request.actor, row).version
    return Draft(
        operation=operations_accounting.UNDO_JOURNAL_EXPORT, title=title, key=posted_key(request),
        path={"id": row.remote_id}, body={"proposed_by": request.actor.employee_id, "reason": reason},
        target_type=JOURNAL_EXPORT, target_id=str(row.pk), seen={"version": version},
        sentences=[f"Its {row.line_count:,} lines of {days} are no longer exported."],
        consequences=["The next export of these days holds them again: what was imported from this one must be taken out."],
        reason=reason,
    )  # fmt: skip
