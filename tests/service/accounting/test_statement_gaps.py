"""Statements of a wallet that do not join, or lie over each other, are told before they are imported, in whichever order they come."""

from datetime import timedelta

from tests.service.accounting.conftest import month
from tests.service.accounting.test_matches import body, bring, proof
from tests.service.house import House


def test_a_gap_and_an_overlap_are_said_and_block_nothing(house: House) -> None:
    first = month(house, 1).first
    days = {"from": str(first), "to": str(first + timedelta(days=4))}
    bring(house, [(1, -5_00, "")], **days)
    later = {"from": str(first + timedelta(days=8)), "to": str(first + timedelta(days=12))}
    gap = house.post("/accounting/bank-statements/check", body(house, [(9, -7_00, "")], 1, **later)).json()
    assert gap["importable"]
    assert {row["code"] for row in gap["findings"]} == {"gap", "balance_gap"}
    overlap = house.post("/accounting/bank-statements/check", body(house, [(1, -5_00, ""), (9, -7_00, "")])).json()
    assert {row["code"] for row in overlap["findings"]} == {"overlap", "known"}
    missing = bring(house, [(9, -7_00, "")], 1, **later)
    assert proof(house, missing)["missing_minor"] == 5_01


def test_one_that_was_left_out_is_compared_with_the_next_too(house: House) -> None:
    first = month(house, 1).first
    later = {"from": str(first + timedelta(days=8)), "to": str(first + timedelta(days=12))}
    bring(house, [(9, -7_00, "")], -5_00, **later)
    earlier = {"from": str(first), "to": str(first + timedelta(days=4))}
    path = "/accounting/bank-statements/check"
    gap = house.post(path, body(house, [(1, -5_01, "")], **earlier)).json()
    assert gap["importable"]
    assert {row["code"] for row in gap["findings"]} == {"gap", "balance_gap"}
    assert (
        f"This statement ends on {first + timedelta(days=4)}, the next one begins on {first + timedelta(days=8)}."
        in {row["message"] for row in gap["findings"]}
    )
    joined = {"from": str(first), "to": str(first + timedelta(days=7))}
    assert house.post(path, body(house, [(1, -5_00, "")], **joined)).json()["findings"] == []
