"""Changing what a card may be used for: simulated while it is typed, read as sentences before it is saved."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import cards
from dashboard.errors import Conflict, FinanceError, Rejected, Stale
from dashboard.mirror.models import Card
from dashboard.pages.cards.forms.editor import EditBaseForm, Editor
from dashboard.pages.cards.forms.purchase import PurchaseForm, initial_purchase
from dashboard.pages.cards.presenters.controls import current_controls
from dashboard.pages.cards.presenters.editor import (
    EditBase,
    concurrent_change,
    edit_changes,
    editor_context,
)
from dashboard.pages.cards.selectors.live import card_for, refresh_card
from dashboard.pages.cards.selectors.simulation import ControlsDraft, Simulation, simulate_purchase
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, new_key, posted_key

EDITOR = "cards/controls.html"
# Which of its controls somebody changed meanwhile cannot be said of a form that does not hold those that it began with.
OLDER = (
    "This page is an older form, or the card changed since it was opened. Your changes were not saved. They are kept below:"
    " check them and save them again to apply them."
)


@require_GET
@needs(operations.UPDATE_CARD)
def controls(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of the editor, with the controls as they are now."""
    card = _editable(request.actor, remote_id)
    live = refresh_card(request.actor, card)
    editor = Editor.of(request.actor, card, current_controls(card))
    query = {name: request.GET.get(name, "") for name in ("amount", "merchant", "mcc", "country", "channel")}
    query["country"] = query["country"] or request.actor.business.locale[-2:]
    example = _purchase_form(request.actor, card, initial=initial_purchase(query))
    return _render(request, card, editor, example, live=live)


@require_POST
@needs(operations.UPDATE_CARD)
def try_controls(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """What would change, and what would happen to the example: the fragment `told` while it is typed, else the page."""
    card = card_for(request.actor, remote_id)
    editor, example = _bound(request, card)
    return _render(request, card, editor, example, fragments=("told",))


@require_POST
@needs(operations.UPDATE_CARD)
def save_controls(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Gives the card these controls, unless somebody has changed it since the version that they are based on."""
    card = _editable(request.actor, remote_id)
    editor, example = _bound(request, card)
    if not editor.is_valid():
        return _render(request, card, editor, example, status=422)
    try:
        _save(request, card, editor)
    except Stale:
        return _conflict(request, card, editor, example)
    except (Rejected, Conflict) as refused:
        editor.add_refusal(refused)
        return _render(request, card, editor, example, status=refused.status)
    except FinanceError as trouble:
        return _render(request, card, editor, example, status=trouble.status, problem=trouble.on_form)
    messages.success(request, f"The spending controls of {card.name} ···{card.last_four} are saved.")
    return redirect("cards_item", business, remote_id)


def _editable(actor: Actor, remote_id: str) -> Card:
    card = card_for(actor, remote_id)
    check_or_record_denial(actor, operations.UPDATE_CARD, card)
    return card


def _save(request: ActorRequest, card: Card, editor: Editor) -> None:
    base, name = _base(request, card), editor.amounts.cleaned_data["name"]
    if base.version is None:
        raise Stale(code="stale")
    cards.save_controls(
        request.actor, card, name=name, controls=editor.controls(), version=base.version, current_funding=base.funding,
        funding=editor.funding.chosen(), key=form_key_of(request),
    )  # fmt: skip


def _conflict(request: ActorRequest, card: Card, editor: Editor, example: PurchaseForm) -> HttpResponse:
    """What was typed stays; what the card was changed to meanwhile stands above it, and saving again overrules that."""
    base = _base(request, card)
    refresh_card(request.actor, card)
    concurrent = concurrent_change(request.actor, card, base) if _knows_base(request, card) else None
    problem = None if concurrent else OLDER
    return _render(request, card, editor, example, status=409, concurrent=concurrent, key=new_key(), problem=problem)


def _knows_base(request: ActorRequest, card: Card) -> bool:
    form = EditBaseForm(request.POST, card)
    return form.is_valid() and bool(form.cleaned_data["version"])


def _bound(request: ActorRequest, card: Card) -> tuple[Editor, PurchaseForm]:
    editor = Editor.bound(request.actor, card, request.POST)
    return editor, _purchase_form(request.actor, card, data=request.POST)


def _purchase_form(actor: Actor, card: Card, **given: Any) -> PurchaseForm:
    return PurchaseForm(currency=card.currency, locale=actor.business.locale, **given)


def _base(request: ActorRequest, card: Card) -> EditBase:
    """What the edit is based on, as its form says: controls that are not readable are drawn as the copy has them, but the
    version stays the form's own, so that nobody's change is overwritten unseen."""
    form, copied = EditBaseForm(request.POST, card), EditBase.of(card)
    form.is_valid()
    sent = form.cleaned_data
    return EditBase(sent.get("version"), sent.get("base", copied.controls), sent.get("stood", copied.funding))


def _render(
    request: ActorRequest,
    card: Card,
    editor: Editor,
    example: PurchaseForm,
    status: int = 200,
    fragments: tuple[str, ...] = (),
    **more: Any,
) -> HttpResponse:
    is_new = request.method == "GET" or "concurrent" in more
    base = EditBase.of(card) if is_new else _base(request, card)
    context = editor_context(request.actor, card, base) | {"editor": editor, "purchase_form": example}
    context["key"] = posted_key(request)
    if request.method == "POST":
        context |= _preview(request.actor, card, editor, example, base)
    return page(request, EDITOR, context | more, fragments=fragments, status=status)


def _preview(actor: Actor, card: Card, editor: Editor, example: PurchaseForm, base: EditBase) -> dict[str, Any]:
    """What cards/preview.html needs: problems of an editor that is not valid; else changes, nothing_changed, and
    simulation where an example purchase was typed."""
    if not editor.is_valid():
        return {"problems": editor.problems}
    name, funding, controls = editor.amounts.cleaned_data["name"], editor.funding.chosen(), editor.controls()
    changes = edit_changes(actor, card, base, controls=controls, name=name, funding=funding)
    draft = ControlsDraft(controls, funding if funding != base.funding else "") if changes else None
    return {"changes": changes, "nothing_changed": not changes, **_simulation(actor, card, example, draft, base)}


def _simulation(
    actor: Actor, card: Card, example: PurchaseForm, controls_draft: ControlsDraft | None, base: EditBase
) -> dict[str, Simulation]:
    if not example.is_valid():
        return {"simulation": Simulation(failed="The simulated purchase is incomplete.")}
    purchase = example.purchase(card, actor.business.time_zone)
    if purchase is None:
        return {}
    return {"simulation": simulate_purchase(actor, card, purchase, controls_draft, base.controls)}
