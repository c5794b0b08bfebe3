"""What one person's word is enough for, at the desk: cards, funds and transactions by hand, and the files of a bill."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_extra, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.reads import read_live
from dashboard.decisions.bills import bill_of
from dashboard.decisions.registry import described, verbs_on
from dashboard.errors import NotFound
from dashboard.pages.approvals.decide import decide
from dashboard.pages.approvals.desk import show_desk, thing_of
from dashboard.web.respond import private

PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


def _show(request: ActorRequest, kind: str, remote_id: str) -> HttpResponse:
    return show_desk(request, thing_of(request.actor, kind, remote_id), confirmed="confirmed" in request.GET)


def _decide(request: ActorRequest, kind: str, remote_id: str, verb: str) -> HttpResponse:
    thing = thing_of(request.actor, kind, remote_id)
    return decide(request, verbs_on(thing)[verb], thing)


@require_GET
@needs(operations_pages.INBOX, operations.LIST_CARD_ORDERS)
def card_order(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One order of a physical card on the desk."""
    return _show(request, "card_order", remote_id)


@require_POST
@needs(operations.APPROVE_CARD_ORDERS)
def approve_card_order(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves one order of a physical card."""
    return _decide(request, "card_order", remote_id, "approve")


@require_POST
@needs(operations.REJECT_CARD_ORDERS)
def reject_card_order(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects one order of a physical card, with a reason."""
    return _decide(request, "card_order", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations_extra.LIST_CARD_REQUESTS)
def card_request(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One request for a single-use card on the desk."""
    return _show(request, "card_request", remote_id)


@require_POST
@needs(operations_extra.APPROVE_CARD_REQUEST)
def approve_card_request(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Lets somebody have a single-use card."""
    return _decide(request, "card_request", remote_id, "approve")


@require_POST
@needs(operations_extra.REJECT_CARD_REQUEST)
def reject_card_request(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Refuses a single-use card, with a reason."""
    return _decide(request, "card_request", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations.READ_FUND_OPT_IN)
def fund_opt_in(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One opt-in to a fund on the desk."""
    return _show(request, "fund_opt_in", remote_id)


@require_POST
@needs(operations.APPROVE_FUND_OPT_IN)
def approve_fund_opt_in(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves an opt-in to a fund, after showing that it is oneself."""
    return _decide(request, "fund_opt_in", remote_id, "approve")


@require_POST
@needs(operations_extra.REJECT_FUND_OPT_IN)
def reject_fund_opt_in(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects an opt-in to a fund, with a reason."""
    return _decide(request, "fund_opt_in", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations.LIST_TRANSACTIONS)
def hand_transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One transaction by hand on the desk."""
    return _show(request, "hand_transaction", remote_id)


@require_POST
@needs(operations.APPROVE_TRANSACTION)
def approve_hand_transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves a transaction by hand, after showing that it is oneself: it is posted."""
    return _decide(request, "hand_transaction", remote_id, "approve")


@require_POST
@needs(operations.REJECT_TRANSACTION)
def reject_hand_transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects a transaction by hand, with a reason."""
    return _decide(request, "hand_transaction", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations_extra.DOWNLOAD_BILL_FILE)
def bill_file(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A file of the bill behind a payment: pictures are shown, anything else is saved."""
    paid = described(thing_of(request.actor, "approval", remote_id))  # type: ignore[arg-type]  # an approval by its kind
    bill = bill_of(request.actor, paid) if paid is not None else None
    files = {str(one.get("_id")): one for one in (bill or {}).get("attachments") or [] if isinstance(one, dict)}
    if file_id not in files:
        raise NotFound("There is no such file of this bill.", code="hidden")
    answer = read_live(request.actor, operations_extra.DOWNLOAD_BILL_FILE, path={"fileId": file_id}, as_bytes=True)
    mime, name = str(files[file_id].get("mime")), str(files[file_id].get("file_name") or "document")
    shown = mime in PICTURES
    response = private(HttpResponse(answer.data, content_type=mime if shown else "application/octet-stream"))
    quoted = "".join(letter for letter in name if letter.isalnum() or letter in "._- ") or "document"
    response["Content-Disposition"] = f'{"inline" if shown else "attachment"}; filename="{quoted}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
