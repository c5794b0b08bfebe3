"""Changing what a card may be used for: tried on an example while it is typed, told as sentences before it is saved."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can
from dashboard.access.decorators import needs
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import check_or_record_denial
from dashboard.client.reads import read_live
from dashboard.commands import cards
from dashboard.errors import Conflict, FinanceError, Rejected, Stale
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Card, Source
from dashboard.pages.cards.editor import Editor, StandingForm
from dashboard.pages.cards.presenters import Change, ControlsPresenter, funding_change, standing
from dashboard.pages.cards.simulate import Draft, Trial, TrialForm, example_of, try_purchase
from dashboard.pages.cards.views.cards import visible
from dashboard.web.card_tiles import tile
from dashboard.web.respond import page
from dashboard.web.submission import form_key, key_of, new_key

EDITOR = "cards/controls.html"
LIVE_S = 1.5


@dataclass(frozen=True)
class Opened:
    """What the editor was opened on: the card's version, its controls and its funding."""

    version: int | None
    controls: dict[str, Any]
    funding: str


@dataclass(frozen=True)
class Meanwhile:
    """Somebody else changed the card while it was edited: who, and what."""

    who: str
    changes: list[Change]


@require_GET
@needs(operations.UPDATE_CARD)
def controls(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The editor, begun with what stands now."""
    found = visible(request, remote_id)
    check_or_record_denial(request.actor, operations.UPDATE_CARD, found)
    live = _fresh(request.actor, found)
    stands = standing(found.payload.get("controls") or {})
    editor = Editor.begin(request.actor, found, stands)
    example = {name: request.GET.get(name, "") for name in ("amount", "merchant", "mcc", "country", "channel")}
    example["country"] = example["country"] or request.actor.business.locale[-2:]
    trial = _trial_form(request.actor, found, initial=example_of(found, example))
    return _page(request, found, editor, trial, live=live)


@require_POST
@needs(operations.UPDATE_CARD)
def try_controls(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """What would change, and what would happen to the example: a fragment while it is typed, else the page again."""
    found = visible(request, remote_id)
    editor, trial = _typed(request, found)
    return _page(request, found, editor, trial, fragments=("told",))


@require_POST
@needs(operations.UPDATE_CARD)
def save_controls(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Gives the card these controls, unless somebody has changed it since they were begun with."""
    found = visible(request, remote_id)
    check_or_record_denial(request.actor, operations.UPDATE_CARD, found)
    editor, trial = _typed(request, found)
    if not editor.is_valid():
        return _page(request, found, editor, trial, status=422)
    try:
        _save(request, found, editor)
    except Stale:
        return _conflict(request, found, editor, trial)
    except (Rejected, Conflict) as refused:
        editor.add_refusal(refused)
        return _page(request, found, editor, trial, status=refused.status)
    except FinanceError as trouble:
        return _page(request, found, editor, trial, status=trouble.status, problem=trouble.on_form)
    messages.success(request, f"The controls of {found.name} ···{found.last_four} are saved.")
    return redirect("cards_item", business, remote_id)


def _save(request: ActorRequest, found: Card, editor: Editor) -> None:
    opened, name = _opened(request, found), editor.amounts.cleaned_data["name"]
    cards.save_controls(
        request.actor, found, name=name, controls=editor.controls(), version=opened.version, stood=opened.funding,
        funding=editor.funding.chosen(), key=key_of(request),
    )  # fmt: skip


def _conflict(request: ActorRequest, found: Card, editor: Editor, trial: TrialForm) -> HttpResponse:
    """What was typed stays; the card as it is now stands beside it, and saving again is meant."""
    opened = _opened(request, found)
    _fresh(request.actor, found)
    now = standing(found.payload.get("controls") or {})
    changes = ControlsPresenter(request.actor.business, found.currency).changes(opened.controls, now)
    if opened.funding != found.funding:
        changes.insert(0, funding_change(opened.funding, found.funding))
    meanwhile = Meanwhile(_who_changed(request.actor, found), changes)
    return _page(request, found, editor, trial, status=409, meanwhile=meanwhile, key=new_key())


def _who_changed(actor: Actor, found: Card) -> str:
    lines = AuditEntry.objects.filter(
        chain=actor.business.pk, object_type="card", object_id=found.remote_id, outcome=Outcome.DONE
    )
    last = lines.order_by("-id").values_list("actor_name", flat=True).first()
    return last or "Somebody outside this dashboard"


def _fresh(actor: Actor, found: Card) -> bool:
    """The card as it is at the service now; False where it does not answer, and the copy has to do."""
    try:
        path = {"id": found.remote_id}
        read = read_live(actor, operations.READ_CARD, path=path, subject=found, deadline=LIVE_S, tries=1)
    except FinanceError:
        return False
    upsert("card", actor.business, [read.data], Source.POLL)
    found.refresh_from_db()
    return True


def _typed(request: ActorRequest, found: Card) -> tuple[Editor, TrialForm]:
    editor = Editor.read(request.actor, found, request.POST)
    return editor, _trial_form(request.actor, found, data=request.POST)


def _trial_form(actor: Actor, found: Card, **given: Any) -> TrialForm:
    return TrialForm(currency=found.currency, locale=actor.business.locale, **given)


def _copied(found: Card) -> Opened:
    return Opened(found.remote_version, standing(found.payload.get("controls") or {}), found.funding)


def _opened(request: ActorRequest, found: Card) -> Opened:
    """What the editor was opened on; of a garbled form, what the copy has."""
    form = StandingForm(request.POST)
    if form.is_valid() and isinstance(form.cleaned_data["base"], dict) and form.cleaned_data["version"]:
        return Opened(form.cleaned_data["version"], form.cleaned_data["base"], form.cleaned_data["stood"])
    return _copied(found)


def _page(
    request: ActorRequest,
    found: Card,
    editor: Editor,
    trial: TrialForm,
    status: int = 200,
    fragments: tuple[str, ...] = (),
    **more: Any,
) -> HttpResponse:
    actor = request.actor
    begun = request.method == "GET" or "meanwhile" in more
    opened = _copied(found) if begun else _opened(request, found)
    context: dict[str, Any] = {
        "card": found,
        "tile": tile(actor, found),
        "editor": editor,
        "trial_form": trial,
        "standing": {"version": opened.version, "base": json.dumps(opened.controls), "stood": opened.funding},
        "key": form_key(request),
        "live": True,
        "may": can(actor, operations.UPDATE_CARD, found),
    }
    if request.method == "POST":
        context |= _told(actor, found, editor, trial, opened)
    return page(request, EDITOR, context | more, fragments=fragments, status=status)


def _told(actor: Actor, found: Card, editor: Editor, trial: TrialForm, opened: Opened) -> dict[str, Any]:
    """What would change, and what would happen to the example."""
    if not editor.is_valid():
        return {"problems": editor.problems}
    changes = ControlsPresenter(actor.business, found.currency).changes(opened.controls, editor.controls())
    name, chosen = editor.amounts.cleaned_data["name"], editor.funding.chosen()
    if chosen and chosen != opened.funding:
        changes.insert(0, funding_change(opened.funding, chosen))
    if name != found.name:
        changes.insert(0, Change("Name", found.name, name))
    draft = Draft(editor.controls(), chosen if chosen != opened.funding else "") if changes else None
    return {"changes": changes, "nothing_changed": not changes, **_tried(actor, found, trial, draft, opened)}


def _tried(actor: Actor, found: Card, trial: TrialForm, draft: Draft | None, opened: Opened) -> dict[str, Any]:
    if not trial.is_valid():
        return {"trial": Trial(failed="The example is not complete.")}
    purchase = trial.purchase(found, actor.business.time_zone)
    if purchase is None:
        return {}
    return {"trial": try_purchase(actor, found, purchase, draft, opened.controls)}
