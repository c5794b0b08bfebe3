"""Our own key at a SAML provider and single logout, as settings: changed by super admins alone, proposed, said in sentences."""

from __future__ import annotations

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.outcomes import confirm
from dashboard.single_sign_on.certificates import facts_of
from dashboard.single_sign_on.saml_metadata import read_metadata
from tests.dashboard.pages.conftest import House
from tests.dashboard.proposals.test_saml_settings import PAGE, browser_of, check_refused, plain, row_of, save
from tests.saml_provider import SamlIdentityProvider

ALL_ON = {"signs_requests": "on", "requires_encryption": "on", "logout_address": "https://login.test/logout"}


def test_the_first_save_makes_a_key_that_stays_and_the_page_shows_its_certificate(
    owned: House, provider: SamlIdentityProvider
) -> None:
    assert save(owned, provider).status_code == 302
    row = row_of(owned)
    assert row.key_certificate
    assert b"PRIVATE" not in bytes(row.key_sealed)
    assert facts_of(row.key_certificate).fingerprint in plain(owned.browser("Sam").get(owned.address(PAGE)))
    assert save(owned, provider, **ALL_ON).status_code == 302
    now = row_of(owned)
    assert (now.key_certificate, bytes(now.key_sealed)) == (row.key_certificate, bytes(row.key_sealed))
    assert (now.signs_requests, now.requires_encryption, now.logout_address) == (
        True,
        True,
        "https://login.test/logout",
    )
    line = AuditEntry.objects.filter(chain=owned.business.pk, operation="change_single_sign_on").latest("pk")
    said = str(line.after)
    assert "Sign-in requests are signed with our key." in said
    assert "Assertions that are not encrypted to our key are refused." in said
    assert "signing out here leads to https://login.test/logout." in said


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"signs_requests": "on"}, "Save without it first"),
        ({"requires_encryption": "on"}, "Save without it first"),
        ({"logout_address": "http://login.test/logout"}, "must be https"),
        ({"logout_address": "javascript:alert(1)"}, "begins with https://"),
        ({"logout_address": "https://login.test/a b"}, "Enter the address in ASCII"),
        ({"logout_address": "https://-.test/logout"}, "Requests cannot be sent to a host that is written so."),
        (
            {"logout_address": "https://login.test/logout", "logout_response_address": "javascript:alert(1)"},
            "begins with https://",
        ),
        ({"logout_response_address": "https://login.test/answers"}, "Enter the single logout address, too"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(
    owned: House, provider: SamlIdentityProvider, changes: dict[str, str], sentence: str
) -> None:
    check_refused(owned, provider, changes, sentence)


def test_only_super_admins_change_it(owned: House, provider: SamlIdentityProvider) -> None:
    assert save(owned, provider).status_code == 302
    for person in ("Carla", "Apollo", "Ada"):
        assert save(owned, provider, person, **ALL_ON).status_code == 403
    assert not row_of(owned).signs_requests


def test_a_second_super_admin_confirms_it_and_it_is_done_once(owned: House, provider: SamlIdentityProvider) -> None:
    assert save(owned, provider).status_code == 302
    FourEyes.objects.create(business=owned.business, is_on=True)
    assert save(owned, provider, **ALL_ON).status_code == 302
    assert not row_of(owned).requires_encryption
    proposal = Proposal.objects.filter(business=owned.business).latest("pk")
    assert "Assertions that are not encrypted to our key are refused." in proposal.sentences
    assert "PRIVATE" not in str(proposal.body)
    confirm(owned.actor("Selma"), proposal)
    for _ in range(2):
        apply_proposal(proposal.pk)
        proposal.refresh_from_db()
        assert proposal.state == ProposalState.APPLIED, proposal.outcome
        row = row_of(owned)
        assert (row.version, row.signs_requests, row.requires_encryption) == (2, True, True)


def test_metadata_names_the_logout_address_where_it_has_one(provider: SamlIdentityProvider) -> None:
    text = provider.metadata()
    assert read_metadata(text.encode()).logout_address == ""
    binding = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
    service = (
        f'<md:SingleLogoutService Binding="{binding}" Location="https://login.test/logout"/><md:SingleSignOnService'
    )
    with_logout = text.replace("<md:SingleSignOnService", service, 1)
    assert read_metadata(with_logout.encode()).logout_address == "https://login.test/logout"
    assert read_metadata(with_logout.encode()).logout_response_address == ""


def test_metadata_says_where_a_sign_out_is_answered_of_the_service_that_browsers_come_to(
    owned: House, provider: SamlIdentityProvider
) -> None:
    services = "".join(
        f'<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:{binding}" '
        f'Location="https://login.test/{binding}" ResponseLocation="https://login.test/{binding}/answers"/>'
        for binding in ("SOAP", "HTTP-POST", "HTTP-Redirect")
    )
    text = provider.metadata().replace("<md:SingleSignOnService", f"{services}<md:SingleSignOnService", 1)
    metadata = read_metadata(text.encode())
    assert metadata.logout_address == "https://login.test/HTTP-Redirect"
    assert metadata.logout_response_address == "https://login.test/HTTP-Redirect/answers"
    answer = browser_of(owned, "Sam").post(owned.address(f"{PAGE}metadata/"), {"metadata": text, "key": "k"})
    assert 'value="https://login.test/HTTP-Redirect/answers"' in plain(answer)
    addresses = {"logout_address": metadata.logout_address, "logout_response_address": metadata.logout_response_address}
    assert save(owned, provider, **addresses).status_code == 302
    assert row_of(owned).logout_response_address == metadata.logout_response_address
    line = AuditEntry.objects.filter(chain=owned.business.pk, operation="change_single_sign_on").latest("pk")
    assert "A sign-out there is answered at https://login.test/HTTP-Redirect/answers." in line.after.values()
    assert save(owned, provider).status_code == 302
    assert row_of(owned).logout_response_address == ""
