"""Single logout by SAML: begun at the provider and begun here; what is forged, replayed or stale ends no session."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from dashboard.audit.models import AuditEntry
from tests.dashboard.pages.conftest import House
from tests.dashboard.signin.conftest import SamlSignOn, is_in
from tests.saml_provider import EMAIL_FORMAT, SAML, SamlIdentityProvider
from tests.saml_provider.logout import is_signed_with, logout_request, logout_response, message_in, query_of

LOGOUT = "https://login.test/logout?tenant=1"


@pytest.fixture
def logging_out(keyed: SamlSignOn) -> SamlSignOn:
    keyed.change(logout_address=LOGOUT)
    return keyed


def ours(saml: SamlSignOn) -> str:
    return f"http://testserver/-/account/saml/{saml.slug}/logout/"


def entered(saml: SamlSignOn, name: str = "Apollo") -> Client:
    """Somebody's browser, signed in through the provider."""
    browser = Client()
    saml.through(browser, name)
    assert is_in(browser, saml.house)
    return browser


def brought(saml: SamlSignOn, query: str) -> Any:
    """A message as it comes in a frame: without any session of ours."""
    return Client().get(f"/-/account/saml/{saml.slug}/logout/?{query}")


def ended(saml: SamlSignOn, name: str = "Apollo", **changes: Any) -> Any:
    text = logout_request(saml.provider, saml.email(name), changes.pop("destination", ours(saml)), **changes)
    return brought(saml, query_of(saml.provider, text, relay_state="r1"))


def refused(saml: SamlSignOn, answer: Any, sentence: str) -> None:
    """Led back to where single sign-on begins, nothing ended, and the audit says why."""
    assert answer.status_code == 302
    assert answer["Location"].startswith("/-/sign-on/?business="), answer["Location"]
    lines = AuditEntry.objects.filter(chain=saml.house.business.pk, outcome="DENIED", reason__contains=sentence)
    assert lines.exists(), sentence


def link_of(answer: Any) -> str:
    """Where the page leads that signs out at the provider, too."""
    shown = answer.content.decode()
    found = re.search(r'rel="noreferrer" href="([^"]+)"', shown)
    assert found, shown
    return unescape(found[1])


def test_a_sign_out_at_the_provider_ends_the_sessions_that_came_through_it_and_is_answered(
    logging_out: SamlSignOn, pair: tuple[str, str]
) -> None:
    browser, other = entered(logging_out), entered(logging_out, "Carla")
    by_password = logging_out.house.browser("Apollo")
    assert is_in(by_password, logging_out.house)
    answer = ended(logging_out)
    assert not is_in(browser, logging_out.house)
    assert is_in(other, logging_out.house)
    assert is_in(by_password, logging_out.house)
    assert answer["Location"].startswith(f"{LOGOUT}&SAMLResponse=")
    root, fields = message_in(answer["Location"])
    assert root.get("Destination") == LOGOUT
    assert root.find(f"{{{SAML}}}Issuer").text == f"http://testserver/-/account/saml/{logging_out.slug}/metadata/"
    assert "status:Success" in str(root.find(".//{*}StatusCode").get("Value"))
    assert fields["RelayState"] == ["r1"]
    assert is_signed_with(answer["Location"], pair[1])
    line = AuditEntry.objects.get(chain=logging_out.house.business.pk, sentence__contains="out, as Their provider says")
    assert line.sentence.endswith(": 1 session ended")


def test_of_a_session_that_it_names_the_others_go_on(logging_out: SamlSignOn) -> None:
    browsers = {}
    for index in ("s1", "s2"):
        browsers[index] = browser = Client()
        answer = logging_out.provider.answer_to(logging_out.begin(browser), logging_out.email("Apollo"))
        encoded = logging_out.provider.signed(answer, before=lambda root, index=index: with_index(root, index))
        logging_out.post(browser, encoded)
    ended(logging_out, index="s1")
    assert not is_in(browsers["s1"], logging_out.house)
    assert is_in(browsers["s2"], logging_out.house)


def with_index(root: Any, index: str) -> None:
    root.find(f".//{{{SAML}}}AuthnStatement").set("SessionIndex", index)


def test_a_replayed_one_ends_nothing_again(logging_out: SamlSignOn) -> None:
    text = logout_request(logging_out.provider, logging_out.email("Apollo"), ours(logging_out))
    query = query_of(logging_out.provider, text)
    brought(logging_out, query)
    browser = entered(logging_out)
    refused(logging_out, brought(logging_out, query), "The sign-out has been used already")
    assert is_in(browser, logging_out.house)
    # The same message signed anew is the same message.
    refused(logging_out, brought(logging_out, query_of(logging_out.provider, text, relay_state="x")), "used already")
    assert is_in(browser, logging_out.house)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"issued": -3600}, "has expired, or is not valid yet"),
        ({"issued": 3600}, "has expired, or is not valid yet"),
        ({"issuer": "https://elsewhere.test/"}, "of another identity provider"),
        ({"destination": "https://elsewhere.test/"}, "addressed to another page"),
        ({"destination": "http://testserver/"}, "addressed to another page"),
    ],
)
def test_what_is_stale_or_for_somebody_else_ends_nothing(
    logging_out: SamlSignOn, changes: dict[str, Any], sentence: str
) -> None:
    browser = entered(logging_out)
    refused(logging_out, ended(logging_out, **changes), sentence)
    assert is_in(browser, logging_out.house)


def test_what_the_provider_has_not_signed_ends_nothing(logging_out: SamlSignOn) -> None:
    browser = entered(logging_out)
    text = logout_request(logging_out.provider, logging_out.email("Apollo"), ours(logging_out))
    refused(
        logging_out, brought(logging_out, query_of(logging_out.provider, text, is_signed=False)), "it is not signed."
    )
    forged = "not signed with the certificate that your business has set up"
    refused(logging_out, brought(logging_out, query_of(SamlIdentityProvider(), text)), forged)
    query = query_of(logging_out.provider, text, relay_state="one")
    refused(logging_out, brought(logging_out, query.replace("RelayState=one", "RelayState=two")), forged)
    weak = query.replace("rsa-sha256", "rsa-sha1").replace("2001%2F04%2Fxmldsig-more", "2000%2F09%2Fxmldsig")
    refused(logging_out, brought(logging_out, weak), forged)
    assert is_in(browser, logging_out.house)


@pytest.mark.parametrize(
    "query", ["", "SAMLRequest=", "SAMLRequest=a&SAMLResponse=b&Signature=c", "SAMLRequest=a&SAMLRequest=b&Signature=c"]
)
def test_what_is_no_message_is_said_to_be_none(logging_out: SamlSignOn, query: str) -> None:
    answer = brought(logging_out, query)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/-/sign-on/?business=")


def test_a_signed_message_that_grows_without_end_is_not_read(logging_out: SamlSignOn) -> None:
    text = logout_request(logging_out.provider, "a" * 5_000_000, ours(logging_out))
    refused(logging_out, brought(logging_out, query_of(logging_out.provider, text)), "larger than 32 KB")


def test_without_an_address_there_is_no_single_logout(saml: SamlSignOn) -> None:
    browser = entered(saml)
    answer = ended(saml)
    assert answer["Location"].startswith("/-/sign-on/?business=")
    assert is_in(browser, saml.house)
    assert browser.post("/-/account/logout/")["Location"] == "/-/account/login/"


def test_of_another_business_nothing_is_ended(logging_out: SamlSignOn, new_house: Callable[..., House]) -> None:
    browser, other = entered(logging_out), new_house()
    text = logout_request(logging_out.provider, logging_out.email("Apollo"), ours(logging_out))
    query = query_of(logging_out.provider, text)
    answer = Client().get(f"/-/account/saml/{other.business.slug}/logout/?{query}")
    assert answer["Location"].startswith("/-/sign-on/?business=")
    assert is_in(browser, logging_out.house)


def test_who_signs_out_here_is_led_to_sign_out_there_once(logging_out: SamlSignOn, pair: tuple[str, str]) -> None:
    browser = entered(logging_out)
    where = browser.post("/-/account/logout/")["Location"]
    assert where == f"/-/account/saml/{logging_out.slug}/sign-out/"
    assert "_auth_user_id" not in browser.session
    link = link_of(browser.get(where))
    assert link.startswith(f"{LOGOUT}&SAMLRequest=")
    root, _ = message_in(link)
    name = root.find(f"{{{SAML}}}NameID")
    assert (name.text, name.get("Format")) == (logging_out.email("Apollo"), EMAIL_FORMAT)
    assert root.get("Destination") == LOGOUT
    assert is_signed_with(link, pair[1])
    assert browser.get(where)["Location"] == "/-/account/login/", "once"
    for status, sentence in (
        ("Success", "You are signed out, at Their provider too."),
        ("Responder", "sign out there"),
    ):
        text = logout_response(
            logging_out.provider, root.get("ID"), ours(logging_out), f"urn:oasis:names:tc:SAML:2.0:status:{status}"
        )
        answer = browser.get(f"/-/account/saml/{logging_out.slug}/logout/?{query_of(logging_out.provider, text)}")
        assert answer["Location"] == "/-/account/login/"
        assert sentence in browser.get("/-/account/login/").content.decode()
        assert "_auth_user_id" not in browser.session


def test_who_came_by_password_only_signs_out_here(logging_out: SamlSignOn) -> None:
    browser = logging_out.house.browser("Apollo")
    assert browser.post("/-/account/logout/")["Location"] == "/-/account/login/"
    assert browser.get(f"/-/account/saml/{logging_out.slug}/sign-out/")["Location"] == "/-/account/login/"


def test_an_address_that_no_request_can_name_leads_back_to_the_sign_in(logging_out: SamlSignOn) -> None:
    browser = entered(logging_out)
    where = browser.post("/-/account/logout/")["Location"]
    # Such a one could be saved before the form refused it.
    logging_out.change(logout_address="https://-.test/logout")
    assert browser.get(where)["Location"] == "/-/account/login/"
    assert "sign out there" in browser.get("/-/account/login/").content.decode()


def test_the_audit_takes_only_so_many_replayed_ones(logging_out: SamlSignOn, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"saml_refused": "2/h/key"}
    text = logout_request(logging_out.provider, logging_out.email("Apollo"), ours(logging_out))
    query = query_of(logging_out.provider, text)
    for _ in range(6):
        brought(logging_out, query)
    lines = AuditEntry.objects.filter(chain=logging_out.house.business.pk, reason__contains="used already")
    assert lines.count() == 2


def test_noise_of_one_kind_takes_no_room_of_another_in_the_audit(logging_out: SamlSignOn, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"saml_refused": "2/h/key"}

    def lines(sentence: str) -> int:
        rows = AuditEntry.objects.filter(chain=logging_out.house.business.pk, outcome="DENIED")
        return rows.filter(reason__contains=sentence).count()

    text = logout_request(logging_out.provider, logging_out.email("Apollo"), ours(logging_out))
    query = query_of(logging_out.provider, text)
    for _ in range(4):
        # Strangers post answers and open addresses that nobody has signed, and one that somebody has seen.
        Client().post(f"/-/account/saml/{logging_out.slug}/consumer/", {"SAMLResponse": "AAAA"})
        brought(logging_out, query_of(logging_out.provider, text, is_signed=False))
        brought(logging_out, query)
        ended(logging_out, issued=-3600)
    assert (lines("The answer cannot be read"), lines("it is not signed.")) == (2, 2)
    assert lines("used already") + lines("has expired") == 2
    ended(logging_out, destination="https://elsewhere.test/")
    assert lines("addressed to another page") == 1, (
        "what the provider itself has sent to the wrong page is there all the same"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"destination": "https://elsewhere.test/", "issued": -3600},
        {"destination": "https://elsewhere.test/"},
        {"issuer": "https://elsewhere.test/"},
        {"name": ""},
        {"name": "a" * 5_000_000},
    ],
    ids=["old and elsewhere", "elsewhere", "another issuer", "no name", "unreadable"],
)
def test_a_refused_one_that_is_sent_again_takes_no_room_of_a_new_one(
    logging_out: SamlSignOn, settings: Any, changes: dict[str, Any]
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"saml_refused": "2/h/key"}

    def refused_lines() -> int:
        return AuditEntry.objects.filter(chain=logging_out.house.business.pk, outcome="DENIED").count()

    given = {"destination": ours(logging_out), "name": logging_out.email("Apollo")} | changes
    text = logout_request(logging_out.provider, given.pop("name"), given.pop("destination"), **given)
    for place in range(6):
        brought(logging_out, query_of(logging_out.provider, text, relay_state=f"r{place}"))
    before = refused_lines()
    # Two of the room of repeated ones, and one that was new where that is known.
    assert before in (2, 3)
    ended(logging_out, destination="https://another.test/")
    assert refused_lines() == before + 1, "a new one has room"


def test_an_old_one_is_said_to_be_old_whatever_else_is_wrong_with_it(logging_out: SamlSignOn) -> None:
    answer = ended(logging_out, destination="https://elsewhere.test/", issuer="https://another.test/", issued=-3600)
    refused(logging_out, answer, "has expired, or is not valid yet")


def test_a_session_whose_index_is_too_long_to_store_may_be_the_one_that_is_meant(logging_out: SamlSignOn) -> None:
    browser, index = Client(), "s" * 301
    answer = logging_out.provider.answer_to(logging_out.begin(browser), logging_out.email("Apollo"))
    logging_out.post(browser, logging_out.provider.signed(answer, before=lambda root: with_index(root, index)))
    assert is_in(browser, logging_out.house)
    ended(logging_out, index=index)
    assert not is_in(browser, logging_out.house)
