"""The client credentials grant (RFC 6749, section 4.4), fetched by requests-oauthlib within our limits of time and place."""

import io
from collections.abc import Mapping
from typing import Any

import requests
from oauthlib.oauth2.rfc6749.clients.backend_application import BackendApplicationClient
from requests_oauthlib.oauth2_session import OAuth2Session

from dashboard.client.http import Deadline
from dashboard.client.sessions import session_for
from dashboard.client.transport import CONNECT_S, read_body
from dashboard.errors import AuthFailed, Unavailable

FETCH_S = 5.0


def fetch_grant(base_url: str, client_id: str, secret: str, deadline: Deadline) -> Mapping[str, Any]:
    """The token endpoint's answer: `access_token`, `expires_in` in seconds, `scope` as a list.

    Raises AuthFailed where the account is refused, Unavailable for any other answer than 200, OAuth2Error for one that
    is no token, Truncated and requests' errors where no whole answer came before the deadline.
    """
    session = OAuth2Session(client=BackendApplicationClient(client_id=client_id))
    # By the connections of this address alone, whatever the environment says of proxies.
    session.trust_env = False
    for prefix, adapter in session_for(base_url).adapters.items():
        session.mount(prefix, adapter)

    def read_in_time(response: requests.Response, **_: Any) -> requests.Response:
        # By pieces, for an answer may drip; the library then finds the body whole.
        with response:
            body = read_body(response, deadline)
        response.raw = io.BytesIO(body)
        return response

    session.hooks["response"].append(read_in_time)
    session.register_compliance_hook("access_token_request", _at_this_address_alone)
    session.register_compliance_hook("access_token_response", _refuse)
    within = max(0.01, min(CONNECT_S, deadline.left)), max(0.01, min(FETCH_S, deadline.left))
    granted: Mapping[str, Any] = session.fetch_token(
        f"{base_url}/oauth/token", auth=(client_id, secret), timeout=within
    )
    return granted


def _at_this_address_alone(
    address: str, headers: dict[str, str], options: dict[str, Any]
) -> tuple[str, dict[str, str], dict[str, Any]]:
    return address, headers, options | {"allow_redirects": False, "stream": True}


def _refuse(response: requests.Response) -> requests.Response:
    if response.status_code in {400, 401, 403}:
        raise AuthFailed(code="token_refused", upstream_status=response.status_code)
    if response.status_code != 200:
        raise Unavailable(code="token", upstream_status=response.status_code)
    return response
