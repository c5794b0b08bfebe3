"""What is suggested for an unmatched line: why, how sure, and never surer than what else fits."""

from datetime import timedelta

import pytest

from service.accounting.bank_rules import is_of, rules_of
from service.accounting.models import BankRule, StatementLine
from tests.service.accounting.conftest import month, spend
from tests.service.accounting.test_matches import bring, open_entries, open_lines, suggested
from tests.service.house import House, code


def test_sums_and_stored_rules_are_suggested_with_their_reason(house: House) -> None:
    first = month(house, 1).first
    for ref, minor in (("pay:1", 11_00), ("pay:2", 22_00), ("pay:3", 44_00)):
        spend(house, ref, minor, first + timedelta(days=3))
    spend(house, "pay:4", 50_00, first + timedelta(days=20))
    spend(house, "pay:5", 9_00, first + timedelta(days=25))
    spend(house, "pay:6", 9_00, first + timedelta(days=26), "Other")
    rule = {"name": "Fees", "text": "ban", "reference": "FEE-*", "type": "EXPENSE"}
    made = house.post("/accounting/bank-rules", rule)
    assert made.status_code == 201, made.json()
    bring(house, [(3, -77_00, ""), (20, -20_00, ""), (20, -30_00, ""), (25, -9_00, "FEE-12")])
    found = house.get("/accounting/bank-matches/suggestions").json()
    kinds = {(row["rule"], len(row["lines"]), len(row["entries"])) for row in found["docs"]}
    assert {("SUM", 1, 3), ("SUM", 2, 1)} <= kinds
    assert all(row["reason"] for row in found["docs"])
    assert code(house.post("/accounting/bank-rules", rule)) == (409, "duplicate")
    assert house.post("/accounting/bank-rules", {"name": "Empty", "type": "FEE"}).status_code == 422
    assert house.send("DELETE", f"/accounting/bank-rules/{made.json()['_id']}").status_code == 200
    assert house.get("/accounting/bank-rules").json()["total"] == 0


def test_a_match_says_by_what_it_was_found_only_where_that_is_so(house: House) -> None:
    first = month(house, 1).first
    spend(house, "pay:ACME77", 500_00, first)
    spend(house, "pay:OTHER1", 800_00, first)
    bring(house, [(0, -500_00, "ACME77"), (0, -900_00, "")])
    named, unnamed = sorted(open_lines(house), key=lambda row: row["number"])
    by_amount = {row["amount_minor"]: row["seq"] for row in open_entries(house)}
    asked = {"org_wallet_ref": "1", "rule": "REFERENCE", "reason": "The reference is the same"}
    sides = {"line_ids": [unnamed["_id"]], "entry_seqs": [by_amount[-800_00]], "tolerance_minor": 100_00}
    claimed = house.post("/accounting/bank-matches", asked | sides).json()
    assert (claimed["rule"], claimed["reason"]) == ("FEE", "The amounts differ by no more than the tolerance for fees")
    suggested = house.post(
        "/accounting/bank-matches",
        asked | {"line_ids": [named["_id"]], "entry_seqs": [by_amount[-500_00]], "reason": ""},
    ).json()
    assert (suggested["rule"], suggested["reason"]) == ("REFERENCE", "The reference and the amount are the same")


def test_nothing_is_certain_that_something_else_fits_just_as_well(house: House) -> None:
    first = month(house, 1).first
    spend(house, "pay:1", 9_00, first)
    rule = {"name": "Fees", "text": "bank", "type": "EXPENSE"}
    assert house.post("/accounting/bank-rules", rule).status_code == 201
    bring(house, [(0, -9_00, "x"), (1, -9_00, "y")])
    assert suggested(house) == [("RULE", False)]
    done = house.post("/accounting/bank-matches/accept-certain", {"org_wallet_ref": "1"})
    assert done.json() == {"matched": 0}


def test_a_reference_two_lines_name_is_certain_for_neither(house: House) -> None:
    spend(house, "pay:INV-77", 9_00, month(house, 1).first)
    bring(house, [(0, -9_00, "INV-77"), (1, -9_00, "INV-77")])
    assert suggested(house) == [("REFERENCE", False)]


@pytest.mark.parametrize(
    ("reference", "text", "named"),
    [
        ("INV-7", "Paid INV-70", False), ("INV-7", "Paid INV-7.", True), ("INV-7", "Paid XINV-7", False),
        ("Mpesa", "Mpesa to a shop", False), ("7731", "Acme 7731", True), ("7731", "Acme 77310", False),
    ],
)  # fmt: skip
def test_a_reference_is_named_as_a_whole_word(house: House, reference: str, text: str, named: bool) -> None:
    spend(house, "pay:1", 9_00, month(house, 1).first, text)
    bring(house, [(0, -9_00, reference)])
    assert suggested(house) == [("REFERENCE" if named else "DAY", True)]


def test_the_amount_of_a_rule_is_of_a_currency(house: House) -> None:
    spend(house, "pay:1", 9_00, month(house, 1).first)
    spend(house, "pay:2", 9_00, month(house, 1).first)
    bring(house, [(0, -9_00, "x")])
    rule = {"name": "Fee", "amount_minor": -9_00, "type": "EXPENSE"}
    assert code(house.post("/accounting/bank-rules", rule)) == (422, "validation_failed")
    kept = house.post("/accounting/bank-rules", rule | {"currency": "USD"})
    assert (kept.status_code, kept.json()["currency"]) == (201, "USD")
    line = StatementLine.objects.get(business=house.business)
    caller_rules = BankRule.objects.filter(business=house.business)
    assert [row.currency for row in caller_rules] == ["USD"]
    assert is_of(caller_rules[0], line)
    assert rules_of(house.caller(), "KES") == []
    assert rules_of(house.caller(), "USD") == list(caller_rules)
