"""The addresses of SCIM: a bearer token instead of a session, JSON alone, and every refusal in SCIM's own shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import structlog
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods
from pydantic import ValidationError

from dashboard.access.actor import Actor
from dashboard.access.decorators import public
from dashboard.client.json import read_untrusted_json
from dashboard.errors import Conflict, FinanceError, NotAllowed, NotFound, Rejected
from dashboard.scim import services
from dashboard.scim.groups import delete_group, save_group
from dashboard.scim.library import scim2_models
from dashboard.scim.models import ScimGroup
from dashboard.scim.resources import location_of, provider_config, resource_types, schemas, scim_policy, user_model
from dashboard.scim.selectors import (
    group_at,
    group_resources,
    member_at,
    scim_members,
    scim_page,
    user_resources,
)
from dashboard.scim.tokens import actor_of, is_rate_limited, token_row

log = structlog.get_logger(__name__)

P = ParamSpec("P")
ScimView = Callable[Concatenate[HttpRequest, Actor, P], HttpResponse]
MEDIA_TYPE = "application/scim+json"
LARGEST_BODY_BYTES = 1_000_000


def with_token(view: ScimView[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """The view is asked for by an identity provider: its token says which business, and stands for a super admin's rights.

    401 without a token of ours, 429 for too many requests.
    """

    @wraps(view)
    def authenticated(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        row = token_row(request.headers.get("authorization", ""))
        if row is None:
            response = _error(401, "This token opens nothing.")
            response["WWW-Authenticate"] = 'Bearer realm="scim"'
            return response
        if is_rate_limited(row):
            response = _error(429, "Too many requests: wait a minute.")
            response["Retry-After"] = "60"
            return response
        try:
            actor = actor_of(row)
            with scim_policy():
                return view(request, actor, *args, **kwargs)
        except scim2_models.SCIMException as refused:
            return _response(refused.to_error(), status=int(refused.status))
        except ValidationError as unreadable:
            errors = scim2_models.Error.from_validation_errors(unreadable)
            return _response(errors[0], status=400)
        except FinanceError as refused:
            return _error(_status_of(refused), refused.detail)

    return authenticated


@csrf_exempt
@require_GET
@public
@with_token
def config(request: HttpRequest, actor: Actor) -> HttpResponse:
    """What this service can do (RFC 7643, section 5): patches and filters, no bulk and no sorting."""
    return _response(provider_config())


@csrf_exempt
@require_GET
@public
@with_token
def types(request: HttpRequest, actor: Actor, name: str = "") -> HttpResponse:
    """The types of resources, or one of them."""
    return _described(resource_types(), name, scim2_models.ResourceType)


@csrf_exempt
@require_GET
@public
@with_token
def schema_list(request: HttpRequest, actor: Actor, name: str = "") -> HttpResponse:
    """The schemas of the resources, or one of them."""
    return _described(schemas(), name, scim2_models.Schema)


@csrf_exempt
@require_http_methods(["GET", "POST"])
@public
@with_token
def users(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The members, filtered and paged; or one more of them, invited."""
    context = scim2_models.Context
    model: Any = user_model()
    if request.method == "GET":
        rows = user_resources(actor.business, scim_members(actor.business))
        return _response(scim_page(model, rows, _search(request, model)))
    resource = model.model_validate(_body(request), scim_ctx=context.RESOURCE_CREATION_REQUEST)
    member = services.create_user(actor, resource)
    return _user(actor, str(member.pk), 201, context.RESOURCE_CREATION_RESPONSE)


@csrf_exempt
@require_http_methods(["GET", "PUT", "PATCH", "DELETE"])
@public
@with_token
def user(request: HttpRequest, actor: Actor, resource_id: str) -> HttpResponse:
    """One member: shown, changed, or removed."""
    member = member_at(actor.business, resource_id)
    if request.method == "DELETE":
        services.delete_user(actor, member)
        return HttpResponse(status=204)
    if request.method == "GET":
        return _user(actor, resource_id)
    stored = user_resources(actor.business, scim_members(actor.business).filter(pk=member.pk))[0]
    context = scim2_models.Context
    model: Any = user_model()
    if request.method == "PUT":
        resource = model.model_validate(_body(request), scim_ctx=context.RESOURCE_REPLACEMENT_REQUEST)
        services.replace_user(actor, member, resource)
        return _user(actor, resource_id, 200, context.RESOURCE_REPLACEMENT_RESPONSE)
    patch = scim2_models.PatchOp[model].model_validate(_body(request), scim_ctx=context.RESOURCE_PATCH_REQUEST)
    patch.patch(stored)
    services.replace_user(actor, member, stored)
    return _user(actor, resource_id, 200, context.RESOURCE_PATCH_RESPONSE)


@csrf_exempt
@require_http_methods(["GET", "POST"])
@public
@with_token
def groups(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The groups, filtered and paged; or one more of them."""
    context = scim2_models.Context
    model: Any = scim2_models.Group
    if request.method == "GET":
        rows = group_resources(ScimGroup.objects.filter(business=actor.business))
        return _response(scim_page(model, rows, _search(request, model)))
    resource = model.model_validate(_body(request), scim_ctx=context.RESOURCE_CREATION_REQUEST)
    row = save_group(actor, None, resource)
    return _group(actor, str(row.pk), 201, context.RESOURCE_CREATION_RESPONSE)


@csrf_exempt
@require_http_methods(["GET", "PUT", "PATCH", "DELETE"])
@public
@with_token
def group(request: HttpRequest, actor: Actor, resource_id: str) -> HttpResponse:
    """One group: shown, changed, or removed."""
    row = group_at(actor.business, resource_id)
    if request.method == "DELETE":
        delete_group(actor, row)
        return HttpResponse(status=204)
    if request.method == "GET":
        return _group(actor, resource_id)
    context = scim2_models.Context
    model: Any = scim2_models.Group
    if request.method == "PUT":
        resource = model.model_validate(_body(request), scim_ctx=context.RESOURCE_REPLACEMENT_REQUEST)
        save_group(actor, row, resource)
        return _group(actor, resource_id, 200, context.RESOURCE_REPLACEMENT_RESPONSE)
    stored = group_resources(ScimGroup.objects.filter(pk=row.pk))[0]
    patch = scim2_models.PatchOp[model].model_validate(_body(request), scim_ctx=context.RESOURCE_PATCH_REQUEST)
    patch.patch(stored)
    save_group(actor, row, stored)
    return _group(actor, resource_id, 200, context.RESOURCE_PATCH_RESPONSE)


def _user(
    actor: Actor, resource_id: str, status: int = 200, context: scim2_models.Context | None = None
) -> HttpResponse:
    row = member_at(actor.business, resource_id)
    resource = user_resources(actor.business, scim_members(actor.business).filter(pk=row.pk))[0]
    return _response(resource, status, context, location_of("Users", row.pk))


def _group(
    actor: Actor, resource_id: str, status: int = 200, context: scim2_models.Context | None = None
) -> HttpResponse:
    row = group_at(actor.business, resource_id)
    resource = group_resources(ScimGroup.objects.filter(pk=row.pk))[0]
    return _response(resource, status, context, location_of("Groups", row.pk))


def _described(described: Any, name: str, model: Any) -> HttpResponse:
    if not name:
        rows = list(described.values())
        return _response(
            scim2_models.ListResponse[model](
                total_results=len(rows), start_index=1, items_per_page=len(rows), resources=rows
            )
        )
    if name not in described:
        raise scim2_models.NotFoundException(detail="There is nothing of this name.")
    return _response(described[name])


def _search(request: HttpRequest, model: Any) -> scim2_models.SearchRequest[Any]:
    names = ("filter", "startIndex", "count", "attributes", "excludedAttributes")
    given = {name: request.GET[name] for name in names if request.GET.get(name)}
    return scim2_models.SearchRequest[model].model_validate(given, scim_ctx=scim2_models.Context.SEARCH_REQUEST)


def _body(request: HttpRequest) -> dict[str, Any]:
    raw = request.read(LARGEST_BODY_BYTES + 1)
    if len(raw) > LARGEST_BODY_BYTES:
        raise scim2_models.InvalidSyntaxException(detail="The body is larger than 1 MB.")
    try:
        body = read_untrusted_json(raw)
    except ValueError:
        raise scim2_models.InvalidSyntaxException(detail="The body is not JSON.") from None
    if not isinstance(body, dict):
        raise scim2_models.InvalidSyntaxException(detail="The body is a JSON object.")
    return body


def _status_of(refused: FinanceError) -> int:
    if isinstance(refused, NotFound):
        return 404
    if isinstance(refused, NotAllowed):
        return 403
    if isinstance(refused, Conflict):
        return 409
    return 400 if isinstance(refused, Rejected) else 503


def _error(status: int, detail: str) -> HttpResponse:
    return _response(scim2_models.Error(status=status, detail=detail), status=status)


def _response(
    resource: Any, status: int = 200, context: scim2_models.Context | None = None, location: str = ""
) -> HttpResponse:
    content = json.dumps(resource.model_dump(scim_ctx=context or scim2_models.Context.RESOURCE_QUERY_RESPONSE))
    response = HttpResponse(content, status=status, content_type=MEDIA_TYPE)
    response["Cache-Control"] = "no-store"
    if location:
        response["Location"] = location
    return response
