"""New payouts from what is known: vendors, bills, people, the last payout. What is chosen fills the table of a new payout."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError
from dashboard.lists.bulk import list_action, plan_ticked
from dashboard.lists.query import Query
from dashboard.lists.registry import find
from dashboard.pages.payouts.forms.payouts import PayoutForm
from dashboard.pages.payouts.presenters.choices import channel_choices, wallet_choices
from dashboard.pages.payouts.presenters.sources import source_rows
from dashboard.pages.payouts.selectors.candidates import MAX_SOURCE_ROWS, Drawn, Typed
from dashboard.pages.payouts.selectors.payouts import destinations, paying_wallets
from dashboard.pages.payouts.selectors.sources import PAYOUT_SOURCES, PayoutSource
from dashboard.pages.payouts.services.lines import PaymentLine, lines_text, vendors_text
from dashboard.web.payee_changes import PayeeChangeLink, links_by_vendor
from dashboard.web.respond import page
from dashboard.web.submission import new_key, posted_key

SOURCE, NEW = "payouts/source.html", "payouts/new.html"
TYPED = ("amount", "channel", "account", "bank", "purpose")
PICKED = "pick"
NOTHING = "Choose at least one row."
MAX_TERM = 100


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_PAYOUT)
def new_from_source(request: ActorRequest, business: str, source: str) -> HttpResponse:
    """What can be chosen of a source; posted, the table of a new payout with what was chosen, which is checked as any
    is; of bills the plan of their payments."""
    of = PAYOUT_SOURCES[source]
    chosen = {name: _typed(request, name) for name in request.POST.getlist(PICKED)}
    if request.method == "GET":
        return _render(request, of)
    if not chosen:
        return _render(request, of, 422, [NOTHING])
    if of.rows is None:
        return _pay_bills(request, of, list(chosen))
    drawn = of.rows(request.actor, chosen)
    if drawn.problems or not drawn.rows:
        sentences = [problem.sentence for problem in drawn.problems]
        return _render(request, of, 422, sentences or drawn.left_out or [NOTHING], drawn)
    return _filled_table(request, drawn)


def _pay_bills(request: ActorRequest, of: PayoutSource, ids: list[str]) -> HttpResponse:
    """The plan of a payment run over the chosen bills, as the list of bills makes it."""
    listed = find("bills")
    assert listed is not None
    assert listed.declared is not None
    action = list_action(listed.declared, "pay")
    assert action is not None
    planned = plan_ticked(request.actor, action, Query.parse(listed.declared, ""), dict.fromkeys(ids, ""))
    if planned is None:
        return _render(request, of, 422, [NOTHING])
    return redirect("bulk_item", request.actor.business.slug, planned.pk)


def _filled_table(request: ActorRequest, drawn: Drawn) -> HttpResponse:
    """The page of a new payout with these rows in its table."""
    lines = [PaymentLine(number, row) for number, row in enumerate(drawn.rows, 2)]
    wallets = wallet_choices(paying_wallets(request.actor))
    form = PayoutForm(
        business=request.actor.business,
        wallets=wallets,
        initial={"rows": lines_text(lines), "vendors": vendors_text(drawn.vendors)},
    )
    context = {
        "form": form, "key": new_key(), "left_out_of_source": drawn.left_out, "drawn": len(lines),
        "source_changes": _changes(request.actor, drawn),
    }  # fmt: skip
    return page(request, NEW, context)


def _changes(actor: Actor, drawn: Drawn) -> list[PayeeChangeLink]:
    """The payee changes for which something was left out, each once."""
    links = links_by_vendor(actor, drawn.held_vendors).values()
    return list(dict.fromkeys(link for of_vendor in links for link in of_vendor))


def _typed(request: ActorRequest, name: str) -> Typed:
    values = {field: request.POST.get(f"{field}-{name}", "").strip() for field in TYPED}
    return Typed(**values)


def _render(
    request: ActorRequest,
    of: PayoutSource,
    status: int = 200,
    problems: list[str] | None = None,
    drawn: Drawn | None = None,
) -> HttpResponse:
    term = request.GET.get("q", "").strip()[:MAX_TERM]
    channels: list[tuple[str, str]] = []
    if of.has_account:
        try:
            channels = channel_choices(destinations(request.actor))
        except FinanceError as trouble:
            problems = [*(problems or []), trouble.user_message]
    candidates = of.candidates(request.actor, term)
    listed = candidates[:MAX_SOURCE_ROWS]
    typed = {row.id: _typed(request, row.id) for row in listed}
    rows = source_rows(request.actor, listed, set(request.POST.getlist(PICKED)), typed, drawn.problems if drawn else ())
    context = {
        "source": of, "sources": PAYOUT_SOURCES.values(), "rows": rows, "term": term, "channels": channels,
        "problems": problems or [], "payee_changes": _changes(request.actor, drawn) if drawn else [], "most": MAX_SOURCE_ROWS if len(candidates) > MAX_SOURCE_ROWS else 0,
        "key": posted_key(request),
    }  # fmt: skip
    return page(request, SOURCE, context, status=status)
