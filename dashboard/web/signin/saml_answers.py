"""What a SAML provider answers: refused unless one signed assertion says, to us alone and once, who has just signed in.

Signatures, schema and times are checked by python3-saml. Beside that stands here what it lets pass: an assertion without
audience, recipient or end, an answer that nobody asked for, and the shapes in which signed and read content could differ.
"""

import base64
import binascii
import time
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import structlog

from dashboard.single_sign_on.models import IdentityProvider
from dashboard.single_sign_on.selectors import decryption_keys_of
from dashboard.single_sign_on.services import note_opened
from dashboard.single_sign_on.xml_guard import XmlRefused, element_names
from dashboard.web.signin import saml_refusals
from dashboard.web.signin.saml import AssertionClaims, SamlAddresses, idp_settings, request_data, toolkit_settings
from dashboard.web.signin.saml_encryption import DecryptionRefused, check_encrypted, decrypted
from dashboard.web.signin.saml_names import read_name, uid_of

log = structlog.get_logger(__name__)

MOST_BYTES = 256 * 1024
MOST_SECONDS = 24 * 3600
LONGEST_NAME_ID = 190
LONGEST_INDEX = 300
SAML = "{urn:oasis:names:tc:SAML:2.0:assertion}"
PROTOCOL = "{urn:oasis:names:tc:SAML:2.0:protocol}"
DS = "{http://www.w3.org/2000/09/xmldsig#}"
# What a reference of a signature could mean.
ID_NAMES = frozenset({"ID", "Id", "id", "{http://www.w3.org/XML/1998/namespace}id", "AssertionID"})
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
# A signature leaves nothing of the assertion out but itself.
TRANSFORMS = frozenset(
    {
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
        "http://www.w3.org/2001/10/xml-exc-c14n#",
        "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
    }
)
CANONICAL = TRANSFORMS - {"http://www.w3.org/2000/09/xmldsig#enveloped-signature"}
SIGNATURE_METHODS = frozenset(
    f"http://www.w3.org/2001/04/xmldsig-more#{key}-{digest}"
    for key in ("rsa", "ecdsa")
    for digest in ("sha256", "sha384", "sha512")
)
DIGEST_METHODS = frozenset({
    "http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmldsig-more#sha384",
    "http://www.w3.org/2001/04/xmlenc#sha512",
})  # fmt: skip
# The attributes that providers call an address by, where none is named in the settings.
EMAIL_ATTRIBUTES = (
    "urn:oid:0.9.2342.19200300.100.1.3", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
    "email", "mail", "emailAddress", "Email", "user.email",
)  # fmt: skip


class AnswerRefused(ValueError):
    """This answer signs nobody in; the text is a sentence that says why. `is_signed` says whether it is known to be the
    provider's: before its signature has been checked, anybody may have written it."""

    def __init__(self, sentence: str, *, is_signed: bool = False) -> None:
        super().__init__(sentence)
        self.is_signed = is_signed


@dataclass(frozen=True, slots=True)
class CheckedAssertion:
    """An assertion that holds: its id, when it ends, and what it claims."""

    assertion_id: str
    ends_at: datetime
    claims: AssertionClaims


def read_answer(provider: IdentityProvider, ours: SamlAddresses, encoded: str) -> CheckedAssertion:
    """The assertion in a posted SAMLResponse; AnswerRefused for what does not hold (SAML 2.0 Profiles, 4.1.4.3).

    Whether this browser asked for it is for its session to say, and whether it was used before for `use_assertion`.
    """
    from onelogin.saml2.errors import OneLogin_Saml2_ValidationError

    content, is_encrypted = _content_of(encoded, provider)
    is_signed = False
    try:
        settings = toolkit_settings(idp_settings(provider), ours)
        read = _opened if is_encrypted else _plain
        response, assertion = read(content, provider, settings)
        is_signed = True
        confirmation = _confirmation(assertion, ours)
        response.is_valid(request_data(ours.consumer), raise_exceptions=True)
        _check_audiences(assertion, ours)
        return _checked(provider, ours, response, assertion, confirmation)
    except AnswerRefused as refused:
        refused.is_signed = is_signed
        raise
    except OneLogin_Saml2_ValidationError as refused:
        log.warning("SAML answer refused", business=provider.business.slug, code=refused.code)
        raise AnswerRefused(saml_refusals.sentence_of(refused.code), is_signed=is_signed) from None
    except Exception as error:
        # Whatever a stranger posts: three libraries read it, each with errors of its own.
        log.warning("SAML answer not readable", business=provider.business.slug, kind=type(error).__name__)
        raise AnswerRefused(saml_refusals.UNREADABLE, is_signed=is_signed) from None


def _content_of(encoded: str, provider: IdentityProvider) -> tuple[bytes, bool]:
    """What was posted, as text that was looked over, and whether an encrypted assertion is in it."""
    if len(encoded) > MOST_BYTES * 2:
        raise AnswerRefused(f"{saml_refusals.UNREADABLE} It is larger than {MOST_BYTES // 1024} KB.")
    try:
        content = base64.b64decode("".join(encoded.split()), validate=True)
        names = element_names(content, MOST_BYTES)
    except (binascii.Error, ValueError) as refused:
        why = f" {refused}" if isinstance(refused, XmlRefused) else ""
        raise AnswerRefused(f"{saml_refusals.UNREADABLE}{why}") from None
    is_encrypted = "EncryptedAssertion" in names
    if {"EncryptedID", "EncryptedAttribute"} & names or (is_encrypted and not provider.requires_encryption):
        raise AnswerRefused(saml_refusals.ENCRYPTED)
    if provider.requires_encryption and "Assertion" in names:
        raise AnswerRefused(saml_refusals.NOT_ENCRYPTED)
    return content, is_encrypted


def _opened(content: bytes, provider: IdentityProvider, settings: Any) -> tuple[Any, Any]:
    """The response in plain and its assertion, whose signature holds. One refusal for whatever is wrong from the decrypting on
    until then: whoever changes what is encrypted, and asks again and again, learns nothing of it."""
    from onelogin.saml2.xml_utils import OneLogin_Saml2_XML as Xml

    root = Xml.to_etree(content)
    _check_signature_shapes(root)
    try:
        check_encrypted(root, settings.get_idp_data()["x509certMulti"]["signing"])
    except DecryptionRefused as refused:
        raise AnswerRefused(str(refused)) from None
    for key in decryption_keys_of(provider):
        # Not even which error it was goes into a log that others than us may read.
        with suppress(Exception):
            opened = _signed(decrypted(deepcopy(root), key.pem, MOST_BYTES), settings)
            note_opened(provider, key)
            return opened
    log.warning("SAML answer not opened", business=provider.business.slug)
    raise AnswerRefused(saml_refusals.NOT_OPENED)


def _plain(content: bytes, provider: IdentityProvider, settings: Any) -> tuple[Any, Any]:
    response, assertion = _signed(content, settings)
    if provider.requires_encryption:
        raise AnswerRefused(saml_refusals.NOT_ENCRYPTED)
    return response, assertion


def _signed(content: bytes, settings: Any) -> tuple[Any, Any]:
    """The response, and its one assertion, whose signature holds."""
    from onelogin.saml2.response import OneLogin_Saml2_Response

    response = OneLogin_Saml2_Response(settings, base64.b64encode(content))
    assertion = _only_assertion(response.document)
    _check_signature(response.document, settings.get_idp_data())
    return response, assertion


def _only_assertion(root: Any) -> Any:
    """The one assertion of a response, a child of it. What is signed is this element whole, by one reference without
    transforms that leave anything out, and no id stands twice: there is nothing else that could be read in its place."""
    assertions = [element for element in root.iter() if str(element.tag).endswith("}Assertion")]
    if root.tag != f"{PROTOCOL}Response":
        raise AnswerRefused(saml_refusals.INVALID)
    if len(assertions) == 0:
        raise AnswerRefused(saml_refusals.NOT_SIGNED_IN if _status_of(root) != "Success" else saml_refusals.SHAPE)
    if len(assertions) != 1 or assertions[0].tag != f"{SAML}Assertion" or assertions[0].getparent() is not root:
        raise AnswerRefused(saml_refusals.SHAPE)
    if not assertions[0].findall(f"{DS}Signature"):
        raise AnswerRefused(saml_refusals.UNSIGNED)
    _check_signature_shapes(root)
    return assertions[0]


def _check_signature_shapes(root: Any) -> None:
    """Before xmlsec sees any signature: by a reference of its own choice a stranger would have this server open a file."""
    ids = [value for element in root.iter() for name, value in element.items() if name in ID_NAMES]
    if len(set(ids)) != len(ids):
        raise AnswerRefused(saml_refusals.SHAPE)
    for signature in root.iter(f"{DS}Signature"):
        _check_signature_shape(signature)


def _check_signature_shape(signature: Any) -> None:
    owner, references = signature.getparent(), list(signature.iter(f"{DS}Reference"))
    transforms = {transform.get("Algorithm") for transform in signature.iter(f"{DS}Transform")}
    is_whole = len(references) == 1 and references[0].get("URI") == f"#{owner.get('ID')}" and transforms <= TRANSFORMS
    if not is_whole or next(signature.iter(f"{DS}Object"), None) is not None:
        raise AnswerRefused(saml_refusals.SHAPE)
    # By name, since what is not named weak is not therefore strong: the toolkit's list has RSA and DSA alone.
    for name, strong in (
        ("SignatureMethod", SIGNATURE_METHODS), ("DigestMethod", DIGEST_METHODS), ("CanonicalizationMethod", CANONICAL),
    ):  # fmt: skip
        if not {method.get("Algorithm") for method in signature.iter(f"{DS}{name}")} <= strong:
            raise AnswerRefused(saml_refusals.WEAK)


def _check_signature(root: Any, idp: Mapping[str, Any]) -> None:
    """The signature of the assertion, before anything is read of what it says. The toolkit checks it again, and last."""
    from onelogin.saml2.utils import OneLogin_Saml2_Utils as Toolkit

    path, certificates = Toolkit.ASSERTION_SIGNATURE_XPATH, idp["x509certMulti"]["signing"]
    if not Toolkit.validate_sign(root, xpath=path, multicerts=certificates, raise_exceptions=False):
        raise AnswerRefused(saml_refusals.FORGED)


def _status_of(root: Any) -> str:
    code = root.find(f"{PROTOCOL}Status/{PROTOCOL}StatusCode")
    return str(code.get("Value", "")).rpartition(":")[2] if code is not None else ""


def _confirmation(assertion: Any, ours: SamlAddresses) -> Any:
    """The bearer's confirmation: for our address, with an end that has not come, and in answer to a request."""
    nodes = [
        node.find(f"{SAML}SubjectConfirmationData")
        for node in assertion.iterfind(f"{SAML}Subject/{SAML}SubjectConfirmation")
        if node.get("Method") == BEARER
    ]
    data = next((node for node in nodes if node is not None), None)
    if data is None or len(nodes) != 1:
        raise AnswerRefused(saml_refusals.INVALID)
    if data.get("Recipient") != ours.consumer:
        raise AnswerRefused(saml_refusals.OTHER_ADDRESS)
    if not data.get("InResponseTo"):
        raise AnswerRefused(saml_refusals.UNASKED)
    left = _seconds(data.get("NotOnOrAfter")) - time.time() if data.get("NotOnOrAfter") else None
    if left is None or left > MOST_SECONDS:
        raise AnswerRefused(saml_refusals.ENDLESS)
    if left <= 0:
        raise AnswerRefused(saml_refusals.TIMES)
    return data


def _check_audiences(assertion: Any, ours: SamlAddresses) -> None:
    restrictions = list(assertion.iterfind(f"{SAML}Conditions/{SAML}AudienceRestriction"))
    for restriction in restrictions:
        audiences = {(audience.text or "").strip() for audience in restriction.iterfind(f"{SAML}Audience")}
        if ours.entity_id not in audiences:
            raise AnswerRefused(saml_refusals.ELSEWHERE)
    if not restrictions:
        raise AnswerRefused(saml_refusals.ELSEWHERE)


def _checked(
    provider: IdentityProvider, ours: SamlAddresses, response: Any, assertion: Any, confirmation: Any
) -> CheckedAssertion:
    attributes = {
        name: [value for value in values if isinstance(value, str)]
        for name, values in response.get_attributes().items()
    }
    name_id = read_name(assertion.findall(f"{SAML}Subject/{SAML}NameID"))
    if name_id is None or len(name_id["value"]) > LONGEST_NAME_ID or name_id["format"] == TRANSIENT:
        raise AnswerRefused(saml_refusals.NO_NAME)
    by_format = [name_id["value"]] if name_id["format"] == EMAIL_FORMAT else []
    statement = assertion.find(f"{SAML}AuthnStatement")
    # Cut it would be none that a sign-out names; left out, it may be the one that is meant.
    index = (statement.get("SessionIndex") or "").strip()
    claims: AssertionClaims = {
        "sub": uid_of(name_id, issuer=provider.issuer, entity_id=ours.entity_id), "name": name_id,
        "iss": provider.issuer, "email": _email_of(provider, attributes, by_format),
        # A provider signs its assertions, and of the domains that are its business's alone.
        "email_verified": True,
        "nonce": confirmation.get("InResponseTo"), "auth_time": _seconds(statement.get("AuthnInstant")),
        "groups": attributes.get(provider.groups_claim, []), "session_index": index if len(index) <= LONGEST_INDEX else "",
    }  # fmt: skip
    ends_at = datetime.fromtimestamp(_seconds(confirmation.get("NotOnOrAfter")), UTC)
    return CheckedAssertion(assertion.get("ID"), ends_at, claims)


def _email_of(provider: IdentityProvider, attributes: Mapping[str, list[str]], by_format: list[str]) -> str:
    """The one address that the assertion names: of the attribute in the settings alone; where none is named, of a usual one
    and of a name id whose format is an address. People can often edit an attribute themselves, so none outdoes a name id."""
    names = (provider.email_attribute,) if provider.email_attribute else EMAIL_ATTRIBUTES
    values = {value.lower() for value in next((attributes[name] for name in names if attributes.get(name)), [])}
    name_ids = set() if provider.email_attribute else {value.lower() for value in by_format}
    if len(values) == 1 and not name_ids <= values:
        raise AnswerRefused(saml_refusals.TWO_EMAILS)
    if len(values | name_ids) != 1:
        raise AnswerRefused(saml_refusals.NO_EMAIL)
    return (values | name_ids).pop()


def _seconds(moment: str | None) -> int:
    from onelogin.saml2.utils import OneLogin_Saml2_Utils

    if not moment:
        raise AnswerRefused(saml_refusals.TIMES)
    return int(OneLogin_Saml2_Utils.parse_SAML_to_time(moment))
