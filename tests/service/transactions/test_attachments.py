"""Supporting documents: sent in as a form, kept once, read back, taken off where the type allows."""

from pathlib import Path
from typing import Any

import pytest

from service.documents import LARGEST_BYTES
from service.events.models import Event
from service.journal.models import TransactionDocument
from tests.service.house import House, code
from tests.service.transactions.conftest import posted, spend, upload
from tests.service.transactions.files import GOOD, PDF


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    """Files of a test lie in a folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def attached(house: House, row: dict[str, Any], content: bytes = PDF) -> dict[str, Any]:
    answer = upload(house, f"/transactions/{row['_id']}/supporting-document", content)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("kind", GOOD)
def test_each_of_the_seven_formats_is_kept_and_read_back(house: House, kind: str) -> None:
    row = posted(house)
    created = attached(house, row, GOOD[kind])
    assert (created["kind"], created["size"]) == (kind, len(GOOD[kind]))
    [shown] = house.get(f"/transactions/{row['_id']}").json()["documents"]
    answer = house.get(shown["url"].removeprefix("/v2"))
    assert b"".join(answer.streaming_content) == GOOD[kind]
    assert (answer["Content-Type"].split(";")[0], answer["X-Content-Type-Options"]) == (created["mime"], "nosniff")


def test_a_document_may_be_sent_for_a_transaction_named_in_the_form(house: House) -> None:
    row = posted(house)
    answer = upload(house, "/transactions/supporting-document", PDF, transaction_id=row["_id"])
    assert answer.status_code == 201
    assert len(house.get(f"/transactions/{row['_id']}").json()["documents"]) == 1
    assert code(upload(house, "/transactions/supporting-document", PDF, transaction_id="f" * 24)) == (404, "not_found")
    assert upload(house, "/transactions/supporting-document", PDF).status_code == 400
    assert upload(house, "/transactions/supporting-document", PDF, transaction_id="no id").status_code == 400


def test_the_same_file_again_is_the_document_that_is_there(house: House) -> None:
    row = posted(house)
    created = attached(house, row)
    again = upload(house, f"/transactions/{row['_id']}/supporting-document", PDF, "another name.pdf")
    assert (again.status_code, again.json()["_id"]) == (200, created["_id"])
    assert Event.objects.filter(business=house.business, kind="transaction.document_added").count() == 1


def test_what_is_no_document_is_refused_and_nothing_is_kept(house: House, media: Path) -> None:
    path = f"/transactions/{posted(house)['_id']}/supporting-document"
    assert code(upload(house, path, b"MZ\x00program")) == (415, "unsupported_media_type")
    assert code(upload(house, path, b"")) == (422, "validation_failed")
    assert code(upload(house, path, PDF + b" " * LARGEST_BYTES)) == (413, "file_too_large")
    assert code(upload(house, path, PDF + b" " * (LARGEST_BYTES + 100_000))) == (413, "file_too_large")
    assert code(house.post(path, {"file": "x"})) == (415, "unsupported_media_type")
    assert TransactionDocument.objects.filter(transaction__business=house.business).count() == 0
    assert list(media.rglob("*.*")) == []


def test_a_form_that_is_none_is_400(house: House) -> None:
    path = f"/v2/transactions/{posted(house)['_id']}/supporting-document"
    headers = {"Authorization": f"Bearer {house.token}", "business-id": house.business.id}
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x"):
        answer = house.browser.generic("POST", path, b"--nothing", kind, headers=headers)
        assert answer.status_code in (400, 422), answer.content
        assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("kind", ["EXPENSE", "TOPUP"])
def test_removing_is_allowed_for_expense_and_topup(house: House, media: Path, kind: str) -> None:
    row = posted(house, type=kind)
    created = attached(house, row)
    path = f"/transactions/{row['_id']}/remove-document"
    assert house.post(path, {"document_id": created["_id"]}).json()["documents"] == []
    assert code(house.post(path, {"document_id": created["_id"]})) == (404, "not_found")
    assert Event.objects.filter(business=house.business, kind="transaction.document_removed").count() == 1


def test_removing_is_refused_for_other_types(house: House) -> None:
    row = posted(house, type="REFUND")
    created = attached(house, row)
    answer = house.post(f"/transactions/{row['_id']}/remove-document", {"document_id": created["_id"]})
    assert code(answer) == (409, "invalid_state")


def test_the_file_itself_goes_when_the_removal_is_certain(
    house: House, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    row = posted(house)
    created = attached(house, row)
    assert len(list(media.rglob("*.pdf"))) == 1
    with django_capture_on_commit_callbacks(execute=True):
        house.post(f"/transactions/{row['_id']}/remove-document", {"document_id": created["_id"]})
    assert list(media.rglob("*.pdf")) == []


def test_a_transaction_has_at_most_20_documents(house: House) -> None:
    row = posted(house)
    for number in range(20):
        attached(house, row, PDF + b"%" * number)
    answer = upload(house, f"/transactions/{row['_id']}/supporting-document", PDF + b"\n\n")
    assert code(answer) == (422, "limit_exceeded")


def test_documents_are_seen_with_their_transaction_only(house: House, other: House) -> None:
    [mine] = spend(house, "Carla")
    path = f"/transactions/{mine}/supporting-document"
    assert upload(house, path, PDF, by="Carla").status_code == 201
    [document] = house.get(f"/transactions/{mine}", by="Carla").json()["documents"]
    stranger = next(name for name, each in house.people.items() if each.role == "CARD_USER" and name != "Carla")
    for answer in (
        upload(house, path, PDF + b"\n", by=stranger),
        upload(other, path, PDF + b"\n"),
        house.get(f"/transactions/{mine}/documents/{document['_id']}", by=stranger),
        other.get(f"/transactions/{mine}/documents/{document['_id']}"),
        house.post(f"/transactions/{mine}/remove-document", {"document_id": document["_id"]}, by=stranger),
        other.post(f"/transactions/{mine}/remove-document", {"document_id": document["_id"]}),
    ):
        assert code(answer) == (404, "not_found")
