"""Bank statement lines are matched to the ledger, and the unmatched are shown on both sides."""

from datetime import date, timedelta
from typing import Any

import pytest

from service.accounting.models import StatementLine
from tests.service.accounting.conftest import close, import_statement, month, spend
from tests.service.house import House, code

HEADER = "Date,Amount,Description,Reference\n"


def day(house: House, number: int = 9) -> date:
    return month(house, 1).first + timedelta(days=number)


def lines(house: House, query: str = "") -> list[dict[str, Any]]:
    answer = house.get(f"/accounting/bank-lines{query}")
    assert answer.status_code == 200, answer.json()
    rows: list[dict[str, Any]] = answer.json()["docs"]
    return sorted(rows, key=lambda row: int(row["number"]))


def left(house: House, query: str = "") -> list[str]:
    return [row["ref"] for row in house.get(f"/accounting/unmatched-entries{query}").json()["docs"]]


@pytest.fixture
def spent(house: House) -> dict[str, int]:
    """Payments of the last month; their ledger transactions."""
    return {
        ref: spend(house, ref, minor, day(house, back), text)
        for ref, minor, back, text in (
            ("pay:A100", 50_00, 3, "Acme 7731"),
            ("pay:B200", 50_00, 3, "Bolt"),
            ("pay:C300", 75_00, 5, "Cloud"),
            ("pay:D400", 99_00, 20, "Desk"),
            ("pay:D401", 99_00, 22, "Desk"),
        )
    }


def test_lines_find_their_entries_by_reference_then_by_day(house: House, spent: dict[str, int]) -> None:
    text = HEADER + "".join(
        f"{day(house, number)},{amount},{words},{reference}\n"
        for number, amount, words, reference in (
            (3, "-50.00", "card", "7731"),  # named in the entry's text
            (4, "-50.00", "PAYMENT B200 THANKS", ""),  # names the entry's reference
            (7, "-75.00", "cloud hosting", ""),  # the only one of that amount within days
            (22, "-99.00", "desk", ""),  # two of that amount, one on the very day
            (25, "-12.34", "bank fee", ""),  # the ledger knows nothing of it
        )
    )
    answer = import_statement(house, text)
    assert (answer.status_code, answer.json()["matched"], answer.json()["unmatched"]) == (201, 4, 1)
    found = lines(house)
    assert [row["rule"] for row in found] == ["REFERENCE", "REFERENCE", "DAY", "DAY", None]
    assert [row["ledger_transaction_id"] for row in found] == [
        spent["pay:A100"], spent["pay:B200"], spent["pay:C300"], spent["pay:D401"], None,
    ]  # fmt: skip
    assert [row["amount"] for row in lines(house, "?status=UNMATCHED")] == [-12.34]
    assert left(house, f"?from={month(house, 1).first}&to={month(house, 1).last}") == ["pay:D400"]


def test_where_several_would_do_none_is_taken(house: House, spent: dict[str, int]) -> None:
    import_statement(house, f"{HEADER}{day(house, 3)},-50.00,who knows,\n")
    [line] = lines(house)
    assert line["status"] == "UNMATCHED"
    path = f"/accounting/bank-lines/{line['_id']}"
    done = house.post(f"{path}/match", {"ledger_transaction_id": spent["pay:B200"]}).json()
    assert (done["status"], done["rule"], done["matched_by"]) == ("MATCHED", "BY_HAND", house.person("Ada").id)
    assert "pay:B200" not in left(house)
    again = house.post(f"{path}/match", {"ledger_transaction_id": spent["pay:A100"]})
    assert code(again) == (409, "invalid_state")
    assert house.post(f"{path}/unmatch").json()["ledger_transaction_id"] is None
    assert code(house.post(f"{path}/unmatch")) == (409, "invalid_state")


def test_an_entry_belongs_to_one_line(house: House, spent: dict[str, int]) -> None:
    import_statement(house, f"{HEADER}{day(house, 5)},-75.00,one,\n{day(house, 5)},-75.00,two,\n")
    first, second = lines(house)
    assert [first["status"], second["status"]] == ["MATCHED", "UNMATCHED"]
    body = {"ledger_transaction_id": spent["pay:C300"]}
    assert code(house.post(f"/accounting/bank-lines/{second['_id']}/match", body)) == (409, "invalid_state")
    wrong = {"ledger_transaction_id": spent["pay:A100"]}
    assert code(house.post(f"/accounting/bank-lines/{second['_id']}/match", wrong)) == (422, "validation_failed")
    for unknown in (10**12, 10**15 - 1):
        answer = house.post(f"/accounting/bank-lines/{second['_id']}/match", {"ledger_transaction_id": unknown})
        assert code(answer) == (404, "not_found")


def test_the_same_file_again_changes_nothing(house: House, spent: dict[str, int]) -> None:
    text = f"{HEADER}{day(house, 5)},-75.00,one,\n"
    first, again = import_statement(house, text), import_statement(house, text, name="copy.csv")
    assert (again.status_code, again.json()["_id"]) == (200, first.json()["_id"])
    assert StatementLine.objects.filter(business=house.business).count() == 1
    assert house.get("/accounting/bank-statements").json()["total"] == 1
    assert house.get(f"/accounting/bank-statements/{first.json()['_id']}").json() == again.json()


def test_the_columns_of_other_banks_are_read_too(house: House, spent: dict[str, int]) -> None:
    rows = f"Value Date;Details;Debit;Credit\n{day(house, 5):%d/%m/%Y};Cloud;75.00;\n{day(house, 6):%d.%m.%Y};In;;1,250.00\n"
    assert import_statement(house, "\ufeff" + rows).status_code == 201
    assert [(row["amount"], row["status"]) for row in lines(house)] == [(-75, "MATCHED"), (1250, "UNMATCHED")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("just,words\n1,2\n", 422), (HEADER, 422), (f"{HEADER}2026-02-30,1,x,\n", 422),
        (f"{HEADER}2026-02-03,1.005,x,\n", 422), (f"{HEADER}2026-02-03,0,x,\n", 422),
        (f"{HEADER}2026-02-03,1e99,x,\n", 422), (f"{HEADER}2026-02-03\n", 422), (f"{HEADER}2026-02-03,NaN,x,\n", 422),
        ("<html></html>", 415), ("", 422), (HEADER + "2026-02-03,1,x,\n" * 10_001, 422),
    ],
)  # fmt: skip
def test_a_file_that_is_no_statement_is_refused_whole(house: House, text: str, expected: int) -> None:
    answer = import_statement(house, text)
    assert answer.status_code == expected, answer.json()
    assert StatementLine.objects.filter(business=house.business).count() == 0


def test_wrong_lines_are_named(house: House) -> None:
    answer = import_statement(house, f"{HEADER}2026-02-03,1,ok,\n2026-02-30,1,bad,\n2026-02-03,x,bad,\n")
    assert [error["field"] for error in answer.json()["errors"]] == ["file.3", "file.4"]


def test_unmatched_lines_keep_a_month_from_closing_unseen(house: House) -> None:
    import_statement(house, f"{HEADER}{day(house)},-12.34,fee,\n")
    assert code(close(house, month(house, 1))) == (409, "open_items")
    assert close(house, month(house, 1), accept_open_items=True).status_code == 200


def test_who_reads_imports_and_matches(house: House, spent: dict[str, int]) -> None:
    text = f"{HEADER}{day(house, 3)},-50.00,x,\n"
    for who in ("Carla", "Rita", "Sam"):
        assert code(import_statement(house, text, by=who)) == (403, "insufficient_role")
    assert import_statement(house, text, by="Apollo").status_code == 201
    [line] = lines(house)
    for who in ("Carla", "Rita", "Sam"):
        for verb in ("match", "unmatch"):
            body = {"ledger_transaction_id": spent["pay:A100"]} if verb == "match" else None
            answer = house.post(f"/accounting/bank-lines/{line['_id']}/{verb}", body, by=who)
            assert code(answer) == (403, "insufficient_role")
    for path in ("bank-statements", "bank-lines", "unmatched-entries"):
        assert house.get(f"/accounting/{path}", by="Sam").status_code == 200
        for who in ("Carla", "Rita"):
            assert code(house.get(f"/accounting/{path}", by=who)) == (403, "insufficient_role")


def test_another_businesss_lines_are_404(house: House, spent: dict[str, int]) -> None:
    created = import_statement(house, f"{HEADER}{day(house, 3)},-50.00,x,\n").json()
    [line], other = lines(house), House()
    assert code(other.get(f"/accounting/bank-statements/{created['_id']}")) == (404, "not_found")
    body = {"ledger_transaction_id": spent["pay:A100"]}
    assert code(other.post(f"/accounting/bank-lines/{line['_id']}/match", body)) == (404, "not_found")
    assert code(other.post(f"/accounting/bank-lines/{line['_id']}/unmatch")) == (404, "not_found")
    assert lines(other) == []
    assert code(import_statement(other, HEADER, ref="77")) == (404, "not_found")


def test_entries_page_by_their_number(house: House, spent: dict[str, int]) -> None:
    first = house.get("/accounting/unmatched-entries?limit=4").json()
    rest = house.get(f"/accounting/unmatched-entries?limit=4&before_seq={first['next_before_seq']}").json()
    assert [row["ref"] for row in first["docs"] + rest["docs"]][:5] == list(reversed(spent))
    assert rest["next_before_seq"] is None
    for query in ("before_seq=0", f"before_seq={2**63}", "limit=0", "accountref=%00", "from=2026-02-02&to=2026-01-01"):
        assert code(house.get(f"/accounting/unmatched-entries?{query}")) == (400, "invalid_parameters")
