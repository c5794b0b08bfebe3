"""A business of many people and vendors: whoever is not on a list any more is typed by name, and found by the server."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.lists.filters import PickByName
from dashboard.mirror.choices import MAX_VENDORS, vendors_named, vendors_of
from dashboard.mirror.models import Bill, Employee, Team, Vendor
from dashboard.mirror.scopes import visible_bills
from dashboard.offboarding.heirs import Heirs
from dashboard.pages.people.forms.departures import SuccessorForm
from dashboard.pages.people.forms.people import ReviewerForm
from dashboard.pages.people.selectors.people import reviewer_choices, supervisors_for
from dashboard.web.person_field import MAX_LISTED
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_settings_and_audit import sure
from tests.days import business_day

LAST = "Zuri Zawadi"
MANY = MAX_LISTED + 20


@pytest.fixture
def crowd(house: House) -> House:
    """A business of more people than are listed; the last of them by name is Zuri, and two are called Sam Otieno."""
    for number in range(MANY):
        person(house, f"n{number}", f"Person {number:04}")
    for number in range(2):
        person(house, f"twin{number}", "Sam Otieno", role="APPROVER")
    person(house, "zuri", LAST, role="APPROVER")
    return house


def person(house: House, name: str, called: str, **values: Any) -> Employee:
    values = {"role": "CARD_USER", "status": "ACTIVE", "email": f"{name}@people.test"} | values
    return Employee.objects.create(
        **house._mirrored(), remote_id=f"{house.business.slug}-{name}", name=called, **values
    )


def suggested(house: House, name: str, typed: str) -> str:
    answer = house.browser(name).get(house.address("people/suggestions/"), {"field": "main-heir", "main-heir": typed})
    return str(answer.content.decode()) if answer.status_code == 200 else str(answer.status_code)


def test_what_is_typed_suggests_people_beyond_the_end_of_any_list(crowd: House) -> None:
    assert f'<option value="{LAST} · zuri@people.test">Approver</option>' in suggested(crowd, "Ada", "zur")
    assert suggested(crowd, "Ada", "person").count("<option") == 20
    assert "<option" not in suggested(crowd, "Ada", "")
    assert "<option" not in suggested(crowd, "Ada", "zur\x07")


def test_nobody_is_suggested_whom_one_may_not_see(crowd: House, new_house: Any) -> None:
    assert suggested(crowd, "Carla", "zur") == "403"
    assert "<option" not in suggested(crowd, "Rita", "zur")
    assert "<option" not in suggested(new_house(), "Ada", "zur")


def reviewer(house: House, typed: str) -> ReviewerForm:
    team = Team.objects.get(business=house.business)
    return ReviewerForm({"reviewer": typed}, people=reviewer_choices(house.actor("Ada"), team))


@pytest.mark.parametrize("typed", [f"{LAST} · zuri@people.test", "ZURI zawadi", "Zuri@People.test", "{id}"])
def test_the_last_of_many_is_made_a_reviewer_by_name_email_or_id(crowd: House, typed: str) -> None:
    zuri = Employee.objects.get(business=crowd.business, name=LAST)
    form = reviewer(crowd, typed.format(id=zuri.remote_id))
    assert form.is_valid(), form.errors
    assert form.cleaned_data["reviewer"] == zuri.remote_id


@pytest.mark.parametrize(
    ("typed", "error"),
    [("Sam Otieno", "Several people are called Sam Otieno: write their email."),
     ("Somebody Else", "Nobody who can be chosen is called “Somebody Else”"), ("x" * 400, "Nobody who can be chosen"),
     ("", "This field is required.")],
)  # fmt: skip
def test_words_that_name_nobody_or_several_are_refused_and_stay(crowd: House, typed: str, error: str) -> None:
    form = reviewer(crowd, typed)
    assert error in str(form.errors["reviewer"])
    assert typed in str(form["reviewer"])


def test_who_has_left_is_nobody_to_choose(crowd: House) -> None:
    Employee.objects.filter(business=crowd.business, name=LAST).update(status="SUSPENDED")
    assert not reviewer(crowd, LAST).is_valid()


def test_a_supervisor_is_shown_by_name_and_a_card_user_cannot_be_one(crowd: House) -> None:
    zuri = Employee.objects.get(business=crowd.business, name=LAST)
    choices = supervisors_for(crowd.actor("Ada"), Employee.objects.get(remote_id=crowd.employee_id("Carla")))
    assert choices.listed is not None, "the few who are no card users are listed"
    assert zuri.remote_id in dict(choices.listed)
    assert not {f"{crowd.business.slug}-n1"} & set(dict(choices.listed))
    Employee.objects.filter(business=crowd.business, name__startswith="Person").update(role="REVIEWER")
    page = crowd.browser("Ada").get(crowd.address(f"people/{zuri.remote_id}/")).content.decode()
    assert 'name="supervisor"' in page
    assert page.count("<option") < MAX_LISTED


def test_an_heir_is_refused_by_name_with_the_reason_why(crowd: House) -> None:
    leaver = Employee.objects.get(remote_id=crowd.employee_id("Apollo"))
    heirs = Heirs(crowd.actor("Ada"), leaver)

    def form(typed: str) -> SuccessorForm:
        return SuccessorForm({"heir": typed}, heirs=heirs, need="approver")

    assert "only an approver can take this seat" in str(form("Person 0003").errors)
    assert "is leaving: choose somebody else" in str(form("Apollo").errors)
    assert f"{LAST} has no access to this dashboard" in str(form(LAST).errors)
    zawadi = form("Zawadi")
    assert zawadi.is_valid(), zawadi.errors
    assert zawadi.cleaned_data["heir"].remote_id == crowd.employee_id("Zawadi")


def test_an_account_of_before_under_the_same_address_does_not_stand_in_the_way(crowd: House) -> None:
    zawadi = crowd.employee_id("Zawadi")
    Employee.objects.filter(remote_id=zawadi).update(email="z@people.test")
    person(crowd, "before", "Zawadi", status="DELETED", email="z@people.test")
    heirs = Heirs(crowd.actor("Ada"), Employee.objects.get(remote_id=crowd.employee_id("Apollo")))
    form = SuccessorForm({"heir": "Zawadi · z@people.test"}, heirs=heirs, need="approver")
    assert form.is_valid(), form.errors
    assert form.cleaned_data["heir"].remote_id == zawadi


def test_the_last_of_many_is_invited_with_the_employee_that_they_are(crowd: House) -> None:
    browser = sure(crowd, "Sam")
    page = browser.get(crowd.address("settings/members/")).content.decode()
    assert f'hx-get="{crowd.address("people/suggestions/")}"' in page
    given = {"name": LAST, "email": "zuri@people.test", "role": "REVIEWER", "employee_id": f"{LAST} · zuri@people.test"}
    answer = browser.post(crowd.address("settings/members/invite/"), given | {"key": "i1"})
    assert answer.status_code == 302, answer.content.decode()
    assert Membership.objects.get(business=crowd.business, employee_id__endswith="-zuri").role == "REVIEWER"


def test_a_few_are_chosen_from_a_list(house: House) -> None:
    field = str(reviewer(house, "")["reviewer"])
    assert "<select" in field
    assert f'value="{house.employee_id("Rita")}"' in field
    assert "datalist" not in field


def vendors(house: House, count: int) -> None:
    now = timezone.now()
    rows = [
        Vendor(**house._mirrored(), remote_id=f"v{number}", name=f"Vendor {number:04}", status="ACTIVE", created_at=now)
        for number in range(count)
    ]
    Vendor.objects.bulk_create([*rows, Vendor(
        **house._mirrored(), remote_id="last", name="Zebra Tyres", status="ACTIVE", created_at=now
    )])  # fmt: skip
    for number, vendor in enumerate(("v1", "last")):
        Bill.objects.create(
            **house._mirrored(), remote_id=f"b{number}", bill_no=f"B-{number}", number_key=f"b{number}",
            vendor_id=vendor, vendor_name=vendor, currency="KES", total_minor=100, total_text="1", balance_minor=100,
            balance_text="1", issued_on=business_day(), due_on=business_day(), status="OPEN", approval_status="NONE",
        )  # fmt: skip


@pytest.mark.parametrize("value", ["last", "zebra", "Tyres"])
def test_bills_of_the_last_of_many_vendors_are_found_by_its_name(house: House, value: str) -> None:
    vendors(house, MAX_VENDORS)
    actor = house.actor("Ada")
    of = PickByName("vendor", "Vendor", "vendor_id", among=vendors_of, named=vendors_named)
    assert of.choices(actor) == ()
    assert [bill.vendor_id for bill in of.apply(visible_bills(actor), value, actor)] == ["last"]
    assert of.summary("last", actor) == "Vendor: Zebra Tyres"
    page = house.browser("Ada").get(house.address(f"bills/?view=all&vendor={value}")).content.decode()
    assert "B-1" in page
    assert "B-0" not in page
    if value == "last":
        assert '<option value="last" selected>Zebra Tyres</option>' in page
    else:
        assert f'name="vendor" value="{value}"' in page


def test_few_vendors_are_chosen_from_a_list(house: House) -> None:
    vendors(house, 3)
    page = house.browser("Ada").get(house.address("bills/?view=all&vendor=last")).content.decode()
    assert '<option value="v2">Vendor 0002</option>' in page
    assert '<option value="last" selected>' in page
