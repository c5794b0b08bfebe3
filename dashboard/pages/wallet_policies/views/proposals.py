"""Changes of access that wait for a second admin: looked at, confirmed, declined, withdrawn; and whether one is asked for."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import Verdict, can_open
from dashboard.access.decorators import needs
from dashboard.errors import Conflict, FinanceError, NotAllowed, Rejected
from dashboard.impact.proposals import TONES, address_of, consequences_of_proposal
from dashboard.lists.query import Cursor
from dashboard.pages.wallet_policies.views.matrix import template
from dashboard.proposals import services
from dashboard.proposals.four_eyes import asks_for_second, switch_on
from dashboard.proposals.models import OF_MEMBERS, SWITCH_OFF, Proposal, State
from dashboard.proposals.selectors import may_decide, may_withdraw, visible_proposals
from dashboard.proposals.services import propose_switching_off
from dashboard.times import day, day_and_time
from dashboard.web.forms import DeclineForm, WhyForm
from dashboard.web.respond import page
from dashboard.web.submission import form_key, new_key

ROWS = 50
SHOWS = (("", "Waiting"), ("all", "All"))


@dataclass(frozen=True)
class Line:
    """A proposal as it is printed."""

    proposal: Proposal
    state: str
    tone: str
    who: str
    when: str
    effective: str
    decided_by: str
    decided: str
    settled: str


def _line(actor: Actor, one: Proposal) -> Line:
    where = actor.business
    return Line(
        one,
        State(one.state).label,
        TONES[State(one.state)],
        one.proposed_by.user.get_full_name(),
        day_and_time(one.proposed_at, where),
        day(one.effective_at, where) if one.effective_at else "at once",
        one.decided_by.user.get_full_name() if one.decided_by else "",
        day_and_time(one.decided_at, where),
        day_and_time(one.settled_at, where),
    )


@require_GET
@needs(operations_pages.PROPOSALS)
def proposals(request: ActorRequest, business: str) -> HttpResponse:
    """What waits, or all that there was, the newest first; and whether a second admin is asked for."""
    actor, show = request.actor, "all" if request.GET.get("show") == "all" else ""
    rows = visible_proposals(actor).order_by("-pk")
    rows = rows if show else rows.filter(state__in=(State.WAITING, State.CONFIRMED))
    if text := request.GET.get("after"):
        try:
            rows = rows.filter(pk__lt=Cursor.read(text, int).id)
        except ValueError:
            messages.info(request, "The page of this address is no longer known; this is the first one.")
    found = list(rows[: ROWS + 1])
    context = {
        "lines": [_line(actor, one) for one in found[:ROWS]],
        "next": str(Cursor(found[ROWS - 1].pk, found[ROWS - 1].pk)) if len(found) > ROWS else "",
        "show": show,
        "shows": SHOWS,
        "second": asks_for_second(actor.business),
        "may_change": can_open(actor, operations_pages.ACCESS_CHANGES),
        "switching": visible_proposals(actor).filter(operation=SWITCH_OFF, state=State.WAITING).first(),
        "key": new_key(),
    }
    return page(request, template("proposals.html"), context)


def _find(request: ActorRequest, proposal_id: int) -> Proposal:
    found: Proposal = get_object_or_404(visible_proposals(request.actor), pk=proposal_id)
    return found


@require_GET
@needs(operations_pages.PROPOSALS)
def proposal(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """One: what it says, what would follow, who proposed and decided."""
    return _show(request, _find(request, proposal_id))


def _show(request: ActorRequest, found: Proposal, status: int = 200, **more: object) -> HttpResponse:
    actor = request.actor
    decide: Verdict | None = may_decide(actor, found) if found.is_waiting else None
    context = {
        "line": _line(actor, found),
        "follows": consequences_of_proposal(actor, found),
        "decide": decide,
        "withdraw": may_withdraw(actor, found),
        "form": DeclineForm(),
        "look": _look_at(found),
    }
    return page(request, template("proposal.html"), context | more, status=status)


def _look_at(found: Proposal) -> str:
    """The page of what it is about; none for asking for no second admin, and for members, whom few may look at."""
    if found.operation == SWITCH_OFF or found.operation in OF_MEMBERS:
        return ""
    if found.target_type:
        return address_of(found)
    return reverse("wallet-policies_trace", args=[found.business.slug, found.employee_id, found.wallet_id])


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def confirm(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """A second admin agrees: it is applied as theirs."""
    found = _find(request, proposal_id)
    try:
        services.confirm(request.actor, found)
    except NotAllowed:
        raise
    except FinanceError as error:
        return _show(request, _find(request, proposal_id), error.status, failed=error.user_message)
    messages.success(request, "Confirmed. It is applied as soon as its day has come; here you see when it was.")
    return redirect("wallet-policies_proposal", business, proposal_id)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def decline(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """A second admin disagrees, and says why."""
    found, form = _find(request, proposal_id), DeclineForm(request.POST)
    if not form.is_valid():
        return _show(request, found, 422, form=form)
    try:
        services.decline(request.actor, found, form.cleaned_data["reason"])
    except Conflict as error:
        return _show(request, _find(request, proposal_id), error.status, failed=error.user_message)
    messages.success(request, "Declined. Nothing has changed.")
    return redirect("wallet-policies_proposals", business)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def withdraw(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """Whoever proposed or confirmed it takes it back."""
    services.withdraw(request.actor, _find(request, proposal_id))
    messages.success(request, "Withdrawn. Nothing has changed.")
    return redirect("wallet-policies_proposals", business)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def ask_for_second(request: ActorRequest, business: str) -> HttpResponse:
    """From now on every change of access waits for a second admin."""
    switch_on(request.actor)
    messages.success(request, "From now on a second admin confirms every change of access.")
    return redirect("wallet-policies_proposals", business)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def ask_for_none(request: ActorRequest, business: str) -> HttpResponse:
    """Proposes that no second admin be asked for: nobody decides that alone."""
    if not asks_for_second(request.actor.business):
        messages.info(request, "No second admin is asked for.")
        return redirect("wallet-policies_proposals", business)
    form = WhyForm(request.POST)
    if not form.is_valid():
        raise Rejected(str(form.errors["why"][0]))
    found = propose_switching_off(request.actor, form_key(request), form.cleaned_data["why"])
    messages.success(request, "It waits for a second admin. Until then every change still does.")
    return redirect("wallet-policies_proposal", business, found.pk)
