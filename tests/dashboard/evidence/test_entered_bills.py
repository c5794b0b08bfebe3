"""A pack of a person has the bills that they entered, with their files and why each is there, whoever decided on them."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import requests
from django.db import connection
from django.utils import timezone

from dashboard import operations_payables
from dashboard.access.subject import Subject
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.evidence.contents import NO_MOMENT
from dashboard.evidence.entered_bills import bills_entered
from dashboard.mirror.models import Bill
from tests.dashboard.bills.test_entry import enter
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.documents.real import bill_payment
from tests.dashboard.evidence.conftest import person_pack, verified
from tests.dashboard.evidence.test_documents import INVOICE, documents_in, packed
from tests.dashboard.evidence.test_own_items import manifest_of, own_of
from tests.days import business_day


@pytest.fixture(autouse=True)
def documents_folder(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS_FOLDER = str(tmp_path / "documents")


def entered(world: World, who: str) -> Bill:
    """A bill with a file that somebody entered, and nothing else: no payment, and no decision."""
    number = next(service_requests.numbers)
    vendor = service_requests.ask(world, "Ada", "POST", "/vendors", service_requests._vendor(number))
    body = service_requests._bill(vendor["_id"], number, 1284, business_day())
    bill = service_requests.ask(world, who, "POST", "/bills", body)
    headers = {
        "Authorization": f"Bearer {world.token()}", "business_id": world.made["business_id"],
        "X-Acting-Employee": world.employee(who)["employee_id"],
    }  # fmt: skip
    sent = requests.post(
        f"{world.service}/v2/bills/files", headers=headers, files={"file": ("entered.pdf", INVOICE)}, timeout=30
    )
    assert sent.ok, sent.text
    service_requests.ask(world, who, "POST", f"/bills/{bill['_id']}/attachments", {"file_ids": [sent.json()["_id"]]})
    world.sync("bills_whole")
    found: Bill = Bill.objects.get(business=world.business, remote_id=bill["_id"])
    return found


def test_a_bill_that_they_only_entered_is_their_own_with_its_file(world: World, tmp_path: Path) -> None:
    bill, others = entered(world, "Ada"), entered(world, "Apollo")
    # The line of its entry, which was written before it had an id, is about this bill and no other.
    subject = Subject(business_id=world.business.pk, kind="bill", id="", title=bill.bill_no)
    record(world.actor("Ada"), operations_payables.CREATE_BILL, subject, Outcome.DONE)
    files = person_pack(world, "Ada")
    own = {f"{item['kind']}/{item['id']}": item for item in own_of(files)}
    assert own[f"bill/{bill.remote_id}"]["own_because"] == "entered by them"
    assert own[f"bill/{bill.remote_id}"]["answered"]
    assert own[f"bill/{bill.remote_id}"]["policies_at"]
    assert f"bill/{others.remote_id}" not in own
    assert list(documents_in(files).values()) == [INVOICE]
    manifest = manifest_of(files)
    assert manifest["items_own_because"][f"bill/{bill.remote_id}"] == "entered by them"
    assert manifest["items_not_included"] == []
    assert "bills entered 1," in " ".join(manifest["notes"])
    assert json.loads(files["decisions.json"]) == []
    code, answer = verified(files, tmp_path)
    assert (code, answer.splitlines()[0]) == (0, "VERIFIED"), answer


def test_a_payment_of_it_is_their_own_by_itself_or_belongs_to_it(world: World) -> None:
    """Ada requested it, of a bill of hers; somebody else's payment would be there as what belongs to the bill."""
    payment = bill_payment(world, INVOICE)
    world.sync("bills_whole")
    own = own_of(person_pack(world, "Ada"))
    reasons = {item["kind"]: item["own_because"] for item in own}
    assert reasons["bill"] == "entered by them"
    assert reasons["bill_payment"] == "requested by them"
    assert reasons["approval"] == "approval requested by them"
    assert f"approval/{payment.remote_id}" in {f"{item['kind']}/{item['id']}" for item in own}


def test_the_days_of_the_pack_are_those_on_which_it_was_entered(world: World) -> None:
    """Not the day that stands on the bill."""
    bill, ada, now = entered(world, "Ada"), world.employee("Ada")["employee_id"], timezone.now()
    Bill.objects.filter(pk=bill.pk).update(issued_on="2020-01-01", due_on="2020-01-01")
    actor = world.actor("Ada")
    [found] = bills_entered(actor, ada, now - timedelta(hours=1), now + timedelta(hours=1), 10)
    assert (found.key, found.because) == (("bill", bill.remote_id), "entered by them")
    assert bills_entered(actor, ada, now - timedelta(days=9), now - timedelta(days=1), 10) == []
    assert bills_entered(actor, ada, now + timedelta(hours=1), None, 10) == []


@pytest.mark.parametrize("maker", ["", "client:dashboard"])
def test_where_the_service_names_nobody_the_line_of_its_entry_says_who(world: World, maker: str) -> None:
    bill, ada = entered(world, "Ada"), world.employee("Ada")["employee_id"]
    Bill.objects.filter(pk=bill.pk).update(created_by_id=maker)
    actor = world.actor("Ada")
    assert bills_entered(actor, ada, None, None, 10) == []
    subject = Subject(business_id=world.business.pk, kind="bill", id="", title=bill.bill_no)
    record(actor, operations_payables.CREATE_BILL, subject, Outcome.DONE)
    [found] = bills_entered(actor, ada, None, None, 10)
    assert (found.key, found.because) == (("bill", bill.remote_id), "entered by them, as the audit log says")
    # A bill of this number that was made at another time is another one.
    Bill.objects.filter(pk=bill.pk).update(entered_at="2020-01-01T00:00:00Z")
    assert bills_entered(actor, ada, None, None, 10) == []
    # One that names a person is nobody else's.
    Bill.objects.filter(pk=bill.pk).update(
        entered_at=bill.entered_at, created_by_id=world.employee("Apollo")["employee_id"]
    )
    assert bills_entered(actor, ada, None, None, 10) == []


def test_the_pack_of_a_bill_has_the_policies_of_when_it_was_entered(world: World) -> None:
    bill = entered(world, "Ada")
    files = packed(world, bill)
    assert [then["event"] for then in json.loads(files["policies.json"])] == ["entered"]
    assert NO_MOMENT not in manifest_of(files)["notes"]
    assert list(documents_in(files).values()) == [INVOICE]


def entered_here(world: World) -> Bill:
    """A bill that Ada entered on its page."""
    vendor = service_requests.ask(
        world, "Ada", "POST", "/vendors", service_requests._vendor(next(service_requests.numbers))
    )
    world.sync("vendors")
    answer = enter(world, vendor, bill_no="INV-HERE")
    assert answer.status_code == 302, answer.content.decode()
    found: Bill = Bill.objects.get(business=world.business, bill_no="INV-HERE")
    return found


def test_the_pack_of_a_bill_says_who_entered_it(world: World) -> None:
    """The line that it was sent knows its number alone, since it had no id yet; the line that it was done knows its id."""
    bill = entered_here(world)
    lines = [row["line"] for row in json.loads(packed(world, bill)["audit.json"])]
    entered = [line for line in lines if line["operation"] == operations_payables.CREATE_BILL.name]
    assert [(line["outcome"], line["object_id"]) for line in entered] == [("ATTEMPT", ""), ("DONE", bill.remote_id)]
    assert {line["actor_name"].split()[0] for line in entered} == {"Ada"}
    assert {line["sentence"] for line in entered} == {"entered bill INV-HERE"}


def test_a_line_of_an_entry_with_an_id_is_about_that_bill_alone(world: World) -> None:
    bill, actor = entered_here(world), world.actor("Ada")
    Bill.objects.filter(pk=bill.pk).update(created_by_id="client:dashboard", entered_at="2020-01-01T00:00:00Z")
    [found] = bills_entered(actor, world.employee("Ada")["employee_id"], None, None, 10)
    assert (found.key, found.because) == (("bill", bill.remote_id), "entered by them, as the audit log says")


def test_the_bills_of_a_person_and_those_of_a_number_have_an_index(world: World) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'mirror_bill'")
        indexes = dict(cursor.fetchall())
    assert "(business_id, created_by_id, entered_at, id)" in indexes["bill_maker"]
    assert "(business_id, number_key)" in indexes["bill_number"]
