"""Events and the audit trail in v2: extensions of ours to the published interface."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import OFFICE, ApiRequest, requires
from service.documentation import EXTENSION
from service.events import selectors, serializers
from service.events.outbox import envelope
from service.events.schemas import AuditPage, AuditQuery, FeedOut, FeedQuery
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Events"])


@router.get("/events", response=FeedOut, summary="Read events in order", openapi_extra=EXTENSION)
@requires(scope="webhooks:read", roles=OFFICE)
def read_events(request: ApiRequest, query: Query[FeedQuery]) -> HttpResponse:
    """The events of the last 30 days, without gaps in `sequence`; the pull side of the webhooks."""
    events = selectors.feed(request.caller, query.after, query.limit)
    page = events[: query.limit]
    return answer(
        {
            "docs": [envelope(event) for event in page],
            "last": page[-1].sequence if page else query.after,
            "has_more": len(events) > query.limit,
        }
    )


@router.get("/audit-events", response=AuditPage, summary="List audit events", openapi_extra=EXTENSION)
@requires(scope="audit:read", roles=OFFICE, private_label=True)
def list_audit_events(request: ApiRequest, query: Query[AuditQuery]) -> HttpResponse:
    """The immutable trail of who did what, newest first."""
    rows = selectors.audit_trail(
        request.caller, actor=query.actor, resource=query.resource, first=query.from_, last=query.to
    )
    query.updated_since = None  # rows never change: `from` says the same
    return page_of(rows, request, query, serializers.audit_event, time_zone=request.caller.business.time_zone)
