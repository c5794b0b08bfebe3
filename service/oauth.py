"""The token endpoint (RFC 6749 client credentials, decisions B.5) on django-oauth-toolkit."""

import base64
import binascii
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_plus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST
from oauth2_provider.models import AccessToken
from oauth2_provider.oauth2_backends import OAuthLibCore
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.scopes import BaseScopes
from oauthlib.oauth2.rfc6749.endpoints.pre_configured import BackendApplicationServer

from service import errors, ratelimit
from service.businesses.models import Client
from service.businesses.secrets import random_secret
from service.respond import refuse
from service.scopes import SCOPES


class ClientScopes(BaseScopes):
    """What a client may ask for and what it gets unasked stand in its own row."""

    def get_all_scopes(self) -> dict[str, str]:
        """Every scope of the interface, with what it covers in words."""
        return SCOPES

    def get_available_scopes(self, application: Client | None = None, request: Any = None) -> list[str]:
        """The scopes that a client may ask for; none without a client."""
        return list(application.allowed_scopes) if application else []

    def get_default_scopes(self, application: Client | None = None, request: Any = None) -> list[str]:
        """The scopes of a token for which a client names none; none without a client."""
        return list(application.default_scopes) if application else []


class EitherSecret(OAuth2Validator):
    """Accepts the client's current secret and, during a rotation, the one before it."""

    def _load_application(self, client_id: str, request: Any) -> Client | None:
        # No client id holds NUL, and the database would refuse to look for one.
        client: Client | None = None if "\0" in (client_id or "") else self._load(client_id, request)
        return client

    def _load(self, client_id: str, request: Any) -> Client | None:
        client: Client | None = super()._load_application(client_id, request)  # type: ignore[no-untyped-call]
        return client

    def _authenticate_basic_auth(self, request: Any) -> bool:
        return self._with_either(request, super()._authenticate_basic_auth)

    def _authenticate_request_body(self, request: Any) -> bool:
        return self._with_either(request, super()._authenticate_request_body)

    def _with_either(self, request: Any, attempt: Callable[[Any], bool]) -> bool:
        if attempt(request):
            return True
        client = request.client
        if not isinstance(client, Client) or not client.second_secret:
            return False
        # In memory only: the row is never saved here.
        client.client_secret = client.second_secret
        return attempt(request)


def _opaque_token(request: object, refresh_token: bool = False) -> str:
    return random_secret("at_")


class ClientCredentialsServer(BackendApplicationServer):
    """Issues opaque tokens of 256 random bits, an hour long, without a refresh token."""

    def __init__(self, validator: OAuth2Validator, **options: Any) -> None:
        options["token_generator"] = _opaque_token
        super().__init__(validator, **options)  # type: ignore[no-untyped-call]


def revoke_tokens(client: Client) -> int:
    """Kills every live token of a client; how many there were."""
    return AccessToken.objects.filter(application=client).delete()[1].get(AccessToken._meta.label, 0)


_core: OAuthLibCore | None = None


def _oauth() -> OAuthLibCore:
    global _core
    if _core is None:
        _core = OAuthLibCore()
    return _core


def _claimed_client(request: HttpRequest) -> Client | None:
    """The client that the request says it is, before its secret was checked: for the rate limit alone."""
    scheme, _, encoded = request.headers.get("Authorization", "").partition(" ")
    claimed = _basic_user(encoded) if scheme.lower() == "basic" else request.POST.get("client_id", "")
    if not claimed or "\0" in claimed:
        return None
    return Client.objects.filter(client_id=claimed).first()


def _basic_user(encoded: str) -> str:
    try:
        return unquote_plus(base64.b64decode(encoded, validate=True).decode().partition(":")[0])
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _limited(request: HttpRequest) -> HttpResponse | None:
    client = _claimed_client(request)
    if client is None:
        return None
    try:
        ratelimit.spend_token(client.client_id, client.rate_plan)
    except errors.ServiceError as error:
        return refuse(request, error)
    return None


def _from_oauthlib(headers: dict[str, str], body: str | None, status: int) -> HttpResponse:
    response = HttpResponse(body or "", status=status, content_type="application/json")
    for name, value in (headers or {}).items():
        response[name] = value
    response["Cache-Control"] = "no-store"
    response["Pragma"] = "no-cache"
    return response


@csrf_exempt
@require_POST
@sensitive_post_parameters("client_secret")
def token(request: HttpRequest) -> HttpResponse:
    """POST /oauth/token: `{access_token, token_type, expires_in, scope}`, or RFC 6749 `{error, error_description}`."""
    refused = _limited(request)
    if refused:
        return refused
    _, headers, body, status = _oauth().create_token_response(request)
    return _from_oauthlib(headers, body, status)


@csrf_exempt
@require_POST
@sensitive_post_parameters("client_secret", "token")
def revoke(request: HttpRequest) -> HttpResponse:
    """POST /oauth/revoke (RFC 7009): 200 whether the token lived or not, as long as the client is who it says."""
    refused = _limited(request)
    if refused:
        return refused
    _, headers, body, status = _oauth().create_revocation_response(request)
    return _from_oauthlib(headers, body, status)


@require_GET
def metadata(request: HttpRequest) -> JsonResponse:
    """GET /.well-known/oauth-authorization-server (RFC 8414)."""
    base = request.build_absolute_uri("/").rstrip("/")
    return JsonResponse(
        {
            "issuer": base,
            "token_endpoint": f"{base}/oauth/token",
            "revocation_endpoint": f"{base}/oauth/revoke",
            "grant_types_supported": ["client_credentials"],
            "response_types_supported": [],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "scopes_supported": list(SCOPES),
            "service_documentation": f"{base}/v2/docs",
        }
    )
