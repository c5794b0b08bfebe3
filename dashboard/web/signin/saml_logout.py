"""Single logout by SAML: what a provider says by HTTP-Redirect, refused unless it is signed, new and for us; and what we say.

Nothing that comes in signs anybody in. What cannot be relied on ends no session either.
"""

import base64
import binascii
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypedDict, cast
from urllib.parse import unquote_plus
from xml.sax.saxutils import escape

import structlog
from django.utils import timezone

from dashboard.single_sign_on.models import IdentityProvider
from dashboard.single_sign_on.selectors import own_signing_key_of
from dashboard.single_sign_on.xml_guard import XmlRefused, element_names
from dashboard.web.signin.saml import SamlAddresses, idp_settings, request_data, toolkit_settings
from dashboard.web.signin.saml_bindings import is_signed_by, raw_fields, redirect_address
from dashboard.web.signin.saml_names import SamlName, read_name, uid_of

if TYPE_CHECKING:
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

log = structlog.get_logger(__name__)

MOST_BYTES = 32 * 1024
# How long a browser may be on its way with a message, and how far two clocks may differ.
LASTS, CLOCKS_DIFFER = timedelta(minutes=10), timedelta(minutes=3)
SAML = "{urn:oasis:names:tc:SAML:2.0:assertion}"
PROTOCOL = "{urn:oasis:names:tc:SAML:2.0:protocol}"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
REQUEST, RESPONSE = "SAMLRequest", "SAMLResponse"

UNREADABLE = "The sign-out cannot be read."
UNSIGNED = "The sign-out is refused: it is not signed."
FORGED = "The sign-out is refused: it is not signed with the certificate that your business has set up."
ELSEWHERE = "The sign-out is addressed to another page than ours."
OTHER_ISSUER = "The sign-out is of another identity provider than your business's."
TIMES = "The sign-out has expired, or is not valid yet. Sign out here; if it stays, a clock is wrong."
NO_ADDRESS = (
    "Single logout is not set up: a super admin has to correct your identity provider's addresses in the settings."
)
NO_NAME = "The sign-out does not say who signs out: it needs one name id."


class LogoutRefused(ValueError):
    """This message ends no session, or cannot be sent; the text is a sentence that says why. `is_signed` says whether it is known to
    be the provider's: before its signature has been checked, anybody may have written it. `message_id` and `ends_at` are a new
    message's, as of LogoutMessage; "" and None of one that is old, or whose age cannot be read."""

    def __init__(self, sentence: str, *, is_signed: bool = False) -> None:
        super().__init__(sentence)
        self.is_signed = is_signed
        self.message_id, self.ends_at = "", cast(datetime | None, None)


class SamlSession(TypedDict):
    """What a session that came through a provider knows of the one there: whose, and its index."""

    name: SamlName
    index: str


@dataclass(frozen=True, slots=True)
class LogoutMessage:
    """A message that holds: a request to end the sessions of `uid` (saml_names.uid_of; those of `indexes`, all without any), or
    the answer to ours, which `succeeded` or not. `message_id` counts once until `ends_at`."""

    message_id: str
    ends_at: datetime
    is_request: bool
    uid: str = ""
    indexes: frozenset[str] = frozenset()
    succeeded: bool = False
    relay_state: str = ""


def read_logout(provider: IdentityProvider, ours: SamlAddresses, query: str) -> LogoutMessage:
    """The message in the query of an address; LogoutRefused for what does not hold (SAML 2.0 Profiles, 4.4.4).

    Whether it was used before is for `use_assertion` to say.
    """
    try:
        fields = raw_fields(query)
        [name] = {REQUEST, RESPONSE} & fields.keys()
    except ValueError:
        raise LogoutRefused(UNREADABLE) from None
    if not fields.get("Signature"):
        raise LogoutRefused(UNSIGNED)
    if not is_signed_by(fields, provider.certificates):
        raise LogoutRefused(FORGED)
    try:
        return _read(provider, ours, name, fields)
    except LogoutRefused as refused:
        refused.is_signed = True
        raise
    except Exception as error:
        log.warning("SAML sign-out not readable", business=provider.business.slug, kind=type(error).__name__)
        raise LogoutRefused(UNREADABLE, is_signed=True) from None


def _read(provider: IdentityProvider, ours: SamlAddresses, name: str, fields: dict[str, str]) -> LogoutMessage:
    """The age comes first: what is wrong with a message is of interest while it is new, and anybody can send an old one."""
    from onelogin.saml2.xml_utils import OneLogin_Saml2_XML as Xml

    content, names = _inflated(unquote_plus(fields[name]))
    root = Xml.to_etree(content)
    ends_at = _end_of(root)
    try:
        _check_names(names)
        _check_by_toolkit(provider, ours, name, fields)
        return _message(provider, ours, root, ends_at, unquote_plus(fields.get("RelayState", "")))
    except LogoutRefused as refused:
        refused.message_id, refused.ends_at = root.get("ID", ""), ends_at
        raise


def _check_names(names: set[str]) -> None:
    if any(element.startswith("Encrypted") for element in names):
        raise LogoutRefused(NO_NAME)


def _check_by_toolkit(provider: IdentityProvider, ours: SamlAddresses, name: str, fields: dict[str, str]) -> None:
    from onelogin.saml2.errors import OneLogin_Saml2_ValidationError as Refused
    from onelogin.saml2.logout_request import OneLogin_Saml2_Logout_Request
    from onelogin.saml2.logout_response import OneLogin_Saml2_Logout_Response

    text, settings = unquote_plus(fields[name]), logout_settings(provider, ours)
    toolkit = OneLogin_Saml2_Logout_Request if name == REQUEST else OneLogin_Saml2_Logout_Response
    try:
        toolkit(settings, text).is_valid(request_data(ours.logout), raise_exceptions=True)
    except Refused as refused:
        sentences = {
            Refused.WRONG_DESTINATION: ELSEWHERE, Refused.WRONG_ISSUER: OTHER_ISSUER, Refused.RESPONSE_EXPIRED: TIMES,
        }  # fmt: skip
        raise LogoutRefused(sentences.get(refused.code, UNREADABLE)) from None


def _inflated(text: str) -> tuple[bytes, set[str]]:
    """A message's XML that was looked over, and the names of its elements."""
    try:
        inflate = zlib.decompressobj(-15)
        content = inflate.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
        if inflate.unconsumed_tail:
            raise LogoutRefused(f"{UNREADABLE} It is larger than {MOST_BYTES // 1024} KB.")
        names = element_names(content, MOST_BYTES)
    except (binascii.Error, zlib.error, XmlRefused):
        raise LogoutRefused(UNREADABLE) from None
    return content, names


def _end_of(root: Any) -> datetime:
    """Until when a message counts once; LogoutRefused where it is old, or not valid yet."""
    from onelogin.saml2.utils import OneLogin_Saml2_Utils as Toolkit

    at = datetime.fromtimestamp(Toolkit.parse_SAML_to_time(root.get("IssueInstant")), UTC)
    if not timezone.now() - LASTS <= at <= timezone.now() + CLOCKS_DIFFER:
        raise LogoutRefused(TIMES)
    return at + LASTS + CLOCKS_DIFFER


def _message(
    provider: IdentityProvider, ours: SamlAddresses, root: Any, ends_at: datetime, relay_state: str
) -> LogoutMessage:
    # What the toolkit lets pass where it is missing, or only begins as it should.
    if root.get("Destination") != ours.logout:
        raise LogoutRefused(ELSEWHERE)
    if [issuer.text for issuer in root.findall(f"{SAML}Issuer")] != [provider.issuer]:
        raise LogoutRefused(OTHER_ISSUER)
    if root.tag == f"{PROTOCOL}LogoutResponse":
        status = root.find(f"{PROTOCOL}Status/{PROTOCOL}StatusCode").get("Value")
        return LogoutMessage(root.get("ID"), ends_at, is_request=False, succeeded=status == SUCCESS)
    name_id = read_name(root.findall(f"{SAML}NameID"))
    if name_id is None:
        raise LogoutRefused(NO_NAME)
    uid = uid_of(name_id, issuer=provider.issuer, entity_id=ours.entity_id)
    indexes = frozenset((element.text or "").strip() for element in root.findall(f"{PROTOCOL}SessionIndex"))
    return LogoutMessage(root.get("ID"), ends_at, is_request=True, uid=uid, indexes=indexes, relay_state=relay_state)


def logout_settings(provider: IdentityProvider, ours: SamlAddresses) -> "OneLogin_Saml2_Settings":
    """The toolkit's settings for messages of single logout; the addresses in its XML's own spelling.

    LogoutRefused where an address was saved that the toolkit takes for none, as the form did once.
    """
    from onelogin.saml2.errors import OneLogin_Saml2_Error

    addresses = {"url": provider.logout_address, "responseUrl": answers_to(provider)}
    in_xml = {name: escape(address, {'"': "&quot;"}) for name, address in addresses.items()}
    try:
        return toolkit_settings(idp_settings(provider), ours, logout=in_xml)
    except OneLogin_Saml2_Error as error:
        log.warning("SAML sign-out has no usable address", business=provider.business.slug, reason=str(error))
        raise LogoutRefused(NO_ADDRESS) from None


def answers_to(provider: IdentityProvider) -> str:
    """Where our answers to a provider's sign-outs go: its ResponseLocation, else where ours go (SAML 2.0 Metadata, 2.2.2)."""
    return provider.logout_response_address or provider.logout_address


def answer_address(provider: IdentityProvider, ours: SamlAddresses, logout: LogoutMessage) -> str:
    """Where the browser goes on to, with our answer that the sessions have ended, signed with our key."""
    from onelogin.saml2.logout_response import OneLogin_Saml2_Logout_Response

    response = OneLogin_Saml2_Logout_Response(logout_settings(provider, ours))
    response.build(logout.message_id)
    relay = {"RelayState": logout.relay_state} if logout.relay_state else {}
    text = response.get_response()
    return redirect_address(answers_to(provider), own_signing_key_of(provider), SAMLResponse=text, **relay)


def request_address(provider: IdentityProvider, ours: SamlAddresses, saml_session: SamlSession) -> str:
    """Where somebody signs out at the provider, too: with a request for their session there, signed with our key. Its name id is
    the assertion's with all of its attributes (SAML 2.0 Core, 3.3.4)."""
    from onelogin.saml2.logout_request import OneLogin_Saml2_Logout_Request

    name = saml_session["name"]
    message = OneLogin_Saml2_Logout_Request(
        logout_settings(provider, ours), name_id=name["value"], session_index=escape(saml_session["index"]) or None,
        name_id_format=name["format"] or None, nq=name["qualifier"] or None, spnq=name["sp_qualifier"] or None,
    )  # fmt: skip
    text = message.get_request()
    return redirect_address(provider.logout_address, own_signing_key_of(provider), SAMLRequest=text)
