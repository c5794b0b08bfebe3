"""New payouts from what is known: vendors, bills, people, the last payout. What is chosen fills the table of a new payout."""

from urllib.parse import urlencode

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
from dashboard.pages.payouts.presenters.sources import source_page
from dashboard.pages.payouts.selectors.candidates import MAX_SOURCE_ROWS, Drawn
from dashboard.pages.payouts.selectors.payouts import destinations, paying_wallets
from dashboard.pages.payouts.selectors.sources import PAYOUT_SOURCES, PayoutSource
from dashboard.pages.payouts.services.lines import PaymentLine, lines_text, vendors_text
from dashboard.pages.payouts.services.picks import NONE_PICKED, Picks, load_picks, posted_picks, store_picks
from dashboard.web.form_outcome import not_submitted
from dashboard.web.payee_changes import PayeeChangeLink, links_by_vendor
from dashboard.web.respond import page
from dashboard.web.submission import new_key, posted_key

SOURCE, NEW = "payouts/source.html", "payouts/new.html"
MAX_TERM = 100
NOT_STORED = "What was selected here before is no longer known: select it again."


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_PAYOUT)
def new_from_source(request: ActorRequest, business: str, source: str) -> HttpResponse:
    """What can be chosen of a source; posted, another search with the ticks kept, or the table of a new payout with what was chosen,
    which is checked as any is; of bills the plan of their payments."""
    of = PAYOUT_SOURCES[source]
    stored = load_picks(request.actor, source, request.GET.get("picked", "")) if "picked" in request.GET else Picks()
    if request.method == "GET":
        return _render(request, of, stored or Picks(), problems=[] if stored is not None else [NOT_STORED])
    picks = posted_picks(request.POST, stored or Picks())
    if _is_search(request):
        return _search(request, of, picks)
    return _render(request, of, picks, 422, [picks.problem]) if picks.problem else _choose(request, of, picks)


def _choose(request: ActorRequest, of: PayoutSource, picks: Picks) -> HttpResponse:
    """What follows what was chosen: the table of a new payout, or the plan of the bills' payments."""
    if of.rows is None:
        return _pay_bills(request, of, picks)
    drawn = of.rows(request.actor, picks.chosen())
    if drawn.problems or not drawn.rows:
        sentences = [problem.sentence for problem in drawn.problems]
        return _render(request, of, picks, 422, sentences or drawn.left_out or [NONE_PICKED], drawn)
    return _filled_table(request, drawn)


def _is_search(request: ActorRequest) -> bool:
    """Whether a page was posted to search by another name: by its button, or by Enter after a name was typed."""
    typed = request.POST.get("q")
    return request.POST.get("do") == "search" or (
        "do" not in request.POST and typed is not None and typed.strip() != request.GET.get("q", "").strip()
    )


def _search(request: ActorRequest, of: PayoutSource, picks: Picks) -> HttpResponse:
    """To the page of that search, whose address names the ticks; the page itself where they cannot be kept."""
    term = request.POST.get("q", "").strip()[:MAX_TERM]
    word = store_picks(request.actor, of.word, picks) if picks.ids or picks.typed else ""
    if picks.ids and not word:
        return not_submitted(_render(request, of, picks, term=term))
    query = urlencode({name: value for name, value in (("q", term), ("picked", word)) if value})
    return not_submitted(redirect(f"{request.path}?{query}" if query else request.path))


def _pay_bills(request: ActorRequest, of: PayoutSource, picks: Picks) -> HttpResponse:
    """The plan of a payment run over the chosen bills, as the list of bills makes it."""
    listed = find("bills")
    assert listed is not None
    assert listed.declared is not None
    action = list_action(listed.declared, "pay")
    assert action is not None
    planned = plan_ticked(request.actor, action, Query.parse(listed.declared, ""), dict.fromkeys(picks.ids, ""))
    if planned is None:
        return _render(request, of, picks, 422, [NONE_PICKED])
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


def _render(
    request: ActorRequest,
    of: PayoutSource,
    picks: Picks,
    status: int = 200,
    problems: list[str] | None = None,
    drawn: Drawn | None = None,
    term: str | None = None,
) -> HttpResponse:
    term = request.GET.get("q", "").strip()[:MAX_TERM] if term is None else term
    channels: list[tuple[str, str]] = []
    if of.has_account:
        try:
            channels = channel_choices(destinations(request.actor))
        except FinanceError as trouble:
            problems = [*(problems or []), trouble.user_message]
    matched = of.candidates(request.actor, term, picks.ids)
    source_rows = source_page(request.actor, matched, picks, drawn.problems if drawn else ())
    context = {
        "source": of, "sources": PAYOUT_SOURCES.values(), "shown": source_rows, "term": term, "channels": channels,
        "problems": problems or [], "payee_changes": _changes(request.actor, drawn) if drawn else [],
        "most": MAX_SOURCE_ROWS if matched.has_more else 0, "key": posted_key(request),
    }  # fmt: skip
    return page(request, SOURCE, context, status=status)
