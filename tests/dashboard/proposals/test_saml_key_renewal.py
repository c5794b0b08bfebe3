"""Our own key at a SAML provider is renewed, and the renewed one used: by super admins, at once or proposed, once, and audited."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.secrets import unseal
from dashboard.audit.models import AuditEntry
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.outcomes import confirm
from dashboard.proposals.own_key import NO_FORMER_KEY, NO_KEY, TWO_KEYS
from dashboard.single_sign_on.certificates import facts_of
from dashboard.single_sign_on.models import IdentityProvider
from dashboard.single_sign_on.selectors import published_certificates
from tests.dashboard.pages.conftest import House
from tests.dashboard.proposals.test_saml_settings import PAGE, browser_of, plain, row_of, save
from tests.dashboard.proposals.test_single_sign_on import save as save_openid
from tests.saml_provider import SamlIdentityProvider


def change(house: House, what: str, by: str = "Sam") -> Any:
    form = {"key": f"key-{time.time_ns()}"}
    return browser_of(house, by).post(house.address(f"{PAGE}key/{what}/"), form)


def page_of(house: House) -> str:
    return plain(house.browser("Sam").get(house.address(PAGE)))


def keys_of(row: IdentityProvider) -> list[str]:
    """Our keys in plain, the newest first."""
    return [unseal(sealed) for sealed in (row.key_sealed, row.former_key_sealed) if sealed]


def form_of(house: House) -> dict[str, str]:
    """The form of our key, as the page has it."""
    page = page_of(house)
    fields = {}
    for name in ("key", "fingerprint"):
        found = re.search(rf'name="{name}" value="([^"]+)"', page[page.index("/single-sign-on/key/") :])
        assert found, name
        fields[name] = found[1]
    return fields


def lines_of(house: House) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(chain=house.business.pk, operation="change_own_key").order_by("pk"))


def said(house: House, what: str, sentence: str, by: str = "Sam") -> None:
    """The act leads back to the settings, which say the sentence."""
    browser = browser_of(house, by)
    answer = browser.post(house.address(f"{PAGE}key/{what}/"), {"key": f"key-{time.time_ns()}"})
    assert answer.status_code == 302
    assert sentence in plain(browser.get(house.address(PAGE)))


def test_a_renewed_key_is_published_beside_the_one_in_use_until_it_is_used(
    owned: House, provider: SamlIdentityProvider
) -> None:
    said(owned, "renew", NO_KEY)
    assert save(owned, provider).status_code == 302
    assert "Use renewed key" not in page_of(owned)
    said(owned, "remove", NO_FORMER_KEY)
    first = row_of(owned)
    said(owned, "renew", "The key is renewed: give the provider our metadata anew, and use the renewed key then.")
    second = row_of(owned)
    assert keys_of(second)[1:] == keys_of(first)
    assert keys_of(second)[0] != keys_of(first)[0]
    assert (second.former_key_certificate, second.version) == (first.key_certificate, first.version + 1)
    new, old = (facts_of(own).fingerprint for own in (second.key_certificate, first.key_certificate))
    page = page_of(owned)
    assert page.index(old) < page.index(new), "the one that signs stands first"
    assert "Renew key" not in page
    assert "Give the provider our metadata before the renewed key is used" in page
    line = lines_of(owned)[-1]
    assert line.sentence == "renewed our key for single sign-on"
    assert (line.before, line.after) == ({"1": old}, {"1": old, "2": new})
    said(owned, "renew", TWO_KEYS)
    assert save(owned, provider, name="Their provider").status_code == 302
    assert keys_of(row_of(owned)) == keys_of(second), "other settings leave both"
    said(owned, "remove", "The renewed key is used, and the previous one is removed.")
    assert keys_of(row_of(owned)) == keys_of(second)[:1]
    assert old not in page_of(owned)
    line = lines_of(owned)[-1]
    assert line.sentence == "used our renewed key, and removed the previous one, for single sign-on"
    assert line.after == {"1": new}


@pytest.mark.parametrize("sent", ["the same form", "another window's form"])
def test_a_form_that_is_sent_twice_is_done_once(owned: House, provider: SamlIdentityProvider, sent: str) -> None:
    assert save(owned, provider).status_code == 302
    browser = browser_of(owned, "Sam")
    for number, (what, sentence) in enumerate(
        (("renew", "The key is renewed"), ("remove", "The renewed key is used")), 1
    ):
        form = form_of(owned)
        again = form if sent == "the same form" else form | {"key": f"other-{what}"}
        for each in (form, again):
            assert browser.post(owned.address(f"{PAGE}key/{what}/"), each).status_code == 302
            page = plain(browser.get(owned.address(PAGE)))
            assert sentence in page
            assert TWO_KEYS not in page
            assert NO_FORMER_KEY not in page
        assert len(lines_of(owned)) == number


def test_a_form_of_a_key_that_was_changed_since_changes_nothing(owned: House, provider: SamlIdentityProvider) -> None:
    assert save(owned, provider).status_code == 302
    old_form, browser = form_of(owned), browser_of(owned, "Sam")
    for what in ("renew", "remove"):
        assert change(owned, what).status_code == 302
    keys = keys_of(row_of(owned))
    assert browser.post(owned.address(f"{PAGE}key/renew/"), old_form).status_code == 302
    assert "Our key was changed after this page was opened" in plain(browser.get(owned.address(PAGE)))
    assert keys_of(row_of(owned)) == keys


def test_a_key_that_is_still_needed_is_removed_by_a_tick_alone(owned: House, provider: SamlIdentityProvider) -> None:
    assert save(owned, provider).status_code == 302
    assert save(owned, provider, requires_encryption="on").status_code == 302
    assert change(owned, "renew").status_code == 302
    assert "No sign-in since the renewal is noted that needed the previous key." in page_of(owned)
    rows, now = IdentityProvider.objects.filter(business=owned.business), timezone.now()
    rows.update(former_key_opened_at=now - timedelta(hours=23))
    page = page_of(owned)
    assert "A sign-in needed the previous key on" in page
    assert 'name="is_confirmed" required' in page
    said(owned, "remove", "confirm below that the renewed key is used anyway")
    assert len(keys_of(row_of(owned))) == 2
    rows.update(former_key_opened_at=now - timedelta(hours=25))
    page = page_of(owned)
    assert "A sign-in needed the previous key on" in page
    assert "is_confirmed" not in page
    rows.update(former_key_opened_at=now)
    form = form_of(owned) | {"is_confirmed": "on"}
    assert browser_of(owned, "Sam").post(owned.address(f"{PAGE}key/remove/"), form).status_code == 302
    assert len(keys_of(row_of(owned))) == 1
    assert row_of(owned).former_key_opened_at is None


@pytest.mark.parametrize(
    ("settings", "renewed", "used"),
    [
        ({}, "nothing is signed with our key", "nothing is signed with our key"),
        ({"signs_requests": "on"}, "goes on signing our sign-in requests until", "Our sign-in requests are signed with"),
        (
            {"signs_requests": "on", "logout_address": "https://login.test/logout"},
            "goes on signing our sign-in requests and sign-outs until", "Our sign-in requests and sign-outs are signed",
        ),
        (
            {"requires_encryption": "on"},
            "Assertions may be encrypted to either key", "encrypted to the previous key are refused",
        ),
    ],
    ids=["nothing", "requests", "requests and sign-outs", "encryption"],
)  # fmt: skip
def test_the_page_says_what_follows_by_what_is_switched_on(
    owned: House, provider: SamlIdentityProvider, settings: dict[str, str], renewed: str, used: str
) -> None:
    assert save(owned, provider).status_code == 302
    assert save(owned, provider, **settings).status_code == 302
    assert renewed in page_of(owned)
    assert change(owned, "renew").status_code == 302
    page = page_of(owned)
    assert used in page
    assert ("signed with" in page) is ("signed with our key" in used or "signs_requests" in settings)
    assert ("encrypted to the previous key" in page) is ("requires_encryption" in settings)


@pytest.mark.parametrize("stays", [False, True], ids=["another issuer", "the same"])
def test_another_provider_gets_no_previous_key_and_the_audit_says_so(
    owned: House, provider: SamlIdentityProvider, *, stays: bool
) -> None:
    assert save(owned, provider).status_code == 302
    assert change(owned, "renew").status_code == 302
    before = row_of(owned)
    issuer = provider.entity_id if stays else "https://elsewhere.test/metadata"
    assert save(owned, provider, issuer=issuer).status_code == 302
    assert keys_of(row_of(owned)) == (keys_of(before) if stays else keys_of(before)[:1])
    assert bool(row_of(owned).former_key_certificate) is stays
    line = AuditEntry.objects.filter(chain=owned.business.pk, operation="change_single_sign_on").latest("pk")
    assert (facts_of(before.former_key_certificate).fingerprint in str(line.after)) is not stays


@pytest.mark.parametrize("way", ["at once", "by a second super admin"])
def test_another_protocol_removes_the_previous_key_for_good_and_the_audit_says_so(
    owned: House, provider: SamlIdentityProvider, way: str
) -> None:
    assert save(owned, provider).status_code == 302
    assert change(owned, "renew").status_code == 302
    before = row_of(owned)
    goes = f"Our previous key, of the certificate {facts_of(before.former_key_certificate).fingerprint} (SHA-256), is removed."
    if way != "at once":
        FourEyes.objects.create(business=owned.business, is_on=True)
    # The same text for the issuer, so that it is the protocol alone that changes.
    IdentityProvider.objects.filter(pk=before.pk).update(issuer="http://localhost:4444/o")
    assert save_openid(owned, protocol="OIDC", issuer="http://localhost:4444/o").status_code == 302
    if way != "at once":
        proposal = Proposal.objects.get(business=owned.business)
        assert goes in plain(owned.browser("Selma").get(owned.address(f"wallet-policies/proposals/{proposal.pk}/")))
        assert keys_of(row_of(owned)) == keys_of(before), "nothing goes before it is confirmed"
        confirm(owned.actor("Selma"), proposal)
        apply_proposal(proposal.pk)
        FourEyes.objects.all().delete()
    after = row_of(owned)
    assert (after.protocol, keys_of(after)) == ("OIDC", keys_of(before)[:1])
    assert (after.former_key_certificate, after.former_key_opened_at) == ("", None)
    line = AuditEntry.objects.filter(chain=owned.business.pk, operation="change_single_sign_on").latest("pk")
    assert goes in line.after.values()
    assert save(owned, provider).status_code == 302
    assert published_certificates(row_of(owned)) == [before.key_certificate], "nor does it come back with SAML"


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
    assert keys_of(row_of(owned)) == keys_of(before)
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
