"""Our own key at a SAML provider, renewed and then used immediately, or proposed where a second admin is asked for.

A renewed key is published beside the one before it, which goes on signing until the renewed one is used: whoever runs the
provider takes the new certificate over in between, so that nothing is signed with a key that the provider cannot know.
"""

from datetime import timedelta
from typing import TypedDict, cast

from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Business
from dashboard.access.secrets import seal
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Conflict
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CHANGE_OWN_KEY, Proposal
from dashboard.proposals.setting_proposals import propose_setting
from dashboard.proposals.targets import SINGLE_SIGN_ON
from dashboard.single_sign_on.certificates import facts_of
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.own_key import make_own_key
from dashboard.single_sign_on.selectors import published_certificates, snapshot_of_provider
from dashboard.times import day_and_time

NO_KEY = "There is no key of ours to renew: save the settings of a SAML provider first."
TWO_KEYS = "A renewed key is published already: give the provider our metadata, and use that key first."
NO_FORMER_KEY = "There is no renewed key to use: renew the key first."
CHANGED = "Our key was changed after this page was opened: review it again."
STILL_USED = (
    "The previous key opened an assertion in the last 24 hours: confirm below that the renewed key is used anyway."
)
# A provider that still encrypts to the previous key shows it within a day of work.
RECENT = timedelta(hours=24)


class StoredKeyChange(TypedDict):
    """What becomes of our key, as a proposal keeps it; the new key is made when it is applied."""

    removes: bool


def change_own_key(
    actor: Actor, *, removes: bool, key: str, seen_fingerprint: str = "", is_confirmed: bool = False
) -> Proposal | None:
    """Renews our key at the SAML provider; or uses the renewed one and so `removes` the one before it. Answers None where it is
    done; or the proposal that waits for a second super admin.

    `seen_fingerprint` is the fingerprint of the newest certificate that the form showed: what it asks for is done once. `is_confirmed`
    says that somebody uses the renewed key although the previous one is still needed. NotAllowed for who may not; Conflict
    where there is no such key, where it has been changed since, where the previous one is still needed, where nobody could
    confirm it, or where another change of single sign-on waits.
    """
    check_open(actor, MEMBERS)
    row = _provider(actor.business)
    if _is_done(row, removes=removes, seen_fingerprint=seen_fingerprint):
        return None
    _check(row, removes=removes, seen_fingerprint=seen_fingerprint)
    if removes and is_still_used(row) and not is_confirmed:
        raise Conflict(STILL_USED, code="still_used")
    if not requires_second_admin(actor.business):
        _change(actor, removes=removes, seen_fingerprint=seen_fingerprint)
        return None
    body: StoredKeyChange = {"removes": removes}
    return propose_setting(
        actor, CHANGE_OWN_KEY, SINGLE_SIGN_ON, actor.business.slug, body=body, seen=snapshot_of_provider(actor.business),
        title="Our key for single sign-on", sentences=[_sentence(row, removes=removes)],
        consequences=key_impact(row, removes=removes), key=key,
    )  # fmt: skip


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; NotAllowed where that person may not any more, Conflict
    where there is no such key any more."""
    check_open(actor, MEMBERS)
    _change(actor, removes=cast(StoredKeyChange, proposal.body)["removes"])


def key_impact(row: IdentityProvider, *, removes: bool) -> list[str]:
    """What follows at a provider with these settings from a renewal, or from using the renewed key: a sentence each."""
    uses = {"sign-in requests": row.signs_requests, "sign-outs": bool(row.logout_address)}
    signed = " and ".join(name for name, is_on in uses.items() if is_on)
    lines = ["Give the provider our metadata before the renewed key is used: it has both certificates."]
    if signed and removes:
        lines.append(
            f"Our {signed} are signed with the renewed key alone: a provider that does not know it refuses them."
        )
    elif signed:
        lines.append(f"The key before it goes on signing our {signed} until the renewed key is used.")
    if row.requires_encryption and removes:
        lines += ["Assertions that are encrypted to the previous key are refused.", _last_opened(row)]
    elif row.requires_encryption:
        lines.append("Assertions may be encrypted to either key until then.")
    if not signed and not row.requires_encryption:
        lines.append("As these settings are, nothing is signed with our key, and no assertion may be encrypted to it.")
    return lines


def is_still_used(row: IdentityProvider) -> bool:
    """Whether the previous key has opened an assertion in the last 24 hours, as far as that was noted."""
    return row.former_key_opened_at is not None and row.former_key_opened_at > timezone.now() - RECENT


def former_key_removed(row: IdentityProvider) -> list[str]:
    """The sentence that says that the previous key goes, as it does with the provider; none where there is none."""
    if not row.former_key_certificate:
        return []
    fingerprint = facts_of(row.former_key_certificate).fingerprint
    return [f"Our previous key, of the certificate {fingerprint} (SHA-256), is removed."]


def drop_former_key(row: IdentityProvider) -> list[str]:
    """Takes the previous key off a row that is not saved yet; the sentence that says so, none where there is none."""
    lines = former_key_removed(row)
    row.former_key_sealed, row.former_key_certificate, row.former_key_opened_at = b"", "", None
    return lines


def _provider(business: Business) -> IdentityProvider:
    row = IdentityProvider.objects.filter(business=business, protocol=Protocol.SAML).select_related("business").first()
    if row is None or not row.key_sealed:
        raise Conflict(NO_KEY, code="no_key")
    return row


def _is_done(row: IdentityProvider, *, removes: bool, seen_fingerprint: str) -> bool:
    """Whether what a form asks for was done since it was shown, by an earlier sending of it or by somebody else."""
    if removes:
        return not row.former_key_certificate and seen_fingerprint == facts_of(row.key_certificate).fingerprint
    return bool(row.former_key_certificate) and seen_fingerprint == facts_of(row.former_key_certificate).fingerprint


def _check(row: IdentityProvider, *, removes: bool, seen_fingerprint: str) -> None:
    if seen_fingerprint and seen_fingerprint != facts_of(row.key_certificate).fingerprint:
        raise Conflict(CHANGED, code="changed")
    if removes and not row.former_key_certificate:
        raise Conflict(NO_FORMER_KEY, code="no_key")
    if not removes and row.former_key_certificate:
        raise Conflict(TWO_KEYS, code="two_keys")


def _change(actor: Actor, *, removes: bool, seen_fingerprint: str = "") -> None:
    business = actor.business
    with transaction.atomic():
        Business.objects.select_for_update(no_key=True).get(pk=business.pk)
        # Secrets are sealed anew under the lock of their own row.
        IdentityProvider.objects.select_for_update(no_key=True).filter(business=business).first()
        row = _provider(business)
        if _is_done(row, removes=removes, seen_fingerprint=seen_fingerprint):
            return
        _check(row, removes=removes, seen_fingerprint=seen_fingerprint)
        before, sentence = _published(row), _sentence(row, removes=removes)
        if removes:
            drop_former_key(row)
        else:
            row.former_key_sealed, row.former_key_certificate = row.key_sealed, row.key_certificate
            row.former_key_opened_at = None
            new_key, row.key_certificate = make_own_key(business.slug)
            row.key_sealed = seal(new_key)
        # Whoever set the provider up is still whose it is: a key of ours says nothing of who signs in.
        row.version, row.changed_at = row.version + 1, timezone.now()
        row.save()
        what = "used our renewed key, and removed the previous one," if removes else "renewed our key"
        record(
            actor, CHANGE_OWN_KEY, None, Outcome.DONE, reason=sentence, before=before, after=_published(row),
            sentence=f"{what} for single sign-on",
        )  # fmt: skip


def _sentence(row: IdentityProvider, *, removes: bool) -> str:
    newest = facts_of(row.key_certificate).fingerprint
    if not removes:
        return f"A renewed key of ours is published beside the one of the certificate {newest} (SHA-256), which stays in use."
    former = facts_of(row.former_key_certificate).fingerprint
    return (
        f"Our renewed key, of the certificate {newest} (SHA-256), is used; the previous one, of {former}, is removed and "
        "decrypts nothing any more."
    )


def _last_opened(row: IdentityProvider) -> str:
    if row.former_key_opened_at is None:
        return "No sign-in since the renewal is noted that needed the previous key."
    at = day_and_time(row.former_key_opened_at, row.business)
    return f"A sign-in needed the previous key on {at}, and perhaps within an hour after it; none is noted after that."


def _published(row: IdentityProvider) -> dict[str, str]:
    """The fingerprints of our certificates, the one that signs first."""
    certificates = published_certificates(row)
    return {str(place): facts_of(content).fingerprint for place, content in enumerate(certificates, 1)}
