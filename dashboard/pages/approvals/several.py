"""Several decisions at once: first the plan, then the result row by row, then only what failed again."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access import openings
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can_open
from dashboard.access.gate import needs
from dashboard.access.operation import Operation
from dashboard.access.scopes import visible_approvals, visible_expenses
from dashboard.client.errors import NotAllowed, Rejected
from dashboard.decisions.bulk import BulkResult, result_of, retry_failed, take_bulk, undo_bulk
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.plan import LARGEST_BULK, plan
from dashboard.decisions.requests import DECIDED, wire_of
from dashboard.pages.approvals.forms import new_key
from dashboard.pages.approvals.table import EXPENSE, PAYMENT
from dashboard.web.respond import page
from dashboard.web.signin.entering import step_up, stepped_up
from dashboard.web.signin.life import polls

VERBS: dict[str, dict[str, Operation]] = {
    "approve": {EXPENSE: operations.APPROVE_EXPENSE, PAYMENT: operations.APPROVE_PAYMENT_REQUEST},
    "reject": {EXPENSE: operations.REJECT_EXPENSE, PAYMENT: operations.REJECT_PAYMENT_REQUEST},
}
SAYS = {"approve": "Approve", "reject": "Reject"}


def _things(actor: Actor, kind: str, ids: list[str]) -> list[Any]:
    # As they are visible to this person now: what is not theirs to see is not there.
    rows: Any = visible_expenses(actor) if kind == EXPENSE else visible_approvals(actor)
    return list(rows.filter(remote_id__in=ids))


def _chosen(request: ActorRequest) -> dict[str, list[str]]:
    # {kind: ids} of the rows that were ticked; anything that is no row of the inbox is left out.
    found: dict[str, list[str]] = {EXPENSE: [], PAYMENT: []}
    for key in dict.fromkeys(request.POST.getlist("ids")[: LARGEST_BULK + 1]):
        kind, _, remote_id = key.partition("/")
        if kind in found and remote_id:
            found[kind].append(remote_id)
    return found


def _verb(request: ActorRequest) -> str:
    verb = request.POST.get("verb", "")
    if verb not in VERBS:
        raise Rejected("Choose approve or reject.", code="verb")
    return verb


@require_POST
@needs(openings.INBOX)
def plan_several(request: ActorRequest, business: str) -> HttpResponse:
    """What deciding on the ticked rows would do: nothing is decided yet."""
    verb, back = _verb(request), f"{reverse('approvals', args=[business])}?{request.POST.get('list', '')[:1000]}"
    sections = []
    for kind, ids in _chosen(request).items():
        operation = VERBS[verb][kind]
        if ids and can_open(request.actor, operation):
            sections.append(_section(request.actor, operation, kind, _things(request.actor, kind, ids)))
    if not sections:
        messages.error(request, "Nothing is ticked that you could decide on. Nothing was changed.")
        return HttpResponseRedirect(back)
    context = {
        "sections": sections,
        "verb": verb,
        "says": SAYS[verb],
        "back": back,
        "list": request.POST.get("list", ""),
    }
    return page(request, "approvals/plan.html", context)


def _section(actor: Actor, operation: Operation, kind: str, things: list[Any]) -> dict[str, Any]:
    planned, locale = plan(actor, operation, things), actor.business.locale
    return {
        "kind": kind,
        "operation": operation,
        "plan": planned,
        "key": new_key(),
        "needs_reason": wire_of(operation).needs_reason,
        "money_leaves": operation.undo_s == 0,
        "totals": [money.text(locale) for money in planned.totals],
        "wallets": [(each.name, each.before.text(locale), each.after.text(locale)) for each in planned.wallets],
        "seen": [(row.subject.remote_id, fingerprint_of(row.subject)) for row in planned.passing],
    }


@require_POST
@needs(openings.INBOX)
def decide_several(request: ActorRequest, business: str) -> HttpResponse:
    """Decides on the rows of a plan that pass, with one reason for all."""
    verb, kind = _verb(request), request.POST.get("kind", "")
    if kind not in VERBS[verb]:
        raise Rejected("Choose expenses or payments.", code="kind")
    operation = VERBS[verb][kind]
    if not (door := can_open(request.actor, operation)):
        raise NotAllowed(door.reason)
    if operation.undo_s == 0 and not stepped_up(request):
        return step_up(request, f"{reverse('approvals', args=[business])}?{request.POST.get('list', '')[:1000]}")
    seen = dict(pair.split("=", 1) for pair in request.POST.getlist("seen") if "=" in pair)
    things = _things(request.actor, kind, list(seen))
    bulk = take_bulk(
        request.actor,
        operation,
        things,
        fingerprints=seen,
        key=request.POST.get("key", "")[:64] or new_key(),
        reason=request.POST.get("reason", "")[:2000],
    )
    return redirect("approvals_several", business, bulk.pk)


@require_GET
@needs(openings.INBOX)
def several(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """How a bulk decision stands, row by row."""
    return _show(request, result_of(request.actor, bulk_id))


@polls
@require_GET
@needs(openings.INBOX)
def several_rows(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """The same rows again: the page asks by itself while something is open."""
    return _show(request, result_of(request.actor, bulk_id))


def _show(request: ActorRequest, result: BulkResult) -> HttpResponse:
    operation = DECIDED[result.bulk.operation]
    waiting = [one for one in result.decisions if one.can_be_undone]
    context = {"result": result, "waiting": waiting, "operation": operation, "key": new_key()}
    return page(request, "approvals/several.html", context, fragments=("result",))


@require_POST
@needs(openings.INBOX)
def undo_several(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """Takes back every row that still waits here."""
    count = undo_bulk(request.actor, bulk_id)
    messages.success(request, f"{count} taken back. Nothing of them was sent.")
    return redirect("approvals_several", business, bulk_id)


@require_POST
@needs(openings.INBOX)
def retry_several(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """Decides again on the rows that failed, as they are now."""
    before = result_of(request.actor, bulk_id)
    kind = EXPENSE if wire_of(DECIDED[before.bulk.operation]).kind == "expense" else PAYMENT
    things = _things(request.actor, kind, [one.object_id for one in before.failed])
    seen = {one.remote_id: fingerprint_of(one) for one in things}
    key = request.POST.get("key", "")[:64] or new_key()
    again = retry_failed(request.actor, bulk_id, things, fingerprints=seen, key=key)
    return redirect("approvals_several", business, again.pk)
