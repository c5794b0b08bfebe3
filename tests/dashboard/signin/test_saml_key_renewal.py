"""A renewed key of ours: both are published and decrypt, the one before signs until the new one is used; and metadata says
nothing of who has no SAML."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.test import Client
from django.utils import timezone
from lxml import etree

from dashboard.access.secrets import seal, unseal
from dashboard.proposals.own_key import change_own_key
from dashboard.single_sign_on.models import IdentityProvider
from dashboard.single_sign_on.selectors import reseal_provider_secrets
from tests.dashboard.signin.conftest import SamlSignOn, is_in, link_in, refused
from tests.dashboard.signin.test_saml_keys import METADATA, encrypted
from tests.dashboard.signin.test_saml_logout import LOGOUT, ended, entered
from tests.saml_provider import DS
from tests.saml_provider.logout import is_signed_with


def published(saml: SamlSignOn) -> list[tuple[str | None, str]]:
    """(use, certificate) of our metadata, in its order."""
    root = etree.fromstring(Client().get(f"/-/account/saml/{saml.slug}/metadata/").content)
    return [
        (key.get("use"), "".join(str(key.find(f".//{{{DS}}}X509Certificate").text).split()))
        for key in root.iter(f"{METADATA}KeyDescriptor")
    ]


def renewed(saml: SamlSignOn) -> str:
    """Renews the key; the certificate of the new one."""
    change_own_key(saml.house.actor("Sam"), removes=False, key="renew")
    saml.row.refresh_from_db()
    return str(saml.row.key_certificate)


def used(saml: SamlSignOn) -> None:
    """Uses the renewed key."""
    change_own_key(saml.house.actor("Sam"), removes=True, key="use")
    saml.row.refresh_from_db()


def test_both_certificates_are_published_until_the_renewed_key_is_used(
    keyed: SamlSignOn, pair: tuple[str, str]
) -> None:
    new, old = renewed(keyed), pair[1]
    assert new != old
    # What signs, and what can be encrypted to from now on, stands first.
    assert published(keyed) == [("signing", old), ("signing", new), ("encryption", new), ("encryption", old)]
    used(keyed)
    assert published(keyed) == [("signing", new), ("encryption", new)]


def request_of(saml: SamlSignOn) -> str:
    return link_in(Client().post("/-/sign-on/", {"business": saml.slug, "next": "/-/you/"}))


def sign_out_of(saml: SamlSignOn) -> str:
    """Our request to sign somebody out at the provider, who has signed out here."""
    browser = entered(saml)
    return link_in(browser.get(browser.post("/-/account/logout/")["Location"]))


def answer_of(saml: SamlSignOn) -> str:
    """Our answer to a sign-out that the provider has begun."""
    return str(ended(saml)["Location"])


@pytest.mark.parametrize("signed", [request_of, sign_out_of, answer_of])
def test_the_key_before_signs_until_the_renewed_one_is_used(
    keyed: SamlSignOn, pair: tuple[str, str], signed: Any
) -> None:
    keyed.change(signs_requests=True, logout_address=LOGOUT)
    new, old = renewed(keyed), pair[1]
    link = signed(keyed)
    assert is_signed_with(link, old)
    assert not is_signed_with(link, new)
    used(keyed)
    link = signed(keyed)
    assert is_signed_with(link, new)
    assert not is_signed_with(link, old)


def sealed_elsewhere(secret: str) -> bytes:
    """Sealed with a key that this installation does not have any more."""
    return Fernet(Fernet.generate_key()).encrypt(secret.encode())


def test_a_previous_key_that_cannot_be_unsealed_keeps_nobody_out(encrypting: SamlSignOn, pair: tuple[str, str]) -> None:
    new, old = renewed(encrypting), pair[1]
    encrypting.change(former_key_sealed=sealed_elsewhere(pair[0]), signs_requests=True)
    assert is_signed_with(request_of(encrypting), new)
    browser = Client()
    encrypted(encrypting, browser, certificate=new)
    assert is_in(browser, encrypting.house)
    browser = Client()
    answer = encrypted(encrypting, browser, certificate=old)
    refused(browser, answer, "its assertion is not encrypted for our key, or not signed as a whole")


def test_a_renewed_key_that_cannot_be_unsealed_keeps_nobody_out_whom_the_previous_one_lets_in(
    encrypting: SamlSignOn, pair: tuple[str, str]
) -> None:
    new, old = renewed(encrypting), pair[1]
    encrypting.change(key_sealed=sealed_elsewhere("another"))
    browser = Client()
    encrypted(encrypting, browser, certificate=old)
    assert is_in(browser, encrypting.house)
    browser = Client()
    answer = encrypted(encrypting, browser, certificate=new)
    refused(browser, answer, "its assertion is not encrypted for our key, or not signed as a whole")


def test_when_the_previous_key_last_opened_an_assertion_is_noted_once_an_hour(
    encrypting: SamlSignOn, pair: tuple[str, str]
) -> None:
    def opened_at(certificate: str, **options: Any) -> Any:
        encrypted(encrypting, Client(), certificate=certificate, **options)
        encrypting.row.refresh_from_db()
        return encrypting.row.former_key_opened_at

    new, old = renewed(encrypting), pair[1]
    assert opened_at(new) is None
    assert opened_at(old, is_signed=False) is None, "what a stranger encrypts to it says nothing of the provider"
    first = opened_at(old)
    assert timezone.now() - first < timedelta(minutes=1)
    assert opened_at(old) == first
    encrypting.change(former_key_opened_at=first - timedelta(hours=2))
    assert opened_at(new) == first - timedelta(hours=2)
    assert opened_at(old) > first
    change_own_key(encrypting.house.actor("Sam"), removes=True, key="use", is_confirmed=True)
    renewed(encrypting)
    assert encrypting.row.former_key_opened_at is None


@pytest.mark.parametrize("whole", [False, True], ids=["assertion", "signed as a whole, too"])
def test_what_is_encrypted_to_either_key_signs_in_and_to_a_removed_one_does_not(
    encrypting: SamlSignOn, pair: tuple[str, str], *, whole: bool
) -> None:
    new, old = renewed(encrypting), pair[1]
    for certificate in (old, new):
        browser = Client()
        encrypted(encrypting, browser, certificate=certificate, whole=whole)
        assert is_in(browser, encrypting.house)
    # A minute ago the provider still needed it.
    change_own_key(encrypting.house.actor("Sam"), removes=True, key="use", is_confirmed=True)
    browser = Client()
    encrypted(encrypting, browser, certificate=new, whole=whole)
    assert is_in(browser, encrypting.house)
    browser = Client()
    answer = encrypted(encrypting, browser, certificate=old, whole=whole)
    refused(browser, answer, "its assertion is not encrypted for our key, or not signed as a whole")


def test_the_key_before_is_sealed_anew_with_the_other_secrets(keyed: SamlSignOn) -> None:
    renewed(keyed)
    before = bytes(keyed.row.former_key_sealed)
    key = unseal(before)
    assert reseal_provider_secrets() >= 1
    keyed.row.refresh_from_db()
    assert bytes(keyed.row.former_key_sealed) != before
    assert unseal(keyed.row.former_key_sealed) == key


def test_metadata_of_a_business_without_saml_is_that_of_no_business(keyed: SamlSignOn, pair: tuple[str, str]) -> None:
    def metadata(slug: str) -> bytes:
        answer = Client().get(f"/-/account/saml/{slug}/metadata/")
        assert answer.status_code == 200
        content: bytes = answer.content.replace(slug.encode(), b"-")
        return content

    nobody = metadata("no-such-business")
    keyed.change(logout_address="https://login.test/logout", signs_requests=True)
    assert metadata(keyed.slug) != nobody
    # Its columns may still have what SAML has left behind, as an import or an earlier version wrote them.
    keyed.change(protocol="OIDC", former_key_sealed=seal(pair[0]), former_key_certificate=pair[1])
    assert metadata(keyed.slug) == nobody
    IdentityProvider.objects.filter(pk=keyed.row.pk).delete()
    assert metadata(keyed.slug) == nobody
