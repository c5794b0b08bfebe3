"""The connection, the roles that need a second factor and the SCIM token: by two, where a second admin is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.access.models import Business
from dashboard.access.secrets import seal, unseal
from dashboard.client.models import ServiceAccount
from dashboard.errors import NotAllowed
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.single_sign_on import reseal_proposed_secrets
from dashboard.scim.models import ScimToken
from dashboard.scim.tokens import issue_token
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_settings_and_audit import sure
from tests.dashboard.proposals.test_members import decide, last

NEW = {"base_url": "http://localhost:9/v2", "remote_business_id": "r", "client_id": "mine", "client_secret": "puppet"}


@pytest.fixture
def guarded(house: House) -> House:
    FourEyes.objects.create(business=house.business, is_on=True)
    account = {"base_url": "http://localhost:8/v2", "remote_business_id": "r", "client_id": "ours"}
    ServiceAccount.objects.create(business=house.business, client_secret_sealed=seal("secret"), **account)
    return house


def account_of(house: House) -> ServiceAccount:
    return ServiceAccount.objects.get(business=house.business)


def change(house: House, **values: str) -> Any:
    return sure(house, "Sam").post(house.address("settings/connection/"), NEW | {"key": "c1"} | values)


def applied(house: House, by: str = "Selma") -> Proposal:
    proposal = last(house)
    assert decide(house, proposal, by).status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    return proposal


def test_another_service_is_connected_once_a_second_super_admin_has_confirmed(guarded: House) -> None:
    assert change(guarded).status_code == 302
    proposal = last(guarded)
    assert (account_of(guarded).client_id, proposal.state) == ("ours", ProposalState.WAITING)
    text = " ".join(proposal.sentences)
    assert "Client id: mine; now ours." in text
    assert "The client secret is replaced." in text
    assert "puppet" not in text + str(proposal.body)
    assert decide(guarded, proposal, "Sam").status_code == 403
    assert applied(guarded).state == ProposalState.APPLIED
    account = account_of(guarded)
    assert (account.client_id, account.base_url) == ("mine", "http://localhost:9/v2")
    assert unseal(account.client_secret_sealed) == "puppet"
    assert last(guarded).body["sealed_secret"] == "", "what is stored is not kept a second time"


def test_what_was_declined_keeps_no_secret_and_what_waits_is_resealed(guarded: House) -> None:
    change(guarded)
    assert reseal_proposed_secrets() == 1
    decide(guarded, last(guarded), "Selma", "decline", reason="Not ours")
    assert last(guarded).body["sealed_secret"] == ""
    assert reseal_proposed_secrets() == 0


def test_a_connection_that_changed_meanwhile_ends_it(guarded: House) -> None:
    change(guarded)
    ServiceAccount.objects.filter(business=guarded.business).update(client_id="other")
    assert decide(guarded, last(guarded), "Selma").status_code == 409
    assert account_of(guarded).client_id == "other"


def test_a_wrong_address_is_told_before_it_is_proposed(guarded: House) -> None:
    assert change(guarded, base_url="http://evil.example/v2").status_code == 422
    assert not Proposal.objects.filter(business=guarded.business).exists()


def test_without_a_second_admin_it_is_saved_at_once(house: House) -> None:
    assert change(house).status_code == 302
    assert account_of(house).client_id == "mine"


def roles_of(house: House) -> list[str]:
    return Business.objects.get(pk=house.business.pk).second_factor_roles


def test_a_role_is_taken_off_the_second_factor_by_two_and_added_by_one(guarded: House) -> None:
    Business.objects.filter(pk=guarded.business.pk).update(second_factor_roles=["APPROVER"])
    sam, address = sure(guarded, "Sam"), guarded.address("settings/security/")
    sam.post(address, {"second_factor_roles": ["APPROVER", "CARD_USER"], "key": "s1"})
    assert roles_of(guarded) == ["APPROVER", "CARD_USER"]
    sam.post(address, {"second_factor_roles": ["CARD_USER"], "key": "s2"})
    assert roles_of(guarded) == ["APPROVER", "CARD_USER"]
    assert "now approver, card user" in last(guarded).sentences[0]
    applied(guarded)
    assert roles_of(guarded) == ["CARD_USER"]


def test_a_token_of_scim_is_issued_once_a_second_super_admin_has_confirmed_and_once_alone(guarded: House) -> None:
    IdentityProvider.objects.create(
        business=guarded.business, name="Okta", issuer="https://okta.example", client_id="us", email_domains=["a.test"]
    )
    sam, address = sure(guarded, "Sam"), guarded.address("settings/single-sign-on/scim-token/")
    with pytest.raises(NotAllowed):
        issue_token(guarded.actor("Sam"))
    assert sam.post(address, {"key": "t1"}).status_code == 302
    assert not ScimToken.objects.filter(business=guarded.business).exists()
    applied(guarded)
    with pytest.raises(NotAllowed):
        issue_token(guarded.actor("Selma"))
    assert "scim_" in sam.post(address, {"key": "t2"}).content.decode()
    assert ScimToken.objects.filter(business=guarded.business).exists()
    with pytest.raises(NotAllowed):
        issue_token(guarded.actor("Sam"))
