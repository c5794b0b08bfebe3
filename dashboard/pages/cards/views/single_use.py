"""The policy of single-use cards: read by finance, changed after its sentences are read by who configures."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from dashboard import operations_extra
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.page import parsed
from dashboard.commands.cards import set_single_use_policy, single_use_policy_subject
from dashboard.errors import Conflict, FinanceError, NotAllowed, Rejected, Stale, Unavailable
from dashboard.inputs import whole_number
from dashboard.mirror.cached_responses import CachedResponse, read_or_cached
from dashboard.mirror.scopes import visible_wallets
from dashboard.pages.cards.forms.single_use import SingleUsePolicyForm
from dashboard.pages.cards.presenters.controls import ControlChange
from dashboard.pages.cards.presenters.single_use import policy_changes, single_use_context
from dashboard.schemas.cards import OncePolicy
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, new_key, posted_key

READ, EDIT, PREVIEW = "cards/once_policy.html", "cards/once_change.html", "cards/once_look.html"
CONFIRM, BACK = "confirm", "back"
# What travels beside the terms from the preview to the click.
OWN = {"csrfmiddlewaretoken", "step", "seen", "key"}
CHANGED = "Somebody changed the policy since you opened it, so nothing was done. These are your changes now."


def _read(actor: Actor) -> tuple[OncePolicy, CachedResponse]:
    """The policy as it is, or as it was when the service last answered; Unavailable where it never did."""
    cached = read_or_cached(actor, operations_extra.READ_SINGLE_USE_POLICY, subject=single_use_policy_subject(actor))
    if cached.data is None:
        raise Unavailable(cached.trouble)
    return parsed(cached.data, OncePolicy), cached


@require_GET
@needs(operations_extra.READ_SINGLE_USE_POLICY)
def once_policy(request: ActorRequest, business: str) -> HttpResponse:
    """The page of the policy: what it says, and what was changed about it."""
    policy, cached = _read(request.actor)
    return page(request, READ, single_use_context(request.actor, policy, cached))


@require_http_methods(["GET", "POST"])
@needs(operations_extra.READ_SINGLE_USE_POLICY, operations_extra.SET_SINGLE_USE_POLICY)
def change_once_policy(request: ActorRequest, business: str) -> HttpResponse:
    """The form of another policy, then what would change by it, then the change."""
    policy, cached = _read(request.actor)
    form, step = _bound_form(request, policy), request.POST.get("step")
    if request.method == "GET" or step == BACK or not form.is_valid():
        return _edit(request, form, trouble=cached.trouble)
    after = form.policy(_seen(request, policy))
    changes = policy_changes(policy, after, request.actor.business)
    if step == CONFIRM:
        return _save(request, form, after, changes)
    if not changes:
        form.add_error(None, "There are no changes.")
        return _edit(request, form, trouble=cached.trouble)
    return _preview(request, changes, seen=policy.version)


def _bound_form(request: ActorRequest, once_policy: OncePolicy) -> SingleUsePolicyForm:
    currencies = visible_wallets(request.actor).order_by().values_list("currency", flat=True).distinct()
    data = request.POST if request.method == "POST" else None
    return SingleUsePolicyForm(
        data, once_policy=once_policy, currencies=list(currencies), locale=request.actor.business.locale
    )


def _seen(request: ActorRequest, once_policy: OncePolicy) -> int:
    """The version of the policy that its person saw; of a garbled form the one that is there."""
    seen = whole_number(request.POST.get("seen", ""), 999_999_999)
    return once_policy.version if seen is None else seen


def _save(
    request: ActorRequest, form: SingleUsePolicyForm, after: OncePolicy, changes: list[ControlChange]
) -> HttpResponse:
    actor = request.actor
    was, now = {change.label: change.before for change in changes}, {change.label: change.after for change in changes}
    try:
        set_single_use_policy(actor, after, before=was, after=now, key=form_key_of(request), form=form)
    except NotAllowed:
        raise
    except Stale:
        policy, _ = _read(actor)
        since = policy_changes(policy, after, actor.business)
        return _preview(request, since, 409, seen=policy.version, key=new_key(), failed=CHANGED)
    except (Rejected, Conflict):
        return _edit(request, form)
    except FinanceError as trouble:
        return _preview(request, changes, trouble.status, seen=after.version, failed=trouble.on_form)
    messages.success(request, "Single-use policy saved.")
    return redirect("cards_once_policy", actor.business.slug)


def _edit(request: ActorRequest, form: SingleUsePolicyForm, *, trouble: str = "") -> HttpResponse:
    wrong = request.POST.get("step") != BACK and form.is_bound and bool(form.errors)
    if wrong and (first := next((name for name in form.fields if name in form.errors), "")):
        form.fields[first].widget.attrs["autofocus"] = True
    context = {"form": form, "key": posted_key(request), "trouble": trouble}
    return not_submitted(page(request, EDIT, context, status=422 if wrong else 200))


def _preview(request: ActorRequest, changes: list[ControlChange], status: int = 200, **more: Any) -> HttpResponse:
    carried = [(name, value) for name in request.POST if name not in OWN for value in request.POST.getlist(name)]
    context = {"changes": changes, "carried": carried, "key": posted_key(request)}
    return not_submitted(page(request, PREVIEW, context | more, status=status))
