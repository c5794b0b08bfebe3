"""Whom a sign-out names, with the qualifiers of the name id, and where it is answered (SAML 2.0 Core 2.2.2 and 8.3, Metadata 2.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from tests.dashboard.signin.conftest import SamlSignOn, is_in, refused
from tests.dashboard.signin.test_saml_logout import LOGOUT, ended, link_of, logging_out
from tests.saml_provider import SAML
from tests.saml_provider.logout import is_signed_with, message_in

__all__ = ["logging_out"]

ANSWERS = "https://login.test/answers?tenant=1"
HERE = "https://login.test/metadata"


def named(saml: SamlSignOn, **attributes: str) -> Client:
    """A browser of Apollo's, signed in with a name id that has these attributes."""
    browser = Client()
    answer = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo"))
    saml.post(browser, saml.provider.signed(answer, before=with_attributes(**attributes)))
    return browser


def with_attributes(**attributes: str) -> Callable[[Any], None]:
    return lambda root: root.find(f".//{{{SAML}}}NameID").attrib.update(attributes)


def entity_id(saml: SamlSignOn) -> str:
    return f"http://testserver/-/account/saml/{saml.slug}/metadata/"


def filled(saml: SamlSignOn, attributes: dict[str, str]) -> dict[str, str]:
    return {name: value.replace("US", entity_id(saml)) for name, value in attributes.items()}


@pytest.mark.parametrize(
    ("signed_in", "signed_out", "ends"),
    [
        ({}, {}, True),
        ({"NameQualifier": HERE, "SPNameQualifier": "US"}, {}, True),
        ({}, {"NameQualifier": HERE, "SPNameQualifier": "US"}, True),
        ({}, {"NameQualifier": ""}, True),
        ({"NameQualifier": "urn:upstream:a"}, {"NameQualifier": "urn:upstream:a"}, True),
        ({"SPNameQualifier": "urn:affiliation"}, {"SPNameQualifier": "urn:affiliation", "NameQualifier": HERE}, True),
        ({}, {"NameQualifier": "urn:upstream:b"}, False),
        ({"NameQualifier": "urn:upstream:a"}, {"NameQualifier": "urn:upstream:b"}, False),
        ({"NameQualifier": "urn:upstream:a"}, {}, False),
        ({}, {"SPNameQualifier": "https://other.test/"}, False),
        ({"SPNameQualifier": "urn:affiliation"}, {}, False),
        ({}, {"NameQualifier": "a" * 1025}, False),
    ],
)
def test_a_sign_out_ends_the_sessions_of_whom_it_names_in_the_same_name_space(
    logging_out: SamlSignOn, signed_in: dict[str, str], signed_out: dict[str, str], *, ends: bool
) -> None:
    browser = named(logging_out, **filled(logging_out, signed_in))
    assert is_in(browser, logging_out.house)
    ended(logging_out, attributes=filled(logging_out, signed_out))
    assert is_in(browser, logging_out.house) is not ends


@pytest.mark.parametrize(
    "attributes",
    [{}, {"NameQualifier": HERE, "SPNameQualifier": "US"}, {"NameQualifier": "urn:upstream:a&amp;b"}],
    ids=["none", "ours", "of somebody else"],
)
def test_our_sign_out_names_them_as_the_assertion_did(logging_out: SamlSignOn, attributes: dict[str, str]) -> None:
    given = filled(logging_out, attributes)
    browser = named(logging_out, **given)
    where = browser.post("/-/account/logout/")["Location"]
    root, _ = message_in(link_of(browser.get(where)))
    name = root.find(f"{{{SAML}}}NameID")
    assert name.text == logging_out.email("Apollo")
    assert {key: value for key, value in name.attrib.items() if key != "Format"} == given


def test_the_same_value_in_another_name_space_is_somebody_else(logging_out: SamlSignOn) -> None:
    """A proxy of providers qualifies what each of them calls its people: two of the same name are two identities."""
    attributes = {"email": [logging_out.email("Apollo")]}
    uids = set()
    for qualifier in ("", "urn:upstream:a", "urn:upstream:b"):
        browser = Client()
        answer = logging_out.provider.answer_to(
            logging_out.begin(browser), "42", name_format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
            name_id="42", attributes=attributes,
        )  # fmt: skip
        before = with_attributes(NameQualifier=qualifier)
        logging_out.post(browser, logging_out.provider.signed(answer, before=before))
        uids |= set(SocialAccount.objects.filter(provider=logging_out.slug).values_list("uid", flat=True))
        SocialAccount.objects.filter(provider=logging_out.slug).delete()
    assert len(uids) == 3
    assert "42" in uids


def test_a_qualifier_that_is_longer_than_any_entity_id_signs_nobody_in(logging_out: SamlSignOn) -> None:
    browser = Client()
    answer = logging_out.provider.answer_to(logging_out.begin(browser), logging_out.email("Apollo"))
    before = with_attributes(NameQualifier="a" * 1025)
    answered = logging_out.post(browser, logging_out.provider.signed(answer, before=before))
    refused(browser, answered, "does not say who you are")


def test_a_sign_out_is_answered_where_the_provider_says_and_ours_goes_to_where_it_signs_out(
    logging_out: SamlSignOn, pair: tuple[str, str]
) -> None:
    logging_out.change(logout_response_address=ANSWERS)
    browser = named(logging_out)
    where = browser.post("/-/account/logout/")["Location"]
    link = link_of(browser.get(where))
    assert link.startswith(f"{LOGOUT}&SAMLRequest=")
    assert message_in(link)[0].get("Destination") == LOGOUT
    named(logging_out)
    location = ended(logging_out)["Location"]
    assert location.startswith(f"{ANSWERS}&SAMLResponse=")
    assert message_in(location)[0].get("Destination") == ANSWERS
    assert is_signed_with(location, pair[1])
