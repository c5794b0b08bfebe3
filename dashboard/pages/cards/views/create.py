"""Creating a card for somebody: a virtual one is there at once, a physical one is ordered, which somebody else approves."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands.cards import create_card
from dashboard.errors import FAILED, NotFound
from dashboard.pages.cards.forms.new_card import NewCardForm
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

TEMPLATE = "cards/new.html"


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CARD)
def new_card(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new card for somebody else, and from POST the card."""
    if request.method == "GET":
        initial = {"employee_id": request.GET.get("holder", "")}
        return _render(request, NewCardForm(actor=request.actor, initial=initial))
    form = NewCardForm(request.POST, actor=request.actor)
    if not form.is_valid():
        return _render(request, form, 422)
    holder = form.people[form.cleaned_data["employee_id"]]
    try:
        created = create_card(request.actor, form.body(), holder_name=holder, key=form_key_of(request), form=form)
    except (*FAILED, NotFound):
        return _render(request, form, 422)
    ordered = created.text("status") == "REQUESTED"
    messages.success(request, "Card ordered: somebody else must approve it." if ordered else "Card created.")
    return redirect("cards_item", business, created.id)


def _render(request: ActorRequest, form: NewCardForm, status: int = 200) -> HttpResponse:
    return page(request, TEMPLATE, {"form": form, "key": posted_key(request)}, status=status)
