"""A business whose identity provider comes by SCIM."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import email_validator
import pytest
from django.test import Client

from dashboard.access.models import Membership
from dashboard.scim.tokens import issue_token
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.pages.conftest import House, house, new_house

__all__ = ["house", "new_house"]

USER = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


@pytest.fixture(autouse=True)
def reserved_domains_are_addresses() -> Iterator[None]:
    """The cast has addresses under .test, which no mail is ever sent to."""
    email_validator.TEST_ENVIRONMENT = True
    yield
    email_validator.TEST_ENVIRONMENT = False


@dataclass
class Scim:
    """An identity provider that holds the token of a house."""

    house: House
    token: str

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        given = {"Authorization": f"Bearer {self.token}"} | headers
        return Client().generic(
            method, f"/-/scim/v2/{path}", content, content_type="application/scim+json", headers=given
        )  # fmt: skip

    def create(self, login: str, **attributes: Any) -> Any:
        return self.ask("POST", "Users", {"schemas": [USER], "userName": self.address(login)} | attributes)

    def patch(self, path: str, *operations: dict[str, Any]) -> Any:
        return self.ask("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)})

    def address(self, name: str) -> str:
        return f"{name}@{self.house.business.slug}.test"

    def id_of(self, name: str) -> str:
        return str(self.house.people[name].pk)

    def member(self, name: str) -> Membership:
        return Membership.objects.select_related("user").get(
            business=self.house.business, user__email=self.address(name)
        )

    def setting(self, **values: Any) -> None:
        IdentityProvider.objects.filter(business=self.house.business).update(**values)


@pytest.fixture
def scim(house: House) -> Scim:
    IdentityProvider.objects.create(
        business=house.business, name="Okta", issuer="https://okta.example", client_id="us",
        email_domains=[f"{house.business.slug}.test"], ceiling="APPROVER",
    )  # fmt: skip
    # The cast is no employee at a finance service here: what is sent there is looked at in test_at_the_service.py.
    Membership.objects.filter(business=house.business).exclude(pk=house.people["Sam"].pk).update(employee_id="")
    return Scim(house, issue_token(house.actor("Sam")))
