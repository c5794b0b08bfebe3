"""Documents of a transaction: the seven formats, several at once, viewed in place, removed after a confirmation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Expense, Transaction
from dashboard.web.upload_fields import LARGEST_BYTES
from tests.dashboard.conftest import World
from tests.dashboard.expenses.conftest import file
from tests.dashboard.expenses.files import PDF, PNG
from tests.dashboard.transactions.conftest import brought, upstream_transaction, workbook

CSV = b"date,amount\n2026-01-05,1200.50\n"


def add(world: World, row: Transaction, *files: Any, who: str = "Carla", client: Any = None, **headers: Any) -> Any:
    address = world.address(f"transactions/{row.remote_id}/documents/")
    return (client or world.client(who)).post(address, {"key": "k1", "documents": list(files)}, headers=headers)


def names(world: World, row: Transaction) -> list[str]:
    return [document["file_name"] for document in upstream_transaction(world, row.remote_id)["documents"]]


def sent(world: World, ending: str) -> list[Any]:
    assert world.proxy is not None
    return [row for row in world.proxy.sent("POST") if row.path.endswith(ending)]


def test_several_formats_reach_the_transaction_and_what_can_be_one_is_the_receipt(
    world: World, purchase: Transaction
) -> None:
    carla = world.client("Carla")
    files = file("trip.pdf", PDF), file("sums.xlsx", workbook()), file("sums.csv", CSV)
    answer = add(world, purchase, *files, client=carla)
    assert answer["Location"] == world.address(f"transactions/{purchase.remote_id}/")
    assert names(world, purchase) == ["trip.pdf", "sums.xlsx", "sums.csv"]
    expense = Expense.objects.get(business=world.business, remote_id=purchase.expense_id)
    assert [row["file_name"] for row in expense.payload["receipts"]] == ["trip.pdf"]
    body = carla.get(answer["Location"]).content.decode()
    for name in ("trip.pdf", "sums.xlsx", "sums.csv", "3 documents added."):
        assert name in body
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="upload_transaction_document").exists()


def test_it_is_viewed_in_place_and_saved_as_it_was_uploaded(world: World, purchase: Transaction) -> None:
    add(world, purchase, file("trip.pdf", PDF))
    document = brought(world, purchase).payload["documents"][0]["_id"]
    address, client = world.address(f"transactions/{purchase.remote_id}/documents/{document}/"), world.client("Apollo")
    shown = client.get(address).content.decode()
    assert "trip.pdf" in shown
    assert f"{address}page/1/" in shown
    picture = client.get(f"{address}page/1/")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/webp")
    saved = client.get(f"{address}original/")
    assert (saved.content, saved["Content-Disposition"]) == (PDF, 'attachment; filename="trip.pdf"')
    assert "sandbox" in saved["Content-Security-Policy"]
    assert client.get(f"{address}page/1/?width=5").status_code == 400
    assert client.get(world.address(f"transactions/{purchase.remote_id}/documents/{'0' * 24}/")).status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("page.pdf", b"<html>", "The content is not a PDF"),
        ("sums.zip", b"PK\x03\x04rest", "The content is not a PDF"),
        ("sums.csv", b"\x00\x01\x02", "The content is not a PDF"),
        ("empty.pdf", b"", "The file is empty."),
    ],
)
def test_what_is_none_of_the_formats_is_refused_beside_its_name_and_not_sent(
    world: World, purchase: Transaction, name: str, content: bytes, sentence: str
) -> None:
    answer = add(world, purchase, file(name, content))
    assert answer.status_code == 422
    body = answer.content.decode()
    assert sentence in body
    assert name in body
    assert sent(world, "/supporting-document") == []


def test_the_script_hears_of_each_file(world: World, purchase: Transaction) -> None:
    answer = add(
        world,
        purchase,
        file("a.png", PNG),
        file("b.txt", b"words"),
        Accept="application/json",
        **{"HX-Request": "true"},
    )
    states = [(row["name"], row["state"]) for row in json.loads(answer.content)["files"]]
    assert states == [("a.png", "added"), ("b.txt", "refused")]


def test_it_is_removed_after_a_confirmation_and_from_its_expense_too(world: World, purchase: Transaction) -> None:
    add(world, purchase, file("trip.pdf", PDF))
    document = brought(world, purchase).payload["documents"][0]["_id"]
    address, client = (
        world.address(f"transactions/{purchase.remote_id}/documents/{document}/remove/"),
        world.client("Carla"),
    )
    question = client.get(address)
    assert question.status_code == 200
    assert "cannot be restored" in question.content.decode()
    assert names(world, purchase) == ["trip.pdf"]
    answer = client.post(address, {"key": "r"})
    assert answer["Location"] == world.address(f"transactions/{purchase.remote_id}/")
    assert names(world, purchase) == []
    assert client.post(address, {"key": "again"}).status_code == 404


def test_a_document_of_a_transfer_stays(world: World, purchase: Transaction) -> None:
    add(world, purchase, file("trip.pdf", PDF))
    row = brought(world, purchase)
    row.type = "IFT"
    row.save()
    assert world.proxy is not None
    client = world.client("Apollo")
    world.proxy.fail("refused")
    assert "Remove<span" not in client.get(world.address(f"transactions/{row.remote_id}/")).content.decode()


def test_a_document_is_added_to_the_transaction_that_the_form_names(world: World, purchase: Transaction) -> None:
    address, client = world.address("transactions/documents/"), world.client("Carla")
    answer = client.post(address, {"key": "k", "transaction": purchase.remote_id, "documents": [file("trip.pdf", PDF)]})
    assert answer["Location"] == world.address(f"transactions/{purchase.remote_id}/")
    assert names(world, purchase) == ["trip.pdf"]
    (upload,) = sent(world, "/transactions/supporting-document")
    assert purchase.remote_id.encode() in upload.body


@pytest.mark.parametrize("named", ["", "no-such", "0" * 24])
def test_one_that_is_not_theirs_to_see_is_named_in_vain(world: World, purchase: Transaction, named: str) -> None:
    form = {"key": "k", "transaction": named, "documents": [file("trip.pdf", PDF)]}
    answer = world.client("Carla").post(world.address("transactions/documents/"), form)
    assert answer.status_code == 422
    assert sent(world, "/transactions/supporting-document") == []


def test_a_file_that_is_too_large_is_not_sent(world: World, purchase: Transaction) -> None:
    answer = add(world, purchase, file("long.pdf", PDF + b" " * LARGEST_BYTES), file("trip.pdf", PDF))
    assert answer.status_code >= 400
    assert "larger than 10 MB" in answer.content.decode()
    assert names(world, purchase) == ["trip.pdf"]
