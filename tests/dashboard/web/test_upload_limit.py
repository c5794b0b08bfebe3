"""What is too large is refused before it is read, in words at its control; and no file is stored past its limit."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.mirror.models import Expense
from dashboard.web.upload_fields import LARGEST_BYTES
from dashboard.web.upload_limit import READ_ON_BYTES, SEVERAL_FILES_BYTES, SINGLE_FILE_BYTES
from tests.dashboard.expenses.files import PDF
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as house

MULTIPART = "multipart/form-data; boundary=b"


class Unread(io.RawIOBase):
    """A body that fails the test where anybody reads it."""

    def read(self, size: int = -1) -> bytes:
        raise AssertionError("the body was read")

    readline = read


@pytest.fixture
def own(house: House) -> Expense:
    """An expense of Carla's."""
    return house.expense(employee_id=house.employee_id("Carla"))


def declared(client: Client, path: str, length: object, **headers: Any) -> Any:
    """A form that declares a length, and whose body nobody may read."""
    client.handler.enforce_csrf_checks = True
    extra = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": MULTIPART, "wsgi.input": Unread(), **headers}
    # Without a body the test client sets neither length nor type.
    return client.generic("POST", path, b"", **extra)


def receipts_of(house: House, expense: Expense) -> str:
    return house.address(f"expenses/{expense.remote_id}/receipts/")


def test_it_is_answered_unread_in_words_at_the_control(house: House, own: Expense) -> None:
    answer = declared(house.browser("Carla"), receipts_of(house, own), SEVERAL_FILES_BYTES + 1)
    assert answer.status_code == 413
    body = answer.content.decode()
    control = body[body.index('aria-label="Files"') :]
    assert "The upload is too large: a file may have 10 MB. Nothing was sent." in control[: control.index("</ul>")]
    # The rest of the page is there as ever.
    assert "Choose files" in body


def test_the_pages_script_hears_the_same(house: House, own: Expense) -> None:
    headers = {"HTTP_ACCEPT": "application/json", "HTTP_HX_REQUEST": "true", "HTTP_X_ATTEMPT": "attempt-1234"}
    answer = declared(house.browser("Carla"), receipts_of(house, own), SEVERAL_FILES_BYTES + 1, **headers)
    assert answer.status_code == 413
    (file,) = answer.json()["files"]
    assert (file["state"], file["sentence"]) == (
        "refused",
        "The upload is too large: a file may have 10 MB. Nothing was sent.",
    )


@pytest.mark.parametrize(("who", "status"), [("Rita", 404), ("Zawadi", 413)])
def test_whose_it_is_is_judged_all_the_same(house: House, own: Expense, who: str, status: int) -> None:
    own.team_id = "another"
    own.save()
    assert declared(house.browser(who), receipts_of(house, own), SEVERAL_FILES_BYTES + 1).status_code == status


def test_a_form_of_one_file_has_the_limit_of_one(house: House) -> None:
    answer = declared(house.browser("Ada"), house.address("payouts/new/"), SINGLE_FILE_BYTES + 1)
    assert answer.status_code == 413
    assert "The upload is too large" in answer.content.decode()


@pytest.mark.parametrize("length", ["", None])
def test_without_a_length_nothing_is_read(house: House, own: Expense, length: object) -> None:
    client, path = house.browser("Carla"), receipts_of(house, own)
    extra: dict[str, Any] = {"CONTENT_TYPE": MULTIPART, "wsgi.input": Unread(), "HTTP_TRANSFER_ENCODING": "chunked"}
    request = {"CONTENT_LENGTH": ""} if length == "" else {}
    answer = client.generic("POST", path, b"", **extra | request)
    assert answer.status_code == 411


def test_within_the_limit_a_form_still_needs_its_token(house: House, own: Expense) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(house.people["Carla"].user)
    file = SimpleUploadedFile("lunch.pdf", PDF)
    assert client.post(receipts_of(house, own), {"receipts": file}).status_code == 403


class Counted(SimpleUploadedFile):
    """A file of zeros after a PDF's beginning, as large as it says."""

    def __init__(self, name: str, size: int) -> None:
        super().__init__(name, PDF + b"\0" * (size - len(PDF)))


def test_a_file_is_cut_and_what_stands_behind_it_is_kept(house: House, own: Expense) -> None:
    large = Counted("long.pdf", LARGEST_BYTES + READ_ON_BYTES // 2)
    answer = house.browser("Carla").post(receipts_of(house, own), {"receipts": [large], "key": "k"})
    assert answer.status_code == 413
    body = answer.content.decode()
    assert "long.pdf" in body
    assert "The file is larger than 10 MB." in body
    # The key stands behind the file, and is the one that is sent again.
    assert 'name="key" value="k"' in body


def test_reading_stops_where_much_would_still_come(house: House, own: Expense) -> None:
    large = Counted("film.pdf", LARGEST_BYTES + 3 * READ_ON_BYTES)
    client = house.browser("Carla")
    answer = client.post(receipts_of(house, own), {"key": "k", "receipts": [large]})
    assert answer.status_code == 413
    body = answer.content.decode()
    assert "film.pdf" in body
    assert "The file is larger than 10 MB. Nothing was sent." in body
    assert 'name="key" value="k"' in body
