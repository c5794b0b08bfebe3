"""A renewed key of ours: both are published and decrypt, the new one signs; and metadata says nothing of who has no SAML."""

from __future__ import annotations

import pytest
from django.test import Client
from lxml import etree

from dashboard.access.secrets import seal
from dashboard.proposals.own_key import change_own_key
from dashboard.single_sign_on.models import IdentityProvider
from dashboard.single_sign_on.selectors import decryption_keys_of, reseal_provider_secrets
from tests.dashboard.signin.conftest import SamlSignOn, is_in, link_in, refused
from tests.dashboard.signin.test_saml_keys import METADATA, encrypted
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


def test_both_certificates_are_published_the_new_one_first_until_the_old_one_is_removed(
    keyed: SamlSignOn, pair: tuple[str, str]
) -> None:
    new, old = renewed(keyed), pair[1]
    assert new != old
    assert published(keyed) == [(use, own) for own in (new, old) for use in ("signing", "encryption")]
    change_own_key(keyed.house.actor("Sam"), removes=True, key="remove")
    assert published(keyed) == [("signing", new), ("encryption", new)]


def test_a_request_is_signed_with_the_new_key(keyed: SamlSignOn, pair: tuple[str, str]) -> None:
    new = renewed(keyed)
    keyed.change(signs_requests=True)
    link = link_in(Client().post("/-/sign-on/", {"business": keyed.slug, "next": "/-/you/"}))
    assert is_signed_with(link, new)
    assert not is_signed_with(link, pair[1])


@pytest.mark.parametrize("whole", [False, True], ids=["assertion", "signed as a whole, too"])
def test_what_is_encrypted_to_either_key_signs_in_and_to_a_removed_one_does_not(
    encrypting: SamlSignOn, pair: tuple[str, str], *, whole: bool
) -> None:
    new, old = renewed(encrypting), pair[1]
    for certificate in (old, new):
        browser = Client()
        encrypted(encrypting, browser, certificate=certificate, whole=whole)
        assert is_in(browser, encrypting.house)
    change_own_key(encrypting.house.actor("Sam"), removes=True, key="remove")
    browser = Client()
    encrypted(encrypting, browser, certificate=new, whole=whole)
    assert is_in(browser, encrypting.house)
    browser = Client()
    answer = encrypted(encrypting, browser, certificate=old, whole=whole)
    refused(browser, answer, "its assertion is not encrypted for our key, or not signed as a whole")


def test_the_key_before_is_sealed_anew_with_the_other_secrets(keyed: SamlSignOn) -> None:
    renewed(keyed)
    before, keys = bytes(keyed.row.former_key_sealed), decryption_keys_of(keyed.row)
    assert reseal_provider_secrets() >= 1
    keyed.row.refresh_from_db()
    assert bytes(keyed.row.former_key_sealed) != before
    assert decryption_keys_of(keyed.row) == keys


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
