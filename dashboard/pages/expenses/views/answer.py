"""The spender's answer to the question of a reviewer."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands.expenses import save_notes
from dashboard.errors import FAILED
from dashboard.mirror.models import Expense
from dashboard.pages.expenses.forms import QuestionAnswerForm
from dashboard.pages.expenses.presenters import expense_context
from dashboard.pages.expenses.selectors import expense_for
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key


@require_POST
@needs(operations.NOTE_EXPENSE)
def answer_question(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Sends the answer, which brings the expense back to the reviewer."""
    expense = expense_for(request.actor, remote_id)
    form = QuestionAnswerForm(request.POST, before="" if expense.is_answered else expense.notes)
    if not form.is_valid():
        return _again(request, expense, form, 422)
    try:
        save_notes(request.actor, expense, form.cleaned_data["notes"], key=form_key_of(request), form=form)
    except FAILED as trouble:
        return _again(request, expense, form, trouble.status)
    messages.success(request, "Answer sent.")
    return redirect("expenses_item", business, remote_id)


def _again(request: ActorRequest, expense: Expense, form: QuestionAnswerForm, status: int) -> HttpResponse:
    context = expense_context(request.actor, expense) | {"answer_form": form, "key": posted_key(request)}
    return page(request, "expenses/item.html", context, status=status)
