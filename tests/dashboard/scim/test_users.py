"""Users by SCIM: who is added, changed, kept out; bad input in SCIM's own words; and everything in the audit."""

from typing import Any

import pytest
from django.core import mail

from dashboard.access.models import Membership, User
from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Employee
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.members import suspend_membership
from dashboard.proposals.models import FourEyes, Proposal
from dashboard.proposals.outcomes import confirm
from tests.dashboard.scim.conftest import PATCH, USER, Scim


def refused(answer: Any, status: int, kind: str = "", sentence: str = "") -> None:
    body = answer.json()
    assert answer.status_code == status, body
    assert answer["Content-Type"] == "application/scim+json"
    assert body["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    assert (body["status"], body.get("scimType", "")) == (str(status), kind)
    assert sentence in body["detail"]


def test_a_new_user_is_invited_with_the_least_of_roles(scim: Scim) -> None:
    answer = scim.create("nia", externalId="00u1", name={"givenName": "Nia", "familyName": "Otieno"}, active=True)
    body = answer.json()
    assert answer.status_code == 201, body
    member = scim.member("nia")
    assert (member.role, member.user.name) == ("CARD_USER", "Nia Otieno")
    assert (body["id"], body["externalId"], body["active"]) == (str(member.pk), "00u1", True)
    assert body["roles"] == [{"value": "CARD_USER", "primary": True}]
    assert answer["Location"] == body["meta"]["location"]
    assert answer["Location"].endswith(f"/-/scim/v2/Users/{member.pk}")
    assert [message.to for message in mail.outbox] == [[scim.address("nia")]]
    line = AuditEntry.objects.get(chain=scim.house.business.pk, sentence=f"invited {scim.address('nia')}")
    assert line.actor_name == "SCIM"


@pytest.mark.parametrize("role", ["REVIEWER", "Approver"])
def test_a_role_up_to_the_ceiling_is_given(scim: Scim, role: str) -> None:
    assert scim.create("nia", roles=[{"value": role}]).status_code == 201
    assert scim.member("nia").role == role.upper()


def test_a_role_that_moves_money_waits_for_a_second_admin(scim: Scim) -> None:
    FourEyes.objects.create(business=scim.house.business, is_on=True)
    answer = scim.create("nia", roles=[{"value": "APPROVER"}])
    assert answer.json()["roles"] == [{"value": "CARD_USER", "primary": True}]
    proposal = Proposal.objects.get(business=scim.house.business)
    assert proposal.body == {"role": "APPROVER"}
    assert proposal.proposed_by == scim.house.people["Sam"]


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({"roles": [{"value": "ADMIN"}]}, "Approver is the highest role"),
        ({"roles": [{"value": "SUPER_ADMIN"}]}, "Approver is the highest role"),
        ({"roles": [{"value": "REVIEWER"}, {"value": "APPROVER"}]}, "Somebody has one role"),
        ({"roles": [{"value": "EMPEROR"}]}, "There is no role EMPEROR"),
        ({"userName": "nia@elsewhere.test"}, "of a domain that the business has allowed"),
        ({"userName": "not an address"}, "of a domain that the business has allowed"),
        ({"userName": 5}, ""),
        ({"userName": ""}, ""),
        ({"active": "perhaps"}, ""),
    ],
)
def test_what_cannot_be_is_refused_and_nobody_is_invited(scim: Scim, attributes: dict[str, Any], sentence: str) -> None:
    people = User.objects.count()
    refused(scim.create("nia", **attributes), 400, "invalidValue", sentence)
    assert User.objects.count() == people
    assert not mail.outbox


def test_a_role_above_the_ceiling_is_a_denial_in_the_audit(scim: Scim) -> None:
    scim.create("nia", roles=[{"value": "ADMIN"}])
    assert AuditEntry.objects.filter(chain=scim.house.business.pk, outcome="DENIED", actor_name="SCIM").count() == 1


def test_an_address_or_an_id_that_is_there_already_is_a_conflict(scim: Scim) -> None:
    assert scim.create("nia", externalId="1").status_code == 201
    refused(scim.create("nia"), 409, "uniqueness", "is a member already")
    refused(scim.create("NIA"), 409, "uniqueness", "is a member already")
    refused(scim.create("noah", externalId="1"), 409, "uniqueness", "externalId")
    assert not User.objects.filter(email=scim.address("noah")).exists()


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'"text"', b"\xff", b"[" * 50_000, b'{"userName": "a\\u0000b@c.test"}']
)
def test_what_is_no_json_object_is_refused(scim: Scim, body: bytes) -> None:
    refused(scim.ask("POST", "Users", body), 400, "invalidSyntax")


def test_unknown_attributes_are_dropped_and_extensions_read(scim: Scim) -> None:
    enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
    answer = scim.create("nia", schemas=[USER, enterprise], nonsense={"a": 1}, **{enterprise: {"department": "Fleet"}})
    assert answer.status_code == 201, answer.json()
    assert "nonsense" not in answer.json()


def test_the_list_is_filtered_and_paged(scim: Scim) -> None:
    assert scim.create("nia", externalId="00u1").status_code == 201
    by_name = scim.ask("GET", f'Users?filter=userName eq "{scim.address("NIA")}"').json()
    assert [row["userName"] for row in by_name["Resources"]] == [scim.address("nia")]
    by_id = scim.ask("GET", 'Users?filter=externalId eq "00u1"').json()
    assert by_id["totalResults"] == 1
    assert scim.ask("GET", 'Users?filter=userName eq "nobody"').json()["totalResults"] == 0
    everybody = [row["id"] for row in scim.ask("GET", "Users").json()["Resources"]]
    pages = [scim.ask("GET", f"Users?startIndex={start}&count=4").json() for start in (1, 5, 9)]
    assert [row["id"] for each in pages for row in each["Resources"]] == everybody
    assert {each["totalResults"] for each in pages} == {9}
    assert scim.ask("GET", "Users?count=0").json()["totalResults"] == 9
    refused(scim.ask("GET", "Users?filter=userName zz 1"), 400, "invalidFilter")
    refused(scim.ask("GET", 'Users?filter=nonsense eq "1"'), 400, "invalidFilter")


@pytest.mark.parametrize("value", [False, "False"])
def test_a_deactivated_user_is_kept_out_at_once_and_let_in_again(scim: Scim, value: object) -> None:
    browser = scim.house.browser("Apollo")
    assert browser.get(scim.house.address()).status_code == 200
    answer = scim.patch(f"Users/{scim.id_of('Apollo')}", {"op": "Replace", "path": "active", "value": value})
    assert (answer.status_code, answer.json()["active"]) == (200, False), answer.json()
    assert browser.get(scim.house.address()).status_code != 200
    assert AuditEntry.objects.get(chain=scim.house.business.pk, sentence="suspended Apollo").actor_name == "SCIM"
    assert scim.patch(f"Users/{scim.id_of('Apollo')}", {"op": "replace", "value": {"active": True}}).json()["active"]
    assert scim.house.browser("Apollo").get(scim.house.address()).status_code == 200


def test_a_replaced_user_has_what_was_said(scim: Scim) -> None:
    body = {"schemas": [USER], "userName": scim.address("carla"), "displayName": "Carla Njeri", "externalId": "c",
            "roles": [{"value": "REVIEWER"}]}  # fmt: skip
    assert scim.ask("PUT", f"Users/{scim.id_of('Carla')}", body).status_code == 200
    member = scim.member("carla")
    assert (member.role, member.user.name) == ("REVIEWER", "Carla Njeri")
    refused(scim.ask("PUT", f"Users/{scim.id_of('Carla')}", body | {"userName": "x@y.test"}), 400, "mutability")
    refused(
        scim.ask("PUT", f"Users/{scim.id_of('Selma')}", body | {"userName": scim.address("selma")}), 400, "invalidValue"
    )


def test_whoever_set_it_up_is_kept_out_too_and_the_last_two_owners_are_not(scim: Scim) -> None:
    deactivate = {"op": "replace", "path": "active", "value": False}
    refused(scim.patch(f"Users/{scim.id_of('Sam')}", deactivate), 409, "", "two super admins")
    refused(scim.patch(f"Users/{scim.id_of('Selma')}", deactivate), 409, "", "two super admins")
    assert Membership.objects.filter(business=scim.house.business, role="SUPER_ADMIN", is_active=True).count() == 2
    Membership.objects.filter(pk=scim.house.people["Ada"].pk).update(role="SUPER_ADMIN")
    Membership.objects.filter(pk=scim.house.people["Sam"].pk).update(employee_id="")
    assert scim.patch(f"Users/{scim.id_of('Sam')}", deactivate).status_code == 200
    assert not scim.member("sam").is_active


def test_whom_a_person_has_suspended_a_sync_does_not_let_in_again(scim: Scim) -> None:
    suspend_membership(scim.house.actor("Selma"), scim.member("apollo"))
    body = {"schemas": [USER], "userName": scim.address("apollo"), "displayName": "Apollo Two", "active": True}
    answer = scim.ask("PUT", f"Users/{scim.id_of('Apollo')}", body)
    assert (answer.status_code, answer.json()["active"]) == (200, False)
    assert not scim.member("apollo").is_active
    assert AuditEntry.objects.filter(chain=scim.house.business.pk, outcome="DENIED", actor_name="SCIM").exists()
    # A person who suspends whom the provider has put out takes it over.
    out = {"op": "replace", "path": "active", "value": False}
    assert scim.patch(f"Users/{scim.id_of('Carla')}", out).status_code == 200
    suspend_membership(scim.house.actor("Selma"), scim.member("carla"))
    assert scim.patch(f"Users/{scim.id_of('Carla')}", out | {"value": True}).json()["active"] is False


def test_a_deleted_user_who_is_no_employee_has_left(scim: Scim) -> None:
    assert scim.create("nia").status_code == 201
    path = f"Users/{scim.member('nia').pk}"
    assert scim.ask("DELETE", path).status_code == 204
    assert scim.member("nia").ended_at is not None
    refused(scim.ask("GET", path), 404)
    refused(scim.ask("DELETE", path), 404)
    assert scim.create("nia").status_code == 201


@pytest.mark.parametrize(
    "operations", [[], [{"op": "shout", "path": "active"}], [{"op": "replace", "path": "((", "value": 1}]]
)
def test_a_patch_that_makes_no_sense_changes_nothing(scim: Scim, operations: list[Any]) -> None:
    answer = scim.ask("PATCH", f"Users/{scim.id_of('Carla')}", {"schemas": [PATCH], "Operations": operations})
    assert answer.status_code == 400, answer.json()
    assert scim.member("carla").is_active


def test_an_employee_who_moves_money_is_linked_once_a_second_admin_confirms(scim: Scim) -> None:
    FourEyes.objects.create(business=scim.house.business, is_on=True)
    values = {"name": "Ed", "email": scim.address("ed"), "role": "APPROVER", "status": "ACTIVE"}
    Employee.objects.create(**scim.house._mirrored(), remote_id="employee-ed", **values)
    assert scim.create("ed").status_code == 201
    assert scim.member("ed").employee_id == ""
    proposal = Proposal.objects.get(business=scim.house.business)
    assert "At the finance service they are approver." in proposal.consequences
    confirm(scim.house.actor("Selma"), proposal)
    apply_proposal(proposal.pk)
    apply_proposal(proposal.pk)
    assert scim.member("ed").employee_id == "employee-ed"


def test_an_invitation_that_is_rolled_back_mails_nobody(scim: Scim) -> None:
    assert scim.create("nia", externalId="1").status_code == 201
    refused(scim.create("noah", externalId="1"), 409, "uniqueness", "externalId")
    assert [message.to for message in mail.outbox] == [[scim.address("nia")]]
