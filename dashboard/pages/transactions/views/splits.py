"""Splitting a transaction into parts with categories of their own, and making it whole again."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import transactions as commands
from dashboard.mirror.models import Transaction
from dashboard.pages.transactions.forms import MOST_PARTS, SplitForm, VersionForm
from dashboard.pages.transactions.presenters.splits import PartLine, split_form, split_now
from dashboard.pages.transactions.selectors import refresh_transaction, transaction_for
from dashboard.pages.transactions.views.transactions import render_transaction
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, new_key, posted_key

SPLIT = "transactions/split.html"


@require_http_methods(["GET", "POST"])
@needs(operations_extra.SPLIT_TRANSACTION)
def split(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The parts of a transaction, and from POST their change: all of them at once."""
    row = transaction_for(request.actor, remote_id)
    if request.method == "GET":
        refresh_transaction(request.actor, row)
        return _render(request, row, split_form(request.actor, row), key=new_key())
    form = split_form(request.actor, row, request.POST)
    if "more" in request.POST or not form.is_valid():
        return not_submitted(_render(request, row, form, 200 if "more" in request.POST else 422))
    version = form.cleaned_data["version"]
    try:
        commands.split(request.actor, row, version, form.parts(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        lines = split_now(request.actor, row, form) if refused.code == "stale" else []
        return _render(request, row, form, refused.status, lines=lines)
    messages.success(request, f"Split into {len(form.cleaned_data['parts'])} parts. The ledger stays as it is.")
    return redirect("transactions_item", business, remote_id)


@require_POST
@needs(operations_extra.SPLIT_TRANSACTION)
def remove_split(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Makes a transaction whole again, under the category that it had before it was split."""
    row = transaction_for(request.actor, remote_id)
    form = VersionForm(request.POST)
    if not form.is_valid():
        return render_transaction(request, row, 422)
    try:
        commands.split(request.actor, row, form.cleaned_data["version"], [], key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return render_transaction(request, row, refused.status, split_refusal=refused.user_message)
    messages.success(request, "The split is removed. The transaction has the category again that it had before.")
    return redirect("transactions_item", business, remote_id)


def _render(
    request: ActorRequest, row: Transaction, form: SplitForm, status: int = 200, *, key: str = "",
    lines: Sequence[PartLine] = (),
) -> HttpResponse:  # fmt: skip
    context: dict[str, Any] = {
        "transaction": row, "form": form, "key": key or posted_key(request), "may_add": len(form.places) < MOST_PARTS,
        "lines_now": lines,
    }  # fmt: skip
    return page(request, SPLIT, context, status=status)
