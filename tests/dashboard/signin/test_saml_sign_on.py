"""Single sign-on by SAML, by answers that are really signed: who is let in, with which role, and what comes with it."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils.encoding import iri_to_uri
from lxml import etree

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.single_sign_on.models import UsedAssertion
from tests.dashboard.pages.conftest import House
from tests.dashboard.signin.conftest import SamlSignOn, is_in, link_in, refused
from tests.saml_provider import PERSISTENT, AuthnRequest, SamlIdentityProvider

GROUPS = {"groups_claim": "groups", "ceiling": "APPROVER"}


def test_a_member_signs_in_and_the_audit_says_through_whom(saml: SamlSignOn) -> None:
    browser = Client()
    request = saml.begin(browser, next=saml.house.address("approvals/"))
    before = browser.session.session_key
    answer = saml.post(browser, saml.provider.signed(saml.provider.answer_to(request, saml.email("Apollo"))))
    assert (answer.status_code, answer["Location"]) == (302, saml.house.address("approvals/"))
    assert is_in(browser, saml.house)
    assert browser.session.session_key != before
    account = SocialAccount.objects.get(user=saml.house.people["Apollo"].user)
    assert (account.provider, account.uid) == (saml.slug, saml.email("Apollo"))
    assert set(account.extra_data["assertion"]) == {"iss", "sub", "email"}
    line = AuditEntry.objects.get(chain=saml.house.business.pk, sentence__startswith="signed Apollo in")
    assert line.actor_name == "Single sign-on"


def test_the_request_names_us_and_where_to_answer(saml: SamlSignOn) -> None:
    request = saml.begin(Client())
    assert request.consumer == f"http://testserver/-/account/saml/{saml.slug}/consumer/"
    assert request.entity_id == f"http://testserver/-/account/saml/{saml.slug}/metadata/"
    assert request.destination == saml.provider.sign_on_address
    assert not request.forces


@pytest.mark.parametrize("query", ["?tenant=1&app=2", "?q='\"<>&amp;", "?a=%26&b=%s"])
def test_a_sign_on_address_with_parameters_is_kept_as_it_is(saml: SamlSignOn, query: str) -> None:
    address = f"https://login.test/saml{query}"
    saml.change(sign_on_address=address)
    link = link_in(Client().post("/-/sign-on/", {"business": saml.slug}))
    assert link.startswith(f"{iri_to_uri(address)}&SAMLRequest=")
    assert AuthnRequest.of(link).destination == address


def test_our_metadata_says_the_same_and_asks_for_signed_assertions(saml: SamlSignOn) -> None:
    request = saml.begin(Client())
    answer = Client().get(request.entity_id.removeprefix("http://testserver"))
    root = etree.fromstring(answer.content)
    metadata = "{urn:oasis:names:tc:SAML:2.0:metadata}"
    assert root.get("entityID") == request.entity_id
    assert root.find(f"{metadata}SPSSODescriptor").get("WantAssertionsSigned") == "true"
    assert root.find(f".//{metadata}AssertionConsumerService").get("Location") == request.consumer
    assert Client().get("/-/account/saml/no-such-business/metadata/").status_code == 200


@pytest.mark.parametrize("attribute", ["email", "urn:oid:0.9.2342.19200300.100.1.3"])
def test_an_identity_that_is_no_address_stays_the_same_when_the_address_is_an_attribute(
    saml: SamlSignOn, attribute: str
) -> None:
    attributes = {attribute: [saml.email("Apollo")]}
    browser = Client()
    saml.through(browser, "Apollo", name_id="e3b0c442", name_format=PERSISTENT, attributes=attributes)
    assert is_in(browser, saml.house)
    assert SocialAccount.objects.get(provider=saml.slug).uid == "e3b0c442"


def test_of_an_attribute_that_is_named_in_the_settings_the_address_comes_alone(saml: SamlSignOn) -> None:
    saml.change(email_attribute="upn")
    browser = Client()
    refused(browser, saml.through(browser, "Apollo"), "does not name one email address")
    saml.through(browser, "Apollo", attributes={"upn": [saml.email("Apollo")], "email": [saml.email("Carla")]})
    assert is_in(browser, saml.house)


@pytest.mark.parametrize("attribute", ["email", "mail", "urn:oid:0.9.2342.19200300.100.1.3"])
def test_an_attribute_that_people_edit_does_not_outdo_a_name_id_that_is_an_address(
    saml: SamlSignOn, attribute: str
) -> None:
    browser = Client()
    edited = {attribute: [saml.email("Sam")]}
    refused(
        browser, saml.through(browser, "Carla", attributes=edited), "Its name id is one and an attribute is another"
    )
    assert not SocialAccount.objects.filter(provider=saml.slug).exists()
    saml.through(browser, "Carla", attributes={attribute: [saml.email("Carla").upper()]})
    assert is_in(browser, saml.house)


def test_a_group_gives_its_role(saml: SamlSignOn) -> None:
    saml.change(**GROUPS, group_roles={"reviewers": "REVIEWER"})
    browser = Client()
    saml.through(browser, "Carla", attributes={"groups": ["reviewers", "others"]})
    assert is_in(browser, saml.house)
    assert Membership.objects.get(pk=saml.house.people["Carla"].pk).role == "REVIEWER"


@pytest.mark.parametrize(
    ("roles", "groups", "sentence"),
    [
        ({"reviewers": "REVIEWER"}, ["unknown"], "None of your groups"),
        ({"reviewers": "REVIEWER"}, [], "None of your groups"),
        ({"reviewers": "REVIEWER", "staff": "CARD_USER"}, ["reviewers", "staff"], "give different roles"),
        ({"bosses": "ADMIN"}, ["bosses"], "above the most that a group can give"),
    ],
)
def test_an_unknown_group_and_a_role_above_the_ceiling_let_nobody_in(
    saml: SamlSignOn, roles: dict[str, str], groups: list[str], sentence: str
) -> None:
    saml.change(**GROUPS, group_roles=roles)
    browser = Client()
    refused(browser, saml.through(browser, "Carla", attributes={"groups": groups} if groups else {}), sentence)
    assert Membership.objects.get(pk=saml.house.people["Carla"].pk).role == "CARD_USER"
    assert AuditEntry.objects.filter(chain=saml.house.business.pk, outcome="DENIED", reason__contains=sentence).exists()


def test_who_is_suspended_is_let_in_no_more(saml: SamlSignOn) -> None:
    saml.through(Client(), "Apollo")
    Membership.objects.filter(pk=saml.house.people["Apollo"].pk).update(is_active=False)
    browser = Client()
    refused(browser, saml.through(browser, "Apollo"), "has this identity")


def test_whatever_relay_state_says_leads_nowhere(saml: SamlSignOn) -> None:
    for relay in ("https://elsewhere.test/", "//elsewhere.test/", "/-/you/"):
        browser = Client()
        encoded = saml.provider.signed(saml.provider.answer_to(saml.begin(browser), saml.email("Apollo")))
        assert saml.post(browser, encoded, RelayState=relay)["Location"] == "/"


def test_a_next_page_of_another_site_is_not_gone_to(saml: SamlSignOn) -> None:
    browser = Client()
    request = saml.begin(browser, next="https://elsewhere.test/")
    answer = saml.post(browser, saml.provider.signed(saml.provider.answer_to(request, saml.email("Apollo"))))
    assert answer["Location"] == "/"


def test_its_session_opens_that_business_alone(saml: SamlSignOn, new_house: Callable[..., House]) -> None:
    other = new_house()
    apollo = saml.house.people["Apollo"].user
    Membership.objects.create(user=apollo, business=other.business, role="APPROVER", employee_id="elsewhere")
    browser = Client()
    saml.through(browser, "Apollo")
    assert is_in(browser, saml.house)
    assert not is_in(browser, other)
    assert browser.get("/-/account/password/change/").status_code == 403


def test_verifying_again_asks_the_provider_to_ask_again(saml: SamlSignOn) -> None:
    browser = Client()
    saml.through(browser, "Sam")
    asked = browser.post(saml.house.address("settings/security/"), {"second_factor_roles": ["ADMIN"]})
    assert asked["Location"].startswith("/-/sign-on/verify/?next="), asked["Location"]
    old = AuthnRequest.of(link_in(browser.post("/-/sign-on/verify/", {"next": "/-/kept/"})))
    assert old.forces
    encoded = saml.provider.signed(saml.provider.answer_to(old, saml.email("Sam"), signed_in=-3600))
    assert saml.post(browser, encoded)["Location"] == "/"
    assert "did not ask you to sign in again" in browser.get("/", follow=True).content.decode()
    other = AuthnRequest.of(link_in(browser.post("/-/sign-on/verify/", {"next": "/-/kept/"})))
    encoded = saml.provider.signed(saml.provider.answer_to(other, saml.email("Selma")))
    assert saml.post(browser, encoded)["Location"] == "/"
    request = AuthnRequest.of(link_in(browser.post("/-/sign-on/verify/", {"next": "/-/kept/"})))
    encoded = saml.provider.signed(saml.provider.answer_to(request, saml.email("Sam")))
    assert saml.post(browser, encoded)["Location"] == "/-/kept/"
    saved = browser.post(saml.house.address("settings/security/"), {"second_factor_roles": ["ADMIN"]})
    assert saved["Location"] == saml.house.address("settings/security/")


def test_the_next_certificate_signs_before_the_old_one_goes(saml: SamlSignOn) -> None:
    rolled = SamlIdentityProvider(saml.provider.entity_id)
    browser = Client()
    request = saml.begin(browser)
    refused(
        browser,
        saml.post(browser, rolled.signed(rolled.answer_to(request, saml.email("Apollo")))),
        "not signed with the certificate",
    )
    saml.change(certificates=[saml.provider.certificate, rolled.certificate])
    for provider in (saml.provider, rolled):
        browser = Client()
        saml.post(browser, provider.signed(provider.answer_to(saml.begin(browser), saml.email("Apollo"))))
        assert is_in(browser, saml.house)


def test_what_has_been_used_is_noted_until_it_ends(saml: SamlSignOn) -> None:
    saml.through(Client(), "Apollo")
    used = UsedAssertion.objects.get(provider=saml.row)
    UsedAssertion.objects.filter(pk=used.pk).update(ends_at="2020-01-01T00:00:00Z")
    saml.through(Client(), "Carla")
    assert UsedAssertion.objects.filter(provider=saml.row).count() == 1


def test_a_web_process_starts_without_the_toolkit() -> None:
    program = (
        "import sys; from config.wsgi import dashboard; from django.urls import get_resolver; get_resolver().url_patterns;"
        "print(sorted({'xmlsec', 'onelogin', 'openpyxl'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip().endswith("[]"), done.stdout + done.stderr
