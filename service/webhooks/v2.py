"""Webhook endpoints in v2: extensions of ours to the published interface."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import ADMINS, OFFICE, ApiRequest, requires
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer
from service.webhooks import selectors, serializers, services
from service.webhooks.schemas import EndpointOut, EndpointPage, EndpointWithSecret, NewEndpoint, ReplayBody, ReplayOut

router = Router(tags=["Webhooks"])


@router.get("", response=EndpointPage, summary="List webhook endpoints", openapi_extra=EXTENSION)
@requires(scope="webhooks:read", roles=OFFICE)
def list_endpoints(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """A page of the webhook endpoints of the business."""
    return page_of(selectors.endpoints(request.caller), request, query, serializers.endpoint)


@router.post("", response={201: EndpointWithSecret}, summary="Create a webhook endpoint", openapi_extra=EXTENSION)
@requires(scope="webhooks:write", roles=ADMINS)
@idempotent()
def create_endpoint(request: ApiRequest, body: NewEndpoint) -> HttpResponse:
    """A new endpoint and its secret; 422 for an address that may not be sent to, 422 limit_exceeded past 20."""
    row, secret = services.create(request.caller, body)
    return answer(serializers.endpoint(row, secret), 201)


@router.get("/{id}", response=EndpointOut, summary="Read a webhook endpoint", openapi_extra=EXTENSION)
@requires(scope="webhooks:read", roles=OFFICE)
def read_endpoint(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One endpoint; 404 when the business has none such."""
    return answer(serializers.endpoint(selectors.get_endpoint(request.caller, id)))


@router.delete("/{id}", response={204: None}, summary="Delete a webhook endpoint", openapi_extra=EXTENSION)
@requires(scope="webhooks:write", roles=ADMINS)
@idempotent()
def delete_endpoint(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Removes an endpoint with its waiting deliveries."""
    services.delete(request.caller, id)
    return HttpResponse(status=204)


@router.post(
    "/{id}/rotate-secret",
    response=EndpointWithSecret,
    summary="Rotate the secret of a webhook endpoint",
    openapi_extra=EXTENSION,
)
@requires(scope="webhooks:write", roles=ADMINS)
@idempotent()
def rotate_secret(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """A new secret; for a day deliveries carry a signature by each of the two."""
    row, secret = services.rotate_secret(request.caller, id)
    return answer(serializers.endpoint(row, secret))


@router.post("/{id}/replay", response={202: ReplayOut}, summary="Send events again", openapi_extra=EXTENSION)
@requires(scope="webhooks:write", roles=ADMINS)
@idempotent()
def replay(request: ApiRequest, id: str, body: ReplayBody) -> HttpResponse:  # noqa: A002
    """Sends every event after a sequence again, and turns a disabled endpoint on; how many are queued."""
    return answer({"queued": services.replay(request.caller, id, body.after)}, 202)
