"""SAML's NameID: who somebody is at a provider (SAML 2.0 Core, 2.2.2 and 8.3). Its qualifiers say in which name space its value
stands: where they are left out, in that of the provider, for us."""

import hashlib
from collections.abc import Sequence
from typing import Any, TypedDict

# As long as an entity id may be (8.3.6), which is what a qualifier is.
LONGEST_QUALIFIER = 1024
ATTRIBUTES = ("Format", "NameQualifier", "SPNameQualifier")
# Begins what is no value of its own, and stands between its parts: a character that no XML holds, so that no NameID is taken for it.
QUALIFIED = "\x1f"


class SamlName(TypedDict):
    """A NameID as it stands in a message: its value, and its attributes, "" where it has none. A session stores it."""

    value: str
    format: str
    qualifier: str
    sp_qualifier: str


def read_name(elements: Sequence[Any]) -> SamlName | None:
    """The one NameID of `elements`; None where they are none or several, or where it is empty, holds elements, or has an
    attribute longer than an entity id."""
    if len(elements) != 1 or len(elements[0]):
        return None
    value = (elements[0].text or "").strip()
    format_, qualifier, sp_qualifier = ((elements[0].get(name) or "").strip() for name in ATTRIBUTES)
    if not value or max(map(len, (format_, qualifier, sp_qualifier))) > LONGEST_QUALIFIER:
        return None
    return {"value": value, "format": format_, "qualifier": qualifier, "sp_qualifier": sp_qualifier}


def uid_of(name: SamlName, *, issuer: str, entity_id: str) -> str:
    """Who the NameID names: the same for two of them where value and qualifiers are the same, a qualifier that is left out
    standing for the provider's entity id (`issuer`) or for ours (8.3.7). The value itself where they say nothing else."""
    qualifiers = (name["qualifier"] or issuer, name["sp_qualifier"] or entity_id)
    if qualifiers == (issuer, entity_id):
        return name["value"]
    return QUALIFIED + hashlib.sha256(QUALIFIED.join((name["value"], *qualifiers)).encode()).hexdigest()
