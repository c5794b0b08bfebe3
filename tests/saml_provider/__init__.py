"""A SAML identity provider for the tests: a key and a certificate of its own, and answers that it really signs."""

from __future__ import annotations

import base64
import datetime
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from lxml import etree

SAML, PROTOCOL = "urn:oasis:names:tc:SAML:2.0:assertion", "urn:oasis:names:tc:SAML:2.0:protocol"
DS = "http://www.w3.org/2000/09/xmldsig#"
NAMES = {"saml": SAML, "samlp": PROTOCOL, "ds": DS}
EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
Element = Any
Change = Callable[[Element], None]
PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


def moment(seconds: float = 0) -> str:
    """A moment so many seconds from now, as SAML writes it."""
    at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class AuthnRequest:
    """What a link to the provider asks for."""

    request_id: str
    consumer: str
    entity_id: str
    destination: str
    forces: bool

    @classmethod
    def of(cls, link: str) -> AuthnRequest:
        packed = base64.b64decode(parse_qs(urlsplit(link).query)["SAMLRequest"][0])
        root = etree.fromstring(zlib.decompress(packed, -15))
        issuer = root.find(f"{{{SAML}}}Issuer")
        return cls(
            root.get("ID"), root.get("AssertionConsumerServiceURL"), issuer.text, root.get("Destination"),
            root.get("ForceAuthn") == "true",
        )  # fmt: skip


@dataclass
class Answer:
    """A response before it is signed: what it says, each of which a test may say wrongly; None leaves it out."""

    in_response_to: str | None
    recipient: str | None
    audience: str | None
    issuer: str
    name_id: str
    name_format: str = EMAIL_FORMAT
    attributes: dict[str, list[str]] = field(default_factory=dict)
    destination: str | None = None
    ends_in: float | None = 300
    begins_in: float = -60
    signed_in: float = 0
    status: str = SUCCESS
    assertion_id: str = field(default_factory=lambda: f"_{uuid4().hex}")

    def tree(self) -> Element:
        root = etree.fromstring(self._text().encode())
        if self.audience is None:
            _remove(root, ".//saml:AudienceRestriction")
        return root

    def _text(self) -> str:
        def given(name: str, value: str | None) -> str:
            return "" if value is None else f' {name}="{value}"'

        ends = None if self.ends_in is None else moment(self.ends_in)
        rows = "".join(
            f'<saml:Attribute Name="{name}">'
            + "".join(f"<saml:AttributeValue>{value}</saml:AttributeValue>" for value in values)
            + "</saml:Attribute>"
            for name, values in self.attributes.items()
        )
        statement = f"<saml:AttributeStatement>{rows}</saml:AttributeStatement>" if rows else ""
        return (
            f'<samlp:Response xmlns:samlp="{PROTOCOL}" xmlns:saml="{SAML}" ID="_{uuid4().hex}" Version="2.0"'
            f' IssueInstant="{moment()}"{given("Destination", self.destination)}{given("InResponseTo", self.in_response_to)}>'
            f"<saml:Issuer>{self.issuer}</saml:Issuer>"
            f'<samlp:Status><samlp:StatusCode Value="{self.status}"/></samlp:Status>'
            f'<saml:Assertion ID="{self.assertion_id}" Version="2.0" IssueInstant="{moment()}">'
            f"<saml:Issuer>{self.issuer}</saml:Issuer>"
            f'<saml:Subject><saml:NameID Format="{self.name_format}">{self.name_id}</saml:NameID>'
            '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData'
            f"{given('InResponseTo', self.in_response_to)}{given('Recipient', self.recipient)}{given('NotOnOrAfter', ends)}/>"
            "</saml:SubjectConfirmation></saml:Subject>"
            f'<saml:Conditions NotBefore="{moment(self.begins_in)}"{given("NotOnOrAfter", ends)}>'
            f"<saml:AudienceRestriction><saml:Audience>{self.audience}</saml:Audience></saml:AudienceRestriction>"
            "</saml:Conditions>"
            f'<saml:AuthnStatement AuthnInstant="{moment(self.signed_in)}"><saml:AuthnContext>'
            "<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>"
            f"</saml:AuthnContext></saml:AuthnStatement>{statement}</saml:Assertion></samlp:Response>"
        )


class SamlIdentityProvider:
    """A provider with its entity id, its key and its certificate."""

    def __init__(
        self,
        entity_id: str = "https://login.test/metadata",
        *,
        days: int = 365,
        begins_in_days: int = -800,
        key: PrivateKey | None = None,
    ) -> None:
        self.entity_id, self.sign_on_address = entity_id, "http://localhost:9/saml"
        key = key or rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "login.test")])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + datetime.timedelta(days=begins_in_days))
            .not_valid_after(now + datetime.timedelta(days=days))
            .sign(key, hashes.SHA256())
        )
        self.key = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self.pem = certificate.public_bytes(Encoding.PEM).decode()
        self.certificate = base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()

    def answer_to(self, request: AuthnRequest, email: str, **changes: Any) -> Answer:
        """A good answer to a request: somebody with this address has just signed in."""
        answer = Answer(
            in_response_to=request.request_id, recipient=request.consumer, destination=request.consumer,
            audience=request.entity_id, issuer=self.entity_id, name_id=email,
        )  # fmt: skip
        for name, value in changes.items():
            setattr(answer, name, value)
        return answer

    def sign(self, owner: Element, *, method: Any = None, digest: Any = None, canonical: Any = None) -> None:
        """Signs an assertion or a response, with a reference to it as a whole; by RSA and SHA-256 unless told otherwise."""
        method = method or xmlsec.constants.TransformRsaSha256
        digest = digest or xmlsec.constants.TransformSha256
        node = xmlsec.template.create(owner, canonical or xmlsec.constants.TransformExclC14N, method, ns="ds")
        owner.insert(1, node)
        reference = xmlsec.template.add_reference(node, digest, uri=f"#{owner.get('ID')}")
        xmlsec.template.add_transform(reference, xmlsec.constants.TransformEnveloped)
        xmlsec.template.add_transform(reference, xmlsec.constants.TransformExclC14N)
        context = xmlsec.SignatureContext()
        context.key = xmlsec.Key.from_memory(self.key, xmlsec.constants.KeyDataFormatPem)
        xmlsec.tree.add_ids(owner, ["ID"])
        context.sign(node)

    def signed(self, answer: Answer, *, before: Change | None = None, after: Change | None = None) -> str:
        """The answer as it is posted: changed before it is signed, signed, and changed after."""
        root = answer.tree()
        if before is not None:
            before(root)
        self.sign(root.find(f"{{{SAML}}}Assertion"))
        # As it is read elsewhere: lxml does not find everything that xmlsec has put into a tree.
        root = etree.fromstring(etree.tostring(root))
        if after is not None:
            after(root)
        return posted(root)

    def encrypted(self, answer: Answer, certificate: str, **options: Any) -> str:
        """The answer as it is posted, its signed assertion encrypted to the key of a certificate (DER in base64): by AES-256
        and RSA-OAEP unless told otherwise by `data` and `key`; `is_signed` False leaves the signature out, `whole` signs
        the response, too, and `after` changes it then."""
        root = answer.tree()
        if options.get("is_signed", True):
            self.sign(root.find(f"{{{SAML}}}Assertion"))
        root = encrypt_assertion(
            root, certificate, options.get("data", xmlsec.constants.TransformAes256Cbc),
            options.get("key", xmlsec.constants.TransformRsaOaep),
        )  # fmt: skip
        if options.get("whole"):
            self.sign(root)
            root = etree.fromstring(etree.tostring(root))
        if after := options.get("after"):
            after(root)
        return posted(root)

    def metadata(self, **changes: str) -> str:
        """What the provider publishes of itself."""
        given = {"entity_id": self.entity_id, "address": self.sign_on_address, "certificate": self.certificate}
        given |= {
            "binding": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
            "role": "IDPSSODescriptor",
            "until": "",
        }
        given |= changes
        return (
            f'<?xml version="1.0"?><!-- of the provider --><md:EntityDescriptor '
            f'xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="{DS}" entityID="{given["entity_id"]}"{given["until"]}>'
            f'<md:{given["role"]} protocolSupportEnumeration="{PROTOCOL}"><md:KeyDescriptor use="signing"><ds:KeyInfo>'
            f"<ds:X509Data><ds:X509Certificate>{given['certificate']}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>"
            f'</md:KeyDescriptor><md:SingleSignOnService Binding="{given["binding"]}" Location="{given["address"]}"/>'
            f"</md:{given['role']}></md:EntityDescriptor>"
        )


def encrypt_assertion(root: Element, certificate: str, data_method: Any, key_method: Any) -> Element:
    """The response with an EncryptedAssertion in the place of its assertion."""
    root = etree.fromstring(etree.tostring(root))
    assertion = one(root, "saml:Assertion")
    pem = f"-----BEGIN CERTIFICATE-----\n{certificate}\n-----END CERTIFICATE-----\n"
    manager = xmlsec.KeysManager()
    manager.add_key(xmlsec.Key.from_memory(pem, xmlsec.constants.KeyDataFormatCertPem))
    template = xmlsec.template.encrypted_data_create(root, data_method, type=xmlsec.constants.TypeEncElement, ns="xenc")
    xmlsec.template.encrypted_data_ensure_cipher_value(template)
    info = xmlsec.template.encrypted_data_ensure_key_info(template, ns="ds")
    wrapped = xmlsec.template.add_encrypted_key(info, key_method)
    xmlsec.template.encrypted_data_ensure_cipher_value(wrapped)
    context = xmlsec.EncryptionContext(manager)
    context.key = xmlsec.Key.generate(xmlsec.constants.KeyDataAes, 256, xmlsec.constants.KeyDataTypeSession)
    sealed = context.encrypt_xml(template, assertion)
    holder = etree.Element(f"{{{SAML}}}EncryptedAssertion")
    root.replace(sealed, holder)
    holder.append(sealed)
    return etree.fromstring(etree.tostring(root))


def posted(root: Element) -> str:
    """A tree as the field SAMLResponse holds it."""
    return base64.b64encode(etree.tostring(root)).decode()


def one(root: Element, path: str) -> Element:
    """The first element at a path, with the prefixes saml, samlp and ds."""
    element = root.find(path, NAMES)
    assert element is not None, path
    return element


def _remove(root: Element, path: str) -> None:
    element = one(root, path)
    element.getparent().remove(element)
