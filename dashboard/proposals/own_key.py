"""Our own key at a SAML provider, renewed immediately, or proposed where a second admin is asked for.

The one before it goes on decrypting, and stands in our metadata beside the new one, until it is removed: whoever runs the provider
takes the new certificate over in between.
"""

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

NO_KEY = "There is no key of ours to renew: save the settings of a SAML provider first."
TWO_KEYS = "The key before the one in use is still published: remove it first."
NO_FORMER_KEY = "No key but the one in use is published."
RENEWED = (
    "Sign-in requests and sign-outs are signed with the new key immediately: a provider that checks them needs our metadata anew.",
    "Assertions may be encrypted to either key until the one before is removed.",
)
REMOVED = ("Assertions that are still encrypted to the removed key are refused.",)


class StoredKeyChange(TypedDict):
    """What becomes of our key, as a proposal keeps it; the new key is made when it is applied."""

    removes: bool


def change_own_key(actor: Actor, *, removes: bool, key: str) -> Proposal | None:
    """Renews our key at the SAML provider, or `removes` the one before it, and answers None; or the proposal that waits for a
    second super admin.

    NotAllowed for who may not; Conflict where there is no such key, where nobody could confirm it, or where another change
    of single sign-on waits.
    """
    check_open(actor, MEMBERS)
    sentence = _sentence(_provider(actor.business, removes=removes), removes=removes)
    if not requires_second_admin(actor.business):
        _change(actor, removes=removes)
        return None
    body: StoredKeyChange = {"removes": removes}
    return propose_setting(
        actor, CHANGE_OWN_KEY, SINGLE_SIGN_ON, actor.business.slug, body=body, seen=snapshot_of_provider(actor.business),
        title="Our key for single sign-on", sentences=[sentence], consequences=REMOVED if removes else RENEWED, key=key,
    )  # fmt: skip


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; NotAllowed where that person may not any more, Conflict
    where there is no such key any more."""
    check_open(actor, MEMBERS)
    _change(actor, removes=cast(StoredKeyChange, proposal.body)["removes"])


def _provider(business: Business, *, removes: bool) -> IdentityProvider:
    row = IdentityProvider.objects.filter(business=business, protocol=Protocol.SAML).first()
    if row is None or not row.key_sealed:
        raise Conflict(NO_KEY, code="no_key")
    if removes and not row.former_key_sealed:
        raise Conflict(NO_FORMER_KEY, code="no_key")
    if not removes and row.former_key_sealed:
        raise Conflict(TWO_KEYS, code="two_keys")
    return row


def _change(actor: Actor, *, removes: bool) -> None:
    business = actor.business
    with transaction.atomic():
        Business.objects.select_for_update(no_key=True).get(pk=business.pk)
        # Secrets are sealed anew under the lock of their own row.
        IdentityProvider.objects.select_for_update(no_key=True).filter(business=business).first()
        row = _provider(business, removes=removes)
        before, sentence = _published(row), _sentence(row, removes=removes)
        if removes:
            row.former_key_sealed, row.former_key_certificate = b"", ""
        else:
            row.former_key_sealed, row.former_key_certificate = row.key_sealed, row.key_certificate
            new_key, row.key_certificate = make_own_key(business.slug)
            row.key_sealed = seal(new_key)
        # Whoever set the provider up is still whose it is: a key of ours says nothing of who signs in.
        row.version, row.changed_at = row.version + 1, timezone.now()
        row.save()
        record(
            actor, CHANGE_OWN_KEY, None, Outcome.DONE, reason=sentence, before=before, after=_published(row),
            sentence=f"{'removed the previous' if removes else 'renewed our'} key for single sign-on",
        )  # fmt: skip


def _sentence(row: IdentityProvider, *, removes: bool) -> str:
    if removes:
        fingerprint = facts_of(row.former_key_certificate).fingerprint
        return (
            f"Our previous key, of the certificate {fingerprint} (SHA-256), is removed: it decrypts nothing any more."
        )
    fingerprint = facts_of(row.key_certificate).fingerprint
    return f"A new key of ours takes the place of the one of the certificate {fingerprint} (SHA-256), which goes on decrypting."


def _published(row: IdentityProvider) -> dict[str, str]:
    """The fingerprints of our certificates, the one that signs first."""
    certificates = published_certificates(row)
    return {f"{place}": facts_of(content).fingerprint for place, content in enumerate(certificates, 1)}
