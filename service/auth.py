"""Who is calling, and whether they may: the token, the acting employee, and the rule above each v2 view.

A view says once what it needs, and gets `request.caller`:

    @router.get("/expenses", response=...)
    @requires(scope="expenses:read", roles=EVERYBODY, business_header=True)
    def list_expenses(request: ApiRequest, ...): ...

Order of the checks (interface.md "Authentication", decisions B.1, B.2): token 401, rate 429, entitlement 403, scope 403,
business 403, acting employee 403, role 403, wallet of the header 404; only then are parameters and body looked at.
The headers business_id and org_wallet_ref have underscores, as published: a web server must let those through
(gunicorn: --header-map dangerous; nginx: underscores_in_headers on).
"""

import functools
import hashlib
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, DatabaseError
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja.decorators import decorate_view
from ninja.operation import Operation
from ninja.utils import contribute_operation_callback
from oauth2_provider.models import get_access_token_model

from service import documentation, errors, grants, ratelimit, sql
from service.businesses.models import Business, Client, Employee, Role, TeamReviewer
from service.caller import Caller as Caller
from service.caller import system_caller as system_caller
from service.request_body import UPLOAD_LIMIT, check_body, check_form
from service.respond import refuse, request_id_of
from service.ttl_cache import TtlCache

log = logging.getLogger(__name__)

EVERYBODY = frozenset(Role.values)
REVIEWERS = frozenset({Role.REVIEWER, Role.APPROVER, Role.ADMIN})
OFFICE = frozenset({Role.APPROVER, Role.ADMIN, Role.SUPER_ADMIN})
TEAM_AND_OFFICE = frozenset({Role.REVIEWER, Role.APPROVER, Role.ADMIN, Role.SUPER_ADMIN})
ADMINS = frozenset({Role.ADMIN, Role.SUPER_ADMIN})


class ApiRequest(HttpRequest):
    """A request as a view of the interface sees it."""

    caller: Caller
    request_id: str


@dataclass(frozen=True, slots=True)
class Grant:
    """What a live token stands for; remembered for some seconds."""

    client: Client
    business: Business
    employee_id: str | None
    scopes: frozenset[str]
    expires: datetime


_grants: TtlCache[Grant] = TtlCache()


def checksum_of(token: str) -> str:
    """What a token is looked up by."""
    return hashlib.sha256(token.encode()).hexdigest()


def grant_of(checksum: str, *, afresh: bool = False) -> Grant:
    """The grant behind an access token; 401 when it is unknown, revoked or expired.

    It may be remembered: whoever uses it must look for the mark of a revocation (service/ttl_cache.py).
    """
    grant = None if afresh else _grants.get(checksum)
    if grant is None:
        grant = _load_grant(checksum)
        _grants.put(checksum, grant)
    if grant.expires <= timezone.now():
        raise errors.token_expired()
    return grant


def _load_grant(checksum: str) -> Grant:
    token = (
        get_access_token_model().objects.select_related("application__business").filter(token_checksum=checksum).first()
    )
    if token is None or token.application is None:
        raise errors.token_invalid()
    client = cast(Client, token.application)
    return Grant(client, client.business, client.employee_id, frozenset(token.scope.split()), token.expires)


def _visit(request: HttpRequest, limit: str) -> tuple[Grant, dict[str, str]]:
    """The grant of the request, with its rate limit counted and the mark of a revocation looked for in one go."""
    checksum = checksum_of(bearer(request))
    grant = grant_of(checksum)
    headers, revoked = ratelimit.spend_v2(request, grant.client, limit, watch=checksum)
    if revoked:
        raise errors.token_invalid()
    if revoked is None:  # the shared store cannot be reached: then only the database counts
        grant = grant_of(checksum, afresh=True)
    return grant, headers


def bearer(request: HttpRequest) -> str:
    """The token of the Authorization header; 401 when there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise errors.token_missing()
    return token.strip()


def acting_employee(request: HttpRequest, grant: Grant) -> Employee | None:
    """The person named by X-Acting-Employee. A token without the scope must not name one: refused, never ignored."""
    named = request.headers.get("X-Acting-Employee", "")
    if not named:
        return None
    if "acting_employee" not in grant.scopes:
        raise errors.insufficient_scope("acting_employee")
    person = _employee(grant.business, named)
    if person is None:
        raise errors.insufficient_role("The acting employee is not an active employee of this business.")
    return person


# Where the ids stand in the statement that is written once.
BUSINESS_ID, EMPLOYEE_ID = "?business", "?employee"


def _employee(business: Business, employee_id: str) -> Employee | None:
    if "\0" in employee_id:
        return None
    statement, names, params = _employee_statement()
    given = {BUSINESS_ID: business.id, EMPLOYEE_ID: employee_id}
    if (row := sql.row(statement, [given.get(value, value) for value in params])) is None:
        return None
    *values, seated = row
    person = Employee.from_db(DEFAULT_DB_ALIAS, names, values)
    person.seated = seated  # type: ignore[attr-defined]
    return person


@cache
def _employee_statement() -> tuple[str, list[str], tuple[Any, ...]]:
    """What reads the person behind a call, the names of a row's fields, and its parameters with the two ids to be put in: each
    call asks it, and the ORM, which writes it anew, takes a third of what a small answer takes."""
    rows = Employee.objects.filter(business_id=BUSINESS_ID, id=EMPLOYEE_ID, status=Employee.Status.ACTIVE.value)
    rows = rows.annotate(seated=Exists(TeamReviewer.objects.filter(employee=OuterRef("pk"))))
    statement, params = rows.query.sql_with_params()
    return statement, [field.attname for field in Employee._meta.concrete_fields], params


def caller_of(request: HttpRequest, grant: Grant) -> Caller:
    """The caller: the acting employee's own role, else the client's caller role (with the bound employee, if any)."""
    person = acting_employee(request, grant)
    role = person.role if person else grant.client.caller_role
    if person is None and grant.employee_id:
        person = _employee(grant.business, grant.employee_id)
        if person is None:
            raise errors.insufficient_role("The employee bound to this client is not active.")
    return Caller(
        grant.client,
        grant.business,
        person,
        role,
        grant.scopes,
        grant.client.entitled,
        request_id_of(request),
        seated=bool(person and getattr(person, "seated", False)),
    )


def in_their_seat(caller: Caller, allowed: Collection[str]) -> Caller:
    """The caller as a reviewer, where a seat in a team opens what their own role does not (decisions F.7).

    A card user with a seat sees what a reviewer sees; anybody else takes the seat only for what their role may not. Which
    rows that opens is for the seats alone to say: those of the teams, and one's own.
    """
    if caller.seated and Role.REVIEWER in allowed and (caller.role == Role.CARD_USER or caller.role not in allowed):
        return replace(caller, role=Role.REVIEWER)
    return caller


# Answers whether a business has a wallet of that reference: the area of wallets registers it when it is loaded.
HasWallet = Callable[[str, str], bool]
_HAS_WALLET: list[HasWallet] = []


def register_wallets(has_wallet: HasWallet) -> None:
    """Called by the area that keeps wallets; arguments are the business's id and the reference. Without it there is none."""
    _HAS_WALLET.append(has_wallet)


View = TypeVar("View", bound=Callable[..., Any])
Run = Callable[..., HttpResponseBase]


def requires(
    *,
    scope: str,
    roles: Collection[str] = EVERYBODY,
    private_label: bool = False,
    person: bool = False,
    business_header: bool = False,
    limit: str = "",
    grant: str = "",
    seat: bool = True,
    upload: bool = False,
) -> Callable[[View], View]:
    """What a view needs: a scope, one of the roles, the entitlement, a person behind the call (`person`), the header.

    `upload`: the body is a form with a file (multipart/form-data) of at most 10 MB instead of JSON. `limit` names a rate
    limit of its own, such as "exports". `grant` lets in who holds it on anything, whatever their role: the action asks
    `grants.check` about the row that it changes. `seat=False` where a seat in a team does not open what it opens to the role
    REVIEWER: its rows are the whole business's. Goes directly under the router's decorator.
    """
    allowed = frozenset(roles)

    def permit(request: HttpRequest) -> tuple[Caller, dict[str, str]]:
        token, headers = _visit(request, limit)
        if private_label and not token.client.entitled:
            raise errors.entitlement_required()
        if scope not in token.scopes:
            raise errors.insufficient_scope(scope)
        _check_business(request, token, required=business_header)
        caller = caller_of(request, token)
        if seat:
            caller = in_their_seat(caller, allowed)
        if caller.role not in allowed and not (grant and grants.held(caller, grant)):
            raise errors.insufficient_role()
        grants.check_scope(caller, scope)
        if person and caller.employee is None:
            raise errors.insufficient_role("A client that acts for nobody does not approve: name the employee.")
        if business_header:
            _check_wallet(request, token)
        return caller, headers

    def guard(run: Run) -> Run:
        @functools.wraps(run)
        def guarded(request: HttpRequest, **path: Any) -> HttpResponseBase:
            try:
                caller, headers = permit(request)
                if upload:
                    check_body(request, limit_bytes=UPLOAD_LIMIT, media_type="multipart/form-data")
                    check_form(request)
                else:
                    check_body(request)
            except errors.ServiceError as error:
                return refuse(request, error)
            except DatabaseError:
                log.exception("database unreachable while authenticating")
                return refuse(request, errors.unavailable())
            cast(ApiRequest, request).caller = caller
            response = run(request, **path)
            for name, value in headers.items():
                response[name] = value
            return response

        return guarded

    def document(operation: Operation) -> None:
        documentation.describe(
            operation,
            scope=scope,
            roles=allowed,
            private_label=private_label,
            business_header=business_header,
            grant=grant,
        )

    def mark(view: View) -> View:
        contribute_operation_callback(view, document)
        return decorate_view(guard)(view)

    return mark


def _check_business(request: HttpRequest, grant: Grant, *, required: bool) -> None:
    named = request.headers.get("business_id") or request.META.get("HTTP_BUSINESS_ID", "")
    if named and named != grant.business.id:
        raise errors.business_mismatch()
    if required and not named:
        raise errors.invalid_parameters("business_id", "This header is required.", "missing")


def _check_wallet(request: HttpRequest, grant: Grant) -> None:
    """404 for a wallet in the header org_wallet_ref that is none of the business's, as for one in `accountref`."""
    named = request.headers.get("org_wallet_ref") or request.META.get("HTTP_ORG_WALLET_REF", "")
    if not named:
        return
    if not named.isprintable() or not any(has_wallet(grant.business.id, named) for has_wallet in _HAS_WALLET):
        raise errors.not_found("wallet")
