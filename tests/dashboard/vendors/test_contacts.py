"""Contacts of a vendor on its page: added with a phone in E.164, changed, removed, and kept from whoever may not."""

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.presenters.activity import month_text
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World


@pytest.fixture
def vendor(world: World) -> Any:
    made = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync("vendors")
    return made


def contacts(world: World, vendor: Any) -> Any:
    return Vendor.objects.get(business=world.business, remote_id=vendor["_id"]).contacts


def add(world: World, vendor: Any, person: str = "Ada", **form: str) -> Any:
    sent = {"name": "Mary Otieno", "role": "Accounts", "email": "mary@otieno.example", "phone": "0712 345 678", **form}
    return world.client(person).post(world.address(f"vendors/{vendor['_id']}/contacts/new/"), sent)


def test_somebody_is_added_changed_and_removed(world: World, vendor: Any) -> None:
    assert "No contacts yet" in upstream.page(world, "Ada", f"vendors/{vendor['_id']}/")
    assert add(world, vendor).status_code == 302
    (mary,) = contacts(world, vendor)
    assert (mary["role"], mary["phone"]) == ("Accounts", "254712345678")
    shown = upstream.page(world, "Selma", f"vendors/{vendor['_id']}/")
    assert "mary@otieno.example" in shown
    assert "tel:+254712345678" in shown
    address = world.address(f"vendors/{vendor['_id']}/contacts/{mary['id']}/")
    assert 'value="Mary Otieno"' in world.client("Ada").get(address).content.decode()
    assert world.client("Ada").post(address, {"name": "Mary Achieng"}).status_code == 302
    assert [(row["name"], row["phone"]) for row in contacts(world, vendor)] == [("Mary Achieng", "")]
    assert world.client("Ada").post(f"{address}remove/").status_code == 302
    assert contacts(world, vendor) == []
    said = AuditEntry.objects.filter(chain=world.business.pk, object_id=vendor["_id"]).values_list(
        "sentence", flat=True
    )
    assert "added a contact to vendor Otieno & Sons Ltd" in said


@pytest.mark.parametrize(
    ("form", "name"), [({"name": ""}, "name"), ({"phone": "call"}, "phone"), ({"email": "x"}, "email")]
)
def test_what_is_wrong_stands_at_its_field(world: World, vendor: Any, form: dict[str, str], name: str) -> None:
    answer = add(world, vendor, **form)
    assert answer.status_code == 422
    assert f"id_{name}_error" in answer.content.decode()
    assert contacts(world, vendor) == []


def test_who_may_not_change_vendors_sees_no_button_and_is_refused(world: World, vendor: Any) -> None:
    add(world, vendor)
    mary = contacts(world, vendor)[0]
    assert "Add contact" not in upstream.page(world, "Selma", f"vendors/{vendor['_id']}/")
    assert add(world, vendor, "Selma").status_code == 403
    address = world.address(f"vendors/{vendor['_id']}/contacts/{mary['id']}/")
    assert world.client("Selma").post(f"{address}remove/").status_code == 403
    assert world.client("Ada").get(world.address(f"vendors/{vendor['_id']}/contacts/nobody/")).status_code == 404


def test_a_month_of_spend_is_read_as_people_say_it() -> None:
    assert month_text("2025-12") == "Dec 2025"
