"""allauth's OpenID Connect with what we ask of it besides: nonce, issuer, signature, and where the server may be led."""

import socket
import time
from typing import Any

import requests
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from dashboard.single_sign_on.address import AddressRefused, check_form, public_addresses
from dashboard.single_sign_on.models import IdentityProvider
from dashboard.single_sign_on.selectors import secret_of

PROVIDER = "openid_connect"
TIMEOUT_S = 5
# What an identity provider that does not answer, or answers something else than it should, makes allauth raise.
PROVIDER_ERRORS = (requests.RequestException, OAuth2Error, KeyError, TypeError, ValueError)


def _checked_socket(connection: HTTPConnection, scheme: str) -> socket.socket:
    """A socket to the connection's host, which is resolved once: what is checked is what is connected to. The name is still
    the one that is sent (SNI), and that the certificate has to bear."""
    trouble: OSError | None = None
    port = connection.port or 443
    for address in public_addresses(scheme, connection.host.strip("[]"), port):
        try:
            return socket.create_connection((str(address), port), TIMEOUT_S)
        except OSError as unreachable:
            trouble = unreachable
    raise NewConnectionError(connection, f"no connection to {connection.host}: {trouble}") from trouble


class _CheckedHTTP(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        return _checked_socket(self, "http")


class _CheckedHTTPS(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        return _checked_socket(self, "https")


class _HTTPPool(HTTPConnectionPool):
    ConnectionCls = _CheckedHTTP


class _HTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedHTTPS


class CheckedConnection(HTTPAdapter):
    """Sends nothing to an address that an identity provider may not have, and follows nobody elsewhere."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """requests' pools, with connections that are made to the addresses that were checked."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _HTTPPool, "https": _HTTPSPool}

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        """The answer; a RequestException for an address that is not called, and for a redirect."""
        try:
            check_form(request.url or "")
            response = super().send(request, *args, **(kwargs | {"timeout": TIMEOUT_S}))
        except AddressRefused as refused:
            raise requests.exceptions.InvalidURL(str(refused)) from None
        if response.is_redirect:
            raise requests.exceptions.TooManyRedirects("an identity provider answers at the address that it names")
        return response


class CheckedSession(requests.Session):
    """A session for requests to identity providers alone; no proxy and no .netrc of this machine."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        for scheme in ("https://", "http://"):
            self.mount(scheme, CheckedConnection())


def is_unreachable(exception: Exception | None) -> bool:
    """Whether the provider could not be called at all, so that trying again may help."""
    return isinstance(exception, requests.exceptions.ConnectionError | requests.exceptions.Timeout)


def app_of(provider: IdentityProvider) -> SocialApp:
    """What allauth knows an identity provider by; never stored."""
    return SocialApp(
        provider=PROVIDER,
        provider_id=provider.business.slug,
        name=provider.name,
        client_id=provider.client_id,
        secret=secret_of(provider),
        # The ID token says who it is; a second answer beside it would have to be compared with it.
        settings={"server_url": provider.issuer.rstrip("/"), "fetch_userinfo": False},
    )


class OpenIdAdapter(OpenIDConnectOAuth2Adapter):
    """The provider's configuration is of the issuer that was set up, and its ID token is signed by its published keys."""

    @property
    def openid_config(self) -> Any:
        """What the provider publishes of itself; OAuth2Error where that is another issuer's (OpenID Discovery 1.0, 4.3)."""
        config = super().openid_config
        issuer = self.get_provider().app.settings["server_url"]  # type: ignore[no-untyped-call]
        if str(config.get("issuer", "")).rstrip("/") != issuer:
            raise OAuth2Error("The identity provider names another issuer than the one that was set up.")
        return config

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        # allauth trusts TLS for a token that it fetched itself; we ask for the signature, too.
        self.did_fetch_access_token = False
        claims: dict[str, Any] = super()._decode_id_token(app, id_token)
        return claims


class OpenIdProvider(OpenIDConnectProvider):
    """Sends a nonce with each request and notes it, and when it was sent, beside allauth's own state and PKCE."""

    oauth2_adapter_class = OpenIdAdapter

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **kwargs: Any
    ) -> HttpResponse:
        """The redirect to the provider."""
        nonce = get_random_string(32)
        auth_params = kwargs.pop("auth_params", None) or self.get_auth_params()  # type: ignore[no-untyped-call]
        response: HttpResponse = super().redirect(
            request, process, next_url, data, auth_params={**auth_params, "nonce": nonce}, nonce=nonce,
            sent_at=time.time(), **kwargs,
        )  # fmt: skip
        return response
