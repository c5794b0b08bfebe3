"""Payouts: the list, one of them with its payments and how far it is, its closing sheet; initiating and taking back."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import payouts as commands
from dashboard.errors import Conflict, FinanceError, NotFound, Rejected, Unavailable
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import ApprovalRequest
from dashboard.pages.payouts.forms.payouts import PayoutCancelForm
from dashboard.pages.payouts.forms.progress import PayoutProgressForm
from dashboard.pages.payouts.presenters.bank_file import FILE_STATES
from dashboard.pages.payouts.presenters.payouts import (
    ENDED_PAYOUT_STATES,
    approved_text,
    payout_context,
    progress_context,
)
from dashboard.pages.payouts.presenters.repeats import compare, repeated_context
from dashboard.pages.payouts.presenters.sheet import ClosingSheet, closing_csv
from dashboard.pages.payouts.presenters.sheet import closing_sheet as sheet_of
from dashboard.pages.payouts.presenters.sheet_pdf import closing_pdf
from dashboard.pages.payouts.selectors.payouts import (
    open_approval,
    payout_for,
    read_ledger,
    read_payments,
    refresh_counts,
)
from dashboard.pages.payouts.selectors.progress import read_progress
from dashboard.pages.payouts.services.copies import lines_again
from dashboard.pages.payouts.tables import PAYOUTS
from dashboard.payout_files.services import bank_files_of, related_payouts
from dashboard.schemas.payments import PayoutItem
from dashboard.times import day_and_time
from dashboard.web.files import save_as
from dashboard.web.payee_changes import is_held, is_payee_refusal, payee_change_links
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, posted_key, sent_before

# What is being paid has a sheet too, which says that it is not final.
SHEETS = ENDED_PAYOUT_STATES | {"PROCESSING"}
LIST, ITEM = "payouts/list.html", "payouts/item.html"
FILE_UNKNOWN = (
    "A bank file of these payments was downloaded: confirm that the bank does not pay them. Nothing was changed."
)
PARTLY = "Not every payout of the last 30 days could be compared: payments that were made before may be among these."
NOT_COMPARED = "The finance service did not answer, so its payments could not be compared with earlier ones. Nothing was sent. Try again."
REFUSED = (Conflict, Rejected, NotFound)


@require_GET
@needs(operations.LIST_PAYOUTS)
def payouts(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the payouts, filtered and sorted by the query."""
    return list_page(request, PAYOUTS, template=LIST, area_context=_may_make(request))


@polls
@require_GET
@needs(operations.LIST_PAYOUTS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many payouts the filters leave, and what they come to."""
    return totals_part(request, PAYOUTS, template=LIST, area_context=_may_make(request))


def _may_make(request: ActorRequest) -> dict[str, Any]:
    return {"may_make": bool(can_open(request.actor, operations.CREATE_PAYOUT))}


@require_GET
@needs(operations.LIST_PAYOUTS)
def payout(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one payout with its payments; 404 outside what the actor may see."""
    return render_payout(request, payout_for(request.actor, remote_id))


def render_payout(
    request: ActorRequest, row: ApprovalRequest, status: int = 200, *, refusal: FinanceError | None = None, **more: Any
) -> HttpResponse:
    """The page of a payout; `more` is what a form that was refused brings back, by the names of payouts/item.html. Where the
    `refusal`, or a hold, is for an account that waits for a second person, with the payee changes."""
    is_payee_held = is_held(row) or is_payee_refusal(refusal)
    payments = read_payments(request.actor, row)
    sheet = _sheet(request, row, payments) if payments is not None and row.status in SHEETS else None
    context = payout_context(
        request.actor, row, payments, approval=open_approval(request.actor, row), only=request.GET.get("only", ""),
        number=request.GET.get("page"), sheet=sheet,
    )  # fmt: skip
    has_bank_file = row.status in FILE_STATES and bool(can_open(request.actor, operations.INITIATE_PAYOUT))
    paid = [(item.channel, item.account) for item in payments or ()]
    more["payee_changes"] = payee_change_links(request.actor, paid) if is_payee_held else []
    return page(request, ITEM, {**context, "has_bank_file": has_bank_file, **more}, status=status)


@polls
@require_GET
@needs(operations.LIST_PAYOUTS)
def progress(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """How far it is by now, and what became of the payments that the page shows: it asks by itself while it goes on, and is
    drawn anew once that is over."""
    row, watched = payout_for(request.actor, remote_id), PayoutProgressForm(request.GET).watched()
    before = row.status
    changed = read_progress(request.actor, row, watched)
    if changed is None and not refresh_counts(request.actor, row):
        read_payments(request.actor, row)
    if row.status != before:
        answer = HttpResponse()
        answer["HX-Refresh"] = "true"
        return answer
    return page(
        request, ITEM, {**progress_context(request.actor, row, watched, changed or ())}, fragments=("progress",)
    )


@require_GET
@needs(operations.LIST_PAYOUTS)
def closing_sheet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The payments with what became of each, the sums and the ledger beside them, as CSV."""
    sheet = _sheet_or_unavailable(request, remote_id)
    return _file(sheet, closing_csv(sheet).encode(), "text/csv; charset=utf-8", "csv")


@require_GET
@needs(operations.LIST_PAYOUTS)
def closing_pdf_file(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The sheet of what was paid, as a PDF to download."""
    sheet = _sheet_or_unavailable(request, remote_id)
    return _file(sheet, closing_pdf(sheet), "application/pdf", "pdf")


def _sheet_or_unavailable(request: ActorRequest, remote_id: str) -> ClosingSheet:
    row = payout_for(request.actor, remote_id)
    payments = read_payments(request.actor, row)
    if payments is None:
        raise Unavailable("The finance service did not answer, so there is no sheet now. Try again.")
    return _sheet(request, row, payments)


def _sheet(request: ActorRequest, row: ApprovalRequest, payments: list[PayoutItem]) -> ClosingSheet:
    business = request.actor.business
    ledger = read_ledger(request.actor, row)
    return sheet_of(request.actor, row, payments, ledger, day_and_time(timezone.now(), business))


def _file(sheet: ClosingSheet, content: bytes, kind: str, ending: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    save_as(answer, f"{sheet.number}.{ending}")
    return answer


def _is_in_unknown_file(request: ActorRequest, row: ApprovalRequest) -> bool:
    """Whether a bank was given a file of these payments, and nobody has said that it does not pay them."""
    files = bank_files_of(request.actor.business, related_payouts(request.actor.business, row.remote_id))
    return bool(files) and not (request.POST.get("file_known") or sent_before(request))


def _doubles_first(request: ActorRequest, row: ApprovalRequest) -> HttpResponse | None:
    """What it may pay twice by now, which is to be acknowledged as it stands there; None where nothing is, or it was."""
    if sent_before(request):
        return None
    payments = read_payments(request.actor, row)
    if payments is None:
        return render_payout(request, row, 503, refused=NOT_COMPARED)
    lines = lines_again(row, payments, failed=False)
    doubles = compare(request.actor, row.currency, lines, besides=row.remote_id)
    if doubles and request.POST.get("meant") != doubles.digest:
        context = repeated_context(request.actor, row.currency, doubles)
        return render_payout(request, row, 409, doubles=context, key=posted_key(request))
    if not doubles.whole:
        messages.warning(request, PARTLY)
    return None


def _refused(request: ActorRequest, row: ApprovalRequest, refused: FinanceError) -> HttpResponse:
    return render_payout(request, row, refused.status, refusal=refused, refused=refused.on_form)


@require_POST
@needs(operations.INITIATE_PAYOUT)
def initiate(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Asks for the votes that the mandate wants; where none is wanted, it is paid. What it may pay twice is shown first; whoever
    has not just shown that it is them does so then."""
    row = payout_for(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.INITIATE_PAYOUT, row)
    if _is_in_unknown_file(request, row):
        return render_payout(request, row, 422, refused=FILE_UNKNOWN)
    if first := _doubles_first(request, row) or confirm_first(request, request.path):
        return first
    try:
        result = commands.initiate_payout(request.actor, row, key=form_key_of(request))
    except REFUSED as refused:
        return _refused(request, row, refused)
    row.refresh_from_db()
    approved = f"No mandate requires its approval: {approved_text(request.actor, row)}"
    outcomes = OUTCOMES | {"APPROVED": approved}
    messages.success(request, outcomes.get(result.text("status"), "Initiated."))
    return redirect("payouts_item", business, remote_id)


OUTCOMES = {
    "PENDING_APPROVAL": "Sent for approval.",
    "AWAITING_CODE": "A one-time code is needed before it is paid.",
}


@require_POST
@needs(operations.RETURN_PAYOUT_TO_DRAFT)
def to_draft(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Takes it back to a draft: votes and codes are void."""
    row = payout_for(request.actor, remote_id)
    try:
        commands.return_to_draft(request.actor, row, key=form_key_of(request))
    except REFUSED as refused:
        return _refused(request, row, refused)
    messages.success(request, "It is a draft again. Approvals and codes are void.")
    return redirect("payouts_item", business, remote_id)


@require_POST
@needs(operations.CANCEL_PAYOUT)
def cancel(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Ends it for good, with a reason."""
    row, form = payout_for(request.actor, remote_id), PayoutCancelForm(request.POST)
    if not form.is_valid():
        return render_payout(request, row, 422, cancel=form, key=posted_key(request))
    try:
        commands.cancel_payout(request.actor, row, form.cleaned_data["reason"], key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return render_payout(request, row, refused.status, refusal=refused, cancel=form, key=posted_key(request))
    messages.success(request, f"{row.title} was cancelled.")
    return redirect("payouts_item", business, remote_id)
