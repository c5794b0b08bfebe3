"""Vendors, against the real service: added once, a likely duplicate shown first, changed, emptied, deleted; by whom."""

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Bill, Vendor
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World

NEW = {"name": "Acacia Supplies", "type": "BUSINESS", "phone": "0712 345678", "email": "pay@acacia.example", "tax_pin": "p051234567q"}  # fmt: skip


def add(world: World, person: str = "Ada", **form: str) -> Any:
    return world.client(person).post(world.address("vendors/new/"), NEW | form)


def shown_beside(answer: Any) -> str:
    """What the box beside the likely duplicates sends."""
    found = re.search(r'name="meant" value="([^"]+)"', answer.content.decode())
    return found[1] if found else ""


def only(world: World) -> Vendor:
    return Vendor.objects.get(business=world.business)


def page(world: World, person: str, rest: str) -> str:
    return str(world.client(person).get(world.address(rest)).content.decode())


def test_a_new_vendor_is_at_the_service_and_on_the_list(world: World) -> None:
    answer = add(world)
    found = only(world)
    assert answer["Location"] == world.address(f"vendors/{found.remote_id}/")
    upstream = world.upstream(f"/vendors/{found.remote_id}")
    assert (upstream["name"], upstream["phone"], upstream["taxPin"]) == (
        "Acacia Supplies",
        "254712345678",
        "P051234567Q",
    )
    assert (upstream["country"], upstream["payment_instructions"]) == ("KE", [])
    assert "Acacia Supplies" in page(world, "Rita", "vendors/?q=acac")
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence="created vendor Acacia Supplies").exists()


def test_what_is_sent_twice_is_added_once(world: World) -> None:
    first, again = add(world, key="the-same"), add(world, key="the-same")
    assert first["Location"] == again["Location"]
    assert Vendor.objects.filter(business=world.business).count() == 1


@pytest.mark.parametrize(
    ("typed", "shared"),
    [
        ({"tax_pin": "P051234567Q"}, "the same tax PIN"),
        ({"phone": "+254712345678"}, "the same phone"),
        ({"email": "PAY@acacia.example"}, "the same email"),
        ({"name": "ACACIA SUPPLIES"}, "the same name"),
    ],
)
def test_a_likely_duplicate_is_shown_before_it_is_added(world: World, typed: dict[str, str], shared: str) -> None:
    add(world)
    other = {"name": "Somebody", "phone": "", "email": "", "tax_pin": ""} | typed
    answer = add(world, **other)
    assert answer.status_code == 409
    assert shared in answer.content.decode()
    assert add(world, **other, meant="1").status_code == 409
    assert add(world, **other, meant=shown_beside(answer)).status_code == 302
    assert Vendor.objects.filter(business=world.business).count() == 2


def test_a_change_empties_what_was_emptied_and_the_audit_keeps_the_number_before(world: World) -> None:
    add(world)
    found = only(world)
    form = {"name": "Acacia", "type": "INDIVIDUAL", "phone": "0722 000111", "email": "", "tax_pin": "", "country": "ke", "currency": "usd"}  # fmt: skip
    assert world.client("Apollo").post(world.address(f"vendors/{found.remote_id}/edit/"), form).status_code == 302
    upstream = world.upstream(f"/vendors/{found.remote_id}")
    assert (upstream["name"], upstream["email"], upstream["taxPin"], upstream["currency"]) == ("Acacia", "", "", "USD")
    line = AuditEntry.objects.get(chain=world.business.pk, sentence="changed the contact of vendor Acacia Supplies")
    assert (line.before["phone"], line.after["phone"]) == ("254712345678", "254722000111")


@pytest.mark.parametrize(
    ("field", "typed", "problem"),
    [
        ("name", " ", "This field is required"),
        ("phone", "12", "phone"),
        ("email", "no", "Enter an email address"),
        ("tax_pin", "a b!", "A tax PIN has"),
        ("country", "KEN", "at most 2"),
        ("currency", "K1S", "three letters"),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(
    world: World, field: str, typed: str, problem: str
) -> None:
    answer = add(world, **{field: typed})
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert problem in re.sub(r"\s+", " ", shown.split(f'id="id_{field}_error"')[1].split("</span>")[0])
    assert "pay@acacia.example" in shown or field == "email"
    assert not Vendor.objects.filter(business=world.business).exists()


def test_deleted_it_leaves_the_list_and_takes_no_change(world: World) -> None:
    add(world)
    found = only(world)
    world.client("Ada").post(world.address(f"vendors/{found.remote_id}/delete/"))
    assert ">Acacia Supplies</a>" not in page(world, "Ada", "vendors/")
    shown = page(world, "Ada", f"vendors/{found.remote_id}/")
    assert "Save changes" not in shown
    assert "Add account" not in shown
    assert world.upstream(f"/vendors/{found.remote_id}")["status"] == "DELETED"


@pytest.mark.parametrize(("person", "may"), [("Apollo", True), ("Ada", True), ("Rita", False), ("Selma", False)])
def test_who_may_change_vendors(world: World, person: str, may: bool) -> None:
    add(world)
    found = only(world)
    assert ("New vendor" in page(world, person, "vendors/")) is may
    assert ("Save changes" in page(world, person, f"vendors/{found.remote_id}/")) is may
    twin = only(world).remote_id
    assert (add(world, person, name="Other", meant=twin).status_code == 302) is may
    assert not may or Vendor.objects.filter(business=world.business, name="Other").exists()


def test_a_card_user_has_no_vendors(world: World) -> None:
    for rest in ("vendors/", "vendors/new/", "vendors/recent/", "vendors/payee-changes/"):
        assert world.client("Carla").get(world.address(rest)).status_code == 403


def test_who_may_not_read_the_channels_chooses_among_those_that_vendors_are_paid_on(world: World) -> None:
    assert "Nobody was paid on this channel lately" in page(world, "Rita", "vendors/recent/")
    world.send(
        "POST", "/vendors", {"name": "Till", "payment_instructions": [{"channel": "MPESA_TILL", "account": "5" * 5}]}
    )
    world.sync("vendors")
    assert '<option value="MPESA_TILL" selected>M-Pesa till</option>' in page(world, "Rita", "vendors/recent/")


def test_who_was_paid_lately_and_is_no_vendor_yet_can_be_added(world: World) -> None:
    shown = page(world, "Ada", "vendors/recent/?channel=MPESA_TILL")
    assert "Nobody was paid on this channel lately" in shown
    assert '<option value="MPESA_TILL" selected>' in shown
    assert "WALLET" not in shown
    assert 'value="Otieno &amp; Sons"' in page(world, "Ada", "vendors/new/?name=Otieno+%26+Sons")


def test_all_bills_of_a_vendor_are_those_that_were_paid_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.pages.vendors.presenters.activity.MAX_BILLS", 1)
    vendor = upstream.vendor(world, "Acacia Supplies")
    upstream.bill(world, vendor, number="INV-PAID")
    upstream.bill(world, vendor, number="INV-OPEN")
    world.sync("vendors", "bills_whole", "approvals")
    Bill.objects.filter(business=world.business, bill_no="INV-PAID").update(status="PAID", balance_minor=0)
    link = re.search(r'href="([^"]+)">All bills<', page(world, "Ada", f"vendors/{vendor['_id']}/"))
    assert link is not None
    listed = world.client("Ada").get(link[1].replace("&amp;", "&")).content.decode()
    assert "INV-PAID" in listed
    assert "INV-OPEN" in listed
