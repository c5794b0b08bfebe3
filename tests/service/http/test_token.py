"""The token endpoint: who gets one, what it says, and how it dies (decisions B.5)."""

import base64
import hashlib
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from oauth2_provider.models import AccessToken

from service import auth
from service.businesses.models import Client
from service.oauth import revoke_tokens
from tests.service.house import House, code


def test_a_token_is_opaque_hashed_and_an_hour_long(house: House) -> None:
    answer = house.fetch_token()
    body = answer.json()
    assert answer.status_code == 200
    assert set(body) == {"access_token", "token_type", "expires_in", "scope"}
    assert (body["token_type"], body["expires_in"]) == ("Bearer", 3600)
    assert answer["Cache-Control"] == "no-store"
    stored = AccessToken.objects.filter(application=house.client).latest("id")
    assert stored.token == ""
    assert stored.token_checksum == hashlib.sha256(body["access_token"].encode()).hexdigest()


@pytest.mark.parametrize("address", ["/oauth/token", "/v2/oauth/token"])
def test_basic_credentials_work_at_both_addresses(house: House, address: str) -> None:
    basic = base64.b64encode(f"{house.client.client_id}:{house.opened.client_secret}".encode()).decode()
    answer = house.browser.post(
        address, {"grant_type": "client_credentials"}, headers={"Authorization": f"Basic {basic}"}
    )
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("form", "status", "error"),
    [
        ({"client_secret": "wrong"}, 401, "invalid_client"),
        ({"client_id": "nobody"}, 401, "invalid_client"),
        ({"client_id": "nul\0"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"grant_type": ""}, 400, "invalid_request"),
        ({"scope": "everything"}, 400, "invalid_scope"),
    ],
)
def test_refusals_are_those_of_the_rfc(house: House, form: dict[str, str], status: int, error: str) -> None:
    answer = house.fetch_token(**form)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert answer["Cache-Control"] == "no-store"


def test_a_token_has_the_scopes_that_were_asked_for_and_no_others(house: House) -> None:
    token = house.fetch_token(scope="expenses:read").json()
    assert token["scope"] == "expenses:read"
    headers = {"Authorization": f"Bearer {token['access_token']}"}
    answer = house.get("/categories", by=None, headers=headers)
    assert code(answer) == (403, "insufficient_scope")
    assert 'error="insufficient_scope"' in answer["WWW-Authenticate"]


def test_naming_a_person_needs_the_scope_for_it(house: House) -> None:
    token = house.fetch_token(scope="categories:read").json()["access_token"]
    answer = house.get("/categories", by="Ada", headers={"Authorization": f"Bearer {token}"})
    assert code(answer) == (403, "insufficient_scope")


def test_without_a_scope_the_client_gets_its_written_defaults(house: House) -> None:
    Client.objects.filter(pk=house.client.pk).update(default_scopes=["teams:read"])
    assert house.fetch_token().json()["scope"] == "teams:read"


def test_both_secrets_live_through_a_rotation_and_the_oldest_dies_at_the_next(house: House) -> None:
    first = house.opened.client_secret
    second = house.client.rotate_secret()
    assert house.fetch_token(client_secret=first).status_code == 200
    assert house.fetch_token(client_secret=second).status_code == 200
    third = house.client.rotate_secret()
    assert house.fetch_token(client_secret=first).status_code == 401
    assert house.fetch_token(client_secret=second).status_code == 200
    assert house.fetch_token(client_secret=third).status_code == 200


def test_no_secret_is_stored_readable(house: House) -> None:
    row = Client.objects.get(pk=house.client.pk)
    assert house.opened.client_secret not in row.client_secret
    assert row.client_secret.startswith("random_sha256$")


def test_revocation_kills_a_token_at_once_though_it_was_cached(house: House) -> None:
    assert house.get("/categories").status_code == 200
    answer = house.browser.post(
        "/oauth/revoke",
        {"token": house.token, "client_id": house.client.client_id, "client_secret": house.opened.client_secret},
    )
    assert answer.status_code == 200
    refused = house.get("/categories")
    assert code(refused) == (401, "token_invalid")
    assert refused["WWW-Authenticate"].endswith('error="invalid_token"')


def test_revoking_a_client_kills_all_its_tokens(house: House) -> None:
    assert house.get("/categories").status_code == 200
    assert revoke_tokens(house.client) == 1
    assert code(house.get("/categories")) == (401, "token_invalid")


def test_a_client_cannot_revoke_anothers_token(house: House, houses: Callable[..., House]) -> None:
    other = houses()
    other.browser.post(
        "/oauth/revoke",
        {"token": house.token, "client_id": other.client.client_id, "client_secret": other.opened.client_secret},
    )
    assert house.get("/categories").status_code == 200


def test_an_expired_token_says_so(house: House) -> None:
    token = house.token
    AccessToken.objects.filter(application=house.client).update(expires=timezone.now() - timedelta(seconds=1))
    auth._grants.clear()
    assert house.token == token
    assert code(house.get("/categories")) == (401, "token_expired")


@pytest.mark.parametrize("header", ["", "Basic abc", "Bearer", "Bearer  "])
def test_no_token_is_401_with_a_challenge(house: House, header: str) -> None:
    answer = house.get("/expenses", headers={"Authorization": header or None})
    assert code(answer) == (401, "token_missing")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_an_unknown_token_is_401_before_anything_else_is_looked_at(house: House) -> None:
    answer = house.get("/expenses?limit=0", headers={"Authorization": "Bearer at_nonsense"})
    assert code(answer) == (401, "token_invalid")


def test_the_metadata_names_the_endpoints(house: House) -> None:
    body = house.browser.get("/.well-known/oauth-authorization-server").json()
    assert body["token_endpoint"].endswith("/oauth/token")
    assert body["grant_types_supported"] == ["client_credentials"]
    assert "acting_employee" in body["scopes_supported"]
