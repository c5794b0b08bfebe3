"""What a SAML identity provider says by HTTP-Redirect when somebody signs out: messages that it really signs."""

from __future__ import annotations

import base64
import zlib
from typing import Any
from urllib.parse import parse_qs, quote_plus, urlsplit
from uuid import uuid4

import xmlsec
from lxml import etree

from tests.saml_provider import EMAIL_FORMAT, PROTOCOL, SAML, SUCCESS, SamlIdentityProvider, moment

RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"


def logout_request(provider: SamlIdentityProvider, name_id: str, destination: str, **changes: Any) -> str:
    """A request to end somebody's sessions; what a test may say wrongly are `issuer`, `issued`, `index` and `message_id`;
    `attributes` are of the name id, beside its format."""
    index = changes.get("index")
    given = "".join(f' {name}="{value}"' for name, value in changes.get("attributes", {}).items())
    return (
        f'<samlp:LogoutRequest xmlns:samlp="{PROTOCOL}" xmlns:saml="{SAML}" ID="{changes.get("message_id", f"_{uuid4().hex}")}"'
        f' Version="2.0" IssueInstant="{moment(changes.get("issued", 0))}" Destination="{destination}">'
        f"<saml:Issuer>{changes.get('issuer', provider.entity_id)}</saml:Issuer>"
        f'<saml:NameID Format="{EMAIL_FORMAT}"{given}>{name_id}</saml:NameID>'
        f"{f'<samlp:SessionIndex>{index}</samlp:SessionIndex>' if index else ''}</samlp:LogoutRequest>"
    )


def logout_response(provider: SamlIdentityProvider, request_id: str, destination: str, status: str = SUCCESS) -> str:
    """The answer to a request of ours."""
    return (
        f'<samlp:LogoutResponse xmlns:samlp="{PROTOCOL}" xmlns:saml="{SAML}" ID="_{uuid4().hex}" Version="2.0"'
        f' IssueInstant="{moment()}" Destination="{destination}" InResponseTo="{request_id}">'
        f"<saml:Issuer>{provider.entity_id}</saml:Issuer>"
        f'<samlp:Status><samlp:StatusCode Value="{status}"/></samlp:Status></samlp:LogoutResponse>'
    )


def query_of(provider: SamlIdentityProvider, text: str, *, relay_state: str = "", is_signed: bool = True) -> str:
    """The query of the address by which a browser brings a message, signed with the provider's key."""
    deflate = zlib.compressobj(wbits=-15)
    packed = base64.b64encode(deflate.compress(text.encode()) + deflate.flush()).decode()
    name = "SAMLResponse" if "LogoutResponse" in text else "SAMLRequest"
    query = f"{name}={quote_plus(packed)}"
    query += f"&RelayState={quote_plus(relay_state)}" if relay_state else ""
    if not is_signed:
        return query
    query += f"&SigAlg={quote_plus(RSA_SHA256)}"
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(provider.key, xmlsec.constants.KeyDataFormatPem)
    value = context.sign_binary(query.encode(), xmlsec.constants.TransformRsaSha256)
    return f"{query}&Signature={quote_plus(base64.b64encode(value).decode())}"


def message_in(address: str) -> tuple[Any, dict[str, list[str]]]:
    """The message that an address carries, as a tree, and all of its fields."""
    fields = parse_qs(urlsplit(address).query)
    [text] = fields.get("SAMLRequest") or fields["SAMLResponse"]
    return etree.fromstring(zlib.decompress(base64.b64decode(text), -15)), fields


def is_signed_with(address: str, certificate: str) -> bool:
    """Whether the fields of an address are signed with the key of a certificate (DER in base64), as xmlsec sees it."""
    fields, _, value = urlsplit(address).query.partition("&Signature=")
    signed = fields[fields.index("SAMLRe") :]
    context = xmlsec.SignatureContext()
    pem = f"-----BEGIN CERTIFICATE-----\n{certificate}\n-----END CERTIFICATE-----\n"
    context.key = xmlsec.Key.from_memory(pem, xmlsec.constants.KeyDataFormatCertPem)
    try:
        signature = base64.b64decode(parse_qs(f"v={value}")["v"][0])
        context.verify_binary(signed.encode(), xmlsec.constants.TransformRsaSha256, signature)
    except xmlsec.Error:
        return False
    return True
