"""Whatever is imported, matched and undone: no line and no entry is of two matches, undo restores, the proof is zero."""

from collections import Counter
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from service.accounting.models import BankMatch, MatchedEntry, StatementLine
from service.accounts.wallets import wallet_by_ref
from service.ledger.models import LedgerEntry
from tests.service.accounting.conftest import close, month, spend
from tests.service.house import House, code, rolled_back

PATH = "/accounting/bank-statements/lines"


def body(house: House, rows: list[tuple[int, int, str]], opening: int = 0, **changed: Any) -> dict[str, Any]:
    """A statement of the last month: rows are days after its first, minor units, a reference."""
    first = month(house, 1).first
    lines = [
        {"number": place, "day": str(first + timedelta(days=day)), "amount_minor": minor, "description": "Bank",
         "reference": reference}
        for place, (day, minor, reference) in enumerate(rows, start=1)
    ]  # fmt: skip
    whole = {
        "org_wallet_ref": "1", "file_name": "bank.xml", "source_format": "CAMT053", "currency": "KES", "account": "KE1",
        "from": str(first), "to": str(month(house, 1).last), "opening_minor": opening,
        "closing_minor": opening + sum(minor for _, minor, _ in rows), "lines": lines, **changed,
    }  # fmt: skip
    return {"sha256": sha256(repr(whole).encode()).hexdigest(), **whole}


def bring(house: House, rows: list[tuple[int, int, str]], opening: int = 0, **changed: Any) -> dict[str, Any]:
    answer = house.post(PATH, body(house, rows, opening, **changed))
    assert answer.status_code in {200, 201}, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def open_lines(house: House) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = house.get("/accounting/bank-lines?status=UNMATCHED&limit=1000").json()["docs"]
    return sorted(rows, key=lambda row: (row["day"], row["number"]))


def open_entries(house: House) -> list[dict[str, Any]]:
    """Those of the last month."""
    chosen = month(house, 1)
    query = f"from={chosen.first}&to={chosen.last}&limit=1000"
    rows: list[dict[str, Any]] = house.get(f"/accounting/unmatched-entries?{query}").json()["docs"]
    return rows


def put(house: House, lines: list[str], seqs: list[int], tolerance: int = 0, by: str = "Ada") -> Any:
    asked = {"org_wallet_ref": "1", "line_ids": lines, "entry_seqs": seqs, "tolerance_minor": tolerance}
    return house.post("/accounting/bank-matches", asked, by=by)


def state(house: House) -> list[tuple[Any, ...]]:
    """Everything that a match changes, versions and times apart."""
    lines = StatementLine.objects.filter(business=house.business).order_by("id")
    return [
        *lines.values_list("id", "day", "amount_minor", "description", "reference", "status", "match_id"),
        *MatchedEntry.objects.filter(match__business=house.business)
        .order_by("id")
        .values_list("match_id", "entry_seq"),
    ]


def proof(house: House, statement: dict[str, Any]) -> dict[str, Any]:
    """The proof, checked against both unmatched sides as they are listed."""
    found: dict[str, Any] = house.get(f"/accounting/bank-statements/{statement['_id']}/proof").json()
    explained = (
        found["books_minor"] + found["unmatched_lines_minor"] - found["unmatched_entries_minor"]
        + found["fees_minor"] + found["carried_minor"]
    )  # fmt: skip
    assert found["closing_minor"] == explained + found["missing_minor"]
    assert found["unmatched_lines_minor"] == sum(row["amount_minor"] for row in open_lines(house))
    assert found["unmatched_entries_minor"] == sum(row["amount_minor"] for row in open_entries(house))
    return found


@settings(max_examples=12)
@given(
    entries=st.lists(st.tuples(st.integers(0, 9), st.sampled_from([100, 200, 300])), min_size=1, max_size=5),
    lines=st.lists(st.tuples(st.integers(0, 9), st.sampled_from([-100, -200, -300, -310])), min_size=1, max_size=5),
    steps=st.lists(st.tuples(st.sampled_from(["accept", "hand", "undo", "again"]), st.integers(0, 99)), max_size=6),
    opening=st.integers(-5_000, 5_000),
)
def test_whatever_is_done_nothing_is_of_two_matches_and_the_proof_holds(
    house: House,
    entries: list[tuple[int, int]],
    lines: list[tuple[int, int]],
    steps: list[tuple[str, int]],
    opening: int,
) -> None:
    with rolled_back(house):
        first = month(house, 1).first
        for place, (day, minor) in enumerate(entries):
            spend(house, f"pay:P{place}", minor, first + timedelta(days=day))
        statement = bring(house, [(day, minor, "") for day, minor in lines], opening)
        for what, draw in steps:
            free_lines, free_entries, made = (
                open_lines(house),
                open_entries(house),
                list(BankMatch.objects.filter(business=house.business).order_by("id")),
            )
            if what == "accept":
                assert house.post("/accounting/bank-matches/accept-certain", {"org_wallet_ref": "1"}).status_code == 200
            elif what == "hand" and free_lines and free_entries:
                before = state(house)
                done = put(
                    house, [free_lines[draw % len(free_lines)]["_id"]],
                    [free_entries[draw % len(free_entries)]["seq"]], 10 * (draw % 2),
                )  # fmt: skip
                if done.status_code == 201 and draw % 3 == 0:
                    house.post(f"/accounting/bank-matches/{done.json()['_id']}/undo")
                    assert state(house) == before
                elif done.status_code != 201:
                    assert state(house) == before
            elif what == "undo" and made:
                assert house.post(f"/accounting/bank-matches/{made[draw % len(made)].id}/undo").status_code == 200
            elif what == "again":
                bring(house, [(day, minor, "") for day, minor in lines], opening)
            found = proof(house, statement)
            assert found["missing_minor"] == 0
            assert found["proven"] is (found["carried_minor"] == 0)
        held = Counter(MatchedEntry.objects.filter(match__business=house.business).values_list("entry_seq", flat=True))
        assert all(count == 1 for count in held.values())
        assert StatementLine.objects.filter(business=house.business).count() == len(lines)
        for match in BankMatch.objects.filter(business=house.business):
            gap = sum(line.amount_minor for line in match.lines.all()) - sum(
                e.amount_minor for e in match.entries.all()
            )
            assert gap == match.difference_minor
            assert abs(gap) <= match.tolerance_minor


def test_several_to_several_and_the_database_refuses_an_entry_twice(house: House) -> None:
    first = month(house, 1).first
    for ref, minor in (("pay:a", 70_00), ("pay:b", 30_00)):
        spend(house, ref, minor, first)
    bring(house, [(0, -60_00, ""), (0, -40_00, "")])
    lines, entries = open_lines(house), open_entries(house)
    done = put(house, [row["_id"] for row in lines], [row["seq"] for row in entries])
    assert done.status_code == 201, done.json()
    assert (open_lines(house), open_entries(house)) == ([], [])
    held = MatchedEntry.objects.filter(match_id=done.json()["_id"])[0]
    held.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        held.save(force_insert=True)
    assert code(put(house, [lines[0]["_id"]], [entries[0]["seq"]])) == (409, "invalid_state")


def test_fees_stand_within_the_stated_tolerance_alone(house: House) -> None:
    spend(house, "pay:fee", 100_00, month(house, 1).first)
    statement = bring(house, [(0, -101_50, "")])
    [line], [entry] = open_lines(house), open_entries(house)
    assert code(put(house, [line["_id"]], [entry["seq"]], 1_49)) == (422, "validation_failed")
    [suggested] = house.get("/accounting/bank-matches/suggestions?tolerance_minor=150").json()["docs"]
    assert (suggested["rule"], suggested["difference_minor"], suggested["certain"]) == ("FEE", -1_50, False)
    assert put(house, [line["_id"]], [entry["seq"]], 1_50).status_code == 201
    assert proof(house, statement)["fees_minor"] == -1_50


def test_overlapping_statements_bring_each_line_once(house: House) -> None:
    rows = [(1, -5_00, ""), (1, -5_00, ""), (2, -7_00, "x")]
    first = bring(house, rows)
    again = bring(house, rows, file_name="copy.xml", sha256="a" * 64)
    assert (first["line_count"], again["line_count"], again["skipped"]) == (3, 0, 3)
    more = bring(house, [*rows, (3, -9_00, "")], file_name="longer.xml")
    assert (more["line_count"], more["skipped"]) == (1, 3)
    assert bring(house, rows)["_id"] == first["_id"]
    assert StatementLine.objects.filter(business=house.business).count() == 4


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"currency": "EUR"}, "other_currency"), ({"closing_minor": 1}, "wrong_closing"), ({"account": "KE2", "opening_minor": -6_00, "closing_minor": -13_00}, "other_account"),
        ({"to": "2020-01-01"}, "days"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_statement_blocks_it_whole(house: House, changed: dict[str, Any], found: str) -> None:
    bring(house, [(1, -5_00, "")])
    asked = body(house, [(2, -7_00, "")], -5_00, **changed)
    checked = house.post("/accounting/bank-statements/check", asked).json()
    assert not checked["importable"]
    assert found in {row["code"] for row in checked["findings"] if row["blocks"]}
    answer = house.post(PATH, asked)
    assert answer.status_code == 422
    assert found in {error["code"] for error in answer.json()["errors"]}
    assert StatementLine.objects.filter(business=house.business).count() == 1


def test_a_closed_period_stays_as_it_is(house: House) -> None:
    spend(house, "pay:closed", 5_00, month(house, 1).first)
    statement = bring(house, [(0, -5_00, "")])
    [line], [entry] = open_lines(house), open_entries(house)
    made = put(house, [line["_id"]], [entry["seq"]]).json()
    before = proof(house, statement)
    assert close(house, month(house, 1), accept_open_items=True).status_code == 200
    assert code(house.post(f"/accounting/bank-matches/{made['_id']}/undo")) == (409, "invalid_state")
    assert house.post(PATH, body(house, [(3, -9_00, "")], -5_00)).status_code == 422
    assert proof(house, statement) == before


def test_only_admins_match_and_the_books_are_read_by_the_office(house: House) -> None:
    spend(house, "pay:r", 5_00, month(house, 1).first)
    statement = bring(house, [(0, -5_00, "")])
    [line], [entry] = open_lines(house), open_entries(house)
    for who in ("Apollo", "Carla", "Rita"):
        assert code(put(house, [line["_id"]], [entry["seq"]], by=who)) == (403, "insufficient_role")
        assert code(house.post(PATH, body(house, [(2, -7_00, "")]), by=who)) == (403, "insufficient_role")
    for path in (f"bank-statements/{statement['_id']}/proof", "bank-matches", "bank-matches/suggestions", "bank-rules"):
        assert house.get(f"/accounting/{path}", by="Apollo").status_code == 200
        assert house.get(f"/accounting/{path}", by="Sam").status_code == 200
        assert code(house.get(f"/accounting/{path}", by="Carla")) == (403, "insufficient_role")
    assert put(house, [line["_id"]], [entry["seq"]], by="Sam").status_code == 201


def test_another_businesss_are_404(house: House) -> None:
    spend(house, "pay:o", 5_00, month(house, 1).first)
    statement = bring(house, [(0, -5_00, "")])
    [line], [entry] = open_lines(house), open_entries(house)
    made, other = put(house, [line["_id"]], [entry["seq"]]).json(), House()
    assert code(other.get(f"/accounting/bank-statements/{statement['_id']}/proof")) == (404, "not_found")
    assert code(other.post(f"/accounting/bank-matches/{made['_id']}/undo")) == (404, "not_found")
    assert code(put(other, [line["_id"]], [entry["seq"]])) == (404, "not_found")
    assert other.get("/accounting/bank-matches").json()["total"] == 0
    assert LedgerEntry.objects.filter(account=wallet_by_ref(house.business, "1").ledger_account_id).count() > 0


def suggested(house: House) -> list[tuple[str, bool]]:
    rows = house.get("/accounting/bank-matches/suggestions").json()["docs"]
    return [(row["rule"], row["certain"]) for row in rows]


def test_the_same_lines_in_another_format_are_told_before_they_are_doubled(house: House) -> None:
    rows = [(1, -5_00, "a"), (2, -7_00, "b")]
    bring(house, rows, source_format="CSV")
    again = body(house, [(1, -5_00, "REF A"), (2, -7_00, "REF B"), (3, -1_00, "c")])
    checked = house.post("/accounting/bank-statements/check", again).json()
    [alike] = [row for row in checked["findings"] if row["code"] == "alike"]
    assert "2 of the 3 new lines" in alike["message"]
    assert "alike" not in {
        row["code"] for row in house.post("/accounting/bank-statements/check", body(house, rows)).json()["findings"]
    }


def test_what_blocks_a_statement_is_told_first(house: House) -> None:
    rows = [(day % 20, -(day + 1), "") for day in range(60)]
    bring(house, rows)
    asked = body(house, [*rows, (25, -9_99, "")], currency="EUR")
    findings = house.post("/accounting/bank-statements/check", asked).json()["findings"]
    blocking = [row["blocks"] for row in findings]
    assert blocking == sorted(blocking, reverse=True)
    assert findings[0]["code"] == "other_currency"
    assert "overlap" in {row["code"] for row in findings[:5]}


def test_one_match_of_a_wallet_is_listed_by_its_id(house: House) -> None:
    spend(house, "pay:1", 9_00, month(house, 1).first)
    bring(house, [(0, -9_00, "x")])
    [line], [entry] = open_lines(house), open_entries(house)
    made = put(house, [line["_id"]], [entry["seq"]]).json()["_id"]
    assert house.get(f"/accounting/bank-matches?accountref=1&match_id={made}").json()["total"] == 1
    assert house.get(f"/accounting/bank-matches?accountref=2&match_id={made}").json()["total"] == 0
    assert house.get(f"/accounting/bank-matches?match_id={'0' * 24}").json()["total"] == 0
