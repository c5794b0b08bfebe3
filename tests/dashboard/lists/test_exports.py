"""Exports: exactly the query on the screen, safe in a spreadsheet, one whole file or a failure that can be retried."""

import csv
import io
import uuid
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from django.core.files.storage import storages
from django.http import QueryDict
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.lists import exports, files
from dashboard.lists.models import Export, ExportState
from dashboard.lists.query import Query
from dashboard.pages.expenses.tables import EXPENSES
from tests.dashboard.pages.conftest import House


def ask(house: House, person: str, query: str = "", form: str = "csv") -> Any:
    return house.browser(person).post(house.address("lists/expenses/export/"), {"list": query, "format": form})


def queued(house: House, person: str = "Ada", query: str = "", form: str = "csv") -> Export:
    return exports.create_export(house.actor(person), "expenses", Query.read(EXPENSES, QueryDict(query)), form)


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def table(body: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(body.decode("utf-8-sig"))))


def test_the_csv_equals_the_filtered_screen_and_runs_no_formula(kept_house: House) -> None:
    kept_house.expense(merchant="=HYPERLINK(1)", status="APPROVED", amount_minor=123_456)
    kept_house.expense(merchant="Tokyo", status="APPROVED", amount_minor=700, currency="JPY")
    kept_house.expense(merchant="Hidden", status="REJECTED")
    rows = table(content(ask(kept_house, "Ada", "status=APPROVED")))
    head = rows[0]
    lines = [dict(zip(head, row, strict=True)) for row in rows[1:3]]
    assert [line["Merchant"] for line in lines] == ["'=HYPERLINK(1)", "Tokyo"]
    assert [(line["Currency"], line["Amount"]) for line in lines] == [("KES", "1234.56"), ("JPY", "700")]
    assert lines[0]["Status"] == "Approved"
    assert ["Rows", "2"] in rows
    assert ["Totals", "JPY\xa0700; KES\xa01,234.56"] in rows
    assert ["Filters", "Status: Approved"] in rows
    assert not any("Hidden" in cell for row in rows for cell in row)
    line = AuditEntry.objects.get(chain=kept_house.business.pk, sentence__startswith="exported 2 expenses")
    assert line.after["query"] == "status=APPROVED"


def test_a_card_users_file_holds_their_own_rows_alone(kept_house: House) -> None:
    kept_house.expense(merchant="Mine", employee_id=kept_house.employee_id("Carla"))
    kept_house.expense(merchant="Not mine")
    body = content(ask(kept_house, "Carla")).decode("utf-8-sig")
    assert "Mine" in body
    assert "Not mine" not in body


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_a_file_takes_every_kind_of_value_that_a_database_gives(tmp_path: Path, form: str) -> None:
    here = ZoneInfo("Africa/Nairobi")
    values: tuple[Any, ...] = (
        None, "", "=1+1", 0, -(10**17), True, Decimal("12.3400"), Decimal("0"), 1.5, date(2026, 2, 28), date(1800, 1, 1),
        datetime(2026, 2, 28, 12, 0, tzinfo=UTC), datetime(2026, 2, 28, 12, 0, tzinfo=here),
        datetime(1, 1, 1, tzinfo=UTC), time(12, 30), time(12, 30, tzinfo=UTC), timedelta(days=2), uuid.UUID(int=7), ["a"],
    )  # fmt: skip
    path = tmp_path / f"file.{form}"
    files.write(form, path, ["Value"] * len(values), [[values]], [("Rows", 1)], lambda _: None)
    if form == "csv":
        assert len(path.read_text(encoding="utf-8-sig").splitlines()) == 4
        return
    line = [cell.value for cell in next(openpyxl.load_workbook(path).active.iter_rows(min_row=2, max_row=2))]
    assert [str(line[at]) for at in (9, 11, 12)] == [
        "2026-02-28 00:00:00",
        "2026-02-28 12:00:00",
        "2026-02-28 09:00:00",
    ]


def test_the_xlsx_holds_exact_numbers_in_their_digits(kept_house: House) -> None:
    kept_house.expense(merchant="-2+3", amount_minor=123_456, transaction_date=datetime(2026, 11, 3, 23, tzinfo=UTC))
    before = datetime(2026, 11, 2, tzinfo=UTC)
    kept_house.expense(merchant="Kuwait", amount_minor=1_234, currency="KWD", transaction_date=before)
    book = openpyxl.load_workbook(io.BytesIO(content(ask(kept_house, "Ada", form="xlsx"))))
    head, first, second, *rest = book.active.iter_rows()
    titles = [cell.value for cell in head]
    merchant, amount = titles.index("Merchant"), titles.index("Amount")
    assert first[merchant].value == "-2+3"
    assert first[merchant].data_type == "s"
    assert first[titles.index("Date")].is_date
    # As it was in Nairobi.
    assert first[titles.index("Date")].value.date() == date(2026, 11, 4)
    assert (Decimal(str(first[amount].value)), first[amount].number_format) == (Decimal("1234.56"), "#,##0.00")
    assert (second[amount].value, second[amount].number_format) == (1.234, "#,##0.000")
    assert ("Rows", "2") in [(row[0].value, row[1].value) for row in rest]


def test_an_unknown_format_or_a_query_without_sense_is_refused(kept_house: House) -> None:
    assert ask(kept_house, "Ada", form="exe").status_code == 422
    assert ask(kept_house, "Ada", "status=NO").status_code == 422
    assert ask(kept_house, "Ada", "x" * 3000).status_code == 200  # what no filter knows is left out
    assert not Export.objects.filter(business=kept_house.business).exclude(state=ExportState.DONE).exists()


def test_many_rows_go_to_the_worker_and_the_page_shows_how_far_it_is(
    kept_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.pages.lists.views.exports.AT_ONCE", 1)
    monkeypatch.setattr("dashboard.pages.lists.views.exports.enqueue_on_commit", lambda *_, **__: None)
    kept_house.expense()
    kept_house.expense()
    browser = kept_house.browser("Ada")
    answer = browser.post(kept_house.address("lists/expenses/export/"), {"list": "", "format": "csv"})
    assert answer["Location"] == kept_house.address("exports/")
    assert "Queued" in browser.get(answer["Location"]).content.decode()
    export = Export.objects.get(business=kept_house.business)
    assert exports.run(export.pk)
    body = browser.get(kept_house.address("exports/rows/"), headers={"HX-Request": "true"}).content.decode()
    assert "Download" in body
    assert "every 2s" not in body
    assert len(table(content(browser.get(kept_house.address(f"exports/{export.pk}/file/"))))) == 7
    assert kept_house.browser("Sam").get(kept_house.address(f"exports/{export.pk}/file/")).status_code == 404


def test_the_same_export_is_not_begun_twice_and_five_at_once_are_enough(kept_house: House) -> None:
    first = queued(kept_house)
    assert queued(kept_house).pk == first.pk
    for status in ("PENDING", "APPROVED", "REJECTED", "REFUNDED"):
        queued(kept_house, query=f"status={status}")
    assert ask(kept_house, "Ada", "status=DETAILS_REQUESTED").status_code == 422


def test_cancelled_it_stops_at_the_next_batch_and_leaves_no_file(
    kept_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_house.expense()
    export = queued(kept_house)

    def cancelled(*arguments: Any) -> None:
        assert exports.cancel(kept_house.actor("Ada"), export)
        write(*arguments)

    write = files.write
    monkeypatch.setattr("dashboard.lists.files.write", cancelled)
    assert exports.run(export.pk) is False
    export.refresh_from_db()
    assert (export.state, export.file) == (ExportState.CANCELLED, "")
    assert not exports.cancel(kept_house.actor("Ada"), export)


def test_a_worker_that_was_thought_lost_writes_nothing_when_it_comes_back(
    kept_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_house.expense()
    export, write = queued(kept_house), files.write

    def taken_over(*arguments: Any) -> None:
        monkeypatch.setattr("dashboard.lists.files.write", write)
        Export.objects.filter(pk=export.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
        assert exports.lost() == [str(export.pk)] or str(export.pk) in exports.lost()
        assert exports.run(export.pk)
        write(*arguments)

    monkeypatch.setattr("dashboard.lists.files.write", taken_over)
    assert exports.run(export.pk) is False
    export.refresh_from_db()
    assert (export.state, export.attempts) == (ExportState.DONE, 2)
    _, names = storages["exports"].listdir(str(kept_house.business.pk))
    assert len(names) == 1


def test_after_three_tries_it_is_given_up_in_words_and_can_be_asked_for_again(kept_house: House) -> None:
    export = queued(kept_house)
    Export.objects.filter(pk=export.pk).update(
        state=ExportState.RUNNING, lease_id=uuid.uuid4(), attempts=3, heartbeat_at=timezone.now() - timedelta(minutes=2)
    )
    exports.lost()
    export.refresh_from_db()
    assert export.state == ExportState.FAILED
    assert "Three attempts" in kept_house.browser("Ada").get(kept_house.address("exports/")).content.decode()
    kept_house.browser("Ada").post(kept_house.address(f"exports/{export.pk}/again/"))
    assert Export.objects.filter(business=kept_house.business).count() == 2


def test_who_has_left_meanwhile_gets_no_file(kept_house: House) -> None:
    export = queued(kept_house)
    kept_house.people["Ada"].is_active = False
    kept_house.people["Ada"].save()
    exports.run(export.pk)
    export.refresh_from_db()
    assert export.state == ExportState.FAILED
    assert "ended" in export.trouble


def test_files_are_forgotten_after_two_days(kept_house: House) -> None:
    export = queued(kept_house)
    exports.run(export.pk)
    Export.objects.filter(pk=export.pk).update(finished_at=timezone.now() - timedelta(hours=49))
    export.refresh_from_db()
    assert storages["exports"].exists(export.file)
    assert exports.forget_old() >= 1
    assert not storages["exports"].exists(export.file)
    assert Export.objects.get(pk=export.pk).state == ExportState.EXPIRED
