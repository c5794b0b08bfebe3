"""The documents of a vendor, what it was paid, and what it has in common with others."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from service.businesses.models import Employee
from tests.service.bills.conftest import till
from tests.service.house import House, code
from tests.service.transactions.test_documents_pdf import pdf
from tests.service.vendors.conftest import account, vendor

PDF = pdf()


def upload(
    house: House, created: dict[str, Any], content: bytes = PDF, by: str = "Ada", query: str = "kind=CONTRACT"
) -> Any:
    headers = {"Authorization": f"Bearer {house.token}", "business-id": house.business.id}
    return house.browser.post(
        f"/v2/vendors/{created['_id']}/documents?{query}",
        {"file": SimpleUploadedFile("terms.pdf", content)},
        headers={
            **headers,
            "X-Acting-Employee": house.person(by).id,
            "Idempotency-Key": f"k-{hash((content, by, query))}",
        },
    )


def test_a_document_is_put_on_read_and_taken_off(house: House) -> None:
    created = vendor(house)
    answer = upload(house, created, query="kind=CONTRACT&title=Terms&ends_on=2027-03-31")
    assert answer.status_code == 201, answer.content
    (document,) = answer.json()["documents"]
    assert (document["kind"], document["title"], document["ends_on"]) == ("CONTRACT", "Terms", "2027-03-31")
    path = f"/vendors/{created['_id']}/documents/{document['_id']}"
    assert b"".join(house.get(path, by="Rita").streaming_content) == PDF
    assert house.send("DELETE", path, by="Rita").status_code == 403
    assert house.send("DELETE", path).json()["documents"] == []
    assert code(house.get(path)) == (404, "not_found")
    assert code(house.send("DELETE", path)) == (404, "not_found")


def test_the_same_file_again_is_the_document_that_is_there(house: House) -> None:
    created = vendor(house)
    upload(house, created)
    assert len(upload(house, created, query="kind=OTHER").json()["documents"]) == 1


@pytest.mark.parametrize(
    ("content", "query", "status"),
    [(b"", "kind=CONTRACT", 422), (b"MZ program", "kind=CONTRACT", 415), (PDF, "kind=LETTER", 400)],
)
def test_what_is_no_document_is_refused(house: House, content: bytes, query: str, status: int) -> None:
    created = vendor(house)
    assert upload(house, created, content, query=query).status_code == status
    assert house.get(f"/vendors/{created['_id']}").json()["documents"] == []


def test_who_changes_no_vendors_puts_no_document_on_one(house: House) -> None:
    assert upload(house, vendor(house), by="Rita").status_code == 403


def test_a_vendor_that_was_never_paid_has_no_activity(house: House) -> None:
    seen = house.get(f"/vendors/{vendor(house)['_id']}/activity", by="Rita").json()
    assert seen == {"months": [], "payments": [], "shared": []}


def test_what_is_shared_with_another_vendor_and_an_employee_is_said(house: House) -> None:
    carla = Employee.objects.get(pk=house.person("Carla").pk)
    carla.phone = "254711999888"
    carla.save()
    first = vendor(house, till(), name="Till one", taxPin="P051234567Q")
    second = vendor(house, till(), account(carla.phone), name="Till two", taxPin="P051234567Q")
    found = house.get(f"/vendors/{second['_id']}/activity").json()["shared"]
    assert [(row["what"], row["owner"], row["name"], row["vendor_id"]) for row in found] == [
        ("ACCOUNT", "VENDOR", "Till one", first["_id"]),
        ("ACCOUNT", "EMPLOYEE", carla.name, None),
        ("TAX_NUMBER", "VENDOR", "Till one", first["_id"]),
    ]
