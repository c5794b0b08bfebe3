"""An export is cancelled: nothing more is made of it, and what was made goes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from service.events.models import Event
from service.expenses import export_archive, exports
from service.expenses.models import ReceiptsExport
from service.expenses.tasks import export_receipts
from tests.service.expenses.test_export import DAYS, spend_in_june
from tests.service.house import House, code


def started(house: House) -> str:
    job: str = house.post("/expenses/export-receipts", DAYS).json()["jobId"]
    return job


def cancel(house: House, job: str, by: str = "Ada") -> Any:
    return house.send("DELETE", f"/expenses/export-receipts/{job}", by=by)


def left_over(job: str) -> list[Path]:
    return list((Path(settings.MEDIA_ROOT) / "exports").glob(f"{job}*"))


def test_one_that_waits_is_never_begun(house: House) -> None:
    spend_in_june(house, "Carla", 1)
    job = started(house)
    answer = cancel(house, job)
    assert (answer.status_code, answer.json()["status"], answer.json()["download_url"]) == (200, "CANCELLED", None)
    assert cancel(house, job).json()["status"] == "CANCELLED"
    assert export_receipts(job) == "not ours"
    assert house.get(f"/expenses/export-receipts/status/{job}").json()["status"] == "CANCELLED"
    assert Event.objects.filter(business=house.business, kind="receipts_export.cancelled").count() == 1
    assert started(house) != job, "asked for again it is another job"


def test_a_worker_stops_at_the_next_part(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_archive, "PART", 1)
    spend_in_june(house, "Carla", 3)
    job, created, real = started(house), [], export_archive._zip

    def cancelled_during_the_second(rows: Any, path: Any) -> None:
        created.append(len(rows))
        if len(created) == 2:
            cancel(house, job)
        real(rows, path)

    monkeypatch.setattr(export_archive, "_zip", cancelled_during_the_second)
    assert export_receipts(job) == "cancelled"
    assert created == [1, 1]
    assert (ReceiptsExport.objects.get(id=job).status, left_over(job)) == ("CANCELLED", [])


def test_cancelled_at_the_last_moment(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    spend_in_june(house, "Carla", 1)
    job, real = started(house), export_archive.build

    def cancelled_when_built(export: ReceiptsExport) -> str:
        path = real(export)
        cancel(house, job)
        return path

    monkeypatch.setattr(export_archive, "build", cancelled_when_built)
    assert export_receipts(job) == "cancelled"
    assert left_over(job) == []
    assert exports.lost() == []


def test_what_is_over_and_what_is_somebody_elses(house: House, houses: Callable[..., House]) -> None:
    job = started(house)
    for who, outcome in (("Abel", (404, "not_found")), ("Carla", (403, "insufficient_role"))):
        assert code(cancel(house, job, by=who)) == outcome
    assert code(cancel(houses(), job)) == (404, "not_found")
    export_receipts(job)
    assert code(cancel(house, job)) == (409, "invalid_state")
