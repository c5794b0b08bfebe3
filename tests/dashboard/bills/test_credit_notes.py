"""A credit note is recorded from the page of its bill, and what is left of it is applied to another, against the real service."""

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Bill
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World


@pytest.fixture
def bill(world: World) -> Any:
    made = upstream.bill(world, number="INV-1", amount=1000)
    world.sync("vendors", "bills_whole", "approvals")
    return made


def record(world: World, bill: Any, person: str = "Ada", **form: str) -> Any:
    sent = {"credit_no": "CN-1", "issued_at": bill["issued_at"], "amount": "1,200", "reason": "Came back", **form}
    return world.client(person).post(world.address(f"bills/{bill['_id']}/credit/"), sent)


def note_of(world: World) -> Any:
    (note,) = world.upstream("/credit-notes")["docs"]
    return note


def test_it_lowers_its_bill_and_what_is_left_lowers_another_of_the_vendor(world: World, bill: Any) -> None:
    vendor = {"_id": bill["vendor_id"]}
    other = upstream.bill(world, vendor, number="INV-2", amount=500)
    world.sync("vendors", "bills_whole", "approvals")
    assert "Record credit note" in upstream.page(world, "Ada", f"bills/{bill['_id']}/")
    assert record(world, bill).status_code == 302
    shown = upstream.page(world, "Ada", f"bills/{bill['_id']}/")
    assert "KES\xa01,000.00 applied" in shown
    assert "KES\xa0200.00 left" in shown
    assert (upstream.copied(world, "INV-1").status, upstream.copied(world, "INV-1").balance_minor) == ("PAID", 0)
    assert "Apply to this bill" in upstream.page(world, "Ada", f"bills/{other['_id']}/")
    aging = upstream.page(world, "Ada", "bills/aging/")
    assert "Credit notes not applied to any bill yet" in aging
    address = world.address(f"bills/{other['_id']}/credit/{note_of(world)['_id']}/apply/")
    assert world.client("Ada").post(address).status_code == 302
    assert "KES\xa0200.00 applied" in upstream.page(world, "Ada", f"bills/{other['_id']}/")
    assert upstream.copied(world, "INV-2").balance_minor == 30_000
    assert world.client("Ada").post(address).status_code == 404
    notes = upstream.page(world, "Ada", f"bills/credit-notes/?vendor={bill['vendor_id']}")
    assert "CN-1" in notes
    assert "INV-2" in notes
    shown = upstream.page(world, "Ada", "bills/?show=PAID&cols=number,credited,amount")
    assert "INV-1" in shown
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="apply_credit_note", outcome="DONE").exists()


def test_what_is_left_is_summed_over_all_pages_and_the_list_says_that_it_goes_on(
    world: World, bill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(world, bill)
    for number, amount in ((2, "300"), (3, "500")):
        record(world, bill, credit_no=f"CN-{number}", amount=amount)
    assert "KES\xa01,000.00" in upstream.page(world, "Ada", "bills/aging/")
    for module in ("selectors", "presenters"):
        monkeypatch.setattr(f"dashboard.pages.bills.{module}.credit_notes.PAGE_SIZE", 2)
    monkeypatch.setattr("dashboard.client.page.SMALLEST_SIZE", 1)
    aging = upstream.page(world, "Ada", "bills/aging/")
    assert "Credit notes not applied to any bill yet" in aging
    assert re.search(r'credit-notes/">KES\s1,000\.00<', aging)
    first, second = (upstream.page(world, "Ada", f"bills/credit-notes/?page={number}") for number in (1, 2))
    assert "1 to 2 of 3 credit notes" in first
    assert "KES\xa01,000.00" in first
    assert 'href="?page=2"' in first
    assert "3 to 3 of 3 credit notes" in second
    assert "CN-1" in second
    assert "CN-1<" not in first


def test_sent_twice_it_is_one(world: World, bill: Any) -> None:
    for _ in range(2):
        assert record(world, bill, key="the-same").status_code == 302
    assert note_of(world)["applied_minor"] == 100_000


def test_a_lost_answer_is_unknown_and_the_same_form_finds_it_again(proxied_world: World) -> None:
    world = proxied_world
    bill = upstream.bill(world, number="INV-1", amount=1000)
    world.sync("vendors", "bills_whole", "approvals")
    assert world.proxy is not None
    world.proxy.fail("lost reply", method="POST", path="/credit-notes")
    lost = record(world, bill, key="lost")
    assert lost.status_code >= 400
    assert "Nothing was changed" not in lost.content.decode()
    world.proxy.heal()
    assert record(world, bill, key="lost").status_code == 302
    assert note_of(world)["amount_minor"] == 120_000


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"amount": "0"}, "id_amount_error"),
        ({"amount": "1.001"}, "id_amount_error"),
        ({"credit_no": "--"}, "id_credit_no_error"),
        ({"reason": ""}, "id_reason_error"),
        ({"issued_at": "yesterday"}, "id_issued_at_error"),
    ],
)
def test_what_is_no_credit_note_is_said_beside_its_field(
    world: World, bill: Any, form: dict[str, str], problem: str
) -> None:
    answer = record(world, bill, **form)
    assert answer.status_code == 422
    assert problem in answer.content.decode()
    assert world.upstream("/credit-notes")["docs"] == []


def test_an_empty_page_says_where_they_come_from(world: World) -> None:
    assert "No credit notes yet" in upstream.page(world, "Ada", "bills/credit-notes/")


@pytest.mark.parametrize("person", ["Selma", "Rita", "Carla"])
def test_who_records_none(world: World, bill: Any, person: str) -> None:
    assert record(world, bill, person).status_code == 403
    if person == "Selma":
        assert "Record credit note" not in upstream.page(world, person, f"bills/{bill['_id']}/")
        assert "No credit notes yet" in upstream.page(world, person, "bills/credit-notes/")
    else:
        assert world.client(person).get(world.address("bills/credit-notes/")).status_code == 403
    assert Bill.objects.get(remote_id=bill["_id"]).balance_minor == 100_000
