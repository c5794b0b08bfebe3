"""What a SAML answer may not be: each is refused in words, leaves a line in the audit, and signs nobody in."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
import xmlsec
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from lxml import etree

from dashboard.audit.models import AuditEntry
from tests.dashboard.pages.conftest import House
from tests.dashboard.signin.conftest import SamlSignOn, is_in, refused, saml_row
from tests.saml_provider import PROTOCOL, SAML, TRANSIENT, Element, SamlIdentityProvider, one, posted

FORGED = "not signed with the certificate"
WEAK = "not signed by RSA or ECDSA with SHA-256 or better"
UNSIGNED = "its assertion is not signed"


def check_refused(saml: SamlSignOn, browser: Client, encoded: str, sentence: str) -> None:
    """Refused with the sentence; the audit has it too, nobody is signed in, and nothing is linked."""
    lines = AuditEntry.objects.filter(chain=saml.house.business.pk, outcome="DENIED", actor_name="Single sign-on")
    before = lines.count()
    refused(browser, saml.post(browser, encoded), sentence)
    assert lines.count() == before + 1
    assert sentence in lines.latest("pk").reason
    assert not is_in(browser, saml.house)
    assert not SocialAccount.objects.filter(provider=saml.slug).exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"audience": "https://another.test/metadata"}, "meant for another application"),
        ({"audience": None}, "meant for another application"),
        ({"recipient": "http://testserver/-/account/saml/another/consumer/"}, "addressed to another page"),
        ({"recipient": None}, "addressed to another page"),
        ({"destination": "https://another.test/consumer/"}, "addressed to another page"),
        ({"ends_in": -1}, "has expired"),
        ({"ends_in": None}, "does not say an end within a day"),
        ({"ends_in": 100 * 3600}, "does not say an end within a day"),
        ({"begins_in": 3600}, "not valid yet"),
        ({"issuer": "https://another.test/metadata"}, "another identity provider"),
        ({"in_response_to": None}, "began this sign-in by itself"),
        ({"in_response_to": "_of-somebody-else"}, "belongs to another sign-in"),
        ({"name_format": TRANSIENT}, "does not say who you are"),
        ({"name_id": " "}, "does not say who you are"),
        ({"name_id": "a" * 300}, "does not say who you are"),
        ({"name_id": "apollo", "name_format": "urn:x"}, "does not name one email address"),
        ({"attributes": {"email": ["a@b.test", "c@b.test"]}}, "does not name one email address"),
        ({"name_id": "apollo@elsewhere.test"}, "does not allow addresses of elsewhere.test"),
        ({"status": "urn:oasis:names:tc:SAML:2.0:status:Responder"}, "did not sign you in"),
    ],
)
def test_an_answer_that_says_something_else_opens_nothing(
    saml: SamlSignOn, changes: dict[str, Any], sentence: str
) -> None:
    browser = Client()
    request = saml.begin(browser)
    answer = saml.provider.answer_to(request, saml.email("Apollo"), **changes)
    check_refused(saml, browser, saml.provider.signed(answer), sentence)


def test_unsigned_signed_by_another_and_changed_after_are_refused(saml: SamlSignOn) -> None:
    browser, thief = Client(), SamlIdentityProvider(saml.provider.entity_id)

    def answer() -> Any:
        return saml.provider.answer_to(saml.begin(browser), saml.email("Apollo"))

    def becomes(root: Element) -> None:
        one(root, ".//saml:NameID").text = saml.email("Sam")

    check_refused(saml, browser, posted(answer().tree()), UNSIGNED)
    check_refused(saml, browser, thief.signed(answer()), FORGED)
    check_refused(saml, browser, saml.provider.signed(answer(), after=becomes), FORGED)


def test_a_response_that_answers_another_request_than_its_assertion_is_refused(saml: SamlSignOn) -> None:
    browser = Client()
    answer = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo"))
    encoded = saml.provider.signed(answer, after=lambda root: root.set("InResponseTo", "_another"))
    check_refused(saml, browser, encoded, "not valid SAML")


def test_a_response_that_is_signed_around_an_assertion_that_is_not(saml: SamlSignOn) -> None:
    browser = Client()
    root = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo")).tree()
    saml.provider.sign(root)
    check_refused(saml, browser, posted(root), UNSIGNED)


@pytest.mark.parametrize(
    "methods",
    [
        {"method": xmlsec.constants.TransformRsaSha1},
        {"digest": xmlsec.constants.TransformSha1},
        {"method": xmlsec.constants.TransformRsaSha224},
        {"canonical": xmlsec.constants.TransformInclC14N},
    ],
    ids=["rsa-sha1", "a digest by sha1", "rsa-sha224", "inclusive"],
)
def test_a_weak_signature_is_not_believed(saml: SamlSignOn, methods: dict[str, Any]) -> None:
    browser = Client()
    root = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo")).tree()
    saml.provider.sign(one(root, "saml:Assertion"), **methods)
    check_refused(saml, browser, posted(root), WEAK)


def test_nor_is_one_by_a_curve_with_sha1(saml: SamlSignOn) -> None:
    browser, curve = (
        Client(),
        SamlIdentityProvider(saml.provider.entity_id, key=ec.generate_private_key(ec.SECP256R1())),
    )
    saml.change(certificates=[curve.certificate])

    def signed(method: Any) -> str:
        root = curve.answer_to(saml.begin(browser), saml.email("Apollo")).tree()
        curve.sign(one(root, "saml:Assertion"), method=method)
        return posted(root)

    check_refused(saml, browser, signed(xmlsec.constants.TransformEcdsaSha1), WEAK)
    assert saml.post(browser, signed(xmlsec.constants.TransformEcdsaSha256))["Location"] == "/"
    assert is_in(browser, saml.house)


@pytest.mark.parametrize(
    ("encoded", "sentence"),
    [
        ("", "cannot be read"),
        ("not base64!", "cannot be read"),
        ("AAAA", "cannot be read"),
        (base64.b64encode(b"\0" * 64).decode(), "cannot be read"),
        (base64.b64encode(b"<a" + b"/>").decode(), "not valid SAML"),
        (base64.b64encode(b"<a>" * 400 + b"</a>" * 400).decode(), "nested too deep"),
        (base64.b64encode(b"<a>" + b"b" * 300_000 + b"</a>").decode(), "larger than 256 KB"),
        ("A" * 2_000_000, "larger than 256 KB"),
        (base64.b64encode(f'<p:Response xmlns:p="{PROTOCOL}"/>'.encode()).decode(), "did not sign you in"),
        (
            base64.b64encode(
                f'<p:Response xmlns:p="{PROTOCOL}" xmlns:s="{SAML}"><s:EncryptedAssertion/></p:Response>'.encode()
            ).decode(),
            "is encrypted",
        ),
    ],
)
def test_whatever_a_stranger_posts_is_answered_in_words(saml: SamlSignOn, encoded: str, sentence: str) -> None:
    check_refused(saml, Client(), encoded, sentence)


def test_what_is_larger_than_any_form_is_answered_without_a_look(saml: SamlSignOn) -> None:
    answer = saml.post(Client(), "A" * 4_000_000)
    assert answer.status_code in {400, 413}


def test_an_assertion_is_good_once(saml: SamlSignOn) -> None:
    browser = Client()
    request = saml.begin(browser)
    encoded = saml.provider.signed(saml.provider.answer_to(request, saml.email("Apollo")))
    assert saml.post(browser, encoded)["Location"] == "/"
    thief = Client()
    saml.begin(thief)
    refused(thief, saml.post(thief, encoded), "has been used already")
    # In another response, too: what counts is the assertion.
    root = etree.fromstring(base64.b64decode(encoded))
    root.set("ID", "_another")
    refused(thief, saml.post(thief, posted(root)), "has been used already")
    line = AuditEntry.objects.filter(chain=saml.house.business.pk, outcome="DENIED").latest("pk")
    assert "used already" in line.reason


def test_an_answer_to_another_browsers_request_is_refused_and_gone(saml: SamlSignOn) -> None:
    victim, thief = Client(), Client()
    encoded = saml.provider.signed(saml.provider.answer_to(saml.begin(thief), saml.email("Apollo")))
    saml.begin(victim)
    check_refused(saml, victim, encoded, "belongs to another sign-in")
    refused(thief, saml.post(thief, encoded), "has been used already")


def test_an_answer_is_finished_once_and_at_its_own_business(saml: SamlSignOn, new_house: Callable[..., House]) -> None:
    other, browser = new_house(), Client()
    saml_row(other, saml.provider)
    encoded = saml.provider.signed(saml.provider.answer_to(saml.begin(browser), saml.email("Apollo")))
    crossing = Client()
    answer = crossing.post(f"/-/account/saml/{saml.slug}/consumer/", {"SAMLResponse": encoded})
    cookie = answer.cookies["countersign_saml"]
    assert (cookie["path"], bool(cookie["httponly"]), cookie["samesite"]) == (answer["Location"], True, "Lax")
    browser.cookies["countersign_saml"] = cookie.value
    elsewhere = f"/-/account/saml/{other.business.slug}/finish/"
    refused(browser, browser.get(elsewhere), "belongs to another sign-in")
    browser.cookies["countersign_saml"] = cookie.value
    refused(browser, browser.get(answer["Location"]), "belongs to another sign-in")


def test_another_businesss_connection_lets_nobody_in_here(saml: SamlSignOn, new_house: Callable[..., House]) -> None:
    other, browser = new_house(), Client()
    theirs = SamlIdentityProvider("https://other.test/metadata")
    row = saml_row(other, theirs)
    # Their provider, which they run, says somebody of ours to their business, and to ours.
    there = SamlSignOn(other, theirs, row)
    request = there.begin(browser)
    stolen = theirs.signed(theirs.answer_to(request, saml.email("Apollo")))
    refused(browser, there.post(browser, stolen), "does not allow addresses")
    check_refused(saml, browser, stolen, FORGED)
    aimed = theirs.answer_to(saml.begin(browser), saml.email("Apollo"), issuer=saml.provider.entity_id)
    check_refused(saml, browser, theirs.signed(aimed), FORGED)
    # And where both have one provider, an answer to one is none to the other.
    row.certificates, row.issuer = [saml.provider.certificate], saml.provider.entity_id
    row.save()
    same = saml.provider.signed(saml.provider.answer_to(there.begin(browser), there.email("Apollo")))
    check_refused(saml, browser, same, "addressed to another page")


def test_a_provider_that_is_off_or_speaks_the_other_protocol_lets_nobody_in(saml: SamlSignOn) -> None:
    browser = Client()
    encoded = saml.provider.signed(saml.provider.answer_to(saml.begin(browser), saml.email("Apollo")))
    saml.change(is_on=False)
    refused(browser, saml.post(browser, encoded), "Single sign-on is off")
    saml.change(is_on=True, protocol="OIDC")
    refused(browser, saml.post(browser, encoded), "Single sign-on is off")
    saml.change(protocol="SAML")
    assert Client().get(f"/-/account/oidc/{saml.slug}/login/callback/?code=1&state=2").status_code == 404
    assert Client().get(f"/-/account/saml/{saml.slug}/consumer/").status_code == 405


def test_who_posts_too_often_is_told_so(saml: SamlSignOn, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"saml_answer": "1/m/ip"}
    browser = Client(REMOTE_ADDR="192.0.2.77")
    answers = [browser.post(f"/-/account/saml/{saml.slug}/consumer/", {"SAMLResponse": "x"}) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {302}
    assert "Too many attempts" in browser.get(answers[-1]["Location"]).content.decode()


def of_stray_answers(saml: SamlSignOn) -> list[AuditEntry]:
    lines = AuditEntry.objects.filter(chain=saml.house.business.pk, outcome="DENIED").order_by("pk")
    return [line for line in lines if "not known to be the identity provider's" in line.sentence]


@pytest.mark.parametrize(
    "changes", [{"in_response_to": None}, {"recipient": "https://another.test/"}, {"ends_in": -1}, {"audience": None}]
)
def test_nothing_is_said_of_what_an_unsigned_answer_says(saml: SamlSignOn, changes: dict[str, Any]) -> None:
    thief = SamlIdentityProvider(saml.provider.entity_id)
    answer = thief.answer_to(saml.begin(Client()), saml.email("Apollo"), **changes)
    check_refused(saml, Client(), thief.signed(answer), FORGED)
    check_refused(saml, Client(), posted(answer.tree()), UNSIGNED)
    assert len(of_stray_answers(saml)) == 2
    check_refused(saml, Client(), saml.provider.signed(answer), "")
    assert len(of_stray_answers(saml)) == 2


def test_a_stranger_fills_no_audit_and_hides_no_refusal_of_the_provider(saml: SamlSignOn, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"saml_refused": "2/h/key"}
    for place in range(5):
        stranger = Client(REMOTE_ADDR=f"192.0.2.{place}")
        refused(stranger, saml.post(stranger, "AAAA"), "cannot be read")
    assert len(of_stray_answers(saml)) == 2
    browser = Client()
    answer = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo"), audience=None)
    check_refused(saml, browser, saml.provider.signed(answer), "meant for another application")
