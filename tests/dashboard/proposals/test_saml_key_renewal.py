"""Our own key at a SAML provider is renewed and the one before it removed: by super admins, at once or proposed, and audited."""

from __future__ import annotations

import time
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.own_key import NO_FORMER_KEY, NO_KEY, TWO_KEYS
from dashboard.proposals.services import confirm
from dashboard.single_sign_on.certificates import facts_of
from dashboard.single_sign_on.selectors import decryption_keys_of, own_key_of
from tests.dashboard.pages.conftest import House
from tests.dashboard.proposals.test_saml_settings import PAGE, browser_of, plain, row_of, save
from tests.saml_provider import SamlIdentityProvider


def change(house: House, what: str, by: str = "Sam") -> Any:
    form = {"key": f"key-{time.time_ns()}"}
    return browser_of(house, by).post(house.address(f"{PAGE}key/{what}/"), form)


def page_of(house: House) -> str:
    return plain(house.browser("Sam").get(house.address(PAGE)))


def said(house: House, what: str, sentence: str, by: str = "Sam") -> None:
    """The act leads back to the settings, which say the sentence."""
    browser = browser_of(house, by)
    answer = browser.post(house.address(f"{PAGE}key/{what}/"), {"key": f"key-{time.time_ns()}"})
    assert answer.status_code == 302
    assert sentence in plain(browser.get(house.address(PAGE)))


def test_a_renewed_key_signs_and_the_one_before_stays_until_it_is_removed(
    owned: House, provider: SamlIdentityProvider
) -> None:
    said(owned, "renew", NO_KEY)
    assert save(owned, provider).status_code == 302
    assert "Remove previous key" not in page_of(owned)
    said(owned, "remove", NO_FORMER_KEY)
    first = row_of(owned)
    said(owned, "renew", "The key is renewed")
    second = row_of(owned)
    assert decryption_keys_of(second) == [own_key_of(second), own_key_of(first)]
    assert own_key_of(second) != own_key_of(first)
    assert (second.former_key_certificate, second.version) == (first.key_certificate, first.version + 1)
    fingerprints = [facts_of(own).fingerprint for own in (second.key_certificate, first.key_certificate)]
    page = page_of(owned)
    assert page.index(fingerprints[0]) < page.index(fingerprints[1])
    assert "Renew key" not in page
    line = AuditEntry.objects.filter(chain=owned.business.pk, operation="change_own_key").latest("pk")
    assert line.sentence == "renewed our key for single sign-on"
    assert (line.before, line.after) == ({"1": fingerprints[1]}, {"1": fingerprints[0], "2": fingerprints[1]})
    said(owned, "renew", TWO_KEYS)
    assert save(owned, provider, name="Their provider").status_code == 302
    assert decryption_keys_of(row_of(owned)) == decryption_keys_of(second), "other settings leave both"
    said(owned, "remove", "The previous key is removed.")
    third = row_of(owned)
    assert decryption_keys_of(third) == [own_key_of(second)]
    assert fingerprints[1] not in page_of(owned)
    line = AuditEntry.objects.filter(chain=owned.business.pk, operation="change_own_key").latest("pk")
    assert line.sentence == "removed the previous key for single sign-on"
    assert line.after == {"1": fingerprints[0]}


def test_only_super_admins_renew_and_remove(owned: House, provider: SamlIdentityProvider) -> None:
    assert save(owned, provider).status_code == 302
    for person in ("Carla", "Apollo", "Ada"):
        for what in ("renew", "remove"):
            assert change(owned, what, person).status_code == 403
    assert not row_of(owned).former_key_certificate


@pytest.mark.parametrize("what", ["renew", "remove"])
def test_a_second_super_admin_confirms_it_and_it_is_done_once(
    owned: House, provider: SamlIdentityProvider, what: str
) -> None:
    assert save(owned, provider).status_code == 302
    if what == "remove":
        said(owned, "renew", "The key is renewed")
    FourEyes.objects.create(business=owned.business, is_on=True)
    before = row_of(owned)
    said(owned, what, "Proposed")
    assert decryption_keys_of(row_of(owned)) == decryption_keys_of(before)
    proposal = Proposal.objects.get(business=owned.business)
    shown = owned.browser("Selma").get(owned.address(f"wallet-policies/proposals/{proposal.pk}/"))
    named = before.former_key_certificate or before.key_certificate
    assert facts_of(named).fingerprint in plain(shown)
    assert "PRIVATE" not in str(proposal.body)
    confirm(owned.actor("Selma"), proposal)
    after = None
    for _ in range(2):
        apply_proposal(proposal.pk)
        proposal.refresh_from_db()
        assert proposal.state == ProposalState.APPLIED, proposal.outcome
        row = row_of(owned)
        assert row.version == before.version + 1
        assert after in (None, row.key_certificate)
        after = row.key_certificate
        assert bool(row.former_key_certificate) is (what == "renew")
    assert (after == before.key_certificate) is (what == "remove")


def test_a_proposal_of_a_provider_that_was_changed_since_renews_nothing(
    owned: House, provider: SamlIdentityProvider
) -> None:
    assert save(owned, provider).status_code == 302
    four_eyes = FourEyes.objects.create(business=owned.business, is_on=True)
    said(owned, "renew", "Proposed")
    four_eyes.delete()
    assert save(owned, provider, name="Their provider").status_code == 302
    proposal = Proposal.objects.get(business=owned.business)
    Proposal.objects.filter(pk=proposal.pk).update(state=ProposalState.CONFIRMED, decided_by=owned.people["Selma"].pk)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE
    assert not row_of(owned).former_key_certificate
