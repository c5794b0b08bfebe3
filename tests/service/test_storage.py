"""Documents, receipts and exports in a store that speaks S3: the same files, read through the same views, deleted alike."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from config.settings.base import bucket
from service import storage
from service.expenses import export_archive, exports
from service.expenses.models import ReceiptsExport
from service.expenses.tasks import export_receipts
from tests.s3_store import KEY, PREFIX, SECRET, Store, running_store
from tests.service.expenses.test_export import DAYS, export, spend_in_june
from tests.service.house import House, code
from tests.service.transactions.conftest import posted, upload
from tests.service.transactions.files import GOOD, PDF


@pytest.fixture
def store(settings: Any, tmp_path: Path) -> Iterator[Store]:
    """The service's files lie there and not on this machine."""
    settings.MEDIA_ROOT = tmp_path
    with running_store() as running:
        settings.STORAGES = {**settings.STORAGES, "default": bucket(running.url)}
        yield running
        assert list(tmp_path.iterdir()) == []


def test_of_a_file_that_nothing_names_nothing_is_left(house: House, store: Store) -> None:
    row = posted(house)
    address = f"/transactions/{row['_id']}/supporting-document"
    assert upload(house, "/transactions/0123456789abcdef01234567/supporting-document", PDF).status_code == 404
    assert store.names() == []
    assert [upload(house, address, PDF).status_code for _ in range(2)] == [201, 200]
    assert len(store.names()) == 1


def test_a_part_that_comes_late_keeps_its_folder_and_fails_nothing(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    storage.write("exports/a/part-00000.zip", b"part")
    (tmp_path / "exports" / "a" / "written" / "meanwhile").mkdir(parents=True)
    storage.delete_folder("exports/a")
    assert [path.name for path in (tmp_path / "exports" / "a").iterdir()] == ["written"]


def test_a_file_is_on_the_disk_before_it_has_its_name(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    halves: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", lambda _: halves.append([path.name for path in (tmp_path / "a").iterdir()]))
    storage.write("a/file.png", GOOD["PNG"])
    storage.write("a/file.png", PDF)
    first, second = ({name for name in names if name != "file.png"} for names in halves)
    assert len(first) == len(second) == 1
    assert first != second


def test_a_document_lies_in_the_bucket_for_its_owner_alone_and_leaves_by_our_view(
    house: House, store: Store, django_capture_on_commit_callbacks: Any
) -> None:
    row = posted(house)
    created = upload(house, f"/transactions/{row['_id']}/supporting-document", PDF).json()
    [name] = [name for name in store.names() if name.endswith(".pdf")]
    assert name.startswith(f"{PREFIX}/transactions/{house.business.id}/")
    assert (store.content(name), store.readers(name)) == (PDF, {"CanonicalUser"})
    answer = house.get(created["url"].removeprefix("/v2"))
    assert b"".join(answer.streaming_content) == PDF
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("application/pdf", "nosniff")
    assert answer["Content-Length"] == str(len(PDF))
    with django_capture_on_commit_callbacks(execute=True):
        removed = house.post(f"/transactions/{row['_id']}/remove-document", {"document_id": created["_id"]})
        assert removed.status_code == 200
    assert name not in store.names()


def test_a_receipt_that_is_gone_from_the_bucket_is_not_found(house: House, store: Store) -> None:
    spend_in_june(house, "Carla", 1)
    names = [name for name in store.names() if "/receipts/" in name]
    row = house.get("/expenses").json()["docs"][0]
    address = row["receipts"][0]["url"].removeprefix("/v2")
    assert house.get(address).status_code == 200
    for name in names:
        storage.delete(name.removeprefix(f"{PREFIX}/"))
    assert code(house.get(address)) == (404, "not_found")


@pytest.mark.parametrize("form", ["ZIP", "PDF"])
def test_an_export_is_made_in_parts_by_two_workers_and_its_file_expires(
    house: House, store: Store, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(export_archive, "PART", 1)
    spend_in_june(house, "Carla", 3)
    job = house.post("/expenses/export-receipts", {**DAYS, "format": form}).json()["jobId"]
    writer = "_zip" if form == "ZIP" else "_pdf"
    written: list[int] = []
    real = getattr(export_archive, writer)

    def dies_at_the_second(rows: Any, path: Any) -> None:
        written.append(len(rows))
        if len(written) == 2:
            raise MemoryError
        real(rows, path)

    monkeypatch.setattr(export_archive, writer, dies_at_the_second)
    assert export_receipts(job) == "failed"
    assert [name for name in store.names() if f"/exports/{job}" in name] == [
        f"{PREFIX}/exports/{job}/part-00000.{form.lower()}"
    ]
    ReceiptsExport.objects.filter(id=job).update(heartbeat_at=timezone.now() - timedelta(seconds=61))
    assert export_receipts(job) == "completed"
    assert written == [1, 1, 1, 1]
    state = house.get(f"/expenses/export-receipts/status/{job}").json()
    [name] = [name for name in store.names() if f"/exports/{job}" in name]
    assert (state["file_size"], store.readers(name)) == (len(store.content(name)), {"CanonicalUser"})
    assert state["download_url"].startswith("http://testserver/v2/")
    answer = house.browser.get(state["download_url"].removeprefix("http://testserver"))
    body = b"".join(answer.streaming_content)
    assert (body, answer["Cache-Control"]) == (store.content(name), "private, no-store")
    if name.endswith(".zip"):
        assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None
    ReceiptsExport.objects.filter(id=job).update(finished_at=timezone.now() - exports.KEEP_FILES - timedelta(minutes=1))
    assert exports.expire_old() == 1
    assert name not in store.names()
    assert house.browser.get(state["download_url"].removeprefix("http://testserver")).status_code == 404


def test_of_a_cancelled_export_nothing_is_left(house: House, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_archive, "PART", 1)
    spend_in_june(house, "Carla", 2)
    job = house.post("/expenses/export-receipts", DAYS).json()["jobId"]
    real = export_archive._joined

    def cancelled_at_the_end(*given: Any) -> None:
        real(*given)
        house.send("DELETE", f"/expenses/export-receipts/{job}")

    monkeypatch.setattr(export_archive, "_joined", cancelled_at_the_end)
    assert export_receipts(job) == "cancelled"
    assert [name for name in store.names() if job in name] == []


def test_there_is_no_address_that_could_be_passed_on(store: Store) -> None:
    storage.write("receipts/x.pdf", PDF)
    with pytest.raises(NotImplementedError):
        default_storage.url("receipts/x.pdf")


def test_in_a_folder_a_file_appears_whole_or_not_at_all(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path

    class Broken(io.BytesIO):
        def read(self, *_: Any) -> bytes:
            raise OSError("no space left")

    storage.write("a/b/file.png", GOOD["PNG"])
    with pytest.raises(OSError, match="no space left"):
        default_storage.save("a/b/file.png", Broken())
    assert storage.read("a/b/file.png") == GOOD["PNG"]
    storage.write("a/b/file.png", PDF)
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["file.png"]
    assert storage.read("a/b/file.png") == PDF
    storage.delete_folder("a/b")
    assert not (tmp_path / "a" / "b").exists()
    storage.delete_folder("a/b")
    storage.delete("a/b/file.png")
    with pytest.raises(FileNotFoundError):
        storage.read("a/b/file.png")


def test_nothing_of_it_is_loaded_without_an_address() -> None:
    program = (
        "import django, sys; django.setup(); from django.core.files.storage import default_storage;"
        "assert not default_storage.exists('none');"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'boto3', 'botocore', 'storages', 'config.bucket'}))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_what_a_storage_address_says() -> None:
    entry = bucket("s3://a-key:s%2Fcret%2B@files/of/ours?endpoint=https://store.internal:9000&region=eu-west-1")
    assert entry["OPTIONS"] == {
        "bucket_name": "files", "location": "of/ours", "access_key": "a-key", "secret_key": "s/cret+",
        "endpoint_url": "https://store.internal:9000", "region_name": "eu-west-1",
    }  # fmt: skip
    assert bucket("s3://files")["OPTIONS"] == {"bucket_name": "files"}
    assert KEY not in str(bucket("s3://files"))
    assert SECRET not in str(bucket("s3://files"))


@pytest.mark.parametrize("url", ["/srv/files", "https://files/", "s3:///x", "s3://files?acl=public-read"])
def test_an_address_of_another_form_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected s3://"):
        bucket(url)


@pytest.mark.usefixtures("db")
def test_export_in_a_folder_is_as_it_was(house: House, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    spend_in_june(house, "Carla", 1)
    assert export(house)["status"] == "COMPLETED"
    assert [path.suffix for path in (tmp_path / "exports").iterdir()] == [".zip"]
