"""New payouts: a batch from a table, and one of the same payments again."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import payouts as commands
from dashboard.commands.run import CommandResult, add_refusal
from dashboard.errors import FinanceError
from dashboard.mirror.models import ApprovalRequest, Wallet
from dashboard.pages.payouts.forms.payouts import PayoutForm
from dashboard.pages.payouts.presenters import drafts as presenters
from dashboard.pages.payouts.presenters.choices import wallet_choices
from dashboard.pages.payouts.presenters.columns import column_lines
from dashboard.pages.payouts.presenters.payouts import copy_lines
from dashboard.pages.payouts.presenters.repeats import (
    RepeatedContext,
    compare,
    dropped_numbers,
    repeated_context,
    rows_digest,
)
from dashboard.pages.payouts.selectors.payouts import (
    PayoutDestinations,
    destinations,
    live_copies,
    paying_wallets,
    payout_for,
    read_payments,
    same_tables,
)
from dashboard.pages.payouts.selectors.progress import ranges_text
from dashboard.pages.payouts.services.copies import batch_again, lines_again
from dashboard.pages.payouts.services.lines import (
    PaymentLine,
    TableLines,
    check_lines,
    lines_text,
    name_vendors,
    place_refusals,
    table_hash,
)
from dashboard.pages.payouts.views.payouts import PARTLY, render_payout
from dashboard.payout_files.services import bank_files_of, related_payouts, remember_columns, remember_origin
from dashboard.schemas.payments import BatchBody, PayoutItem
from dashboard.web.payee_changes import is_payee_refusal, payee_change_links
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key, sent_before

NEW = "payouts/new.html"


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_PAYOUT)
def new_payout(request: ActorRequest, business: str) -> HttpResponse:
    """A table of payments: checked row by row, corrected in place, and made a draft once nothing is wrong in it."""
    wallets = paying_wallets(request.actor)
    choices = wallet_choices(wallets)
    if request.method == "GET":
        return _render_new(request, PayoutForm(business=request.actor.business, wallets=choices))
    form = PayoutForm(request.POST, request.FILES, business=request.actor.business, wallets=choices)
    if not form.is_valid():
        return _render_new(request, form, 422)
    if form.answered:
        form.remembered = remember_columns(request.actor.business, *form.answered)
    wallet = next(row for row in wallets if row.org_wallet_ref == form.cleaned_data["wallet"])
    try:
        return _checked(request, form, wallet, destinations(request.actor))
    except commands.REFUSALS as refused:
        add_refusal(form, refused, commands.NAMES)
        return _render_new(request, form, refused.status)


def _checked(
    request: ActorRequest, form: PayoutForm, wallet: Wallet, payout_destinations: PayoutDestinations
) -> HttpResponse:
    lines: TableLines = form.cleaned_data["lines"]
    wrong = check_lines(lines, wallet.currency, request.actor.business.locale, payout_destinations)
    if wrong and not (request.POST.get("leave_out") and len(wrong) < len(lines)):
        return _render_new(request, form, 422, **presenters.wrong_context(wrong, len(lines)))
    right = [line for line in lines if not line.problems]
    name_vendors(right, form.cleaned_data["vendors"])
    rows = rows_digest(right)
    chosen = ",".join(filter(None, (request.POST.get("drop_repeated", ""), *request.POST.getlist("drop_row"))))
    dropped = dropped_numbers(chosen, request.POST.get("drop_of", ""), right)
    right = [line for line in right if line.number not in dropped]
    if not sent_before(request):
        same = same_tables(request.actor, table_hash(right))
        doubles = compare(request.actor, wallet.currency, right, beside=[row.remote_id for row in same])
        if doubles and request.POST.get("meant") != doubles.digest:
            context = repeated_context(request.actor, wallet.currency, doubles)
            return _render_new(
                request, form, 409, dropped=ranges_text(sorted(dropped)), drop_of=rows, left_out=len(wrong),
                same_tables=copy_lines(request.actor, same), **context,
            )  # fmt: skip
        if not doubles.whole:
            messages.warning(request, PARTLY)
    draft = _create_without_refused(request, form, right)
    if isinstance(draft, FinanceError):
        wrong = [line for line in lines if line.problems]
        payees = [(line.body["channel"], line.body["account"]) for line in wrong if line.body]
        changes = payee_change_links(request.actor, payees) if is_payee_refusal(draft) else []
        return _render_new(request, form, 422, payee_changes=changes, **presenters.wrong_context(wrong, len(lines)))
    left_out, paid = sum(bool(line.problems) for line in lines), [line for line in right if not line.problems]
    # As it is compared: of the table that was brought, whatever the service refused of it.
    remember_origin(request.actor.business, draft.id, table_hash=table_hash(right))
    sentences = [
        f"{draft.text('name')} is a draft with {_counted(len(paid), 'payment')}.",
        f"{_counted(left_out, 'row')} with errors left out." if left_out else "",
        f"{_counted(len(dropped), 'duplicate')} left out." if dropped else "",
        "Its columns were read as they are remembered." if form.remembered else "",
        "Nothing is paid yet.",
    ]
    messages.success(request, " ".join(filter(None, sentences)))
    return redirect("payouts_item", request.actor.business.slug, draft.id)


def _create_without_refused(
    request: ActorRequest, form: PayoutForm, lines: list[PaymentLine]
) -> CommandResult | FinanceError:
    """The draft of the lines: where that was chosen, without those that the service alone refuses. The last refusal, with what it
    says set on its lines, where none is left; raises what it refuses of the draft as a whole."""
    right, last = lines, FinanceError()
    while right:
        try:
            return _create(request, form, right)
        except commands.REFUSALS as refused:
            if not place_refusals(right, refused):
                raise
            # The service names the first of many: what may be left out is left out, until it takes the rest.
            right = [line for line in right if not line.problems] if request.POST.get("leave_out") else []
            last = refused
    return last


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _create(request: ActorRequest, form: PayoutForm, lines: list[PaymentLine]) -> CommandResult:
    data = form.cleaned_data
    body: BatchBody = {
        "name": data["name"], "org_wallet_ref": data["wallet"], "note": data["note"] or None,
        "items": [line.body for line in lines],
    }  # fmt: skip
    return commands.create_payout(request.actor, body, key=form_key_of(request))


def _render_new(request: ActorRequest, form: PayoutForm, status: int = 200, **more: Any) -> HttpResponse:
    lines = form.cleaned_data.get("lines") if form.is_bound and hasattr(form, "cleaned_data") else None
    table = lines_text(lines) if lines else form.table
    if table:
        # A file is a table from now on, and what was corrected stands in it: nothing is chosen or typed twice.
        form.data = {**request.POST.dict(), "rows": table}
    context = {
        "form": form, "key": posted_key(request), "columns": None if lines else form.columns,
        "column_lines": column_lines(request.actor, form.remembered),
    }  # fmt: skip
    return page(request, NEW, {**context, **more}, status=status)


def _unanswered(request: ActorRequest) -> str:
    # An earlier sending of the form may have made one.
    draft_note = "" if sent_before(request) else " No draft was created."
    return f"The finance service did not answer.{draft_note} Try again."


def _doubles_again(
    request: ActorRequest, row: ApprovalRequest, payments: Sequence[PayoutItem], *, failed: bool
) -> RepeatedContext | None:
    """What a draft of these payments may pay twice; None where nothing is known of, or just that was seen and is meant."""
    if sent_before(request):
        return None
    files = bank_files_of(request.actor.business, related_payouts(request.actor.business, row.remote_id))
    copies = [copy.remote_id for copy in live_copies(request.actor, row)]
    doubles = compare(
        request.actor, row.currency, lines_again(row, payments, failed=failed), copies=copies, beside=copies,
        besides="" if failed else row.remote_id,
    )  # fmt: skip
    is_meant = request.POST.get("meant") == doubles.digest and (request.POST.get("file_known") or not files)
    if (doubles or files) and not is_meant:
        return repeated_context(request.actor, row.currency, doubles)
    if not doubles.whole:
        messages.warning(request, PARTLY)
    return None


@require_POST
@needs(operations.CREATE_PAYOUT)
def pay_again(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """A new draft of the same payments, or with `failed` of those alone that were not paid. What may be paid twice by it is
    shown first: drafts that were made from it already, bank files of it, and the same payments in other payouts."""
    row, failed = payout_for(request.actor, remote_id), bool(request.POST.get("failed"))
    payments = read_payments(request.actor, row)
    if payments is None:
        return render_payout(request, row, 503, refused=_unanswered(request))
    if (doubles := _doubles_again(request, row, payments, failed=failed)) is not None:
        return render_payout(request, row, 409, again=doubles, again_failed=failed, key=posted_key(request))
    try:
        body = batch_again(row, payments if failed else [])
        draft = commands.create_payout(request.actor, body, key=form_key_of(request))
    except commands.REFUSALS as refused:
        sentence = presenters.refused_text(lines_again(row, payments, failed=failed), refused)
        return render_payout(request, row, refused.status, refusal=refused, refused=sentence)
    remember_origin(request.actor.business, draft.id, copied_from=row.remote_id)
    messages.success(request, f"{draft.text('name')} is a new draft. Nothing is paid yet.")
    return redirect("payouts_item", business, draft.id)
