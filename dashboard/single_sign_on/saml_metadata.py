"""What a SAML identity provider publishes of itself: read from the XML that an admin pastes or uploads, never fetched."""

from dataclasses import dataclass
from datetime import UTC
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from dashboard.single_sign_on.certificates import MOST_CERTIFICATES, CertificateRefused, read_certificates
from dashboard.single_sign_on.xml_guard import XmlRefused, element_names

MOST_METADATA_BYTES = 256 * 1024
METADATA = "{urn:oasis:names:tc:SAML:2.0:metadata}"
SIGNATURE = "{http://www.w3.org/2000/09/xmldsig#}"
REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"


class MetadataRefused(ValueError):
    """This metadata sets nothing up; the text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class ProviderMetadata:
    """Of one identity provider: its entity id, where browsers sign in (HTTP-Redirect), its certificates (DER, base64),
    where browsers sign out, and where it is answered when they sign out there; "" where it names no such address."""

    entity_id: str
    sign_on_address: str
    certificates: tuple[str, ...]
    logout_address: str = ""
    logout_response_address: str = ""


def read_metadata(content: bytes) -> ProviderMetadata:
    """What metadata says (SAML 2.0 Metadata, 2.4.3). MetadataRefused for what is none, for that of several entities, for
    what has ended, and where an address or a certificate is missing or is not good.

    A signature on it is not checked: whoever enters it answers for where it is from, as for certificates that are pasted.
    """
    try:
        element_names(content, MOST_METADATA_BYTES, allows_comments=True)
    except XmlRefused as refused:
        raise MetadataRefused(f"This metadata cannot be read. {refused}") from None
    root = fromstring(content, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    if root.tag == f"{METADATA}EntitiesDescriptor":
        raise MetadataRefused("This metadata is of several entities. Enter that of your identity provider alone.")
    if root.tag != f"{METADATA}EntityDescriptor":
        raise MetadataRefused("This is not SAML metadata: its first element is no EntityDescriptor.")
    provider = root.find(f"{METADATA}IDPSSODescriptor")
    if provider is None:
        raise MetadataRefused(
            "This metadata is of no identity provider (IDPSSODescriptor). Is it that of an application?"
        )
    _refuse_ended(root, provider)
    return ProviderMetadata(
        root.get("entityID", "").strip(), _sign_on_address(provider), _certificates(provider),
        _by_redirect(provider, "SingleLogoutService"), _by_redirect(provider, "SingleLogoutService", "ResponseLocation"),
    )  # fmt: skip


def _refuse_ended(*elements: Element) -> None:
    for element in elements:
        until = element.get("validUntil")
        try:
            ends_at = parse_datetime(until) if until else None
        except ValueError:
            ends_at = None
        if until is not None and ends_at is None:
            raise MetadataRefused("The metadata does not say until when it is valid.")
        if ends_at is not None and (ends_at if ends_at.tzinfo else ends_at.replace(tzinfo=UTC)) <= timezone.now():
            raise MetadataRefused(f"This metadata was valid until {until}. Take the provider's newest.")


def _sign_on_address(provider: Element) -> str:
    if address := _by_redirect(provider, "SingleSignOnService"):
        return address
    raise MetadataRefused("This metadata names no sign-on address by HTTP-Redirect.")


def _by_redirect(provider: Element, name: str, attribute: str = "Location") -> str:
    """An address of the first service of the name that browsers come to; `attribute` says which of its two."""
    for service in provider.findall(f"{METADATA}{name}"):
        if service.get("Binding") == REDIRECT_BINDING and service.get("Location"):
            return service.get(attribute, "").strip()
    return ""


def _certificates(provider: Element) -> tuple[str, ...]:
    keys = [key for key in provider.findall(f"{METADATA}KeyDescriptor") if key.get("use", "signing") == "signing"]
    texts = [text.text or "" for key in keys for text in key.iter(f"{SIGNATURE}X509Certificate")]
    if not texts:
        raise MetadataRefused("This metadata has no certificate to sign with.")
    certificates: dict[str, None] = {}
    refusal = ""
    for text in texts:
        try:
            certificates |= dict.fromkeys(read_certificates(text))
        except CertificateRefused as refused:
            # One that has ended may stand beside the one that is in use.
            refusal = str(refused)
    if not certificates:
        raise MetadataRefused(refusal)
    if len(certificates) > MOST_CERTIFICATES:
        raise MetadataRefused(
            f"This metadata has {len(certificates)} certificates to sign with: at most {MOST_CERTIFICATES} are accepted. Enter "
            "those that the provider signs with yourself."
        )
    return tuple(certificates)
