"""Four formats say the same two lines to the cent, and what is no statement is refused with its row and reason."""

import re
from contextlib import suppress
from datetime import date

import pytest

from dashboard.bank_statements import camt053, csv_table, formats, mt940, ofx
from dashboard.bank_statements.csv_table import ColumnMapping
from dashboard.bank_statements.statement import ParsedStatement, StatementError
from tests.dashboard.bank_statements.samples import CAMT, CSV, ENTITY_BOMB, MT940, OFX

COLUMNS = ColumnMapping("Buchungstag", "%d.%m.%Y", ",", "Betrag", "", "", "Text", "Referenz")


def read(text: str) -> ParsedStatement:
    content = text.encode()
    kind = formats.format_of(content)
    return csv_table.parse(content, COLUMNS, "EUR", 100000, 114950) if kind == "CSV" else formats.parse(content, kind)


def wrong(text: str) -> str:
    with pytest.raises(StatementError) as refused:
        read(text)
    return str(refused.value)


@pytest.mark.parametrize(("text", "kind"), [(CAMT, "CAMT053"), (MT940, "MT940"), (OFX, "OFX"), (CSV, "CSV")])
def test_each_format_says_the_same_to_the_cent(text: str, kind: str) -> None:
    found = read(text)
    assert found.source_format == kind
    assert (found.currency, found.opening_minor, found.closing_minor) == ("EUR", 100000, 114950)
    assert [(line.day, line.amount_minor) for line in found.lines] == [
        (date(2026, 3, 5), 20000), (date(2026, 3, 9), -5050),
    ]  # fmt: skip
    assert ["Invoice 7" in found.lines[0].description, "Paper" in found.lines[1].description] == [True, True]
    assert found.lines[0].reference == "INV-7"
    assert found.lines[1].reference == ""
    assert [line.bank_id for line in found.lines] == (["", ""] if kind == "CSV" else ["B1", "B2"])
    assert found.first_day <= date(2026, 3, 5)
    assert found.last_day >= date(2026, 3, 9)


@pytest.mark.parametrize("text", [CAMT, CAMT.replace("\n", "\r\n"), "\ufeff" + CAMT])
def test_camt_says_its_own_days_and_account(text: str) -> None:
    found = read(text)
    assert (found.first_day, found.last_day, found.account) == (
        date(2026, 3, 1), date(2026, 3, 31), "DE89370400440532013000",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        (ENTITY_BOMB, "entities"),
        (CAMT[:900], "broken"),
        ("<html></html>", "not a camt.053"),
        (CAMT.replace("OPBD", "XXXX"), "no opening"),
        (CAMT.replace("200.00", "two"), "not a number"),
        (CAMT.replace("200.00", "200.001"), "decimals"),
        (CAMT.replace("2026-03-05", "2026-02-30"), "date"),
        (CAMT.replace('Ccy="EUR">200', 'Ccy="USD">200'), "not in EUR"),
        (CAMT.replace("200.00", "9" * 20), "not a number"),
        (MT940.replace(":60F:C260301EUR1000,00\n", ""), "no opening"),
        (OFX.replace("<LEDGERBAL><BALAMT>1149.50<DTASOF>20260331</LEDGERBAL>", ""), "OFX"),
        (OFX.replace("<OFX>", "<!DOCTYPE x><OFX>"), "document type"),
        (CSV.replace("05.03.2026", "31.02.2026"), "31.03.2026"),
        (CSV.replace("200,00", "viel"), "not a number"),
        (CSV.replace("200,00", "0"), "nothing"),
        ("just words", "no table"),
        ("a;b\n" + "1;2\n" * 5001, "5,000"),
        ("\x00\x01binary", "no"),
    ],
)
def test_what_is_no_statement_is_refused_with_the_reason(text: str, said: str) -> None:
    assert said in wrong(text)


def test_every_wrong_row_of_a_table_is_named() -> None:
    with pytest.raises(StatementError) as refused:
        read(CSV.replace("05.03.2026", "x").replace("-50,50", "y"))
    assert [problem.row for problem in refused.value.problems] == [2, 3]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (CAMT.replace("200.00", "two").replace("2026-03-09", "2026-02-30"), [1, 2]),
        (MT940.replace("C200,00", "Cmuch").replace(":61:260309", ":61:261309"), [1, 2]),
        (MT940.replace("200,00", "200,001").replace("50,50", "50,505"), [1, 2]),
        (OFX.replace("200.00", "two").replace("20260309", "20260231"), [1, 2]),
        (OFX.replace("200.00", "200.001").replace("-50.50", "-50.505"), [1, 2]),
    ],
)
def test_every_wrong_line_of_other_formats_is_named_too(text: str, rows: list[int]) -> None:
    with pytest.raises(StatementError) as refused:
        read(text)
    assert [problem.row for problem in refused.value.problems] == rows
    assert "object at" not in str(refused.value)


@pytest.mark.parametrize("text", [MT940, MT940.replace("C200,00", "Cmuch"), OFX, OFX.replace("200.00", "two")])
def test_no_line_of_a_bank_is_in_the_log(text: str, caplog: pytest.LogCaptureFixture) -> None:
    with suppress(StatementError):
        read(text)
    assert [record for record in caplog.records if record.name.startswith(("mt940", "ofxtools"))] == []


def test_rows_are_counted_as_the_file_has_them_with_its_blank_ones() -> None:
    rows = CSV.replace("05.03.2026", "\n \n;;;\nx").replace("-50,50", "y")
    with pytest.raises(StatementError) as refused:
        read(rows)
    assert [problem.row for problem in refused.value.problems] == [5, 6]
    assert [line.number for line in read(CSV.replace("09.03.2026", "\n\n09.03.2026")).lines] == [2, 5]


def test_a_file_over_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(StatementError, match="10 MB"):
        formats.format_of(b"<" + b" " * formats.MOST_BYTES)


def test_money_in_and_out_may_have_columns_of_their_own() -> None:
    text = 'Date,Out,In,What\n2026-03-05,,"1,200.00",a\n2026-03-09,50.50,,b\n'
    mapping = ColumnMapping("Date", "%Y-%m-%d", ".", "", "Out", "In", "What", "")
    found = csv_table.parse(text.encode(), mapping, "EUR", 0, 114950)
    assert [line.amount_minor for line in found.lines] == [120000, -5050]


def test_statements_of_two_accounts_in_one_file_are_refused() -> None:
    inner = CAMT[CAMT.index("<Stmt>") : CAMT.index("</BkToCstmrStmt>")]
    two = CAMT.replace("</BkToCstmrStmt>", inner.replace("DE89370400440532013000", "DE00") + "</BkToCstmrStmt>")
    assert "several accounts" in wrong(two)
    again = CAMT.replace("</BkToCstmrStmt>", inner + "</BkToCstmrStmt>")
    assert "follow each other" in wrong(again)


def test_a_reversed_credit_of_mt940_goes_out() -> None:
    found = read(MT940.replace("C200,00", "RC200,00").replace("1149,50", "749,50"))
    assert found.lines[0].amount_minor == -20000


def test_a_statement_of_mt940_begins_on_the_day_after_its_opening_balance() -> None:
    assert read(MT940.replace(":60F:C260301", ":60F:C260228")).first_day == date(2026, 3, 1)
    assert read(MT940.replace(":60F:C260301", ":60F:C260305")).first_day == date(2026, 3, 5)


def test_a_line_of_mt940_is_of_its_day_of_booking() -> None:
    found = read(MT940.replace(":61:2603090309D", ":61:2604020331D").replace(":61:2603050305C", ":61:260305C"))
    assert [line.day for line in found.lines] == [date(2026, 3, 5), date(2026, 3, 31)]
    assert found.last_day == date(2026, 3, 31)
    turned = read(MT940.replace(":61:2603090309D", ":61:2601021231D"))
    assert turned.lines[1].day == date(2025, 12, 31)


def test_a_line_has_the_number_of_its_place_in_the_file() -> None:
    assert [line.number for line in read(CSV).lines] == [2, 3]
    inner = CAMT[CAMT.index("<Stmt>") : CAMT.index("</BkToCstmrStmt>")]
    following = inner.replace("1149.50", "1299.00").replace("1000.00", "1149.50").replace("2026-03", "2026-05")
    both = CAMT.replace("</BkToCstmrStmt>", following + "</BkToCstmrStmt>")
    # The third of each is not booked yet: it has a place in the file all the same.
    assert [line.number for line in read(both).lines] == [1, 2, 4, 5]


def test_ofx_says_how_far_its_lines_reach_and_that_it_has_no_opening_balance() -> None:
    found = read(OFX.replace("<DTASOF>20260331", "<DTASOF>20260404"))
    assert (found.has_opening, found.last_day, found.lines_until) == (False, date(2026, 4, 4), date(2026, 3, 31))
    assert read(CAMT).has_opening


OFX_DATES = ("DTSTART", "DTEND", "DTPOSTED", "DTASOF")


@pytest.mark.parametrize(
    "moment",
    ["000000[+3:EAT]", "003000.000[+5.5:IST]", "235959[-11]", "233000[-5:EST]", "000000.000", "120000", "0915", ""],
)
def test_a_day_of_ofx_is_the_one_that_the_file_writes_whatever_its_zone(moment: str) -> None:
    text = OFX
    for name in OFX_DATES:
        text = re.sub(rf"<{name}>(\d{{8}})", rf"<{name}>\g<1>{moment}", text)
    dated = read(text)
    assert [line.day for line in dated.lines] == [date(2026, 3, 5), date(2026, 3, 9)]
    assert (dated.first_day, dated.last_day, dated.lines_until) == (
        date(2026, 3, 1), date(2026, 3, 31), date(2026, 3, 31),
    )  # fmt: skip


def test_a_moment_of_ofx_that_is_none_is_refused() -> None:
    assert "OFX" in wrong(OFX.replace("<DTPOSTED>20260305", "<DTPOSTED>20260305T10"))
    assert "OFX" in wrong(OFX.replace("<DTPOSTED>20260305", "<DTPOSTED>20260230000000[+3:EAT]"))


@pytest.mark.parametrize("rest", ["T00:30:00+03:00", "T23:30:00-05:00", "T00:00:00Z", "T12:00:00"])
def test_a_day_of_camt_is_the_one_that_the_file_writes_whatever_its_zone(rest: str) -> None:
    moments = re.sub(r"<Dt>(\d{4}-\d\d-\d\d)</Dt>", rf"<DtTm>\g<1>{rest}</DtTm>", CAMT)
    moments = re.sub(r"<(Fr|To)DtTm>(\d{4}-\d\d-\d\d)[^<]*<", rf"<\g<1>DtTm>\g<2>{rest}<", moments)
    assert f"05{rest}" in moments
    dated = read(moments)
    assert [line.day for line in dated.lines] == [date(2026, 3, 5), date(2026, 3, 9)]
    assert (dated.first_day, dated.last_day) == (date(2026, 3, 1), date(2026, 3, 31))


def test_the_parsers_know_their_names() -> None:
    assert set(formats.NAMES) == {camt053.NAME, mt940.NAME, ofx.NAME, csv_table.NAME}
