"""A worker that is killed in the middle of a long export leaves no half file, and the next one writes it whole."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection, transaction
from django.utils import timezone

from config.embedded import spawn
from dashboard.lists import exports
from dashboard.lists.models import Export, ExportState
from tests.dashboard.pages.conftest import House, make_house

HANG_S = 120
WORKER = "import django; django.setup(); from dashboard.lists import exports; exports.run({id!r})"
# One expense of the house, so many times over.
MANY = """
INSERT INTO mirror_expense (business_id, remote_id, payload, payload_hash, source, first_seen, last_seen, employee_id,
    employee_name, team_id, team_name, org_wallet_ref, status, transaction_date, amount_minor, currency, amount_text,
    merchant, notes, category_name, subcategory_id, transaction_ref, has_receipt, risk)
SELECT business_id, 'x' || n, '{{}}', md5(n::text), source, first_seen, last_seen, employee_id, employee_name, team_id,
    team_name, org_wallet_ref, status, transaction_date - n * interval '1 second', 100, currency, amount_text,
    'Merchant ' || n, notes, category_name, subcategory_id, 'TX' || n, has_receipt, risk
FROM mirror_expense, generate_series(1, {count}) n WHERE business_id = {business}
"""


@pytest.fixture
def folder(committed: None, settings: LazySettings, tmp_path: Path) -> Path:
    storage = {**settings.STORAGES["exports"], "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "exports": storage}
    return tmp_path


def rows_of(house: House, count: int) -> None:
    house.expense(amount_minor=100)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set local statement_timeout = 0")
        cursor.execute(MANY.format(count=count - 1, business=house.business.pk))


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + HANG_S
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


def worker(export: Export, folder: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {"EXPORTS_FOLDER": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings.dashboard"}
    return spawn([sys.executable, "-c", WORKER.format(id=str(export.pk))], env=environment)


def finished(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("count", [20_000, pytest.param(100_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_a_killed_worker_leaves_nothing_and_the_next_writes_all(folder: Path, form: str, count: int) -> None:
    house = make_house()
    rows_of(house, count)
    export = Export.objects.create(
        business=house.business, membership=house.people["Ada"], list_name="expenses", query="", form=form
    )
    working = worker(export, folder)

    def begun() -> bool:
        export.refresh_from_db()
        return export.rows_done > 0

    until(begun)
    os.kill(working.pid, signal.SIGKILL)
    working.wait()
    export.refresh_from_db()
    assert (export.state, export.rows_done < count) == (ExportState.RUNNING, True)
    assert finished(folder) == []

    # A minute later it is taken for lost.
    Export.objects.filter(pk=export.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert str(export.pk) in exports.lost()
    assert exports.run(export.pk)
    export.refresh_from_db()
    assert (export.state, export.attempts, export.rows_done) == (ExportState.DONE, 2, count)
    (export_file,) = finished(folder)
    if form == "csv":
        with export_file.open(newline="") as file:
            merchants = [cell for row in csv.reader(file) for cell in row if cell.startswith("Merchant ")]
        assert len(merchants) == len(set(merchants)) == count - 1
    else:
        assert export_file.stat().st_size == export.size
