"""Saved views: one's own, shared with the business, and the one that a list opens with."""

from typing import Any

from dashboard.audit.models import AuditEntry
from dashboard.lists.models import SavedView
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House


def save(house: House, person: str, **form: Any) -> Any:
    return house.browser(person).post(house.address("lists/expenses/views/"), {"name": "High ones", **form})


def list_page(house: House, person: str) -> str:
    return markup_of(
        house.browser(person).get(house.address("expenses/totals/?view=all"), headers={"HX-Request": "true"})
    )


def test_a_view_is_kept_under_its_name_and_leads_back_to_the_list(house: House) -> None:
    answer = save(house, "Rita", list="status=PENDING&sort=-amount&nonsense=1")
    assert answer.status_code == 302
    assert answer["Location"] == house.address("expenses/?status=PENDING&sort=-amount")
    view = SavedView.objects.get(owner=house.people["Rita"])
    assert (view.name, view.query, view.shared) == ("High ones", "status=PENDING&sort=-amount", False)
    assert "High ones" in list_page(house, "Rita")
    assert "High ones" not in list_page(house, "Ada")


def test_the_same_name_again_replaces_ones_own_view(house: House) -> None:
    save(house, "Ada", list="status=PENDING")
    save(house, "Ada", list="status=APPROVED")
    save(house, "Sam", list="status=REJECTED")
    assert SavedView.objects.get(owner=house.people["Ada"]).query == "status=APPROVED"
    assert SavedView.objects.filter(business=house.business).count() == 2


def test_finance_shares_and_nobody_else_does(house: House) -> None:
    save(house, "Ada", list="status=PENDING", shared="1")
    assert "shared by Ada" in list_page(house, "Carla")
    refused = save(house, "Rita", list="status=PENDING", shared="1")
    assert refused.status_code == 403
    assert AuditEntry.objects.filter(chain=house.business.pk, outcome="DENIED", operation="share_view").exists()
    assert not SavedView.objects.filter(owner=house.people["Rita"]).exists()


def test_a_shared_view_of_who_has_left_is_offered_no_more(house: House) -> None:
    save(house, "Ada", list="status=PENDING", shared="1")
    house.people["Ada"].is_active = False
    house.people["Ada"].save()
    assert "High ones" not in list_page(house, "Carla")


def test_the_list_opens_with_the_chosen_view_and_clear_shows_everything(house: House) -> None:
    save(house, "Ada", list="status=PENDING", shared="1")
    view = SavedView.objects.get(business=house.business)
    browser = house.browser("Carla")
    address = house.address(f"lists/expenses/views/{view.pk}/open-with/")
    browser.post(address, {"default": "yes", "list": ""})
    answer = browser.get(house.address("expenses/"))
    assert (answer.status_code, answer["Location"]) == (302, house.address("expenses/?status=PENDING"))
    assert browser.get(house.address("expenses/?view=all")).status_code == 200
    browser.post(address, {"default": "no", "list": ""})
    assert browser.get(house.address("expenses/")).status_code == 200


def test_a_view_is_removed_by_its_owner_alone(house: House) -> None:
    save(house, "Ada", list="status=PENDING", shared="1")
    view = SavedView.objects.get(business=house.business)
    address = house.address(f"lists/expenses/views/{view.pk}/remove/")
    assert house.browser("Sam").post(address).status_code == 404
    assert house.browser("Ada").post(address).status_code == 302
    assert not SavedView.objects.filter(pk=view.pk).exists()


def test_a_view_of_another_business_or_without_a_name_is_none(house: House, new_house: Any) -> None:
    other = new_house()
    save(other, "Ada", list="status=PENDING", shared="1")
    theirs = SavedView.objects.get(business=other.business)
    address = house.address(f"lists/expenses/views/{theirs.pk}/open-with/")
    assert house.browser("Ada").post(address, {"default": "yes"}).status_code == 404
    assert house.browser("Ada").post(house.address("lists/nothing/views/"), {"name": "x"}).status_code == 404
    save(house, "Ada", name=" ", list="")
    assert not SavedView.objects.filter(business=house.business).exists()


def test_what_makes_no_sense_is_not_kept(house: House) -> None:
    assert save(house, "Ada", list="status=NO").status_code == 422
    assert not SavedView.objects.filter(business=house.business).exists()
