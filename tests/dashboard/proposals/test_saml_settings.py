"""Setting SAML up: by hand and from metadata, what is refused at its field, and the second super admin."""

import base64
import re
import time
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.access.secrets import seal
from dashboard.audit.models import AuditEntry
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.outcomes import confirm
from dashboard.single_sign_on.certificates import CertificateRefused, facts_of, pem_of, read_certificates
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from tests.dashboard.pages.conftest import House
from tests.saml_provider import SamlIdentityProvider

PAGE = "settings/single-sign-on/"


def browser_of(house: House, name: str) -> Client:
    browser: Client = house.browser(name)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    return browser


def save(house: House, provider: SamlIdentityProvider, by: str = "Sam", **changes: Any) -> Any:
    form = {
        "key": f"key-{time.time_ns()}", "protocol": "SAML", "is_on": "on", "name": "Okta", "issuer": provider.entity_id,
        "sign_on_address": "https://login.test/saml", "certificates": provider.pem, "email_attribute": "",
        "email_domains": f"@{house.business.slug}.test", "groups_claim": "groups", "group_roles": "staff : card user",
        "ceiling": "APPROVER", "break_glass_id": "",
    }  # fmt: skip
    return browser_of(house, by).post(house.address(PAGE), form | changes)


def plain(answer: Any) -> str:
    return str(answer.content.decode().replace("&#x27;", "'").replace("\u2068", "").replace("\u2069", ""))


def check_refused(house: House, provider: SamlIdentityProvider, changes: dict[str, str], sentence: str) -> None:
    """What is typed is refused with this sentence, and nothing is saved."""
    answer = save(house, provider, **changes)
    assert answer.status_code == 422
    assert sentence in plain(answer)
    assert not IdentityProvider.objects.filter(business=house.business).exists()


def row_of(house: House) -> IdentityProvider:
    return IdentityProvider.objects.get(business=house.business)


def test_a_super_admin_sets_it_up_and_the_page_and_the_audit_say_by_which_certificate(
    owned: House, provider: SamlIdentityProvider
) -> None:
    assert save(owned, provider).status_code == 302
    row = row_of(owned)
    assert (row.protocol, row.issuer, row.certificates) == (Protocol.SAML, provider.entity_id, [provider.certificate])
    facts = facts_of(provider.certificate)
    page = plain(owned.browser("Sam").get(owned.address(PAGE)))
    assert facts.fingerprint in page
    assert f"/-/account/saml/{owned.business.slug}/consumer/" in page
    line = AuditEntry.objects.get(chain=owned.business.pk, operation="change_single_sign_on")
    assert facts.fingerprint in str(line.after)
    for person in ("Carla", "Apollo", "Ada"):
        assert save(owned, provider, person).status_code == 403


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"issuer": "not a uri"}, "Enter the provider's entity id"),
        ({"sign_on_address": "http://login.test/saml"}, "must be https"),
        ({"sign_on_address": "javascript:alert(1)"}, "begins with https://"),
        ({"sign_on_address": "https://user@login.test/"}, "carries no sign-in"),
        ({"sign_on_address": "https://bücher.test/saml"}, "Enter the address in ASCII"),
        ({"sign_on_address": "https://login.test/a b"}, "Enter the address in ASCII"),
        ({"certificates": "hello"}, "not an X.509 certificate"),
        ({"certificates": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"}, "not an X.509 certificate"),
        ({"certificates": "-----BEGIN PRIVATE KEY-----"}, "This is a private key"),
        ({"groups_claim": ""}, "Name the attribute that holds the groups"),
        ({"email_domains": "gmail.com"}, "No super admin who has signed in has an address at gmail.com"),
        ({"is_required": "on"}, "Choose a super admin who has a password"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(
    owned: House, provider: SamlIdentityProvider, changes: dict[str, str], sentence: str
) -> None:
    check_refused(owned, provider, changes, sentence)


def test_a_certificate_that_has_ended_is_refused_and_one_that_ends_soon_is_said_to(owned: House) -> None:
    assert "This certificate ended on" in plain(save(owned, SamlIdentityProvider(days=-1)))
    assert save(owned, SamlIdentityProvider(days=5)).status_code == 302
    assert "ends soon" in plain(owned.browser("Sam").get(owned.address(PAGE)))
    assert "The signing certificate ends soon" in plain(owned.browser("Sam").get(owned.address("settings/")))


def test_a_stored_certificate_that_has_ended_locks_no_settings(owned: House) -> None:
    ended, another = SamlIdentityProvider(days=-1), SamlIdentityProvider(days=-1)
    IdentityProvider.objects.create(
        business=owned.business, protocol=Protocol.SAML, is_on=True, name="Okta", issuer=ended.entity_id,
        sign_on_address="https://login.test/saml", certificates=[ended.certificate],
        email_domains=[f"{owned.business.slug}.test"], changed_by=owned.people["Sam"],
    )  # fmt: skip
    assert "This certificate ended on" in plain(save(owned, another))
    assert "This certificate ended on" in plain(save(owned, ended, certificates=ended.pem + another.pem))
    assert save(owned, ended, name="Their provider").status_code == 302
    assert (row_of(owned).is_on, row_of(owned).name) == (True, "Their provider")
    assert save(owned, ended, is_on="").status_code == 302
    assert not row_of(owned).is_on


@pytest.mark.parametrize("way", ["pasted", "a file"])
def test_metadata_fills_the_form_in_and_stores_nothing(owned: House, provider: SamlIdentityProvider, way: str) -> None:
    text = provider.metadata()
    form: dict[str, Any] = {"metadata": text, "key": "k"}
    if way == "a file":
        form = {"metadata_file": SimpleUploadedFile("metadata.xml", text.encode(), "application/xml"), "key": "k"}
    answer = browser_of(owned, "Sam").post(owned.address(f"{PAGE}metadata/"), form)
    assert answer.status_code == 200
    page = plain(answer)
    assert "Nothing is stored until you save" in page
    assert f'value="{provider.entity_id}"' in page
    assert f'value="{provider.sign_on_address}"' in page
    assert provider.certificate[:64] in page
    assert not IdentityProvider.objects.filter(business=owned.business).exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Paste the provider's metadata"),
        ("hello", "It is not XML"),
        ('<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>', "a document type or entities"),
        ("<r/>", "no EntityDescriptor"),
        ("<a>" * 60 + "</a>" * 60, "nested too deep"),
        (f"<a>{'b' * 270_000}</a>", "at most"),
        ('<m:EntitiesDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata"/>', "several entities"),
        ({"role": "SPSSODescriptor"}, "of no identity provider"),
        ({"binding": "urn:oasis:names:tc:SAML:2.0:bindings:SOAP"}, "no sign-on address by HTTP-Redirect"),
        ({"certificate": "AAAA"}, "not an X.509 certificate"),
        ({"until": ' validUntil="2020-01-01T00:00:00Z"'}, "was valid until"),
        ({"until": ' validUntil="2020-13-01T00:00:00Z"'}, "does not say until when"),
        ({"until": ' validUntil="garbage"'}, "does not say until when"),
        ({"until": ' validUntil=""'}, "does not say until when"),
    ],
)
def test_metadata_that_sets_nothing_up_is_said_to(
    owned: House, provider: SamlIdentityProvider, text: str | dict[str, str], sentence: str
) -> None:
    pasted = text if isinstance(text, str) else provider.metadata(**text)
    answer = browser_of(owned, "Sam").post(owned.address(f"{PAGE}metadata/"), {"metadata": pasted, "key": "k"})
    assert answer.status_code == 422
    assert sentence in plain(answer)


def several(metadata: str, *providers: SamlIdentityProvider) -> str:
    """Metadata with a key of each of the providers beside its own."""
    start, end = metadata.index("<md:KeyDescriptor"), metadata.index("<md:SingleSignOnService")
    own, key = re.search(r"X509Certificate>([^<]+)<", metadata), metadata[start:end]
    assert own
    return metadata[:end] + "".join(key.replace(own[1], other.certificate) for other in providers) + metadata[end:]


def test_metadata_with_more_certificates_than_are_accepted_is_refused(
    owned: House, provider: SamlIdentityProvider
) -> None:
    ended, *others = SamlIdentityProvider(days=-1), *(SamlIdentityProvider() for _ in range(3))

    def read(*providers: SamlIdentityProvider) -> Any:
        form = {"metadata": several(provider.metadata(), *providers), "key": "k"}
        return browser_of(owned, "Sam").post(owned.address(f"{PAGE}metadata/"), form)

    assert "has 4 certificates to sign with: at most 3" in plain(read(*others))
    assert read(ended, *others[:2]).status_code == 200


def test_the_overview_says_nothing_of_a_certificate_that_begins_later(
    owned: House, provider: SamlIdentityProvider
) -> None:
    following = SamlIdentityProvider(provider.entity_id, days=900, begins_in_days=300)
    assert save(owned, provider, certificates=provider.pem + following.pem).status_code == 302
    assert "not valid yet" in plain(owned.browser("Sam").get(owned.address(PAGE)))
    assert "The signing certificate" not in plain(owned.browser("Sam").get(owned.address("settings/")))


def test_a_huge_file_of_metadata_is_refused(owned: House) -> None:
    big = SimpleUploadedFile("metadata.xml", b"<a>" + b"b" * 3_000_000 + b"</a>", "application/xml")
    answer = browser_of(owned, "Sam").post(owned.address(f"{PAGE}metadata/"), {"metadata_file": big, "key": "k"})
    assert answer.status_code == 422
    assert "larger than 256 KB" in plain(answer)


def test_a_second_super_admin_confirms_it_where_one_is_asked_for(owned: House, provider: SamlIdentityProvider) -> None:
    FourEyes.objects.create(business=owned.business, is_on=True)
    assert save(owned, provider).status_code == 302
    assert not IdentityProvider.objects.filter(business=owned.business).exists()
    proposal = Proposal.objects.get(business=owned.business)
    assert any(facts_of(provider.certificate).fingerprint in sentence for sentence in proposal.sentences)
    assert owned.browser("Selma").get(owned.address(f"wallet-policies/proposals/{proposal.pk}/")).status_code == 200
    confirm(owned.actor("Selma"), proposal)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.state, row_of(owned).changed_by) == (ProposalState.APPLIED, owned.people["Sam"])


def test_another_protocol_unlinks_everybody_and_keeps_no_secret(owned: House, provider: SamlIdentityProvider) -> None:
    IdentityProvider.objects.create(
        business=owned.business, is_on=True, name="Old", issuer=provider.entity_id, client_id="us",
        client_secret_sealed=seal("secret"), email_domains=[f"{owned.business.slug}.test"],
    )  # fmt: skip
    SocialAccount.objects.create(user=owned.people["Apollo"].user, provider=owned.business.slug, uid="1")
    assert "OpenID Connect is set up" in plain(owned.browser("Sam").get(owned.address(f"{PAGE}?protocol=SAML")))
    assert save(owned, provider).status_code == 302
    assert not SocialAccount.objects.filter(provider=owned.business.slug).exists()
    row = row_of(owned)
    assert (bytes(row.client_secret_sealed), row.client_id) == (b"", "")
    SocialAccount.objects.create(user=owned.people["Apollo"].user, provider=owned.business.slug, uid="1")
    save(owned, provider, certificates=SamlIdentityProvider().pem)
    assert SocialAccount.objects.filter(provider=owned.business.slug).exists()


def spoilt(provider: SamlIdentityProvider, old: bytes, new: bytes) -> str:
    """The provider's certificate with other bytes of the same length in it, as PEM."""
    der = base64.b64decode(provider.certificate)
    assert old in der
    assert len(old) == len(new)
    return pem_of(base64.b64encode(der.replace(old, new)).decode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x07"),
        (b"login.test", b"\xff\xfe\xfd.\xc0est\x80\x80"),
        (b"\x17\x0d", b"\x17\x0c"),
    ],
    ids=["a version that there is not", "a subject that is no text", "a date that is none"],
)
def test_a_hostile_certificate_is_refused_at_its_field(
    owned: House, provider: SamlIdentityProvider, old: bytes, new: bytes
) -> None:
    pem = spoilt(provider, old, new)
    answer = save(owned, provider, certificates=pem)
    assert answer.status_code == 422
    assert "not an X.509 certificate" in plain(answer)
    metadata = provider.metadata(certificate="".join(pem.splitlines()[1:-1]))
    pasted = browser_of(owned, "Sam").post(owned.address(f"{PAGE}metadata/"), {"metadata": metadata, "key": "k"})
    assert pasted.status_code == 422


def test_a_curve_that_is_too_small_is_refused(owned: House) -> None:
    small = SamlIdentityProvider(key=ec.generate_private_key(ec.SECP224R1()))
    answer = save(owned, small)
    assert answer.status_code == 422
    assert "curve has 224 bits: at least 256 are required" in plain(answer)
    assert save(owned, SamlIdentityProvider(key=ec.generate_private_key(ec.SECP256R1()))).status_code == 302


def test_keys_of_which_none_stays_sign_everybody_out_who_came_by_them(
    owned: House, provider: SamlIdentityProvider
) -> None:
    rolled, other = (SamlIdentityProvider(provider.entity_id) for _ in range(2))
    assert save(owned, provider).status_code == 302
    apollo = owned.people["Apollo"].user
    SocialAccount.objects.create(user=apollo, provider=owned.business.slug, uid="1")
    browser = owned.browser("Apollo")
    key = browser.session.session_key
    UserSession.objects.get_or_create(session_key=key, defaults={"user": apollo, "ip": "192.0.2.7"})
    assert save(owned, provider, certificates=provider.pem + rolled.pem).status_code == 302
    assert save(owned, provider, certificates=rolled.pem).status_code == 302
    assert browser.get(owned.address()).status_code == 200
    assert save(owned, provider, certificates=other.pem).status_code == 302
    assert browser.get(owned.address()).status_code == 302
    assert SocialAccount.objects.filter(provider=owned.business.slug, user=apollo).exists()


def test_certificates_are_read_as_they_are_pasted(provider: SamlIdentityProvider) -> None:
    assert read_certificates(provider.certificate) == (provider.certificate,)
    assert read_certificates(provider.pem + "\n" + provider.pem) == (provider.certificate,)
    assert read_certificates(pem_of(provider.certificate)) == (provider.certificate,)
    with pytest.raises(CertificateRefused, match="At most 3"):
        read_certificates(provider.pem * 4)
    with pytest.raises(CertificateRefused):
        read_certificates(base64.b64encode(b"\x30\x03\x02\x01\x00").decode())
