"""Suspended members on Settings: by whom and since when, let in again, and never so many that no super admin is left."""

from __future__ import annotations

import pytest
from django.core import mail

from dashboard.access.actor import Actor
from dashboard.access.models import FINANCE_SERVICE, Membership, User
from dashboard.audit.models import AuditEntry
from dashboard.errors import Conflict
from dashboard.mirror.models import Employee
from dashboard.mirror.webhook_inbox import follow_employment
from dashboard.proposals.members import resume_membership, suspend_membership
from dashboard.times import day_and_time
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_settings_and_audit import sure


def members_page(house: House, who: str = "Sam") -> str:
    return " ".join(sure(house, who).get(house.address("settings/members/")).content.decode().split())


def post(house: House, who: str, name: str, verb: str) -> int:
    address = house.address(f"settings/members/{house.people[name].pk}/{verb}/")
    return int(sure(house, who).post(address).status_code)


def member(house: House, name: str) -> Membership:
    return Membership.objects.get(pk=house.people[name].pk)


def test_who_is_suspended_stays_on_the_page_with_who_did_it_and_since_when(house: House) -> None:
    ada = house.browser("Ada")
    assert ada.get(house.address()).status_code == 200
    assert post(house, "Sam", "Ada", "suspend") == 302
    row = member(house, "Ada")
    assert (row.is_active, row.suspended_by) == (False, house.people["Sam"].user.get_full_name())
    assert row.suspended_at is not None
    page = members_page(house)
    assert f"Suspended by {row.suspended_by} since {day_and_time(row.suspended_at, house.business)}" in page
    # At once: the browser that was inside is out.
    assert ada.get(house.address()).status_code != 200
    assert post(house, "Selma", "Ada", "resume") == 302
    row = member(house, "Ada")
    assert (row.is_active, row.suspended_by, row.suspended_at) == (True, "", None)
    assert "Suspended by" not in members_page(house)
    sentences = set(AuditEntry.objects.filter(chain=house.business.pk).values_list("sentence", flat=True))
    assert {f"suspended {row.user}", f"reactivated {row.user}"} <= sentences


def test_no_news_of_the_finance_service_lifts_what_a_person_has_suspended(house: House) -> None:
    post(house, "Sam", "Ada", "suspend")
    before = member(house, "Ada")
    for status in ("ACTIVE", "SUSPENDED", "ACTIVE"):
        follow_employment(
            house.business, {"_id": before.employee_id, "status": status, "phone_number": "+254700000001"}
        )
    row = member(house, "Ada")
    assert (row.is_active, row.suspended_by, row.suspended_at) == (False, before.suspended_by, before.suspended_at)
    assert f"Suspended by {row.suspended_by} since" in members_page(house)
    assert post(house, "Selma", "Ada", "resume") == 302
    # From then on the service says again who enters.
    follow_employment(house.business, {"_id": row.employee_id, "status": "SUSPENDED"})
    follow_employment(house.business, {"_id": row.employee_id, "status": "ACTIVE"})
    assert member(house, "Ada").is_active


def test_who_suspends_somebody_suspended_already_changes_nothing(house: House) -> None:
    post(house, "Sam", "Ada", "suspend")
    before = member(house, "Ada")
    selma = sure(house, "Selma")
    answer = selma.post(house.address(f"settings/members/{house.people['Ada'].pk}/suspend/"), follow=True)
    row = member(house, "Ada")
    assert (row.suspended_by, row.suspended_at) == (before.suspended_by, before.suspended_at)
    page = " ".join(answer.content.decode().split())
    assert f"{row.user} was suspended already. Nothing was changed." in page
    assert "was signed out everywhere" not in page
    assert AuditEntry.objects.filter(chain=house.business.pk, sentence=f"suspended {row.user}").count() == 1


def test_a_suspension_of_the_finance_service_stays_its_own(house: House) -> None:
    employee_id = house.employee_id("Rita")
    Employee.objects.filter(remote_id=employee_id).update(status="SUSPENDED")
    follow_employment(house.business, {"_id": employee_id, "status": "SUSPENDED"})
    before = member(house, "Rita")
    for verb, status in (("suspend", 302), ("resume", 409)):
        assert post(house, "Sam", "Rita", verb) == status
        row = member(house, "Rita")
        assert (row.is_active, row.suspended_by, row.suspended_at) == (False, FINANCE_SERVICE, before.suspended_at)
    named = [f"suspended {row.user}", f"reactivated {row.user}"]
    sentences = AuditEntry.objects.filter(chain=house.business.pk, sentence__in=named)
    assert not sentences.exists()


def test_whom_the_finance_service_has_suspended_is_let_in_under_people(house: House) -> None:
    employee_id = house.employee_id("Rita")
    Employee.objects.filter(remote_id=employee_id).update(status="SUSPENDED")
    follow_employment(house.business, {"_id": employee_id, "status": "SUSPENDED"})
    page = members_page(house)
    assert "Suspended by the finance service since" in page
    assert house.address(f"people/{employee_id}/") in page
    assert "Let in again" not in page
    follow_employment(house.business, {"_id": employee_id, "status": "ACTIVE"})
    assert member(house, "Rita").suspended_by == ""


def test_a_suspended_member_s_membership_can_be_ended_and_is_shown_no_more(house: House) -> None:
    post(house, "Sam", "Carla", "suspend")
    assert post(house, "Sam", "Carla", "end") == 302
    assert member(house, "Carla").ended_at is not None
    assert "Suspended by" not in members_page(house)
    assert post(house, "Sam", "Carla", "resume") == 404


@pytest.mark.parametrize("verb", ["suspend", "resume", "resend"])
@pytest.mark.parametrize("who", ["Ada", "Apollo", "Carla"])
def test_only_super_admins_suspend_let_in_and_invite_again(house: House, verb: str, who: str) -> None:
    assert post(house, who, "Rita", verb) == 403
    assert member(house, "Rita").is_active


def test_the_reason_stands_on_the_page(house: House) -> None:
    address = house.address(f"settings/members/{house.people['Selma'].pk}/suspend/")
    body = sure(house, "Sam").post(address).content.decode()
    assert "A business needs two super admins: make somebody else a super admin first. Nothing was changed." in body
    assert "Rita" in body


def test_neither_of_two_super_admins_suspends_the_other_or_themselves(house: House) -> None:
    assert post(house, "Sam", "Selma", "suspend") == 409
    assert post(house, "Selma", "Sam", "suspend") == 409
    assert post(house, "Sam", "Sam", "suspend") == 403
    assert member(house, "Sam").is_active
    assert member(house, "Selma").is_active


def test_two_of_three_super_admins_who_suspend_each_other_leave_two(house: House) -> None:
    third = User.objects.create_user("third@people.test", name="Third")
    Membership.objects.create(user=third, business=house.business, role="SUPER_ADMIN")
    sam, selma = house.actor("Sam"), Actor.for_membership(member(house, "Selma"))
    suspend_membership(sam, member(house, "Selma"))
    # Her page was open already: she is still who she was when it was loaded.
    with pytest.raises(Conflict, match="needs two super admins"):
        suspend_membership(selma, member(house, "Sam"))
    owners = Membership.objects.filter(business=house.business, role="SUPER_ADMIN", is_active=True)
    assert set(owners.values_list("user__email", flat=True)) == {"third@people.test", house.people["Sam"].user.email}
    resume_membership(sam, member(house, "Selma"))
    assert owners.count() == 3


def test_an_invitation_is_sent_again_to_who_has_never_signed_in(house: House) -> None:
    given = {"name": "New", "email": "new@people.test", "role": "REVIEWER", "employee_id": ""}
    sure(house, "Sam").post(house.address("settings/members/invite/"), given | {"key": "i1"})
    new = Membership.objects.get(business=house.business, user__email="new@people.test")
    assert "Has not signed in yet" in members_page(house)
    mail.outbox.clear()
    address = house.address(f"settings/members/{new.pk}/resend/")
    assert sure(house, "Sam").post(address).status_code == 302
    assert "/-/account/password/reset/key/" in mail.outbox[-1].body
    assert mail.outbox[-1].to == ["new@people.test"]
    assert AuditEntry.objects.filter(chain=house.business.pk, sentence="sent new@people.test a new link").exists()
    # A second click on the same form sends nothing more.
    mail.outbox.clear()
    sam, key = sure(house, "Sam"), f"resend-{new.pk}-{house.business.slug}"
    assert sam.post(address, {"key": key}).status_code == 302
    again = sam.post(address, {"key": key}, follow=True).content.decode()
    assert "This form was sent before: new@people.test gets one link by it." in again
    assert len(mail.outbox) == 1
    lines = AuditEntry.objects.filter(chain=house.business.pk, sentence="sent new@people.test a new link")
    assert lines.count() == 2
    Membership.objects.filter(pk=new.pk).update(is_active=False)
    assert sure(house, "Sam").post(address).status_code == 409
    assert len(mail.outbox) == 1
