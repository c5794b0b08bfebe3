"""The audit: who did or was denied what, and the proof that no line was changed, removed or slipped in."""

from django.http import Http404, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.verify import verify
from dashboard.lists.view import list_page, totals_part
from dashboard.pages.audit.selectors import evidence_of
from dashboard.pages.audit.tables import AUDIT
from dashboard.web.files import save_as
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.signin.sessions import polls

TEMPLATE = "audit/audit.html"


@require_GET
@needs(operations_pages.AUDIT_LOG)
def audit(request: ActorRequest, business: str) -> HttpResponseBase:
    """The lines of the audit log, newest first, under the filters of the address."""
    return list_page(request, AUDIT, template=TEMPLATE)


@polls
@require_GET
@needs(operations_pages.AUDIT_LOG)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many lines the filters leave."""
    return totals_part(request, AUDIT, template=TEMPLATE)


@require_POST
@needs(operations_pages.AUDIT_LOG)
def verify_chain(request: ActorRequest, business: str) -> HttpResponseBase:
    """Follows the chain from its first line and says whether it holds."""
    proof = verify(request.actor.business)
    if is_fragment_request(request):
        return page(request, TEMPLATE, {"proof": proof}, fragments=("proof",))
    return list_page(request, AUDIT, template=TEMPLATE, proof=proof)


@require_GET
@needs(operations_pages.AUDIT_LOG)
def evidence(request: ActorRequest, business: str, kind: str, remote_id: str) -> JsonResponse:
    """Everything the audit knows of one item, with the seals that prove it: a file to hand to an auditor."""
    lines = evidence_of(request.actor, kind, remote_id)
    if not lines:
        raise Http404("no line about such a thing")
    pack = {"business": request.actor.business.name, "kind": kind, "id": remote_id, "lines": lines}
    response = JsonResponse(pack, json_dumps_params={"indent": 2})
    save_as(response, f"evidence-{kind}-{remote_id}.json")
    return response
