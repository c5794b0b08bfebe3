"""SAML with our own key: requests that are signed with it, and assertions that are encrypted to it, refused in words else."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import xmlsec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from django.test import Client
from lxml import etree

from dashboard.access.secrets import unseal
from dashboard.audit.models import AuditEntry
from dashboard.single_sign_on.own_key import make_own_key
from dashboard.single_sign_on.selectors import reseal_provider_secrets
from tests.dashboard.signin.conftest import SamlSignOn, is_in, link_in, refused
from tests.saml_provider import DS, SamlIdentityProvider, one

METADATA = "{urn:oasis:names:tc:SAML:2.0:metadata}"


def published(saml: SamlSignOn) -> dict[str | None, str]:
    """{use: certificate} of our metadata."""
    root = etree.fromstring(Client().get(f"/-/account/saml/{saml.slug}/metadata/").content)
    return {
        key.get("use"): "".join(str(key.find(f".//{{{DS}}}X509Certificate").text).split())
        for key in root.iter(f"{METADATA}KeyDescriptor")
    }


def encrypted(saml: SamlSignOn, browser: Client, **options: Any) -> Any:
    """From our form to the provider, and back with an answer that is encrypted to the certificate in our metadata."""
    request = saml.begin(browser)
    certificate = options.pop("certificate", None) or published(saml)["encryption"]
    answer = saml.provider.answer_to(request, saml.email("Apollo"))
    return saml.post(browser, options.pop("provider", saml.provider).encrypted(answer, certificate, **options))


def said(saml: SamlSignOn, sentence: str) -> None:
    lines = AuditEntry.objects.filter(chain=saml.house.business.pk, outcome="DENIED", reason__contains=sentence)
    assert lines.exists(), sentence


def test_our_metadata_has_the_certificate_of_our_key(keyed: SamlSignOn, pair: tuple[str, str]) -> None:
    assert published(keyed) == {"signing": pair[1], "encryption": pair[1]}


def test_a_request_is_signed_with_the_key_in_our_metadata(keyed: SamlSignOn) -> None:
    keyed.change(signs_requests=True, sign_on_address="https://login.test/saml?tenant=1&x=%26")
    link = link_in(Client().post("/-/sign-on/", {"business": keyed.slug, "next": "/-/you/"}))
    signed, _, signature = link.partition("?tenant=1&x=%26&")[2].partition("&Signature=")
    given = parse_qs(urlsplit(link).query)
    assert given["SigAlg"] == ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"]
    key = x509.load_der_x509_certificate(base64.b64decode(published(keyed)["signing"])).public_key()
    assert isinstance(key, rsa.RSAPublicKey)
    value = base64.b64decode(given["Signature"][0])
    assert signature
    key.verify(value, signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    with pytest.raises(InvalidSignature):
        key.verify(value, f"{signed}&more=1".encode(), padding.PKCS1v15(), hashes.SHA256())
    root = etree.fromstring(Client().get(f"/-/account/saml/{keyed.slug}/metadata/").content)
    assert root.find(f"{METADATA}SPSSODescriptor").get("AuthnRequestsSigned") == "true"


def test_without_it_a_request_is_not_signed(keyed: SamlSignOn) -> None:
    assert "Signature=" not in link_in(Client().post("/-/sign-on/", {"business": keyed.slug}))


@pytest.mark.parametrize(
    "options",
    [{}, {"data": xmlsec.constants.TransformAes256Gcm}, {"whole": True}],
    ids=["cbc", "gcm", "signed as a whole, too"],
)
def test_an_assertion_that_is_encrypted_to_our_key_signs_in(encrypting: SamlSignOn, options: dict[str, Any]) -> None:
    browser = Client()
    encrypted(encrypting, browser, **options)
    assert is_in(browser, encrypting.house)


def test_one_for_another_key_signs_nobody_in_and_is_in_the_audit(encrypting: SamlSignOn) -> None:
    browser, sentence = Client(), "its assertion is not encrypted for our key, or not signed as a whole"
    refused(browser, encrypted(encrypting, browser, certificate=make_own_key("other")[1]), sentence)
    said(encrypting, sentence)


def test_one_that_is_not_encrypted_is_refused_where_that_is_set_up(encrypting: SamlSignOn) -> None:
    browser, sentence = Client(), "its assertion is not encrypted, as your business has set up"
    refused(browser, encrypting.through(browser, "Apollo"), sentence)
    said(encrypting, sentence)


def test_and_an_encrypted_one_where_it_is_not(keyed: SamlSignOn) -> None:
    browser = Client()
    refused(browser, encrypted(keyed, browser), "The answer is encrypted.")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"is_signed": False}, "not encrypted for our key, or not signed as a whole"),
        ({"key": xmlsec.constants.TransformRsaPkcs1}, "its key by RSA-OAEP"),
        ({"provider": SamlIdentityProvider()}, "not encrypted for our key, or not signed as a whole"),
    ],
    ids=["encrypted and not signed", "by the older padding", "by a stranger who has our metadata"],
)
def test_encryption_stands_for_nothing_else(encrypting: SamlSignOn, options: dict[str, Any], sentence: str) -> None:
    browser = Client()
    refused(browser, encrypted(encrypting, browser, **options), sentence)
    said(encrypting, sentence)


def test_a_response_whose_signature_is_of_other_content_is_refused(encrypting: SamlSignOn) -> None:
    def forged(root: Any) -> None:
        one(root, "saml:Issuer").text = "https://login.test/metadata?"

    browser = Client()
    refused(browser, encrypted(encrypting, browser, whole=True, after=forged), "not signed with the certificate")


def test_a_second_assertion_beside_the_encrypted_one_is_refused(encrypting: SamlSignOn) -> None:
    def doubled(root: Any) -> None:
        root.append(etree.fromstring(etree.tostring(one(root, "saml:EncryptedAssertion"))))

    browser = Client()
    refused(browser, encrypted(encrypting, browser, after=doubled), "it must hold one assertion")


def test_the_same_assertion_signs_in_once_encrypted_anew_too(encrypting: SamlSignOn) -> None:
    browser, certificate = Client(), published(encrypting)["encryption"]
    answer = encrypting.provider.answer_to(encrypting.begin(browser), encrypting.email("Apollo"))
    encrypting.post(browser, encrypting.provider.encrypted(answer, certificate))
    assert is_in(browser, encrypting.house)
    again = Client()
    encrypting.begin(again)
    refused(again, encrypting.post(again, encrypting.provider.encrypted(answer, certificate)), "has been used already")


def test_our_key_is_sealed_anew_with_the_other_secrets(keyed: SamlSignOn, pair: tuple[str, str]) -> None:
    keyed.row.refresh_from_db()
    before = bytes(keyed.row.key_sealed)
    assert reseal_provider_secrets() >= 1
    keyed.row.refresh_from_db()
    assert bytes(keyed.row.key_sealed) != before
    assert unseal(keyed.row.key_sealed) == pair[0]
    assert b"PRIVATE" not in before
