"""A store that is away: answered as such, nobody waits at a locked row, and what was not deleted is deleted later."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import bucket as buckets
from config.settings.base import bucket
from service import errors, storage
from service.expenses import exports
from service.expenses.models import ReceiptsExport
from service.expenses.tasks import forget_old_exports
from service.journal.models import FileDeletion
from service.transactions.tasks import delete_files_of_removed_documents
from tests.s3_store import PREFIX, Store
from tests.service.expenses.test_export import DAYS, export, spend_in_june
from tests.service.house import House, code
from tests.service.test_storage import store
from tests.service.transactions.conftest import posted, upload
from tests.service.transactions.files import GOOD, PDF

__all__ = ["store"]


def away(settings: Any) -> None:
    """From here on the store does not answer: nobody listens there."""
    settings.STORAGES = {**settings.STORAGES, "default": bucket("s3://a:b@files?endpoint=http://127.0.0.1:9&region=x")}


def test_a_store_that_is_away_is_answered_as_such(house: House, store: Store, settings: Any) -> None:
    row = posted(house)
    address = f"/transactions/{row['_id']}/supporting-document"
    created = upload(house, address, PDF).json()
    away(settings)
    for answer in (
        upload(house, address, GOOD["PNG"], "picture.png"),
        house.get(created["url"].removeprefix("/v2")),
    ):
        assert code(answer) == (503, "unavailable")
        assert (answer.json()["retryable"], answer["Retry-After"]) == (True, "2")


def test_a_folder_that_fails_is_answered_as_a_store_that_is_away(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "bills").write_text("no folder")
    with pytest.raises(errors.ServiceError) as refusal:
        storage.write("bills/x.pdf", PDF)
    assert (refusal.value.status, refusal.value.retryable) == (503, True)


def test_a_document_is_taken_off_while_the_store_is_away_and_its_file_deleted_later(
    house: House, store: Store, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    row = posted(house)
    created = upload(house, f"/transactions/{row['_id']}/supporting-document", PDF).json()
    there = settings.STORAGES
    away(settings)
    with django_capture_on_commit_callbacks(execute=True):
        removed = house.post(f"/transactions/{row['_id']}/remove-document", {"document_id": created["_id"]})
    assert removed.status_code == 200
    assert delete_files_of_removed_documents() == 0
    settings.STORAGES = there
    assert [name for name in store.names() if name.endswith(".pdf")] != []
    assert delete_files_of_removed_documents() == 1
    assert [name for name in store.names() if name.endswith(".pdf")] == []
    assert not FileDeletion.objects.exists()


def test_one_file_that_is_not_deleted_does_not_keep_the_others(
    house: House, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend_in_june(house, "Carla", 1)
    first, _ = (ReceiptsExport.objects.get(id=export(house, format=form)["jobId"]) for form in ("ZIP", "PDF"))
    ReceiptsExport.objects.update(finished_at=timezone.now() - exports.KEEP_FILES - timedelta(minutes=1))
    real = storage.delete

    def fails_for_the_first(path: str) -> None:
        if path == first.path:
            raise errors.unavailable()
        real(path)

    monkeypatch.setattr(storage, "delete", fails_for_the_first)
    assert forget_old_exports() == 1
    monkeypatch.setattr(storage, "delete", real)
    assert [name for name in store.names() if "/exports/" in name] == [f"{PREFIX}/{first.path}"]
    assert forget_old_exports() == 1
    assert [name for name in store.names() if "/exports/" in name] == []


def test_a_cancelled_export_whose_parts_were_not_deleted_loses_them_later(house: House, store: Store) -> None:
    job = house.post("/expenses/export-receipts", DAYS).json()["jobId"]
    house.send("DELETE", f"/expenses/export-receipts/{job}")
    storage.write(f"exports/{job}/part-00000.zip", b"part")
    forget_old_exports()
    assert store.names() == []


def test_nobody_waits_at_a_locked_row_for_the_store(
    house: House, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = posted(house)
    before: list[str] = []
    real = storage.write
    with CaptureQueriesContext(connection) as queries:

        def write(path: str, content: bytes) -> None:
            before.extend(query["sql"] for query in queries.captured_queries)
            real(path, content)

        monkeypatch.setattr(storage, "write", write)
        assert upload(house, f"/transactions/{row['_id']}/supporting-document", PDF).status_code == 201
    assert before
    assert [sql for sql in before if "FOR NO KEY UPDATE" in sql or "FOR UPDATE" in sql] == []
    assert any("FOR NO KEY UPDATE" in query["sql"] for query in queries.captured_queries)


def test_a_store_that_is_away_is_given_up_before_the_database_ends_the_transaction() -> None:
    at_most_between_tries_s = 1
    assert buckets.TRIES * (buckets.CONNECT_S + buckets.READ_S) + at_most_between_tries_s < 10
