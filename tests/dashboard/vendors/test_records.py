"""A vendor as a record: merged after its plan was seen, brought back, its documents and their ends, what it was paid."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.mirror.models import Vendor
from dashboard.notifications.models import Notice
from dashboard.notifications.vendor_documents import remind
from tests.dashboard.conftest import World
from tests.days import business_day
from tests.service.transactions.test_documents_pdf import pdf


@pytest.fixture
def vendor(world: World) -> Vendor:
    return create(world, "Acacia Supplies", "400111")


def create(world: World, name: str, till: str) -> Vendor:
    body = {"name": name, "payment_instructions": [{"channel": "MPESA_TILL", "account": till}]}
    created = world.send("POST", "/vendors", body)
    world.sync("vendors")
    return Vendor.objects.get(business=world.business, remote_id=created["_id"])


def shown(world: World, rest: str, person: str = "Ada") -> str:
    return str(world.client(person).get(world.address(rest)).content.decode())


def upload(world: World, vendor: Vendor, person: str = "Ada", content: bytes | None = None, **form: str) -> Any:
    files = {"documents": SimpleUploadedFile("terms.pdf", pdf() if content is None else content)}
    address = world.address(f"vendors/{vendor.remote_id}/documents/")
    return world.client(person).post(address, {"kind": "CONTRACT", "title": "Terms", **form, **files})


def test_a_suggested_pair_is_merged_after_its_plan_was_seen(world: World, vendor: Vendor) -> None:
    other = create(world, "Acacia Supplies Ltd", "512345")
    assert "a nearly equal name" in shown(world, "vendors/duplicates/") or "the same name" in shown(
        world, "vendors/duplicates/"
    )
    plan = f"vendors/{vendor.remote_id}/merge/{other.remote_id}/"
    assert "1 account of the duplicate" in shown(world, plan)
    assert world.client("Ada").post(world.address(plan), {"reason": ""}).status_code == 422
    assert world.client("Ada").post(world.address(plan), {"reason": "Entered twice"}).status_code == 302
    page = shown(world, f"vendors/{vendor.remote_id}/", "Apollo")
    assert "Acacia Supplies Ltd" in page
    assert "Confirm account" in page
    assert "Confirm account" not in shown(world, f"vendors/{vendor.remote_id}/", "Ada")
    other.refresh_from_db()
    assert (other.status, other.merged_into) == ("DELETED", vendor.remote_id)
    gone = shown(world, f"vendors/{other.remote_id}/")
    assert "Merged into" in gone
    assert "Restore vendor" not in gone


@pytest.mark.parametrize(
    ("own", "other", "says"),
    [
        (None, None, "Neither has terms of its own"),
        ((2, 10), None, "2 % within 10 days of the issue stays<"),
        ((2, 10), (2, 10), "2 % within 10 days of the issue stays: both have the same terms"),
        ((2, 10), (3.5, 1), "stays. 3.5 % within 1 day of the issue of the duplicate is dropped"),
        (None, (3.5, 5), "3.5 % within 5 days of the issue moves from the duplicate"),
    ],
)
def test_the_plan_says_what_becomes_of_discount_terms(world: World, own: Any, other: Any, says: str) -> None:
    pair = []
    for name, till, terms in (("Acacia Supplies", "400111", own), ("Acacia Supplies Ltd", "512345", other)):
        row = create(world, name, till)
        if terms:
            body = {"discount_percent": terms[0], "discount_days": terms[1]}
            world.send("PUT", f"/vendors/{row.remote_id}", body)
        pair.append(row.remote_id)
    assert says in shown(world, f"vendors/{pair[0]}/merge/{pair[1]}/")


@pytest.mark.parametrize("person", ["Rita", "Selma", "Carla"])
def test_who_changes_no_vendors_merges_none(world: World, vendor: Vendor, person: str) -> None:
    other = create(world, "Acacia Supplies Ltd", "512345")
    address = world.address(f"vendors/{vendor.remote_id}/merge/{other.remote_id}/")
    assert world.client(person).get(address).status_code == 403
    assert world.client(person).post(address, {"reason": "Entered twice"}).status_code == 403
    assert world.upstream(f"/vendors/{other.remote_id}")["status"] == "ACTIVE"


def test_a_deleted_vendor_is_restored(world: World, vendor: Vendor) -> None:
    world.client("Ada").post(world.address(f"vendors/{vendor.remote_id}/delete/"))
    assert "Restore vendor" in shown(world, f"vendors/{vendor.remote_id}/")
    assert "Restore vendor" not in shown(world, f"vendors/{vendor.remote_id}/", "Rita")
    assert world.client("Rita").post(world.address(f"vendors/{vendor.remote_id}/restore/")).status_code == 403
    assert world.client("Apollo").post(world.address(f"vendors/{vendor.remote_id}/restore/")).status_code == 302
    assert world.upstream(f"/vendors/{vendor.remote_id}")["status"] == "ACTIVE"


def test_a_document_is_added_shown_and_removed(world: World, vendor: Vendor) -> None:
    assert upload(world, vendor, ends_on="2030-03-31").status_code == 302
    page = shown(world, f"vendors/{vendor.remote_id}/", "Rita")
    assert "Terms" in page
    assert "Ends on 31 Mar 2030" in page
    assert ">Remove<" not in page
    vendor.refresh_from_db()
    document = vendor.documents[0]["id"]
    address = f"vendors/{vendor.remote_id}/documents/{document}/"
    assert "terms.pdf" in shown(world, address, "Rita")
    assert world.client("Rita").get(world.address(f"{address}page/1/"))["Content-Type"] == "image/webp"
    assert world.client("Carla").get(world.address(f"{address}original/")).status_code == 403
    assert world.client("Ada").post(world.address(f"{address}remove/")).status_code == 302
    assert world.upstream(f"/vendors/{vendor.remote_id}")["documents"] == []


def test_what_is_no_document_is_said_and_what_was_typed_stays(world: World, vendor: Vendor) -> None:
    answer = upload(world, vendor, content=b"MZ program", ends_on="2030-03-31")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="Terms"' in page
    assert "2030-03-31" in page
    assert upload(world, vendor, "Rita").status_code == 403
    assert world.upstream(f"/vendors/{vendor.remote_id}")["documents"] == []


def test_whoever_may_change_vendors_is_told_once_that_a_contract_ends(world: World, vendor: Vendor) -> None:
    upload(world, vendor, ends_on=business_day(20).isoformat())
    remind()
    remind()
    notices = Notice.objects.filter(business=world.business, topic="documents")
    assert notices.filter(sentence__startswith="Terms of Acacia Supplies ends in").count() == notices.count()
    names = {name.split()[0] for name in notices.values_list("membership__user__name", flat=True)}
    assert {"Ada", "Apollo"} <= names
    assert not {"Rita", "Selma", "Carla"} & names
    assert notices.count() == len(names)


def test_what_a_vendor_shares_is_said_in_words(world: World, vendor: Vendor) -> None:
    other = create(world, "Baobab Print", "400111")
    page = " ".join(shown(world, f"vendors/{vendor.remote_id}/", "Rita").split())
    assert "The account ···0111 is also that of vendor" in page
    assert other.name in page
    assert "Nothing was paid in the last twelve months." in page
