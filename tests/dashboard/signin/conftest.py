"""The house of the pages' tests, an OpenID provider that runs beside them, and a SAML provider that signs."""

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
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.own_key import make_own_key
from tests.dashboard.pages.conftest import House, house, new_house
from tests.openid_provider.running import SECRET, OpenIdProvider
from tests.saml_provider import AuthnRequest, SamlIdentityProvider

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


def refused(browser: Client, answer: Any, sentence: str) -> None:
    """Sent back to where single sign-on begins, told why, and not signed in."""
    assert answer.status_code == 302, answer.content
    assert answer["Location"].startswith("/-/sign-on/?business="), answer["Location"]
    assert sentence in browser.get(answer["Location"]).content.decode()
    assert "_auth_user_id" not in browser.session


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


@dataclass
class SamlSignOn:
    """A house whose people sign in at a SAML provider, each under their address here."""

    house: House
    provider: SamlIdentityProvider
    row: IdentityProvider

    @property
    def slug(self) -> str:
        return str(self.house.business.slug)

    def email(self, name: str) -> str:
        return str(self.house.people[name].user.email)

    def change(self, **values: Any) -> None:
        IdentityProvider.objects.filter(pk=self.row.pk).update(**values)

    def begin(self, browser: Client, **form: str) -> AuthnRequest:
        """From our form to the request that the link to the provider carries."""
        return AuthnRequest.of(link_in(browser.post("/-/sign-on/", {"business": self.slug, **form})))

    def post(self, browser: Client, encoded: str, *, slug: str = "", **form: str) -> Any:
        """The provider's answer as a browser brings it: from another site, so without our session, then on with it."""
        crossing = Client()
        address = f"/-/account/saml/{slug or self.slug}/consumer/"
        answer = crossing.post(address, {"SAMLResponse": encoded, **form}, headers={"Sec-Fetch-Site": "cross-site"})
        assert "countersign_session" not in answer.cookies
        for name in answer.cookies:
            browser.cookies[name] = answer.cookies[name].value
        if answer.status_code == 302 and "/finish/" in answer["Location"]:
            return browser.get(answer["Location"])
        return answer

    def through(self, browser: Client, name: str, **changes: Any) -> Any:
        """From our form to the provider, and back with a good answer, changed as given."""
        request = self.begin(browser)
        return self.post(browser, self.provider.signed(self.provider.answer_to(request, self.email(name), **changes)))


@pytest.fixture(scope="session")
def saml_provider() -> SamlIdentityProvider:
    return SamlIdentityProvider()


@pytest.fixture
def saml(house: House, saml_provider: SamlIdentityProvider, settings: Any) -> SamlSignOn:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
        "login": "6000/m/ip", "saml_answer": "6000/m/ip", "saml_refused": "6000/h/key",
    }  # fmt: skip
    return SamlSignOn(house, saml_provider, saml_row(house, saml_provider))


def saml_row(house: House, provider: SamlIdentityProvider) -> IdentityProvider:
    """A house's connection to a SAML provider, switched on."""
    return IdentityProvider.objects.create(
        business=house.business, protocol=Protocol.SAML, is_on=True, name="Their provider", issuer=provider.entity_id,
        sign_on_address=provider.sign_on_address, certificates=[provider.certificate],
        email_domains=[f"{house.business.slug}.test"], changed_by=house.people["Sam"],
    )  # fmt: skip


@pytest.fixture(scope="session")
def pair() -> tuple[str, str]:
    """A key of ours at a provider (PEM) and its certificate (DER, base64)."""
    return make_own_key("acme")


@pytest.fixture
def keyed(saml: SamlSignOn, pair: tuple[str, str]) -> SamlSignOn:
    """A provider at which we have a key."""
    saml.change(key_sealed=seal(pair[0]), key_certificate=pair[1])
    return saml


@pytest.fixture
def encrypting(keyed: SamlSignOn) -> SamlSignOn:
    """Likewise, and assertions have to be encrypted to it."""
    keyed.change(requires_encryption=True)
    return keyed
