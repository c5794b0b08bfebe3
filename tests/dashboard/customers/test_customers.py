"""Customers, against the real service: made once, changed, emptied, deleted, restored; a walk-in stays as it is."""

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Customer, Origin
from tests.dashboard.conftest import World

NEW = {"name": "Mary Otieno", "phone": "254700000001", "email": "mary@example.com", "tax_pin": "A00 1"}


def add(world: World, person: str = "Ada", **form: str) -> Any:
    return world.client(person).post(world.address("customers/new/"), NEW | form)


def only(world: World) -> Customer:
    return Customer.objects.get(business=world.business)


def test_a_new_customer_is_at_the_service_and_on_the_list(world: World) -> None:
    answer = add(world)
    found = only(world)
    assert answer["Location"] == world.address(f"customers/{found.remote_id}/")
    upstream = world.upstream(f"/customers/{found.remote_id}")
    assert (upstream["name"], upstream["taxPin"]) == ("Mary Otieno", "A00 1")
    assert "Mary Otieno" in world.client("Rita").get(world.address("customers/?q=oti+mar")).content.decode()


def test_what_is_sent_twice_is_made_once(world: World) -> None:
    first = add(world, key="the-same")
    again = add(world, key="the-same")
    assert first["Location"] == again["Location"]
    assert Customer.objects.filter(business=world.business).count() == 1


def test_a_likely_twin_is_shown_before_it_is_made(world: World) -> None:
    add(world)
    shown = world.client("Ada").get(
        world.address("customers/new/twins/?phone=%2B254700000001"), headers={"HX-Request": "true"}
    )
    assert "the same phone" in shown.content.decode()
    answer = add(world, name="Mary O.")
    assert answer.status_code == 409
    assert "This is a different customer" in answer.content.decode()
    twin = Customer.objects.get(business=world.business).remote_id
    assert add(world, name="Mary O.", meant="1").status_code == 409
    assert add(world, name="Mary O.", meant=twin).status_code == 302
    assert Customer.objects.filter(business=world.business).count() == 2


def test_a_change_empties_what_was_emptied(world: World) -> None:
    add(world)
    found = only(world)
    form = {
        "name": "Mary Otieno",
        "phone": "",
        "email": "new@example.com",
        "tax_pin": "",
        "person": "",
        "address": "Moi Ave",
    }
    assert world.client("Apollo").post(world.address(f"customers/{found.remote_id}/edit/"), form).status_code == 302
    upstream = world.upstream(f"/customers/{found.remote_id}")
    assert (upstream["phone"], upstream["email"], upstream["address"]) == ("", "new@example.com", "Moi Ave")
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence="changed customer Mary Otieno").exists()


def test_deleted_it_leaves_the_list_and_comes_back(world: World) -> None:
    add(world)
    found, browser = only(world), world.client("Ada")
    browser.post(world.address(f"customers/{found.remote_id}/delete/"))
    assert ">Mary Otieno</a>" not in browser.get(world.address("customers/")).content.decode()
    assert "Mary Otieno" in browser.get(world.address("customers/?status=DELETED")).content.decode()
    page = browser.get(world.address(f"customers/{found.remote_id}/")).content.decode()
    assert "Restore this customer to edit it" in page
    browser.post(world.address(f"customers/{found.remote_id}/restore/"))
    assert "Mary Otieno" in browser.get(world.address("customers/")).content.decode()
    assert world.upstream(f"/customers/{found.remote_id}")["status"] == "ACTIVE"


def test_a_walk_in_cannot_be_edited_and_the_page_says_so(world: World) -> None:
    browser = world.client("Ada")
    browser.post(world.address("customers/new/walk-in/"))
    found = only(world)
    assert (found.kind, found.name) == ("walkIn", "WalkIn")
    page = browser.get(world.address(f"customers/{found.remote_id}/")).content.decode()
    assert "cannot be edited" in page
    assert "Save changes" not in page


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": ""}, "required"),
        ({"phone": "call me"}, "phone number"),
        ({"email": "mary@"}, "email address"),
        ({"name": "\u200b"}, "is blank"),
    ],
)
def test_what_is_wrong_is_told_beside_the_field_and_kept(world: World, changed: dict[str, str], said: str) -> None:
    answer = add(world, **changed)
    assert answer.status_code == 422
    body = answer.content.decode()
    assert said in body
    assert "254700000001" in body or "phone" in changed
    assert re.findall(r'<[^>]*name="(\w+)"[^>]* autofocus', body) == list(changed)
    assert not Customer.objects.filter(business=world.business).exists()


def test_who_may_not_is_refused_and_nothing_is_sent(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    before = len(proxied_world.proxy.sent())
    assert add(proxied_world, "Rita").status_code == 403
    assert add(proxied_world, "Carla").status_code == 403
    assert proxied_world.client("Carla").get(proxied_world.address("customers/")).status_code == 403
    assert "New customer" not in proxied_world.client("Rita").get(proxied_world.address("customers/")).content.decode()
    assert len(proxied_world.proxy.sent()) == before


def test_without_the_service_what_was_typed_stays(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    add(proxied_world)
    proxied_world.proxy.fail("reset")
    edited = proxied_world.address(f"customers/{only(proxied_world).remote_id}/edit/")
    typed = {"name": "Typed"}
    for answer in (
        proxied_world.client("Ada").post(proxied_world.address("customers/new/"), typed),
        proxied_world.client("Ada").post(edited, typed),
    ):
        assert answer.status_code in {503, 504}
        assert 'value="Typed"' in answer.content.decode()
        assert "Send it again as it stands" in answer.content.decode()


def test_what_others_changed_at_the_service_comes_in(world: World) -> None:
    add(world)
    found = only(world)
    world.send("PUT", f"/customers/{found.remote_id}", {"name": "Mary Wanjiku"})
    world.sync("customers")
    assert only(world).name == "Mary Wanjiku"


@pytest.mark.parametrize("typed", ["0712 345 678", "+254 712 345 678", "(0712) 345-678", "254712345678"])
def test_a_telephone_number_is_one_however_it_is_typed_and_kept(world: World, typed: str) -> None:
    add(world, phone=typed)
    assert world.upstream(f"/customers/{only(world).remote_id}")["phone"] == "254712345678"
    for other in ("0712345678", "+254712345678", "254 712 345 678", "00254712345678"):
        answer = world.client("Ada").get(world.address("customers/new/twins/"), {"phone": other, "name": "N"})
        assert "the same phone" in answer.content.decode(), other
        assert add(world, name="Another", email="", phone=other).status_code == 409, other
        listed = world.client("Rita").get(world.address("customers/"), {"q": other}).content.decode()
        assert "Mary Otieno" in listed, other
        assert "Mary Otieno" in world.client("Ada").get(world.address("find/"), {"q": other}).content.decode(), other
    assert "Mary Otieno" in world.client("Rita").get(world.address("customers/"), {"q": "0712 34"}).content.decode()
    assert "Mary Otieno" not in world.client("Rita").get(world.address("customers/"), {"q": "0799 34"}).content.decode()


def test_a_number_that_another_system_kept_is_found_and_left_as_it_is(world: World) -> None:
    made = world.send("POST", "/customers", {"name": "Mary Otieno", "phone": "+254712345678"})
    upsert("customer", world.business, [made], Origin.POLL)
    listed = world.client("Rita").get(world.address("customers/"), {"q": "0712345678"}).content.decode()
    assert "Mary Otieno" in listed
    assert add(world, name="Another", email="", phone="0712 345 678").status_code == 409
    form = {"name": "Mary O.", "phone": "+254712345678"}
    world.client("Ada").post(world.address(f"customers/{made['_id']}/edit/"), form)
    assert world.upstream(f"/customers/{made['_id']}")["phone"] == "+254712345678"
