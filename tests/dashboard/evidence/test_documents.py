"""The documents of an item are in its pack, byte for byte and under the manifest's signature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from dashboard.evidence.item_evidence import evidence_key
from dashboard.mirror.models import Mirrored
from tests.dashboard.conftest import World
from tests.dashboard.documents import papers
from tests.dashboard.documents.real import bill_payment, expense_of, with_receipt
from tests.dashboard.evidence.conftest import files_of, made, verified

INVOICE = papers.pdf(papers.INVOICE)


@pytest.fixture(autouse=True)
def documents_folder(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS_FOLDER = str(tmp_path / "documents")


def packed(world: World, row: Mirrored) -> dict[str, bytes]:
    """The files of a pack of this item."""
    kind, remote_id = evidence_key(row)
    answer = world.client("Ada").post(world.address(f"audit/packs/item/{kind}/{remote_id}/"), {"key": "p" * 32})
    return files_of(made(world, answer))


def documents_in(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if name.startswith("documents/")}


def test_the_receipts_of_an_expense_are_in_its_pack_and_none_can_be_exchanged(world: World, tmp_path: Path) -> None:
    expense = with_receipt(world, expense_of(world), INVOICE, "lunch ../../ with client.pdf")
    files = packed(world, expense)
    [(name, content)] = documents_in(files).items()
    assert content == INVOICE
    assert name.startswith("documents/01-")
    assert ".." not in name
    assert verified(files, tmp_path)[0] == 0
    assert verified(files | {name: papers.pdf(["Another receipt"])}, tmp_path)[0] != 0
    assert verified({each: files[each] for each in files if each != name}, tmp_path)[0] != 0


def test_a_pack_of_the_request_that_was_voted_on_has_the_file_of_its_bill(world: World, tmp_path: Path) -> None:
    approval = bill_payment(world, INVOICE)
    world.sync()
    files = packed(world, approval)
    assert list(documents_in(files).values()) == [INVOICE]
    assert approval.ref in printed(files["evidence.pdf"])
    assert verified(files, tmp_path)[0] == 0


def printed(content: bytes) -> str:
    """The text of a PDF."""
    return "\n".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(content))
