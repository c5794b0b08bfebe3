"""Duplicates flagged: same amount within 30 days, same file; and the files themselves."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.service.bills.conftest import bill, request_votes
from tests.service.house import House, code
from tests.service.transactions.files import PDF
from tests.service.vendors.conftest import vendor


def upload(house: House, content: bytes = PDF, name: str = "invoice.pdf", by: str = "Ada", key: str = "") -> Any:
    """A file, sent in as a form, under a key where one is named."""
    return house.browser.post(
        "/v2/bills/files",
        {"file": SimpleUploadedFile(name, content)},
        headers={
            "Authorization": f"Bearer {house.token}",
            "business-id": house.business.id,
            "X-Acting-Employee": house.person(by).id,
        }
        | ({"Idempotency-Key": key} if key else {}),
    )


@pytest.mark.parametrize(
    ("issued", "amount", "flagged"),
    [("2026-01-20", 500, True), ("2026-02-04", 500, True), ("2026-02-05", 500, False), ("2026-01-20", 501, False)],
)
def test_duplicates_flagged_by_amount_within_thirty_days(
    house: House, issued: str, amount: float, flagged: bool
) -> None:
    first = bill(house, 500)
    second = bill(house, amount, vendor_id=first["vendor_id"], bill_no="INV-2", issued_at=issued)
    assert second["duplicate_of"] == (first["_id"] if flagged else None)
    assert second["duplicate_reason"] == ("SAME_AMOUNT" if flagged else None)
    assert house.get("/bills?duplicates=true").json()["total"] == int(flagged)


def test_another_vendor_or_a_cancelled_bill_is_no_duplicate(house: House) -> None:
    first = bill(house, 500)
    assert bill(house, 500)["duplicate_of"] is None
    house.post(f"/bills/{first['_id']}/cancel", {"reason": "x"})
    assert bill(house, 500, vendor_id=first["vendor_id"], bill_no="INV-2")["duplicate_of"] is None


def test_duplicates_flagged_by_the_content_of_a_file(house: House) -> None:
    single, same = upload(house).json(), upload(house, name="other-name.pdf").json()
    assert single["sha256"] == same["sha256"]
    first = bill(house, 500, attachments=[single["_id"]])
    assert [each["_id"] for each in first["attachments"]] == [single["_id"]]
    second = bill(house, 700)
    assert second["duplicate_of"] is None
    attached = house.post(f"/bills/{second['_id']}/attachments", {"file_ids": [same["_id"]]}).json()
    assert (attached["duplicate_of"], attached["duplicate_reason"]) == (first["_id"], "SAME_FILE")
    again = house.send("DELETE", f"/bills/{second['_id']}/attachments", {"file_ids": [same["_id"]]}).json()
    assert (again["duplicate_of"], again["attachments"]) == (None, [])


def test_a_file_is_told_by_what_it_holds(house: House) -> None:
    assert upload(house, b"MZ\x90\x00 not a pdf", "invoice.pdf").status_code == 415
    assert upload(house, PDF + b" " * (10 * 1024 * 1024)).status_code == 413
    assert upload(house, PDF, "x.exe").json()["mime"] == "application/pdf"
    assert upload(house, by="Rita").status_code == 403


def test_a_file_comes_back_as_it_was_sent(house: House) -> None:
    sent = upload(house).json()
    answer = house.get(f"/bills/files/{sent['_id']}")
    assert b"".join(answer.streaming_content) == PDF
    assert answer["Content-Type"] == "application/pdf"


def test_a_file_belongs_to_one_bill_and_stays_while_a_payment_is_under_way(house: House) -> None:
    sent = upload(house).json()
    first = bill(house, 500, attachments=[sent["_id"]])
    other = bill(house, 900)
    body = {"file_ids": [sent["_id"]]}
    assert code(house.post(f"/bills/{other['_id']}/attachments", body)) == (409, "in_use")
    assert code(house.send("DELETE", f"/bills/{other['_id']}/attachments", body)) == (404, "not_found")
    row = house.post(f"/bills/{first['_id']}/payments", {}).json()
    assert request_votes(house, row).status_code == 200
    assert code(house.send("DELETE", f"/bills/{first['_id']}/attachments", body)) == (409, "invalid_state")


def test_a_body_without_files_is_refused(house: House) -> None:
    created = bill(house, vendor_id=vendor(house)["_id"])
    assert code(house.post(f"/bills/{created['_id']}/attachments", {"file_ids": []}))[0] == 422
