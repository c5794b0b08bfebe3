"""Suggestions come a window of days after the other, each line in one alone; what is certain is known apart; sums are looked for
however many lines there are, and where they are not it is said."""

from datetime import date, timedelta
from typing import Any

import pytest

from service.accounting import pairings, suggestion_windows, suggestions
from service.accounting.models import StatementLine
from service.accounting.pairings import Unsearched, possible_pairings
from service.ledger.models import LedgerEntry, LedgerTransaction
from tests.service.accounting.conftest import close, month, spend
from tests.service.accounting.test_matches import PATH, body, bring
from tests.service.house import House

FIRST = date(2026, 1, 1)


def suggested(house: House, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"/accounting/bank-matches/suggestions?accountref=1{query}").json()
    return found


def line(number: int, day: int, amount: int) -> StatementLine:
    return StatementLine(
        id=f"{number:024x}", number=number, day=FIRST + timedelta(days=day), amount_minor=amount, description="Bank",
        reference="",
    )  # fmt: skip


def entry(seq: int, day: int, amount: int, kind: str = "") -> LedgerEntry:
    posted = LedgerTransaction(
        id=seq,
        effective_on=FIRST + timedelta(days=day),
        kind=kind or f"KIND{seq}",
        external_ref=f"x:{seq}",
        description="",
    )
    return LedgerEntry(account_id=1, seq=seq, amount=amount, transaction=posted)


def test_each_line_is_suggested_in_one_window_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestion_windows, "MOST_LINES", 3)
    first = month(house, 1).first
    rows = []
    for number in range(8):
        spend(house, f"pay:{number}", 100 + number, first + timedelta(days=2 * number))
        rows.append((2 * number, -(100 + number), f"R{number}"))
    bring(house, rows)
    seen, window, windows = [], "", []
    while window is not None:
        page = suggested(house, f"&window={window}" if window else "")
        seen += [line["amount_minor"] for row in page["docs"] for line in row["lines"]]
        windows.append((page["window_from"], page["window_to"]))
        assert page["left_out"] == 8 - len(page["docs"])
        window = page["following_window"]
    assert sorted(seen) == sorted(-(100 + number) for number in range(8))
    assert len(windows) == 3
    assert windows[0] == (str(first), str(first + timedelta(days=4)))
    # From a day on that somebody filters by.
    later = first + timedelta(days=10)
    assert suggested(house, f"&from={later}")["window_from"] == str(later)
    assert house.get("/accounting/bank-matches/certain?accountref=1").json() == {"certain": 8, "left_out": 0}
    accepted = house.post("/accounting/bank-matches/accept-certain", {"org_wallet_ref": "1"}).json()
    assert accepted == {"matched": 8}
    nothing = suggested(house)
    assert (nothing["docs"], nothing["window_from"], nothing["following_window"]) == ([], None, None)


def test_a_window_is_of_whole_days_and_no_longer_than_a_month(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestion_windows, "MOST_LINES", 2)
    monkeypatch.setattr(suggestion_windows, "MOST_DAYS", 3)
    first = month(house, 1).first
    bring(house, [(0, -1, "a"), (1, -2, "b"), (1, -3, "c"), (1, -4, "d"), (9, -5, "e")])
    spans, window = [], ""
    while window is not None:
        page = suggested(house, f"&window={window}" if window else "")
        spans.append((page["window_from"], page["window_to"], page["left_out"]))
        window = page["following_window"]
    days = [str(first + timedelta(days=day)) for day in range(10)]
    assert spans == [(days[0], days[0], 4), (days[1], days[1], 2), (days[9], days[9], 4)]


def test_lines_of_a_closed_period_are_in_no_window(house: House) -> None:
    bring(house, [(0, -1, "a")])
    assert suggested(house)["window_from"] == str(month(house, 1).first)
    assert close(house, month(house, 1), accept_open_items=True).status_code == 200
    assert suggested(house)["window_from"] is None


def test_a_sum_is_found_however_many_lines_are_open() -> None:
    many = [line(number, 7 * number, 1_000_000 + number) for number in range(1, 402)]
    of_sum = line(500, 3000, 700)
    pairings, unsearched = possible_pairings(
        [*many, of_sum], [entry(1, 3000, 300), entry(2, 3001, 400), entry(3, 3002, 50)]
    )
    [pairing] = pairings
    assert ([row.id for row in pairing.lines], [row.seq for row in pairing.entries]) == ([of_sum.id], [1, 2])
    assert unsearched == Unsearched([], [])
    # Several lines of one entry likewise.
    [pairing] = possible_pairings([*many, line(500, 3000, 300), line(501, 3001, 400)], [entry(1, 3000, 700)])[0]
    assert [row.number for row in pairing.lines] == [500, 501]


def test_where_no_sums_are_looked_for_it_is_said() -> None:
    entries = [entry(seq, 0, 1_000 + 2**seq) for seq in range(1, 16)]
    alone = line(1, 0, 5_000)
    assert possible_pairings([alone], entries) == ([], Unsearched([alone], []))
    lines = [line(number, 0, 1_000 + 2**number) for number in range(1, 16)]
    whole = entry(1, 0, 5_000)
    assert possible_pairings(lines, [whole]) == ([], Unsearched([], [whole]))
    # What is suggested in another way after all was not left without.
    [pairing], unsearched = possible_pairings([line(1, 0, 1_031)], entries, tolerance=1)
    assert (pairing.rule, unsearched) == ("FEE", Unsearched([], []))


def test_a_start_behind_the_last_line_says_how_many_lie_before_it(house: House) -> None:
    first = month(house, 1).first
    bring(house, [(0, -1, "a"), (1, -2, "b")])
    behind = suggested(house, f"&window={first + timedelta(days=9)}")
    assert (behind["docs"], behind["left_out"], behind["window_from"]) == ([], 2, None)
    assert suggested(house, f"&from={first + timedelta(days=9)}")["left_out"] == 2
    assert close(house, month(house, 1), accept_open_items=True).status_code == 200
    assert suggested(house)["left_out"] == 0


def test_sums_that_were_not_looked_for_are_counted_of_the_days_of_the_window_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggestion_windows, "MOST_DAYS", 2)
    monkeypatch.setattr(pairings, "MOST_SUMMANDS", 0)
    first = month(house, 1).first
    for day in (0, 6):
        spend(house, f"pay:{day}", 900 + day, first + timedelta(days=day))
    bring(house, [(0, -1, "a"), (1, -2, "b"), (6, -3, "c")])
    page = suggested(house)
    assert (page["window_from"], page["window_to"]) == (str(first), str(first + timedelta(days=1)))
    assert (page["unsearched_lines"], page["unsearched_entries"]) == (2, 1)


def test_what_is_certain_is_looked_for_behind_the_closed_days_and_it_is_said_where_lines_are_left_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggestions, "MOST_LINES", 2)
    closing, open_month = month(house, 2), month(house, 1)
    days = {"from": str(closing.first), "to": str(closing.first)}
    old = body(house, [(0, -1, "a"), (0, -2, "b")], **days)
    old["lines"] = [{**row, "day": str(closing.first)} for row in old["lines"]]
    assert house.post(PATH, old).status_code == 201
    for place in range(3):
        spend(house, f"pay:{place}", 100 + place, open_month.first + timedelta(days=10 + place))
    bring(house, [(10 + place, -100 - place, f"R{place}") for place in range(3)], -3)
    assert close(house, closing, accept_open_items=True).status_code == 200
    certain = house.get("/accounting/bank-matches/certain?accountref=1").json()
    assert certain == {"certain": 2, "left_out": 1}
