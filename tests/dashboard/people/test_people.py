"""People: added once with a role that may be given, changed, moved, suspended, removed, handed over; by whom."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access.roles import MOVING_MONEY
from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.commands import employees
from dashboard.errors import FinanceError, NotAllowed
from dashboard.mirror.models import Employee, Team
from dashboard.proposals.models import FourEyes
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, employee, shown, signed_in

NEW = {"name": "Nadia Wekesa", "email": "nadia@example.com", "phone": "0711 000111", "role": "CARD_USER"}


def team_of(world: World) -> Team:
    return Team.objects.filter(business=world.business, status="ACTIVE").order_by("name")[0]


def add(world: World, person: str = "Ada", **form: str) -> Any:
    posted = NEW | {"team": team_of(world).code} | form
    return signed_in(world, person).post(world.address("people/new/"), posted)


def added(world: World) -> Employee | None:
    return Employee.objects.filter(business=world.business, name="Nadia Wekesa").first()


def test_somebody_new_is_at_the_service_and_on_the_list(world: World) -> None:
    answer = add(world)
    row = added(world)
    assert row is not None
    assert answer["Location"] == world.address(f"people/{row.remote_id}/")
    upstream = world.upstream(f"/employees/{row.remote_id}")
    assert (upstream["organization_email"], upstream["phone"], upstream["role"]) == (
        "nadia@example.com", "254711000111", "CARD_USER",
    )  # fmt: skip
    assert upstream["team_code"] == team_of(world).code
    assert "Nadia Wekesa" in shown(world.client("Apollo").get(world.address("people/?q=nadia")))


def test_sent_twice_it_is_one_person(world: World) -> None:
    first, again = add(world, key="n" * 32), add(world, key="n" * 32)
    assert first["Location"] == again["Location"]
    assert Employee.objects.filter(business=world.business, name="Nadia Wekesa").count() == 1


def test_an_admin_gives_no_role_above_reviewer_and_a_super_admin_any(world: World) -> None:
    assert "Approver" not in shown(world.client("Ada").get(world.address("people/new/")))
    assert add(world, role="APPROVER").status_code == 422
    assert added(world) is None
    assert add(world, "Sam", role="APPROVER").status_code == 302
    row = added(world)
    assert row is not None
    assert world.upstream(f"/employees/{row.remote_id}")["role"] == "APPROVER"


@pytest.mark.parametrize("role", ["APPROVER", "ADMIN", "SUPER_ADMIN"])
def test_nobody_alone_adds_somebody_who_moves_money_where_a_second_admin_is_required(world: World, role: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    page = shown(signed_in(world, "Sam").get(world.address("people/new/")))
    assert "Roles that move money need a second admin" in page
    assert f'value="{role}"' not in page
    assert add(world, "Sam", role=role).status_code == 422
    assert added(world) is None
    assert add(world, "Sam", role="REVIEWER").status_code == 302


@pytest.mark.parametrize("role", sorted(MOVING_MONEY))
def test_no_command_gives_somebody_new_such_a_role_either(world: World, role: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    sam, new = world.actor("Sam"), {"name": "Nadia Wekesa", "organization_email": "nadia@example.com"}
    new |= {"phone_number": "0711 000111", "role": role}
    with pytest.raises(NotAllowed, match="second admin"):
        employees.create(sam, new | {"team_code": team_of(world).code}, key="a" * 32)
    with pytest.raises(NotAllowed, match=r"second admin|above the role that ends"):
        employees.hand_over(sam, employee(world, "Apollo"), new | {"existing": "SUSPEND"}, key="b" * 32)
    assert [row["name"] for row in world.upstream("/employees", limit=1000)["docs"] if "Nadia" in row["name"]] == []
    denials = AuditEntry.objects.filter(chain=world.business.pk, outcome="DENIED")
    assert {entry.operation for entry in denials} == {"create_employee", "transfer_ownership"}


def test_a_form_that_was_refused_lets_no_such_role_pass_under_its_key(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    sam, key = world.actor("Sam"), "c" * 32
    taken = world.upstream(f"/employees/{employee(world, 'Apollo').remote_id}")["organization_email"]
    new = {"name": "Nadia Wekesa", "organization_email": taken, "phone_number": "+254711000111", "role": "REVIEWER"}
    new |= {"team_code": team_of(world).code}
    with pytest.raises(FinanceError):
        employees.create(sam, new, key=key)
    assert OutboundOperation.objects.get(business=world.business, key=key).state == "REJECTED"
    with pytest.raises(NotAllowed, match="second admin"):
        employees.create(sam, new | {"role": "APPROVER", "organization_email": "nadia@example.com"}, key=key)
    assert [row["name"] for row in world.upstream("/employees", limit=1000)["docs"] if "Nadia" in row["name"]] == []
    employees.create(sam, new | {"organization_email": "nadia@example.com"}, key=key)
    assert added(world) is not None


def test_an_invitation_goes_with_it_where_it_was_ticked(world: World) -> None:
    add(world, "Sam", invite="on")
    member = Membership.objects.get(business=world.business, user__email="nadia@example.com")
    row = added(world)
    assert row is not None
    assert (member.role, member.employee_id) == ("CARD_USER", row.remote_id)
    assert mail.outbox[-1].to == ["nadia@example.com"]


def test_an_admin_who_makes_nobody_a_member_is_not_offered_to(world: World) -> None:
    assert "Invite to this dashboard" not in shown(world.client("Ada").get(world.address("people/new/")))
    add(world, invite="on")
    assert not Membership.objects.filter(business=world.business, user__email="nadia@example.com").exists()


def test_an_address_that_somebody_has_is_refused_at_its_field(world: World) -> None:
    add(world)
    answer = add(world, name="Other")
    assert answer.status_code in {409, 422}
    assert "already" in shown(answer)
    assert 'value="Other"' in shown(answer)


@pytest.mark.parametrize(
    ("person", "may"), [("Ada", True), ("Sam", True), ("Apollo", False), ("Rita", False), ("Carla", False)]
)
def test_who_may_add_somebody(world: World, person: str, may: bool) -> None:
    assert (add(world, person).status_code == 302) is may
    assert (added(world) is not None) is may


def profile(world: World, of: str, **form: str) -> dict[str, str]:
    upstream = world.upstream(f"/employees/{world.employee(of)['employee_id']}")
    now = {"name": upstream["name"], "email": upstream["organization_email"], "phone": upstream["phone"]}
    return now | {"supervisor": upstream["supervisor_id"] or ""} | form


def test_an_admin_changes_a_profile_and_empties_the_supervisor(world: World) -> None:
    boss = world.employee("Apollo")["employee_id"]
    ada, address = world.client("Ada"), address_of(world, "Carla", "profile/")
    assert ada.post(address, profile(world, "Carla", phone="0722 123456", supervisor=boss)).status_code == 302
    upstream = world.upstream(f"/employees/{world.employee('Carla')['employee_id']}")
    assert (upstream["phone"], upstream["supervisor_id"]) == ("254722123456", boss)
    assert ada.post(address, profile(world, "Carla", supervisor="")).status_code == 302
    assert world.upstream(f"/employees/{world.employee('Carla')['employee_id']}")["supervisor_id"] is None


def test_of_ones_own_profile_only_name_and_phone_are_changed(world: World) -> None:
    carla, address = world.client("Carla"), address_of(world, "Carla", "profile/")
    page = shown(carla.get(address_of(world, "Carla")))
    assert 'name="phone"' in page
    assert 'name="email"' not in page
    posted = profile(world, "Carla", phone="0733 123456", email="other@example.com", supervisor="")
    before = world.upstream(f"/employees/{world.employee('Carla')['employee_id']}")["organization_email"]
    assert carla.post(address, posted).status_code == 302
    upstream = world.upstream(f"/employees/{world.employee('Carla')['employee_id']}")
    assert (upstream["phone"], upstream["organization_email"]) == ("254733123456", before)


@pytest.mark.parametrize("person", ["Rita", "Apollo"])
def test_nobody_but_an_admin_changes_the_profile_of_another(world: World, person: str) -> None:
    answer = world.client(person).post(address_of(world, "Carla", "profile/"), profile(world, "Carla", name="X Y"))
    assert answer.status_code in {403, 404}
    assert world.upstream(f"/employees/{world.employee('Carla')['employee_id']}")["name"] != "X Y"


def test_moved_to_another_team_they_are_in_it(world: World) -> None:
    other = Team.objects.filter(business=world.business, status="ACTIVE").exclude(
        remote_id=employee(world, "Carla").team_id
    )[0]
    ada = world.client("Ada")
    assert ada.post(address_of(world, "Carla", "team/"), {"team": other.remote_id}).status_code == 302
    assert employee(world, "Carla").team_id == other.remote_id
    assert f"is in {other.name} now" in shown(ada.get(address_of(world, "Carla")))


def test_suspended_and_activated_from_their_page(world: World) -> None:
    ada, address = world.client("Ada"), address_of(world, "Carla")
    assert ada.post(address + "suspend/").status_code == 302
    assert employee(world, "Carla").status == "SUSPENDED"
    assert not Membership.objects.get(business=world.business, employee_id=employee(world, "Carla").remote_id).is_active
    assert "cannot sign in" in shown(ada.get(address))
    assert ada.post(address + "activate/").status_code == 302
    assert employee(world, "Carla").status == "ACTIVE"


def test_nobody_suspends_or_removes_themselves(world: World) -> None:
    ada = signed_in(world, "Ada")
    page = shown(ada.get(address_of(world, "Ada")))
    assert "Suspend" not in page
    for rest in ("suspend/", "remove/"):
        assert ada.post(address_of(world, "Ada", rest)).status_code == 403
    assert employee(world, "Ada").status == "ACTIVE"


@pytest.mark.parametrize("rest", ["suspend/", "remove/"])
def test_an_admin_ends_no_super_admin_and_nobody_one_of_the_last_two(world: World, rest: str) -> None:
    """One admin could otherwise end every super admin, one by one, and nobody would be left who makes another."""
    refused = signed_in(world, "Ada").post(address_of(world, "Sam", rest))
    assert refused.status_code == 403
    assert "Only a super admin suspends or removes a super admin." in shown(refused)
    last_two = signed_in(world, "Selma").post(address_of(world, "Sam", rest))
    assert last_two.status_code == 409
    assert "A business needs two super admins" in shown(last_two)
    assert world.upstream(f"/employees/{world.employee('Sam')['employee_id']}")["status"] == "ACTIVE"
    assert Membership.objects.get(pk=world.people["Sam"].pk).is_active
    assert AuditEntry.objects.filter(chain=world.business.pk, outcome="DENIED", actor_name__startswith="Ada").exists()


def test_removed_they_are_said_to_be_and_take_no_change(world: World) -> None:
    add(world)
    row = added(world)
    assert row is not None
    ada = signed_in(world, "Ada")
    assert ada.post(world.address(f"people/{row.remote_id}/remove/")).status_code == 302
    page = shown(ada.get(world.address(f"people/{row.remote_id}/")))
    assert "Removed" in page
    for word in ("Save changes", "Suspend", "Move to team", "Transfer ownership"):
        assert word not in page


def test_who_has_something_open_is_not_removed_and_the_reason_is_said(world: World, first_wallet: str) -> None:
    funds = {"employee_id": world.employee("Carla")["employee_id"], "amount": 100, "org_wallet_ref": first_wallet}
    approver = {"X-Acting-Employee": world.employee("Apollo")["employee_id"]}
    world.send("POST", "/employees/allocate-funds", funds, approver)
    answer = signed_in(world, "Ada").post(address_of(world, "Carla", "remove/"))
    assert answer.status_code == 409
    assert employee(world, "Carla").status == "ACTIVE"


def test_the_list_says_who_does_not_use_their_access_to_those_who_configure_it(world: World) -> None:
    old = timezone.now() - timedelta(days=120)
    Membership.objects.filter(business=world.business, employee_id__in=[
        world.employee(name)["employee_id"] for name in ("Apollo", "Carla")
    ]).update(created_at=old)  # fmt: skip
    page = shown(world.client("Ada").get(world.address("people/?access=UNUSED&status=ACTIVE")))
    assert "Apollo Mutua" in page
    # A card user decides on nothing, and whoever came last week has had no time to.
    assert "Carla Kamau" not in page
    assert "Zawadi Njeri" not in page
    world.people["Apollo"].user.last_login = old
    world.people["Apollo"].user.save()
    listed = world.client("Ada").get(world.address("people/?cols=signed_in,access&q=apollo"))
    assert "No decision in 90 days" in shown(listed)
    assert "Apollo Mutua" not in shown(world.client("Zawadi").get(world.address("people/?access=UNUSED")))
