"""What a table of payments may be: a workbook that hides nothing, of so many rows, in a channel's currency."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import GRACE, HEADING, make, only, table, upstream


def test_errors_stand_beside_their_cells_are_corrected_there_and_nothing_typed_is_lost(world: World) -> None:
    wrong = "\tcarrier pigeon\t12\tNo Bank\t\t-5\t"
    answer = make(world, table(GRACE, wrong), note="October wages")
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert ApprovalRequest.objects.filter(business=world.business, kind="payout").count() == 0
    for problem in ("unknown channel", "missing", "unknown bank", "must be above zero"):
        assert problem in shown
    assert "October wages" in shown
    assert "Grace Achieng" in shown
    text = re.search(r"<textarea[^>]*name=\"rows\"[^>]*>\s*(.*?)</textarea>", shown, re.DOTALL)
    assert text is not None
    cells = {"receiver": "Caleb Rotich", "channel": "MPESA_TILL", "account": "512345", "bank": "", "amount": "750"}
    corrected = make(world, text[1], **{f"cell-3-{name}": value for name, value in cells.items()})
    assert corrected.status_code == 302, corrected.content.decode()
    items = upstream(world, only(world))["items"]
    assert [(item["receiver_name"], Decimal(str(item["amount"]))) for item in items] == [
        ("Grace Achieng", Decimal("1500.5")),
        ("Caleb Rotich", Decimal(750)),
    ]


def test_rows_with_errors_are_left_out_only_where_that_was_chosen(world: World) -> None:
    rows = table(GRACE, "Nobody\t\t\t\t\t\t")
    assert make(world, rows).status_code == 422
    assert make(world, rows, leave_out="1").status_code == 302
    assert only(world).payload["item_count"] == 1


def workbook(change: Callable[[Any], None] = lambda _: None) -> SimpleUploadedFile:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (HEADING.split("\t"), ["Grace Achieng", "MPESA_SEND_MONEY", 254712345678, "", "", 1500.5, ""]):
        sheet.append(row)
    change(sheet)
    file = io.BytesIO()
    book.save(file)
    return SimpleUploadedFile("wages.xlsx", file.getvalue())


def test_a_workbook_is_read_as_it_is_seen(world: World) -> None:
    assert make(world, "", file=workbook()).status_code == 302
    [item] = upstream(world, only(world))["items"]
    assert (item["account"], Decimal(str(item["amount"]))) == ("254712345678", Decimal("1500.5"))


def a_formula(sheet: Any) -> None:
    sheet["F2"] = "=SUM(1,2)"


def merged(sheet: Any) -> None:
    sheet.merge_cells("A2:B2")


def a_hidden_row(sheet: Any) -> None:
    sheet.row_dimensions[2].hidden = True


def a_hidden_column(sheet: Any) -> None:
    sheet.column_dimensions["F"].hidden = True


def hidden_columns_in_a_group(sheet: Any) -> None:
    sheet.column_dimensions.group("B", "C", hidden=True)


def another_sheet(sheet: Any) -> None:
    sheet.parent.create_sheet("Bonus").append(["receiver", "more"])


def thirty_sheets(sheet: Any) -> None:
    for number in range(2, 31):
        sheet.parent.create_sheet(f"Week {number}").append(["receiver", "more"])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [(a_formula, "F2 holds a formula"), (merged, "Cells are merged"), (a_hidden_row, "hidden (rows 2)"),
     (a_hidden_column, "hidden (columns F)"), (hidden_columns_in_a_group, "hidden (columns B, C)"), (another_sheet, "2 sheets"),
     (thirty_sheets, "30 sheets")],
)  # fmt: skip
def test_a_workbook_that_hides_something_is_refused_in_words(
    world: World, change: Callable[[Any], None], sentence: str
) -> None:
    answer = make(world, "", file=workbook(change))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("", "Paste the payments or choose a file"),
        ("receiver\tamount\nGrace\t5", "missing: channel, account"),
        (f"{HEADING}\tamount\n{GRACE}\t1", "both say"),
        (HEADING, "no payments under the first line"),
        (f'{HEADING}\n"Grace', "cannot be read as a table"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_and_stays(world: World, rows: str, sentence: str) -> None:
    answer = make(world, rows)
    assert answer.status_code == 422
    assert sentence in answer.content.decode().replace("&#x27;", "'")


def test_a_channel_that_does_not_take_the_currency_is_said_at_its_cell_and_nothing_is_made(world: World) -> None:
    """A wallet in dollars pays by no channel of mobile money."""
    answer = make(world, table(GRACE), wallet="2", note="Kept as typed")
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert 'aria-describedby="why-2-channel"' in shown
    assert "USD" in shown
    assert "Kept as typed" in shown
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()


def test_a_currency_that_the_wallet_does_not_pay_is_said_at_its_cell_and_corrected_there(world: World) -> None:
    """A batch of another business's currency is not paid as so many of ours."""
    heading = f"{HEADING}\tcurrency"
    rows = f"{heading}\n{GRACE}\tUSD\n{GRACE.replace('Grace', 'Rehema').replace('5 678', '5 679')}\tkes"
    answer = make(world, rows, note="Kept as typed")
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-describedby="why-2-currency"' in shown
    assert "the wallet pays KES" in shown
    assert 'name="cell-3-currency"' not in shown
    assert "Kept as typed" in shown
    text = re.search(r"<textarea[^>]*name=\"rows\"[^>]*>\s*(.*?)</textarea>", shown, re.DOTALL)
    assert text is not None
    corrected = make(world, text[1], **{"cell-2-currency": "KES"})
    assert corrected.status_code == 302, corrected.content.decode()
    assert only(world).payload["item_count"] == 2
    # A table that names no currency has no column of it on the page.
    assert "cell-2-currency" not in make(world, table("Nobody\t\t\t\t\t\t")).content.decode()


def hides_what_is_empty(sheet: Any) -> None:
    sheet.column_dimensions.group("J", "XFD", hidden=True)


def test_hidden_columns_that_hold_nothing_hide_nothing(world: World) -> None:
    assert make(world, "", file=workbook(hides_what_is_empty)).status_code == 302


def test_fifty_thousand_rows_are_refused_by_their_number(world: World) -> None:
    rows = "\n".join(
        f"Person {number}\tMPESA_TILL\t512345\t\t\t{number + 1}\tWages of October" for number in range(50_000)
    )
    file = SimpleUploadedFile("wages.csv", f"{HEADING}\n{rows}".encode())
    answer = make(world, "", file=file)
    assert answer.status_code == 422
    assert "At most 5,000 payments in a batch" in answer.content.decode()


def test_a_file_that_is_no_workbook_is_said_to_be_none(world: World) -> None:
    answer = make(world, "", file=SimpleUploadedFile("wages.xlsx", b"PK\x03\x04nothing"))
    assert answer.status_code == 422
    assert "cannot be read as an Excel workbook" in answer.content.decode()


def test_five_thousand_rows_are_checked_and_more_are_refused(world: World) -> None:
    rows = [f"Person {number}\tMPESA_TILL\t{500000 + number}\t\t\t{number + 1}\t" for number in range(5_000)]
    rows[4_321] = rows[4_321].replace("MPESA_TILL", "???")
    answer = make(world, table(*rows))
    assert answer.status_code == 422
    assert "Row 4323, channel" in answer.content.decode()
    assert make(world, table(*rows), leave_out="1").status_code == 302
    assert only(world).payload["item_count"] == 4_999
    too_many = make(world, table(*rows, GRACE))
    assert "At most 5,000 payments" in too_many.content.decode()
