"""A signature that is there and does not sign what is read: wrapped, transformed, of the whole, cut by a comment."""

from __future__ import annotations

import base64
from collections.abc import Callable
from copy import deepcopy

import pytest
from django.test import Client
from lxml import etree

from tests.dashboard.signin.conftest import SamlSignOn
from tests.dashboard.signin.test_saml_refusals import check_refused
from tests.saml_provider import DS, PROTOCOL, Element, one

SHAPE = "it must hold one assertion, signed as a whole"


def forged_copy(root: Element, email: str) -> Element:
    """An assertion as the signed one, of somebody else and without its signature."""
    forged = deepcopy(one(root, "saml:Assertion"))
    forged.remove(one(forged, "ds:Signature"))
    one(forged, ".//saml:NameID").text = email
    return forged


def beside(root: Element, email: str, *, first: bool, same_id: bool = False) -> None:
    forged = forged_copy(root, email)
    if not same_id:
        forged.set("ID", "_forged")
    signed = one(root, "saml:Assertion")
    (signed.addprevious if first else signed.addnext)(forged)


def around(root: Element, email: str) -> None:
    """The signed one within the forged one, which bears the signature."""
    signed, forged = one(root, "saml:Assertion"), forged_copy(root, email)
    forged.set("ID", "_forged")
    root.replace(signed, forged)
    signature = one(signed, "ds:Signature")
    forged.insert(1, signature)
    etree.SubElement(signature, f"{{{DS}}}Object").append(signed)


def in_extensions(root: Element, email: str) -> None:
    """The signed one where nobody looks, the forged one in its place."""
    signed, forged = one(root, "saml:Assertion"), forged_copy(root, email)
    forged.set("ID", "_forged")
    root.replace(signed, forged)
    extensions = etree.Element(f"{{{PROTOCOL}}}Extensions")
    extensions.append(signed)
    root.insert(1, extensions)


def within(root: Element, email: str) -> None:
    """The forged one within the signed one."""
    one(root, ".//saml:Subject").append(forged_copy(root, email))


def moved_signature(root: Element, email: str) -> None:
    """One assertion alone: the forged one, with the signature of the one that is gone."""
    signed, forged = one(root, "saml:Assertion"), forged_copy(root, email)
    forged.set("ID", "_forged")
    forged.insert(1, one(signed, "ds:Signature"))
    root.replace(signed, forged)


WRAPPINGS: dict[str, Callable[[Element, str], None]] = {
    "a second assertion before": lambda root, email: beside(root, email, first=True),
    "a second assertion after": lambda root, email: beside(root, email, first=False),
    "two with one id": lambda root, email: beside(root, email, first=True, same_id=True),
    "the signed one in its object": around,
    "the signed one in extensions": in_extensions,
    "the forged one within": within,
    "a signature that was moved": moved_signature,
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_a_signature_that_is_wrapped_is_refused(saml: SamlSignOn, wrapping: str) -> None:
    browser = Client()
    answer = saml.provider.answer_to(saml.begin(browser), saml.email("Carla"))
    encoded = saml.provider.signed(answer, after=lambda root: WRAPPINGS[wrapping](root, saml.email("Sam")))
    check_refused(saml, browser, encoded, SHAPE)


@pytest.mark.parametrize(
    "algorithm", ["http://www.w3.org/TR/1999/REC-xpath-19991116", "http://www.w3.org/TR/1999/REC-xslt-19991116"]
)
def test_a_transform_that_could_leave_something_out_is_refused(saml: SamlSignOn, algorithm: str) -> None:
    browser = Client()

    def add(root: Element) -> None:
        transforms = one(root, ".//ds:Transforms")
        etree.SubElement(transforms, f"{{{DS}}}Transform").set("Algorithm", algorithm)

    answer = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo"))
    check_refused(saml, browser, saml.provider.signed(answer, after=add), SHAPE)


def test_a_reference_to_the_whole_document_is_refused(saml: SamlSignOn) -> None:
    browser = Client()
    answer = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo"))
    encoded = saml.provider.signed(answer, after=lambda root: one(root, ".//ds:Reference").set("URI", ""))
    check_refused(saml, browser, encoded, SHAPE)


def in_text(encoded: str, old: str, new: str) -> str:
    text = base64.b64decode(encoded).decode()
    assert old in text
    return base64.b64encode(text.replace(old, new).encode()).decode()


def test_a_comment_within_the_name_id_is_refused_though_a_signature_leaves_it_out(saml: SamlSignOn) -> None:
    browser, mine = Client(), saml.email("Sam")
    # Signed for sam@….evil.test: cut at the comment it would be sam@….
    answer = saml.provider.answer_to(saml.begin(browser), f"{mine}.evil.test")
    encoded = saml.provider.signed(answer)
    check_refused(
        saml, browser, in_text(encoded, f"{mine}.evil.test", f"{mine}<!---->.evil.test"), "has a comment in it"
    )
    instruction = in_text(encoded, f"{mine}.evil.test", f"{mine}<?cut?>.evil.test")
    check_refused(saml, browser, instruction, "has a processing instruction in it")


@pytest.mark.parametrize(
    "declared",
    [
        "<!DOCTYPE r>",
        '<!DOCTYPE r [<!ENTITY who "sam">]>',
        '<!DOCTYPE r [<!ENTITY file SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>',
    ],
)
def test_a_document_type_and_entities_are_refused(saml: SamlSignOn, declared: str) -> None:
    browser = Client()
    encoded = saml.provider.signed(saml.provider.answer_to(saml.begin(browser), saml.email("Apollo")))
    text = declared + base64.b64decode(encoded).decode()
    for content in (text.encode(), text.encode("utf-16")):
        check_refused(saml, browser, base64.b64encode(content).decode(), "cannot be read")
