"""However long a report is, memory stays flat, the lease is renewed, and nobody waits for what takes too long."""

from __future__ import annotations

import csv
import shutil
import tracemalloc
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from dashboard.journal_exports import ledger
from dashboard.journal_exports.mapped_lines import Mappings
from dashboard.journal_files import general_ledger
from dashboard.lists import exports
from dashboard.lists.reports import ReportJob
from dashboard.pages.accounting import tables
from dashboard.schemas.accounting import AccountingPeriod, TrialAccount, TrialBalance
from tests.dashboard.accounting.test_reports import NAMESPACE, ask, entries_of, long, report
from tests.dashboard.conftest import World

__all__ = ["long"]


class Counted:
    """How far a report is, for whoever only counts."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def on_bytes(self, size: int) -> None:
        """Nothing."""

    def go_on(self) -> None:
        """Nothing."""

    def begin(self, total: int) -> None:
        """Nothing."""

    def on_rows(self, count: int) -> None:
        """What the test looks at."""
        self.rows.append(count)


def saved_ledger(path: Path, count: int) -> None:
    """A ledger of so many entries of one day, two to a posting, as the service sends it."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(general_ledger.COLUMNS)
        posted = datetime(2026, 10, 7, 9, tzinfo=UTC).isoformat()
        for number in range(count):
            sides = ("", "12.50") if number % 2 else ("12.50", "")
            writer.writerow(
                ("2026-10-07", posted, 1 + number % 2, "WALLET", "Main", "KES", 1 + number // 2, f"ref-{number}", "EXPENSE",
                 f"Description of entry {number}", *sides)
            )  # fmt: skip


def peak_of(written: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        written()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "form"), [("general_ledger", "csv"), ("general_ledger", "xlsx"), ("audit_file", "xml")]
)
def test_a_day_of_120_000_entries_takes_no_more_memory_than_one_of_12_000(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    def written(count: int) -> tuple[int, list[int]]:
        saved = tmp_path / f"{count}.csv"
        saved_ledger(saved, count)
        half = count // 2 * 1250
        accounts = [
            TrialAccount(
                account_id=place, kind="WALLET", currency="KES", opening_minor=0, debit_minor=debit, credit_minor=credit,
                closing_minor=credit - debit,
            )
            for place, debit, credit in ((1, half, 0), (2, 0, half))
        ]  # fmt: skip
        fields = {"period": "2026-10", "from": "2026-10-01", "to": "2026-10-31"}
        report_of = TrialBalance.model_validate({**fields, "accounts": accounts})
        monkeypatch.setattr(tables, "download_ledger", lambda *given, **_: shutil.copy(saved, given[3]))
        monkeypatch.setattr(tables, "trial_balance_of", lambda *_: report_of)
        monkeypatch.setattr(
            tables, "period_of", lambda *_: AccountingPeriod.model_validate({**fields, "status": "OPEN"})
        )
        monkeypatch.setattr(tables, "mappings_of", lambda *_: Mappings({}))
        monkeypatch.setattr(tables, "account_titles", lambda *_: [("1", "Main"), ("2", "Bank")])
        monkeypatch.setattr(tables, "_suppliers", lambda *_: [])
        monkeypatch.setattr(tables, "tax_rates_of", lambda *_: [])
        monkeypatch.setattr(tables, "analyses_of", lambda *_: [])
        folder = tmp_path / str(uuid.uuid4())
        folder.mkdir()
        progress, actor = Counted(), type("A", (), {"business": type("B", (), {"name": "Acme"})()})()
        job = ReportJob("2026-10", form, folder / f"report.{form}", progress)
        write = {"general_ledger": tables.write_general_ledger, "audit_file": tables.write_audit_report}[name]
        peak = peak_of(lambda: write(actor, job))  # type: ignore[arg-type]
        if form == "csv":
            assert len(entries_of(job.path.read_bytes())) == count
        if form == "xml":
            lines = sum(1 for _, element in ET.iterparse(job.path) if element.tag == f"{NAMESPACE}Line")
            assert lines == count
        return peak, progress.rows

    written(1_000)  # what is imported, and remembered, by the first one
    small, _ = written(12_000)
    large, rows = written(120_000)
    assert rows == sorted(rows)
    assert rows[-1] == 120_000
    assert large <= small * 1.3, (small, large)


def test_between_two_long_answers_an_audit_file_renews_its_lease(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr("dashboard.pages.lists.views.exports.enqueue_on_commit", lambda *_, **__: None)
    for name in ("trial_balance_of", "download_ledger"):
        real = getattr(tables, name)
        monkeypatch.setattr(
            tables, name, lambda *given, n=name, r=real, **more: (calls.append(n), r(*given, **more))[1]
        )
    renew = exports.renew
    monkeypatch.setattr(
        "dashboard.lists.report_files.renew", lambda row, **changes: (calls.append("renew"), renew(row, **changes))[1]
    )
    report(world, "audit_file", "xml")
    assert calls[:3] == ["trial_balance_of", "renew", "download_ledger"]


def test_sums_are_those_of_the_entries(tmp_path: Path) -> None:
    saved = tmp_path / "ledger.csv"
    saved_ledger(saved, 10)
    sums = ledger.ledger_sums(general_ledger.ledger_entries(saved), lambda: None)
    assert sums.entry_count == 10
    assert sums.by_currency == {"KES": ledger.DebitAndCredit(Decimal("62.50"), Decimal("62.50"))}
    assert sums.by_account[1] == ledger.DebitAndCredit(Decimal("62.50"), Decimal(0))


def test_a_file_that_is_too_long_to_be_waited_for_is_put_off_before_it_is_read_whole(
    long: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    download = tables.download_ledger

    def counted(*given: Any) -> None:
        def on_bytes(size: int) -> None:
            seen.append(size)
            given[4](size)

        download(*given[:4], on_bytes, *given[5:])

    monkeypatch.setattr(tables, "download_ledger", counted)
    ask(long, "general_ledger")
    # The first piece was enough.
    assert len(seen) == 1
