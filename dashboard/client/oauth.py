"""The client credentials grant (RFC 6749, section 4.4), fetched by requests-oauthlib within our limits of time and place."""

import io
from collections.abc import Mapping
from typing import Any

import requests
from oauthlib.oauth2.rfc6749.clients.backend_application import BackendApplicationClient
from requests_oauthlib.oauth2_session import OAuth2Session

from dashboard.client.http import Deadline
from dashboard.client.transport import CONNECT_S, read_whole, session_for
from dashboard.errors import AuthFailed, Unavailable

FETCH_S = 5.0


class TokenSession(OAuth2Session):
    """Asks one token endpoint: by the connections of its address, without what the environment says of proxies,
    following nobody elsewhere, and until the deadline even where an answer drips."""

    def __init__(self, base_url: str, client_id: str, deadline: Deadline) -> None:
        super().__init__(client=BackendApplicationClient(client_id=client_id))  # type: ignore[no-untyped-call]
        self.base_url, self.deadline = base_url, deadline
        self.trust_env = False
        for prefix, adapter in session_for(base_url).adapters.items():
            self.mount(prefix, adapter)
        self.register_compliance_hook("access_token_response", _accepted)  # type: ignore[no-untyped-call]

    def grant(self, secret: str) -> Mapping[str, Any]:
        """The endpoint's answer: `access_token`, `expires_in` in seconds, `scope` as a list.

        Raises AuthFailed where the account is refused, Unavailable for any other answer than 200, OAuth2Error for one
        that is no token, Truncated and requests' errors where no whole answer came.
        """
        within = max(0.01, min(CONNECT_S, self.deadline.left)), max(0.01, min(FETCH_S, self.deadline.left))
        address, auth = f"{self.base_url}/oauth/token", (self.client_id, secret)
        granted: Mapping[str, Any] = self.fetch_token(address, auth=auth, timeout=within)  # type: ignore[no-untyped-call]
        return granted

    def request(self, *given: Any, **named: Any) -> requests.Response:
        """Reads the body by pieces, so that the library finds it whole."""
        named |= {"allow_redirects": False, "stream": True}
        response: requests.Response = super().request(*given, **named)  # type: ignore[no-untyped-call]
        with response:
            body = read_whole(response, self.deadline)
        response.raw = io.BytesIO(body)
        return response


def _accepted(response: requests.Response) -> requests.Response:
    if response.status_code in {400, 401, 403}:
        raise AuthFailed(code="token_refused", upstream_status=response.status_code)
    if response.status_code != 200:
        raise Unavailable(code="token", upstream_status=response.status_code)
    return response
