"""The receipts export: frozen when asked for, made in the background, resumable, fetched by a signed address (B.16)."""

import csv
import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import signing
from pypdf import PdfReader

from service import storage
from service.events.models import Event
from service.expenses import export_archive, exports
from service.expenses.models import ReceiptsExport
from service.expenses.tasks import export_receipts, requeue_lost_exports
from service.sandbox.simulation import spend_some
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code

DAYS = {"from": "2026-01-01", "to": "2026-12-31"}
NEWEST = datetime(2026, 6, 1, 9, tzinfo=UTC)


def spend_in_june(house: House, name: str, count: int, *, with_receipts: bool = True) -> list[Any]:
    return spend_some(house.business, [house.person(name)], count, with_receipts=with_receipts, until=NEWEST)


def export(house: House, by: str = "Ada", **body: Any) -> dict[str, Any]:
    """Asks, lets the worker run, and reads the state."""
    started = house.post("/expenses/export-receipts", {**DAYS, **body}, by=by)
    assert started.status_code == 202, started.content
    export_receipts(started.json()["jobId"])
    state: dict[str, Any] = house.get(f"/expenses/export-receipts/status/{started.json()['jobId']}", by=by).json()
    return state


def fetched(house: House, url: str) -> bytes:
    answer = house.browser.get(url.removeprefix("http://testserver"))
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def test_the_archive_holds_each_receipt_and_names_the_missing(house: House) -> None:
    spend_in_june(house, "Carla", 3)
    [bare] = spend_in_june(house, "Cyrus", 1, with_receipts=False)
    state = export(house)
    assert {key: state[key] for key in ("status", "progress", "total", "processed", "missing")} == {
        "status": "COMPLETED", "progress": 100, "total": 4, "processed": 4, "missing": 1,
    }  # fmt: skip
    content = fetched(house, state["download_url"])
    assert len(content) == state["file_size"]
    with zipfile.ZipFile(io.BytesIO(content)) as found:
        names = found.namelist()
        assert len([name for name in names if name.endswith((".png", ".pdf"))]) == 3
        assert found.testzip() is None
        lines = list(csv.DictReader(io.StringIO(found.read("manifest.csv").decode())))
    assert [line["transaction_ref"] for line in lines if not line["receipt"]] == [bare.transaction_ref]
    assert Event.objects.filter(business=house.business, kind="receipts_export.completed").count() == 1


def test_one_pdf_of_all(house: House) -> None:
    spend_in_june(house, "Carla", 6)
    state = export(house, format="PDF", include_manifest=False)
    assert len(PdfReader(io.BytesIO(fetched(house, state["download_url"]))).pages) == 6


def test_it_holds_what_the_asker_could_see_at_the_start(house: House) -> None:
    spend_in_june(house, "Carla", 2)
    spend_in_june(house, "Cyrus", 3)
    assert export(house, by="Rita")["total"] == 2
    started = house.post("/expenses/export-receipts", {**DAYS, "format": "PDF"}, by="Ada").json()
    spend_in_june(house, "Cyrus", 1)
    export_receipts(started["jobId"])
    assert house.get(f"/expenses/export-receipts/status/{started['jobId']}", by="Ada").json()["total"] == 5


def test_filters_narrow_it(house: House) -> None:
    spend_in_june(house, "Carla", 2)
    spend_in_june(house, "Cyrus", 3)
    assert export(house, employee_ids=[house.person("Cyrus").id])["total"] == 3
    assert export(house, statuses=["APPROVED"])["total"] == 0


def test_the_same_question_while_it_runs_is_the_same_job(house: House, spend: Spend) -> None:
    first = house.post("/expenses/export-receipts", DAYS)
    second = house.post("/expenses/export-receipts", DAYS)
    assert first.json() == second.json()
    assert first["Location"].endswith(first.json()["jobId"])
    waiting = house.get(f"/expenses/export-receipts/status/{first.json()['jobId']}")
    assert (waiting.json()["status"], waiting["Retry-After"]) == ("QUEUED", "2")
    assert house.post("/expenses/export-receipts", DAYS, by="Abel").json() != first.json()


def test_who_may_export_and_read_it(house: House, houses: Callable[..., House]) -> None:
    assert code(house.post("/expenses/export-receipts", DAYS, by="Carla")) == (403, "insufficient_role")
    job = house.post("/expenses/export-receipts", DAYS, by="Ada").json()["jobId"]
    assert code(house.get(f"/expenses/export-receipts/status/{job}", by="Abel")) == (404, "not_found")
    assert code(houses().get(f"/expenses/export-receipts/status/{job}")) == (404, "not_found")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"from": "2026-02-01", "to": "2026-01-01"}, "body"),
        ({"from": "2025-01-01", "to": "2026-01-02"}, "body"),
        ({"to": "2026-01-01"}, "from"),
        ({**DAYS, "format": "DOC"}, "format"),
        ({**DAYS, "team_ids": ["x"]}, "team_ids.0"),
    ],
)
def test_bad_questions_are_422(house: House, body: dict[str, Any], field: str) -> None:
    refused = house.post("/expenses/export-receipts", body)
    assert code(refused) == (422, "validation_failed")
    assert refused.json()["errors"][0]["field"] == field


def test_the_address_is_signed_and_lives_for_15_minutes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    spend_in_june(house, "Carla", 1)
    url = export(house)["download_url"].removeprefix("http://testserver")
    assert house.browser.get(url[:-2]).status_code == 404
    real = signing.time.time
    monkeypatch.setattr(signing.time, "time", lambda: real() + 901)
    assert house.browser.get(url).status_code == 404


def test_a_second_worker_goes_on_after_the_last_part(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_archive, "PART", 2)
    spend_in_june(house, "Carla", 5)
    job = house.post("/expenses/export-receipts", DAYS).json()["jobId"]
    created: list[int] = []
    real = export_archive._zip

    def dies_at_the_third(rows: Any, path: Any) -> None:
        if len(created) == 2:
            created.append(0)
            raise MemoryError
        created.append(len(rows))
        real(rows, path)

    monkeypatch.setattr(export_archive, "_zip", dies_at_the_third)
    assert export_receipts(job) == "failed"
    row = ReceiptsExport.objects.get(id=job)
    assert (row.status, row.processed) == ("RUNNING", 4)
    assert export_receipts(job) == "not ours"  # its heartbeat is fresh
    ReceiptsExport.objects.filter(id=job).update(heartbeat_at=datetime.now(UTC) - timedelta(seconds=61))
    assert exports.lost() == [job]
    assert export_receipts(job) == "completed"
    assert created == [2, 2, 0, 1]
    row.refresh_from_db()
    with storage.open_file(row.path) as file, zipfile.ZipFile(file) as found:
        assert len(found.namelist()) == 6


def test_three_tries_and_it_has_failed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def always(*_: object) -> None:
        raise OSError("no space left")

    spend_in_june(house, "Carla", 1)
    monkeypatch.setattr(export_archive, "_zip", always)
    job = house.post("/expenses/export-receipts", DAYS).json()["jobId"]
    for _ in range(3):
        export_receipts(job)
        ReceiptsExport.objects.filter(id=job).update(heartbeat_at=datetime.now(UTC) - timedelta(seconds=61))
    assert requeue_lost_exports() == 0
    state = house.get(f"/expenses/export-receipts/status/{job}").json()
    assert (state["status"], state["download_url"]) == ("FAILED", None)
    assert state["error"] == "Three attempts failed."


def test_the_file_is_gone_after_two_days(house: House) -> None:
    spend_in_june(house, "Carla", 1)
    url = export(house)["download_url"].removeprefix("http://testserver")
    ReceiptsExport.objects.update(finished_at=datetime.now(UTC) - timedelta(hours=49))
    assert exports.expire_old() >= 1
    assert house.browser.get(url).status_code == 404


def test_a_manifest_cannot_run_formulas() -> None:
    line = dict.fromkeys(export_archive.MANIFEST_FIELDS, "=HYPERLINK(1)")
    assert "'=HYPERLINK" in export_archive._csv([line])
    assert '"\'=1"' in export_archive._csv([line | {"person": "\uff1d1"}]).replace("\uff1d", "=")
