"""What the settings of single sign-on read: the provider as its form needs it, its certificates, and the SCIM token."""

from dataclasses import dataclass
from typing import Any, TypedDict

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.pages.settings.selectors.settings import identity_provider
from dashboard.proposals.own_key import is_still_used, key_impact
from dashboard.proposals.single_sign_on import own_domains, possible_break_glass
from dashboard.scim.models import ScimToken
from dashboard.scim.resources import location_of
from dashboard.single_sign_on.certificates import CertificateFacts, facts_of, pem_of
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.saml_metadata import ProviderMetadata
from dashboard.single_sign_on.selectors import published_certificates
from dashboard.times import day_and_time

SHARED = ("is_on", "name", "groups_claim", "ceiling")
OF_PROTOCOL = {
    Protocol.OIDC: ("issuer", "client_id"),
    Protocol.SAML: (
        "issuer", "sign_on_address", "email_attribute", "signs_requests", "requires_encryption", "logout_address",
        "logout_response_address",
    ),
}  # fmt: skip


class SignOnState(TypedDict):
    """What the form of single sign-on needs to know of what is there (ProviderForm)."""

    initial: dict[str, Any]
    domains: frozenset[str]
    break_glass: list[tuple[str, str]]
    secret_is_stored: bool
    key_is_stored: bool
    stored_issuer: str
    stored_certificates: frozenset[str]


def protocol_of(actor: Actor, named: str) -> Protocol:
    """The protocol whose form is shown: the one that was named, else the one that is set up, else OpenID Connect."""
    if named in Protocol.values:
        return Protocol(named)
    row = identity_provider(actor)
    return Protocol(row.protocol) if row else Protocol.OIDC


def sign_on_state(actor: Actor, protocol: Protocol, metadata: ProviderMetadata | None = None) -> SignOnState:
    """What is set up, for the form of a protocol, and in its place what SAML metadata says; the secret is not among it."""
    business, row = actor.business, identity_provider(actor)
    is_same = row is not None and row.protocol == protocol
    names = (*SHARED, *OF_PROTOCOL[protocol]) if is_same else SHARED
    initial: dict[str, Any] = {name: getattr(row, name) for name in names} if row else {"groups_claim": "groups"}
    holder = business.memberships.filter(is_break_glass=True).values_list("pk", flat=True).first()
    initial |= {"is_required": business.requires_sign_on, "break_glass_id": str(holder or "")}
    if row:
        initial["email_domains"] = ", ".join(row.email_domains)
        initial["group_roles"] = "\n".join(f"{group}: {Role(role).label}" for group, role in row.group_roles.items())
        initial["certificates"] = "\n".join(map(pem_of, row.certificates))
    if metadata:
        initial["certificates"] = "\n".join(map(pem_of, metadata.certificates))
        initial |= {"issuer": metadata.entity_id, "sign_on_address": metadata.sign_on_address}
        initial["logout_address"] = metadata.logout_address
        initial["logout_response_address"] = metadata.logout_response_address
    return {
        "initial": initial,
        "domains": own_domains(business),
        "break_glass": [(str(owner.pk), str(owner.user)) for owner in possible_break_glass(business)],
        "secret_is_stored": bool(row and is_same and row.client_secret_sealed),
        "key_is_stored": bool(row and is_same and row.key_sealed),
        "stored_issuer": row.issuer if row and is_same else "",
        "stored_certificates": frozenset(row.certificates if row and is_same else ()),
    }


@dataclass(frozen=True, slots=True)
class CertificateRow:
    """A certificate that assertions are checked by, and when it ends, on the clock of the business."""

    facts: CertificateFacts
    ends: str


@dataclass(frozen=True, slots=True)
class OwnKey:
    """Our key as its form needs it: the newest certificate's fingerprint, whether that is of a renewed key that is not used yet,
    whether the one before it opened an assertion in the last 24 hours, and what follows from the form in sentences."""

    fingerprint: str
    is_renewed: bool
    is_still_used: bool
    impact: list[str]


class SignOnContext(TypedDict):
    """What the page of single sign-on reads: the provider with its certificates and ours, of which the one that signs stands
    first, our key, the protocols as (value, label), the SCIM token's row and its moments, and SCIM's address."""

    row: IdentityProvider | None
    certificates: list[CertificateRow]
    own_certificates: list[CertificateRow]
    own_key: OwnKey | None
    protocols: list[tuple[str, str]]
    scim: ScimToken | None
    scim_created: str
    scim_used: str
    scim_address: str


def certificate_rows(row: IdentityProvider | None, business: Business) -> list[CertificateRow]:
    """The certificates of a provider; none where it is none of SAML."""
    return [_certificate_row(certificate, business) for certificate in (row.certificates if row else [])]


def _certificate_row(certificate: str, business: Business) -> CertificateRow:
    facts = facts_of(certificate)
    return CertificateRow(facts, day_and_time(facts.ends_at, business))


def _own_key(row: IdentityProvider | None) -> OwnKey | None:
    if row is None or not published_certificates(row):
        return None
    is_renewed = bool(row.former_key_certificate)
    fingerprint, impact = facts_of(row.key_certificate).fingerprint, key_impact(row, removes=is_renewed)
    return OwnKey(fingerprint, is_renewed, is_still_used(row), impact)


def sign_on_context(actor: Actor) -> SignOnContext:
    """The identity provider of the actor's business and its SCIM token, of which only the ending is known."""
    scim = ScimToken.objects.filter(business=actor.business).select_related("set_up_by__user").first()
    row = identity_provider(actor)
    return {
        "row": row,
        "certificates": certificate_rows(row, actor.business),
        "own_certificates": [_certificate_row(own, actor.business) for own in published_certificates(row)],
        "own_key": _own_key(row),
        "protocols": list(Protocol.choices),
        "scim": scim,
        "scim_created": day_and_time(scim.created_at, actor.business) if scim else "",
        "scim_used": day_and_time(scim.last_used_at, actor.business) if scim else "",
        "scim_address": location_of("").rstrip("/"),
    }
