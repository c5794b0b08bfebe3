"""Receipts added to an expense: several files of a plain form, or one at a time by the page's own script."""

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.mirror.models import Expense
from dashboard.pages.expenses import services
from dashboard.pages.expenses.forms import AddReceiptsForm
from dashboard.pages.expenses.presenters import item_context, receipts_added
from dashboard.pages.expenses.selectors import expense_for
from dashboard.pages.expenses.services import AddedFile
from dashboard.web.outcome import State, with_outcome
from dashboard.web.respond import page, private
from dashboard.web.submission import key_of, posted_key

TEMPLATE, JSON = "expenses/item.html", "application/json"


@require_POST
@needs(operations.UPLOAD_TRANSACTION_DOCUMENT)
def add_receipts(request: ActorRequest, business: str, remote_id: str) -> HttpResponseBase:
    """Adds files to an expense: answers a script with what became of each, a browser with the page."""
    expense, form = expense_for(request.actor, remote_id), AddReceiptsForm(request.POST, request.FILES)
    if not form.is_valid():
        problem = " ".join(map(str, form.errors["receipts"]))
        refused = [AddedFile("", services.REFUSED, f"{problem} Nothing was sent.", 422)]
        return _in_json(refused) if _accepts_json(request) else _again(request, expense, refused, 422, form)
    added = services.add_receipts(request.actor, expense, form.cleaned_data["receipts"], key=key_of(request))
    if _accepts_json(request):
        return _in_json(added)
    status = max(file.status for file in added)
    if status >= 400:
        return _again(request, expense_for(request.actor, remote_id), added, status)
    messages.success(request, receipts_added(len(added)))
    return redirect("expenses_item", business, remote_id)


def _accepts_json(request: ActorRequest) -> bool:
    return request.headers.get("Accept") == JSON


def _in_json(added: list[AddedFile]) -> HttpResponse:
    """{"files": [{"name", "state", "sentence"}]}, under the status of the worst of them."""
    files = [{"name": file.name, "state": file.state, "sentence": file.sentence} for file in added]
    response = private(JsonResponse({"files": files}, status=max(file.status for file in added)))
    return with_outcome(response, *_outcome(added))


def _outcome(added: list[AddedFile]) -> tuple[str, State]:
    """How the form ended: with one file in doubt, or one added among others that were not, nobody says "refused"."""
    sentence = " ".join(f"{file.name}: {file.sentence}".removeprefix(": ") for file in added if file.sentence)
    states = {file.state for file in added}
    if services.UNKNOWN in states:
        return sentence, State.UNKNOWN
    return sentence or receipts_added(len(added)), State.ANSWERED if services.ADDED in states else State.REFUSED


def _again(
    request: ActorRequest, expense: Expense, added: list[AddedFile], status: int, form: AddReceiptsForm | None = None
) -> HttpResponse:
    """The page with what became of each file; what is sent again goes under the same key."""
    context = item_context(request.actor, expense) | {"added": added, "upload_key": posted_key(request)}
    if form is not None:
        context["upload_form"] = form
    return with_outcome(page(request, TEMPLATE, context, status=status), *_outcome(added))
