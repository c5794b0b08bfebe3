"""Receipts added to an expense: several files of a plain form, or one at a time by the page's own script."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.mirror.models import Expense
from dashboard.pages.expenses import services
from dashboard.pages.expenses.forms import AddReceiptsForm
from dashboard.pages.expenses.presenters import expense_context
from dashboard.pages.expenses.selectors import expense_for
from dashboard.web.form_outcome import with_outcome
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key
from dashboard.web.upload_limit import SEVERAL_FILES_BYTES, limits_upload
from dashboard.web.uploads import AddedFile, accepts_json, files_added, files_as_json, files_refused, outcome_of_files

TEMPLATE, NOUN = "expenses/item.html", "receipt"


@limits_upload(SEVERAL_FILES_BYTES)
@require_POST
@needs(operations.UPLOAD_TRANSACTION_DOCUMENT)
def add_receipts(request: ActorRequest, business: str, remote_id: str) -> HttpResponseBase:
    """Adds files to an expense: answers a script with what became of each, a browser with the page."""
    expense, form = expense_for(request.actor, remote_id), AddReceiptsForm(request.POST, request.FILES)
    if refused := files_refused(request, form, "receipts"):
        status = refused[0].status
        return (
            files_as_json(refused, NOUN) if accepts_json(request) else _again(request, expense, refused, status, form)
        )
    added = services.add_receipts(request.actor, expense, form.cleaned_data["receipts"], key=form_key_of(request))
    if accepts_json(request):
        return files_as_json(added, NOUN)
    status = max(file.status for file in added)
    if status >= 400:
        return _again(request, expense_for(request.actor, remote_id), added, status)
    messages.success(request, files_added(len(added), NOUN))
    return redirect("expenses_item", business, remote_id)


def _again(
    request: ActorRequest, expense: Expense, added: list[AddedFile], status: int, form: AddReceiptsForm | None = None
) -> HttpResponse:
    """The page with what became of each file; what is sent again goes under the same key."""
    context = expense_context(request.actor, expense) | {"added": added, "upload_key": posted_key(request)}
    if form is not None:
        context["upload_form"] = form
    return with_outcome(page(request, TEMPLATE, context, status=status), *outcome_of_files(added, NOUN))
