"""A closing balance holds the lines of its own statement and of those before it, whatever days they bear."""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service.accounting.conftest import month
from tests.service.accounting.test_matches import PATH, bring
from tests.service.house import House, rolled_back


def days(house: House, first: int, last: int) -> dict[str, Any]:
    """From and to, counted in days after the first of the last month."""
    begin = month(house, 1).first
    return {"from": str(begin + timedelta(days=first)), "to": str(begin + timedelta(days=last))}


def missing(house: House, statement: dict[str, Any]) -> int:
    figures = house.get(f"/accounting/bank-statements/{statement['_id']}/proof").json()
    minor: int = figures["missing_minor"]
    return minor


def test_a_line_of_the_next_statement_may_bear_a_day_of_this_one(house: House) -> None:
    first = bring(house, [(3, -5_00, "a"), (15, -6_00, "b")], **days(house, 0, 15))
    following = bring(house, [(14, -7_00, "c"), (20, -9_00, "d")], -11_00, **days(house, 14, 25))
    assert (missing(house, first), missing(house, following)) == (0, 0)


def test_statements_of_one_day_follow_each_other_by_their_balances(house: House) -> None:
    afternoon = bring(house, [(4, -7_00, "b")], -5_00, **days(house, 4, 4))
    morning = bring(house, [(4, -5_00, "a")], 0, **days(house, 4, 4))
    assert (missing(house, morning), missing(house, afternoon)) == (0, 0)


def test_a_statement_without_movement_stands_before_the_one_that_goes_on(house: House) -> None:
    morning = bring(house, [(4, -10_00, "a")], **days(house, 4, 4))
    evening = bring(house, [(4, -15_00, "c")], -10_00, **days(house, 4, 4))
    noon = bring(house, [], -10_00, **days(house, 4, 4))
    assert [missing(house, row) for row in (morning, noon, evening)] == [0, 0, 0]


def test_the_statement_of_a_month_stands_beside_those_of_its_days(house: House) -> None:
    whole = bring(house, [(1, -1_00, "a"), (2, -2_00, "b"), (3, -3_00, "c")])
    second = bring(house, [(2, -2_00, "b")], -1_00, **days(house, 2, 2))
    assert second["skipped"] == 1
    assert (missing(house, whole), missing(house, second)) == (0, 0)


def test_a_statement_that_was_left_out_is_missing_still(house: House) -> None:
    bring(house, [(1, -1_00, "a")], **days(house, 0, 1))
    last = bring(house, [(5, -5_00, "c")], -3_00, **days(house, 4, 6))
    assert missing(house, last) == -2_00
    bring(house, [(3, -2_00, "b")], -1_00, **days(house, 2, 3))
    assert missing(house, last) == 0


Bookings = list[tuple[int, int, int]]


def statement_body(house: House, bookings: Bookings, begin: int, end: int, bank_id: str = "B{}") -> dict[str, Any]:
    """Bookings begin to end of a list of (days after the one before, day of value less day of booking, minor units)."""
    first, opening = month(house, 1).first + timedelta(days=5), sum(minor for _, _, minor in bookings[:begin])
    booked, day = [], first
    for apart, _, _ in bookings:
        day += timedelta(days=apart)
        booked.append(day)
    lines = [
        {"number": place, "day": str(booked[row] + timedelta(days=bookings[row][1])), "amount_minor": bookings[row][2],
         "description": "Bank", "bank_id": bank_id.format(row)}
        for place, row in enumerate(range(begin, end), start=1)
    ]  # fmt: skip
    of_lines = [date.fromisoformat(str(line["day"])) for line in lines]
    whole = {
        "org_wallet_ref": "1", "file_name": "bank.xml", "source_format": "MT940", "currency": "KES", "account": "KE1",
        "from": str(min([booked[begin], *of_lines])), "to": str(max([booked[end - 1], *of_lines])),
        "opening_minor": opening, "closing_minor": opening + sum(minor for _, _, minor in bookings[begin:end]),
        "lines": lines,
    }  # fmt: skip
    return {"sha256": sha256(repr((whole, begin, end, bank_id)).encode()).hexdigest(), **whole}


@settings(max_examples=12)
@given(
    bookings=st.lists(
        st.tuples(st.integers(0, 2), st.integers(-2, 0), st.sampled_from([-100, -210, -330, 470])),
        min_size=3,
        max_size=8,
    ),
    cuts=st.sets(st.integers(1, 7), max_size=3),
    draw=st.randoms(use_true_random=False),
)
def test_whatever_statements_are_cut_from_an_account_each_is_proven(
    house: House, bookings: Bookings, cuts: set[int], draw: Any
) -> None:
    """Statements that share days, with lines of a day of value before that of booking; one brought again in another format is
    told, and taken back changes nothing."""
    with rolled_back(house):
        places = [0, *sorted(cut for cut in cuts if cut < len(bookings)), len(bookings)]
        brought = []
        for begin, end in pairwise(places):
            answer = house.post(PATH, statement_body(house, bookings, begin, end))
            assert answer.status_code == 201, answer.json()
            brought.append(answer.json())
            if draw.random() < 0.3:
                assert house.post(PATH, statement_body(house, bookings, begin, end)).json()["_id"] == brought[-1]["_id"]
        assert [missing(house, row) for row in brought] == [0] * len(brought)
        begin, end = draw.choice(list(pairwise(places)))
        other_format = statement_body(house, bookings, begin, end, bank_id="")
        findings = house.post("/accounting/bank-statements/check", other_format).json()["findings"]
        assert "alike" in {finding["code"] for finding in findings}
        doubled = house.post(PATH, other_format).json()
        removed = house.post(f"/accounting/bank-statements/{doubled['_id']}/remove", {"reason": "It is there already."})
        assert removed.status_code == 200
        assert [missing(house, row) for row in brought] == [0] * len(brought)
