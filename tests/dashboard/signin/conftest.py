"""The house of the pages' tests, and an OpenID provider that runs beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from dashboard.access.models import Business
from dashboard.access.secrets import seal
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.pages.conftest import House, house, new_house
from tests.openid_provider.running import SECRET, OpenIdProvider

__all__ = ["house", "new_house"]


@pytest.fixture(scope="session")
def running_provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIdProvider]:
    provider = OpenIdProvider(tmp_path_factory.mktemp("openid"))
    provider.start()
    yield provider
    provider.stop()


@dataclass
class SignOn:
    """A house whose people sign in at the provider, each under their address here."""

    house: House
    provider: OpenIdProvider
    row: IdentityProvider

    def person(self, name: str, **claims: Any) -> str:
        """Somebody at the provider with the address of one of the cast; the name to sign in with."""
        login = f"{name}-{self.house.business.slug}"
        email = self.house.people[name].user.email
        self.provider.set_up(people={login: {"email": email, "email_verified": True} | claims})
        return login

    def change(self, *, required: bool | None = None, **values: Any) -> None:
        IdentityProvider.objects.filter(pk=self.row.pk).update(**values)
        if required is not None:
            Business.objects.filter(pk=self.house.business.pk).update(requires_sign_on=required)

    def begin(self, browser: Client, typed: str = "", **form: str) -> str:
        """From our form to the link that leads to the provider."""
        answer = browser.post("/-/sign-on/", {"business": typed or self.house.business.slug, **form})
        return link_in(answer)

    def through(self, browser: Client, login: str, **form: str) -> Any:
        """From our form to the provider, and back to us as a browser comes."""
        return browser.get(path_of(self.provider.sign_in(self.begin(browser, **form), login)))


def link_in(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    link = re.search(r'rel="noreferrer" href="([^"]+)"', answer.content.decode())
    assert link, answer.content.decode()
    return unescape(link[1])


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


def is_in(browser: Client, house: House) -> bool:
    return browser.get(house.address()).status_code == 200


@pytest.fixture
def sign_on(house: House, running_provider: OpenIdProvider, settings: Any) -> SignOn:
    # All tests come from one address, and more often than a person does.
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login": "6000/m/ip"}
    slug = house.business.slug
    callback = f"http://testserver/-/account/oidc/{slug}/login/callback/"
    running_provider.set_up(client={"id": slug, "redirect": callback})
    row = IdentityProvider.objects.create(
        business=house.business, is_on=True, name="Their provider", issuer=running_provider.issuer, client_id=slug,
        client_secret_sealed=seal(SECRET), email_domains=[f"{slug}.test"], changed_by=house.people["Sam"],
    )  # fmt: skip
    return SignOn(house, running_provider, row)
