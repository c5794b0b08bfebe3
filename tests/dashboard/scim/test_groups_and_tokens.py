"""Groups by SCIM and the roles they give; the token; and what the service says of itself."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry
from dashboard.errors import NotAllowed
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.scim.models import ScimGroup, ScimToken
from dashboard.scim.tokens import end_token, issue_token
from tests.dashboard.pages.conftest import House
from tests.dashboard.scim.conftest import GROUP, Scim
from tests.dashboard.scim.test_users import refused

ROLES = {"staff": "CARD_USER", "reviewers": "REVIEWER", "finance": "APPROVER"}


@pytest.fixture
def mapped(scim: Scim) -> Scim:
    scim.setting(group_roles=ROLES, groups_claim="groups")
    return scim


def save(scim: Scim, name: str, *people: str, method: str = "POST", path: str = "Groups") -> Any:
    members = [{"value": scim.id_of(person)} for person in people]
    return scim.ask(method, path, {"schemas": [GROUP], "displayName": name, "members": members})


def role_of(scim: Scim, name: str) -> str:
    return Membership.objects.get(pk=scim.house.people[name].pk).role


def test_a_group_gives_its_members_its_role_and_takes_it_back(mapped: Scim) -> None:
    answer = save(mapped, "reviewers", "Carla", "Rex")
    assert answer.status_code == 201, answer.json()
    assert {member["value"] for member in answer.json()["members"]} == {mapped.id_of("Carla"), mapped.id_of("Rex")}
    assert role_of(mapped, "Carla") == "REVIEWER"
    path = f"Groups/{answer.json()['id']}"
    removed = mapped.patch(path, {"op": "remove", "path": f'members[value eq "{mapped.id_of("Carla")}"]'})
    assert removed.status_code == 200, removed.json()
    assert role_of(mapped, "Carla") == "CARD_USER"
    added = mapped.patch(path, {"op": "add", "path": "members", "value": [{"value": mapped.id_of("Carla")}]})
    assert added.status_code == 200, added.json()
    assert role_of(mapped, "Carla") == "REVIEWER"
    shown = mapped.ask("GET", f"Users/{mapped.id_of('Carla')}").json()
    assert [group["display"] for group in shown["groups"]] == ["reviewers"]
    assert mapped.ask("DELETE", path).status_code == 204
    assert role_of(mapped, "Carla") == "CARD_USER"
    lines = AuditEntry.objects.filter(chain=mapped.house.business.pk, sentence="changed the role of Carla")
    assert {line.actor_name for line in lines} == {"SCIM"}


def test_who_was_suspended_or_has_left_stands_in_nobodys_way_and_comes_back_into_no_group(mapped: Scim) -> None:
    answer = save(mapped, "reviewers", "Carla", "Rex")
    path, carla = f"Groups/{answer.json()['id']}", mapped.id_of("Carla")
    Membership.objects.filter(pk=carla).update(is_active=False)
    removed = mapped.patch(path, {"op": "remove", "path": f'members[value eq "{carla}"]'})
    assert removed.status_code == 200, removed.json()
    assert role_of(mapped, "Carla") == "CARD_USER"
    mapped.patch(path, {"op": "add", "path": "members", "value": [{"value": carla}]})
    Membership.objects.filter(pk=carla).update(ended_at=timezone.now())
    shown = mapped.ask("GET", path).json()
    assert [member["value"] for member in shown["members"]] == [mapped.id_of("Rex")]
    added = mapped.patch(path, {"op": "add", "path": "members", "value": [{"value": mapped.id_of("Rita")}]})
    assert added.status_code == 200, added.json()
    back = mapped.create("carla")
    assert back.status_code == 201, back.json()
    assert not back.json().get("groups")


def test_a_role_that_waits_is_not_confirmed_once_the_groups_give_another(mapped: Scim) -> None:
    FourEyes.objects.create(business=mapped.house.business, is_on=True)
    path = f"Groups/{save(mapped, 'finance', 'Carla').json()['id']}"
    proposal = Proposal.objects.get(business=mapped.house.business)
    assert (proposal.state, role_of(mapped, "Carla")) == (ProposalState.WAITING, "CARD_USER")
    removed = mapped.patch(path, {"op": "remove", "path": f'members[value eq "{mapped.id_of("Carla")}"]'})
    assert removed.status_code == 200, removed.json()
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE


def test_two_groups_that_give_two_roles_are_refused_whole(mapped: Scim) -> None:
    assert save(mapped, "reviewers", "Carla").status_code == 201
    refused(save(mapped, "finance", "Apollo", "Carla"), 400, "invalidValue", "different roles")
    assert not ScimGroup.objects.filter(business=mapped.house.business, display_name="finance").exists()
    assert (role_of(mapped, "Carla"), role_of(mapped, "Apollo")) == ("REVIEWER", "APPROVER")


def test_a_group_without_a_role_changes_none(scim: Scim) -> None:
    assert save(scim, "everybody", "Carla", "Apollo").status_code == 201
    assert (role_of(scim, "Carla"), role_of(scim, "Apollo")) == ("CARD_USER", "APPROVER")


def test_whoever_stands_above_the_ceiling_keeps_their_role(mapped: Scim) -> None:
    assert save(mapped, "staff", "Ada", "Selma").status_code == 201
    assert (role_of(mapped, "Ada"), role_of(mapped, "Selma")) == ("ADMIN", "SUPER_ADMIN")


def test_bad_groups_are_refused(mapped: Scim, new_house: Callable[..., House]) -> None:
    assert save(mapped, "reviewers").status_code == 201
    refused(save(mapped, "reviewers"), 409, "uniqueness")
    stranger = str(new_house().people["Carla"].pk)
    for value in (stranger, "0", "x", "9" * 30):
        body = {"schemas": [GROUP], "displayName": "others", "members": [{"value": value}]}
        refused(mapped.ask("POST", "Groups", body), 400, "invalidValue", "There is no user")
    for name in ("", " ", "x" * 256):
        assert save(mapped, name).status_code == 400
    refused(mapped.ask("GET", "Groups/999999999"), 404)


def test_groups_are_filtered(mapped: Scim) -> None:
    for name in ROLES:
        assert save(mapped, name).status_code == 201
    body = mapped.ask("GET", 'Groups?filter=displayName eq "finance"').json()
    assert [row["displayName"] for row in body["Resources"]] == ["finance"]


def test_without_the_token_nothing_opens(scim: Scim) -> None:
    for header in ("", "Bearer", "Bearer x", f"Basic {scim.token}", f"Bearer {scim.token}x", "Bearer é"):
        answer = scim.ask("GET", "Users", Authorization=header)
        refused(answer, 401)
        assert answer["WWW-Authenticate"].startswith("Bearer")
    signed_in = scim.house.browser("Sam").get("/-/scim/v2/Users")
    assert signed_in.status_code == 401


def test_it_needs_no_form_token_and_sets_no_cookie(scim: Scim) -> None:
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post(
        "/-/scim/v2/Users", json.dumps({}), content_type="application/scim+json",
        headers={"Authorization": f"Bearer {scim.token}"},
    )  # fmt: skip
    assert answer.status_code == 400
    assert not answer.cookies


def test_a_token_is_stored_as_its_hash_and_the_next_one_ends_it(scim: Scim) -> None:
    row = ScimToken.objects.get(business=scim.house.business)
    assert scim.token not in (row.digest, row.ending)
    assert row.last_used_at is None
    assert scim.ask("GET", "Users").status_code == 200
    row.refresh_from_db()
    assert row.last_used_at is not None
    second = Scim(scim.house, issue_token(scim.house.actor("Sam")))
    assert (scim.ask("GET", "Users").status_code, second.ask("GET", "Users").status_code) == (401, 200)
    end_token(scim.house.actor("Selma"))
    assert second.ask("GET", "Users").status_code == 401
    for line in AuditEntry.objects.filter(chain=scim.house.business.pk):
        assert scim.token not in line.sentence + str(line.after)


def test_nobody_but_a_super_admin_issues_one(scim: Scim) -> None:
    for person in ("Carla", "Apollo", "Ada"):
        with pytest.raises(NotAllowed):
            issue_token(scim.house.actor(person))


def test_it_goes_on_when_whoever_issued_it_has_left(scim: Scim) -> None:
    Membership.objects.filter(pk=scim.house.people["Sam"].pk).update(role=Role.ADMIN)
    assert scim.ask("GET", "Users").status_code == 200
    Membership.objects.filter(pk=scim.house.people["Sam"].pk).update(is_active=False)
    out = {"op": "replace", "path": "active", "value": False}
    assert scim.patch(f"Users/{scim.id_of('Apollo')}", out).status_code == 200
    assert not scim.member("apollo").is_active


def test_what_groups_give_is_proposed_by_the_program_and_not_by_who_set_it_up(mapped: Scim) -> None:
    FourEyes.objects.create(business=mapped.house.business, is_on=True)
    group = save(mapped, "finance", "Carla").json()["id"]
    proposal = Proposal.objects.get(business=mapped.house.business)
    assert (proposal.program, proposal.proposer) == ("SCIM", "SCIM")
    assert any("Whoever administers the identity provider" in sentence for sentence in proposal.consequences)
    page = mapped.house.browser("Selma").get(mapped.house.address(f"wallet-policies/proposals/{proposal.pk}/"))
    assert "SCIM" in page.content.decode()
    # What the groups give later ends it, and is nobody's decision.
    assert save(mapped, "finance", method="PUT", path=f"Groups/{group}").status_code == 200
    proposal.refresh_from_db()
    assert (proposal.is_open, proposal.decided_by) == (False, None)


def test_another_business_is_not_seen(scim: Scim, new_house: Callable[..., House]) -> None:
    other = new_house().people["Carla"]
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        refused(scim.ask(method, f"Users/{other.pk}", {}), 404)
    assert str(other.pk) not in {row["id"] for row in scim.ask("GET", "Users").json()["Resources"]}


def test_too_many_requests_are_told_to_wait(scim: Scim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.scim.tokens.REQUESTS_PER_MINUTE", 2)
    # One more than two minutes allow: a new one may begin between them.
    answers = [scim.ask("GET", "Users") for _ in range(5)]
    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    limited = [answer for answer in answers if answer.status_code == 429]
    assert limited
    assert limited[0]["Retry-After"] == "60"


@pytest.mark.parametrize(
    "path",
    [
        "ServiceProviderConfig", "ResourceTypes", "ResourceTypes/User", "Schemas",
        "Schemas/urn:ietf:params:scim:schemas:core:2.0:User", "Groups", "Users",
    ],
)  # fmt: skip
def test_what_it_says_of_itself(scim: Scim, path: str) -> None:
    answer = scim.ask("GET", path)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/scim+json"
    assert answer["Cache-Control"] == "no-store"
    assert answer.json()["schemas"]
    refused(scim.ask("GET", "Schemas/nothing"), 404)
    assert scim.ask("POST", "ServiceProviderConfig", {}).status_code == 405
