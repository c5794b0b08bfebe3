"""Several new people: pasted or from a file, checked cell by cell, then planned, added and retried by the bulk engine."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.bulk.plans import plan, store_plan
from dashboard.inputs import whole_number
from dashboard.lists.bulk import list_action
from dashboard.lists.view import list_page, totals_part
from dashboard.onboarding import services
from dashboard.pages.people.forms.newcomers import NewcomersTable, Offer, PastePeopleForm, cells_of
from dashboard.pages.people.forms.people import role_choices
from dashboard.pages.people.presenters.funds import wallet_label
from dashboard.pages.people.selectors.people import active_teams, funding_wallets, may_invite, roles_to_give
from dashboard.pages.people.tables import NEWCOMERS
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import posted_key

TEMPLATE = "people/several.html"


@require_GET
@needs(operations.CREATE_EMPLOYEE)
def newcomers(request: ActorRequest, business: str) -> HttpResponseBase:
    """Whom one has typed in, and what became of each."""
    return list_page(request, NEWCOMERS)


@polls
@require_GET
@needs(operations.CREATE_EMPLOYEE)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many newcomers there are under the filters of the address."""
    return totals_part(request, NEWCOMERS)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_EMPLOYEE)
def add_several(request: ActorRequest, business: str) -> HttpResponse:
    """The rows as text, then as a table with what is wrong at each cell; with nothing wrong, the plan of adding them."""
    if request.method == "GET":
        return page(
            request, TEMPLATE, {"paste": PastePeopleForm(), "offer": _offer(request.actor), "key": posted_key(request)}
        )
    table = _table(request)
    if isinstance(table, HttpResponse):
        return table
    if not table.is_valid(services.names_by_contact(request.actor, table.emails())):
        return _render_table(request, table)
    return confirm_first(request, request.path) or _plan(request, table)


def _offer(actor: Actor) -> Offer:
    return Offer(
        roles=role_choices(roles_to_give(actor)),
        teams=[(team.code, team.name) for team in active_teams(actor)],
        wallets=funding_wallets(actor) if can_open(actor, operations.CREATE_CARD) else [],
        may_invite=may_invite(actor),
        locale=actor.business.locale,
    )


def _table(request: ActorRequest) -> NewcomersTable | HttpResponse:
    """The table that was posted, or that the pasted text makes; the page of the text where that is wrong."""
    offer = _offer(request.actor)
    labels = [(wallet.org_wallet_ref, wallet_label(wallet, offer.locale)) for wallet in offer.wallets]
    if count := whole_number(request.POST.get("rows", ""), 999):
        return NewcomersTable.of(offer, labels, request.POST, count)
    paste = PastePeopleForm(request.POST, request.FILES)
    if not paste.is_valid():
        return page(request, TEMPLATE, {"paste": paste, "offer": offer, "key": posted_key(request)}, status=422)
    rows = paste.cleaned_data["rows"]
    wallet = {"wallet": labels[0][0]} if labels else {}
    return NewcomersTable.of(offer, labels, {**cells_of(rows), **wallet}, len(rows))


def _render_table(request: ActorRequest, table: NewcomersTable) -> HttpResponse:
    wrong = f"{table.wrong} of {len(table.forms)} rows cannot be added, so none was added."
    first = next((form for form in table.forms if form.errors), None)
    context = {"table": table, "key": posted_key(request), "problem": wrong, "first_wrong": first}
    return page(request, TEMPLATE, context, status=422)


def _plan(request: ActorRequest, table: NewcomersTable) -> HttpResponse:
    rows = services.write_down(request.actor, table.rows())
    action = list_action(NEWCOMERS, "add")
    assert action is not None
    batch = store_plan(plan(request.actor, action, rows), chosen=len(rows))
    return redirect("bulk_item", request.actor.business.slug, batch.pk)
