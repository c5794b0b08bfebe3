"""How people sign in: a business's identity provider, changed at once, or proposed where a second admin is asked for.

Whoever chooses the provider could sign in as anybody of the business: so it is changed by the same people and in the same
way as who belongs to it.
"""

from typing import cast

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Business, Membership
from dashboard.access.roles import OWNING, Role
from dashboard.access.secrets import reseal, seal
from dashboard.access.sessions import end_sessions
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Conflict
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CHANGE_CONNECTION, CHANGE_SINGLE_SIGN_ON, OPEN_PROPOSAL_STATES, Proposal
from dashboard.proposals.own_key import drop_former_key, former_key_removed
from dashboard.proposals.setting_proposals import propose_setting
from dashboard.proposals.single_sign_on_settings import SignOnSettings, StoredSettings
from dashboard.proposals.targets import SINGLE_SIGN_ON
from dashboard.single_sign_on.certificates import facts_of
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.own_key import make_own_key
from dashboard.single_sign_on.selectors import snapshot_of_provider

# What is written into the row as it stands in a proposal.
COLUMNS = (
    "is_on", "protocol", "name", "issuer", "client_id", "sign_on_address", "certificates", "email_attribute",
    "signs_requests", "requires_encryption", "logout_address", "logout_response_address", "email_domains", "groups_claim",
    "group_roles", "ceiling",
)  # fmt: skip
# No membership has this number.
NO_MEMBERSHIP = 0
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def possible_break_glass(business: Business) -> list[Membership]:
    """The super admins who could enter with a password and a second factor of their own, by name."""
    owners = Membership.objects.filter(business=business, is_active=True, role__in=OWNING, user__is_active=True)
    secured = Authenticator.objects.filter(type__in=FACTORS).values("user_id")
    rows = owners.filter(user_id__in=secured).select_related("user").order_by("user__name", "pk")
    return [owner for owner in rows if owner.user.has_usable_password()]


def own_domains(business: Business) -> frozenset[str]:
    """The domains in which super admins who have entered this business have their own addresses: of these alone a business
    may say that its identity provider signs them in, so that none leads the people of another one to a provider of its
    choice. An invitation alone makes nobody's domain ours."""
    owners = Membership.objects.filter(business=business, is_active=True, role__in=OWNING)
    emails = owners.exclude(last_seen_at=None).values_list("user__email", flat=True)
    return frozenset(email.rpartition("@")[2].lower() for email in emails)


def change_single_sign_on(actor: Actor, new: SignOnSettings, *, key: str) -> Proposal | None:
    """Sets it up and answers None; or the proposal that waits for a second super admin.

    NotAllowed for who may not; Conflict where nobody could enter when the provider fails, where nobody could confirm the
    change, or where another one waits.
    """
    check_open(actor, MEMBERS)
    body = new.stored()
    _check_way_in(actor.business, body)
    if not requires_second_admin(actor.business):
        _set(actor, body, changed_by=actor.member_id)
        return None
    return propose_setting(
        actor,
        CHANGE_SINGLE_SIGN_ON,
        SINGLE_SIGN_ON,
        actor.business.slug,
        body=body,
        seen=snapshot_of_provider(actor.business),
        title="Single sign-on",
        sentences=sentences_of(actor.business, body),
        consequences=[
            "Whoever runs the identity provider can sign in as any member with an address of these domains.",
            "They choose who is in which group, too: no super admin who does should confirm roles that groups give.",
            "Whoever signed in through another provider, or by certificates of which none stays, is signed out.",
            *_removed_with_it(actor.business, body),
        ],
        key=key,
    )


def _removed_with_it(business: Business, body: StoredSettings) -> list[str]:
    row = IdentityProvider.objects.filter(business=business).first()
    return former_key_removed(row) if row and _is_elsewhere(row, body) else []


def _is_elsewhere(row: IdentityProvider, body: StoredSettings) -> bool:
    """Whether the settings are of another provider than the stored one, with which what was for that one goes."""
    return (row.protocol, row.issuer) != (body["protocol"], body["issuer"])


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; NotAllowed where that person may not any more,
    Conflict where nobody could enter any more when the provider fails."""
    check_open(actor, MEMBERS)
    body = cast(StoredSettings, proposal.body or {})
    _check_way_in(actor.business, body)
    _set(actor, body, changed_by=proposal.proposed_by_id)


def sentences_of(business: Business, body: StoredSettings) -> list[str]:
    """What settings mean, a sentence each, for whoever confirms them and for the audit. The secret stands in none."""
    if not body["is_on"]:
        return ["Single sign-on is off: members sign in with their passwords and passkeys."]
    lines = [*_provider_sentences(body), f"It signs in addresses of {', '.join(body['email_domains'])}."]
    if body["sealed_secret"]:
        lines.append("The client secret is replaced.")
    if body["is_required"]:
        holder = (
            Membership.objects.select_related("user")
            .filter(business=business, pk=body["break_glass_id"] or NO_MEMBERSHIP)
            .first()
        )
        who = holder.user if holder else "nobody"
        lines.append(f"Single sign-on is required: passwords and passkeys no longer open this business, but for {who}.")
    else:
        lines.append("Passwords and passkeys go on opening this business, too.")
    if groups := body["group_roles"]:
        pairs = ", ".join(f"{group}: {Role(role).label.lower()}" for group, role in sorted(groups.items()))
        ceiling = Role(str(body["ceiling"])).label.lower()
        source = "attribute" if body["protocol"] == Protocol.SAML else "claim"
        lines.append(f"Groups give roles ({pairs}; {source} “{body['groups_claim']}”), none above {ceiling}.")
    return lines


def _provider_sentences(body: StoredSettings) -> list[str]:
    if body["protocol"] != Protocol.SAML:
        return [f"Members sign in through {body['name']} ({body['issuer']}, client {body['client_id']})."]
    source = f" The attribute “{body['email_attribute']}” holds their address." if body["email_attribute"] else ""
    lines = [
        f"Members sign in through {body['name']} by SAML ({body['issuer']}), at {body['sign_on_address']}.{source}"
    ]
    for certificate in map(facts_of, body["certificates"]):
        ends = certificate.ends_at.date().isoformat()
        lines.append(f"It signs with the certificate {certificate.fingerprint} (SHA-256), which ends on {ends} (UTC).")
    if body["signs_requests"]:
        lines.append("Sign-in requests are signed with our key.")
    if body["requires_encryption"]:
        lines.append("Assertions that are not encrypted to our key are refused.")
    if body["logout_address"]:
        lines.append(f"Signing out there ends sessions here; signing out here leads to {body['logout_address']}.")
    if body["logout_response_address"]:
        lines.append(f"A sign-out there is answered at {body['logout_response_address']}.")
    return lines


def _check_way_in(business: Business, body: StoredSettings) -> None:
    able = {owner.pk for owner in possible_break_glass(business)}
    if body["is_on"] and body["is_required"] and body["break_glass_id"] not in able:
        raise Conflict(
            "Choose a break-glass super admin who has a password and a second factor: else nobody could enter while the "
            "identity provider does not answer.",
            code="no_break_glass",
        )


def _set(actor: Actor, body: StoredSettings, *, changed_by: int) -> None:
    business = actor.business
    required = bool(body["is_on"] and body["is_required"])
    with transaction.atomic():
        Business.objects.select_for_update(no_key=True).get(pk=business.pk)
        # Locked: its secrets are sealed anew, and the use of our previous key noted, beside this.
        stored = IdentityProvider.objects.select_for_update(no_key=True).filter(business=business).first()
        row = stored or IdentityProvider(business=business, version=0)
        before = sentences_of(business, _body_of(row)) if row.pk else []
        was_on, was_client, is_elsewhere = row.is_on, row.client_id, _is_elsewhere(row, body)
        old_certificates = frozenset(row.certificates)
        columns = dict(body)
        for name in COLUMNS:
            setattr(row, name, columns[name])
        # Our previous key was published for the provider there was: another one never needs it.
        removed = drop_former_key(row) if is_elsewhere else []
        if body["sealed_secret"]:
            row.client_secret_sealed = str(body["sealed_secret"]).encode("ascii")
        elif row.pk and is_elsewhere:
            # A secret is for the provider that it was made at: another one is not sent it.
            row.client_secret_sealed = b""
        if row.protocol == Protocol.SAML and not row.key_sealed:
            key, row.key_certificate = make_own_key(business.slug)
            row.key_sealed = seal(key)
        row.version, row.changed_by_id, row.changed_at = row.version + 1, changed_by, timezone.now()
        row.save()
        Business.objects.filter(pk=business.pk).update(requires_sign_on=required)
        members, holder_id = Membership.objects.filter(business=business), body["break_glass_id"] or NO_MEMBERSHIP
        members.filter(is_break_glass=True).exclude(pk=holder_id).update(is_break_glass=False)
        members.filter(pk=holder_id).update(is_break_glass=True)
        # Whoever has the keys says who signs in: where none stays, nothing says that it is who it was.
        has_new_keys = bool(old_certificates) and old_certificates.isdisjoint(row.certificates)
        # A link is to somebody at one issuer, by one protocol, also where that was switched off in between.
        if is_elsewhere or (was_on and (has_new_keys or (was_on, was_client) != (row.is_on, row.client_id))):
            _end_linked(business, unlink=is_elsewhere)
        record(
            actor, CHANGE_SINGLE_SIGN_ON, None, Outcome.DONE, sentence="changed single sign-on",
            before=_numbered(before), after=_numbered([*sentences_of(business, body), *removed]),
        )  # fmt: skip


def _body_of(row: IdentityProvider) -> StoredSettings:
    holder = Membership.objects.filter(business=row.business, is_break_glass=True).values_list("pk", flat=True).first()
    stored = {name: getattr(row, name) for name in COLUMNS}
    required = Business.objects.values_list("requires_sign_on", flat=True).get(pk=row.business_id)
    return cast(StoredSettings, stored | {"is_required": required, "break_glass_id": holder, "sealed_secret": ""})


def _numbered(lines: list[str]) -> dict[str, str]:
    return {f"{place}": sentence for place, sentence in enumerate(lines, 1)}


def _end_linked(business: Business, *, unlink: bool) -> None:
    # An account of one issuer says nothing of who has that account at another: the links go with the issuer.
    links = SocialAccount.objects.filter(provider=business.slug)
    for user_id in list(links.values_list("user_id", flat=True)):
        end_sessions(user_id)
    if unlink:
        links.delete()


def reseal_proposed_secrets() -> int:
    """Seals the secrets of open proposals, of a provider or of the connection, with the first key; how many proposals."""
    rows = list(
        Proposal.objects.filter(
            operation__in=(CHANGE_SINGLE_SIGN_ON, CHANGE_CONNECTION), state__in=OPEN_PROPOSAL_STATES
        )
    )
    sealed = [row for row in rows if row.body != row.body_without_secrets]
    for row in sealed:
        row.body = {
            name: reseal(value.encode("ascii")).decode("ascii") if name.startswith("sealed_") and value else value
            for name, value in (row.body or {}).items()
        }
        # One that has ended meanwhile has no secret any more, and gets none back.
        Proposal.objects.filter(pk=row.pk, state__in=OPEN_PROPOSAL_STATES).update(body=row.body)
    return len(sealed)
