"""Setting single sign-on up: who may, what is refused at its field, the secret, and the second super admin."""

import re
import time
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone

from dashboard.access.models import Business, Membership
from dashboard.access.secrets import unseal
from dashboard.audit.models import AuditEntry
from dashboard.errors import Conflict, NotAllowed
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.members import change_role
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.outcomes import confirm
from dashboard.proposals.single_sign_on import own_domains
from dashboard.scim.models import ScimToken
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.pages.conftest import House

SECRET = "the-secret-of-the-client"


@pytest.fixture
def owned(house: House) -> House:
    """A house whose super admins have signed in; Sam could break glass."""
    for name in ("Sam", "Selma"):
        user = house.people[name].user
        Membership.objects.filter(pk=house.people[name].pk).update(last_seen_at=timezone.now())
        user.set_password("correct horse battery")
        user.save()
    TOTP.activate(house.people["Sam"].user, "JBSWY3DPEHPK3PXP")
    return house


def save(house: House, by: str = "Sam", *, verified: bool = True, **changes: Any) -> Any:
    browser: Client = house.browser(by)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}] if verified else []
    session.save()
    form = {
        "key": f"key-{time.time_ns()}", "is_on": "on", "name": "Okta", "issuer": "http://localhost:4444/o/", "client_id": "us",
        "client_secret": SECRET, "email_domains": f"@{house.business.slug}.test", "groups_claim": "groups",
        "group_roles": "Finance team: Approver\nstaff : card user", "ceiling": "APPROVER", "break_glass_id": "",
    }  # fmt: skip
    return browser.post(house.address("settings/single-sign-on/"), form | changes)


def row_of(house: House) -> IdentityProvider:
    return IdentityProvider.objects.get(business=house.business)


def test_a_super_admin_sets_it_up_and_the_secret_is_sealed_and_told_to_nobody(owned: House) -> None:
    assert save(owned).status_code == 302
    row = row_of(owned)
    assert (row.issuer, row.email_domains) == ("http://localhost:4444/o", [f"{owned.business.slug}.test"])
    assert row.group_roles == {"Finance team": "APPROVER", "staff": "CARD_USER"}
    assert SECRET.encode() not in bytes(row.client_secret_sealed)
    assert unseal(row.client_secret_sealed) == SECRET
    shown = owned.browser("Sam").get(owned.address("settings/single-sign-on/")).content.decode()
    assert "A client secret is stored." in shown
    line = AuditEntry.objects.get(chain=owned.business.pk, operation="change_single_sign_on")
    assert line.sentence == "changed single sign-on"
    for text in (shown, str(line.before), str(line.after)):
        assert SECRET not in text


def test_nobody_else_opens_or_changes_it(owned: House) -> None:
    for person in ("Carla", "Rita", "Apollo", "Ada"):
        assert save(owned, person).status_code == 403
        assert owned.browser(person).get(owned.address("settings/single-sign-on/")).status_code == 403
    assert not IdentityProvider.objects.filter(business=owned.business).exists()


def test_it_asks_to_verify_first(owned: House) -> None:
    assert "reauthenticate" in save(owned, verified=False)["Location"]
    assert not IdentityProvider.objects.filter(business=owned.business).exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"issuer": "ftp://localhost/o"}, "begins with https://"),
        ({"issuer": "http://user@localhost:4444/o"}, "carries no sign-in"),
        ({"issuer": "http://10.0.0.1/o"}, "must be https"),
        ({"issuer": "https://10.0.0.1/o"}, "no public address"),
        ({"issuer": "https://[::ffff:127.0.0.1]:x/"}, "not an address"),
        ({"issuer": "http://localhost:4444/o/.well-known/openid-configuration"}, "Enter the issuer itself"),
        ({"email_domains": "gmail.com"}, "No super admin who has signed in has an address at gmail.com"),
        ({"email_domains": "not a domain"}, "is no domain"),
        ({"email_domains": " , "}, "Enter at least one domain"),
        ({"group_roles": "Finance"}, "is not a group, a colon and a role"),
        ({"group_roles": "Finance: Emperor"}, "is not a group, a colon and a role"),
        ({"group_roles": "Finance: Approver\nFinance: Admin", "ceiling": "ADMIN"}, "Finance is named twice"),
        ({"group_roles": "Finance: Admin"}, "above the highest that a group gives"),
        ({"group_roles": "Owners: Super admin"}, "above the highest that a group gives"),
        ({"ceiling": "SUPER_ADMIN"}, "not one of the available choices"),
        ({"groups_claim": ""}, "Name the claim that holds the groups"),
        ({"client_secret": ""}, "Enter the secret that this issuer gave you"),
        ({"is_required": "on"}, "Choose a super admin who has a password and a second factor"),
        ({"is_required": "on", "is_on": ""}, "Switch single sign-on on first"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(owned: House, changes: dict[str, str], sentence: str) -> None:
    answer = save(owned, **changes)
    assert answer.status_code == 422
    assert sentence in answer.content.decode().replace("&#x27;", "'").replace("\u2068", "").replace("\u2069", "")
    assert SECRET not in answer.content.decode()
    assert not IdentityProvider.objects.filter(business=owned.business).exists()


def test_only_who_has_a_second_factor_can_break_glass(owned: House) -> None:
    selma, sam = owned.people["Selma"], owned.people["Sam"]
    assert save(owned, is_required="on", break_glass_id=str(selma.pk)).status_code == 422
    assert save(owned, is_required="on", break_glass_id=str(sam.pk)).status_code == 302
    assert Business.objects.get(pk=owned.business.pk).requires_sign_on
    assert Membership.objects.get(pk=sam.pk).is_break_glass
    owned.business.refresh_from_db()
    third = owned.people["Ada"]
    Membership.objects.filter(pk=third.pk).update(role="SUPER_ADMIN")
    owned.people["Selma"].refresh_from_db()
    with pytest.raises((Conflict, NotAllowed), match="break-glass"):
        change_role(owned.actor("Selma"), Membership.objects.get(pk=sam.pk), "ADMIN", key="k")  # type: ignore[arg-type]


def test_an_empty_secret_keeps_the_stored_one_but_not_for_another_issuer(owned: House) -> None:
    save(owned)
    assert save(owned, client_secret="", name="Other name").status_code == 302
    assert unseal(row_of(owned).client_secret_sealed) == SECRET
    assert save(owned, client_secret="", issuer="http://localhost:5555/o").status_code == 422
    assert row_of(owned).issuer == "http://localhost:4444/o"


def test_another_issuer_unlinks_everybody(owned: House) -> None:
    save(owned)
    SocialAccount.objects.create(user=owned.people["Apollo"].user, provider=owned.business.slug, uid="1")
    save(owned, name="Other name")
    assert SocialAccount.objects.filter(provider=owned.business.slug).exists()
    save(owned, issuer="http://localhost:5555/o")
    assert not SocialAccount.objects.filter(provider=owned.business.slug).exists()


def test_another_issuer_unlinks_everybody_also_where_it_was_off_in_between(owned: House) -> None:
    save(owned)
    SocialAccount.objects.create(user=owned.people["Apollo"].user, provider=owned.business.slug, uid="1")
    save(owned, is_on="")
    save(owned, issuer="http://localhost:5555/o")
    assert not SocialAccount.objects.filter(provider=owned.business.slug).exists()


def test_an_invitation_alone_makes_nobodys_domain_ours(owned: House) -> None:
    stranger = owned.people["Selma"]
    stranger.user.email, stranger.user.last_login = "cfo@victim.test", timezone.now()
    stranger.user.save()
    Membership.objects.filter(pk=stranger.pk).update(last_seen_at=None)
    assert "victim.test" not in own_domains(owned.business)
    Membership.objects.filter(pk=stranger.pk).update(last_seen_at=timezone.now())
    assert "victim.test" in own_domains(owned.business)


def test_a_second_super_admin_confirms_it_where_one_is_asked_for(owned: House) -> None:
    FourEyes.objects.create(business=owned.business, is_on=True)
    assert save(owned).status_code == 302
    assert not IdentityProvider.objects.filter(business=owned.business).exists()
    proposal = Proposal.objects.get(business=owned.business)
    assert SECRET not in str(proposal.body)
    assert "Members sign in through Okta (http://localhost:4444/o, client us)." in proposal.sentences
    page = owned.browser("Selma").get(owned.address(f"wallet-policies/proposals/{proposal.pk}/"))
    assert page.status_code == 200
    assert SECRET not in page.content.decode()
    with pytest.raises(NotAllowed):
        confirm(owned.actor("Sam"), proposal)
    confirm(owned.actor("Selma"), proposal)
    apply_proposal(proposal.pk)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    row = row_of(owned)
    assert (proposal.state, row.version, row.changed_by) == (ProposalState.APPLIED, 1, owned.people["Sam"])
    assert unseal(row.client_secret_sealed) == SECRET
    assert (proposal.body or {})["sealed_secret"] == ""


def test_a_proposal_that_was_overtaken_is_not_applied(owned: House) -> None:
    save(owned)
    FourEyes.objects.create(business=owned.business, is_on=True)
    save(owned, issuer="http://localhost:5555/o")
    proposal = Proposal.objects.get(business=owned.business)
    IdentityProvider.objects.filter(business=owned.business).update(version=7)
    with pytest.raises(Conflict, match="Single sign-on has changed"):
        confirm(owned.actor("Selma"), proposal)
    assert row_of(owned).issuer == "http://localhost:4444/o"


def test_the_page_issues_a_scim_token_and_shows_it_once(owned: House) -> None:
    def post(rest: str, *, verified: bool = True) -> Any:
        browser = owned.browser("Sam")
        session = browser.session
        session["account_authentication_methods"] = [{"method": "password", "at": time.time()}] if verified else []
        session.save()
        return browser.post(owned.address(f"settings/single-sign-on/scim-token/{rest}"), {"key": "k"})

    assert post("").status_code == 302
    assert not ScimToken.objects.filter(business=owned.business).exists()
    save(owned)
    assert "reauthenticate" in post("", verified=False)["Location"]
    answer = post("")
    token = re.search(r"scim_[\w-]{40,}", answer.content.decode())
    assert token, answer.content.decode()
    row = ScimToken.objects.get(business=owned.business)
    assert token[0].endswith(row.ending)
    again = owned.browser("Selma").get(owned.address("settings/single-sign-on/")).content.decode()
    assert token[0] not in again
    assert row.ending in again
    assert owned.browser("Ada").post(owned.address("settings/single-sign-on/scim-token/")).status_code == 403
    assert post("end/").status_code == 302
    assert not ScimToken.objects.filter(business=owned.business).exists()
