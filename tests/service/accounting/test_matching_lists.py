"""What the desk of a wallet lists: both unmatched sides, suggestions and matches, paged, searched and by day; nothing is out of
reach."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from service.accounting import suggestions
from service.accounts.wallets import wallet_by_ref
from service.auth import system_caller
from tests.service.accounting.conftest import month, spend
from tests.service.accounting.test_matches import bring, put
from tests.service.house import House


def shown(house: House, path: str, **query: Any) -> list[dict[str, Any]]:
    """The rows of a list of the wallet's, as they come."""
    answer = house.get(f"/accounting/{path}?{urlencode({'accountref': '1', **query})}")
    assert answer.status_code == 200, answer.json()
    rows: list[dict[str, Any]] = answer.json()["docs"]
    return rows


def test_lines_are_listed_by_their_day_whichever_file_brought_them_and_walked_by_cursor(house: House) -> None:
    bring(house, [(5, -500, "late"), (2, -200, "early")])
    bring(house, [(4, -400, "between"), (5, -501, "late too")], sha256="1" * 64)
    assert [row["reference"] for row in shown(house, "bank-lines")][2:] == ["between", "early"]
    walked, cursor = [], ""
    for _ in range(4):
        query = {"limit": 1, **({"cursor": cursor} if cursor else {})}
        answer = house.get(f"/accounting/bank-lines?{urlencode(query)}").json()
        walked += [row["reference"] for row in answer["docs"]]
        cursor = answer["next_cursor"] or ""
    assert walked == [row["reference"] for row in shown(house, "bank-lines")]
    assert not cursor


def test_both_sides_are_searched_by_text_amount_and_day(house: House) -> None:
    for place, amount in enumerate((7, 9, 9)):
        spend(house, f"spent:{place}", amount * 100, month(house, 1).first + timedelta(days=2))
    bring(house, [(1, -700, "INV-7"), (2, -900, "INV-9"), (3, 900, "back")])
    assert {row["reference"] for row in shown(house, "bank-lines", search="inv")} == {"INV-7", "INV-9"}
    assert {row["reference"] for row in shown(house, "bank-lines", amount_minor=900)} == {"INV-9", "back"}
    chosen = month(house, 1)
    days = {"from": chosen.first, "to": chosen.last}
    assert len(shown(house, "unmatched-entries", amount_minor=900, **days)) == 2
    kind = shown(house, "unmatched-entries", **days)[0]["type"]
    assert len(shown(house, "unmatched-entries", search=kind.lower(), **days)) == 3
    assert shown(house, "unmatched-entries", search="no such words") == []


def test_entries_of_before_the_first_statement_are_left_out_where_that_is_asked(house: House) -> None:
    spend(house, "before", 700, month(house, 2).first)
    spend(house, "within", 800, month(house, 1).first)
    bring(house, [(1, -1, "x")])
    amounts = [row["amount_minor"] for row in shown(house, "unmatched-entries", since_first_statement="true")]
    assert -800 in amounts
    assert -700 not in amounts
    assert -700 in [row["amount_minor"] for row in shown(house, "unmatched-entries")]


def test_suggestions_and_matches_page_and_are_searched_by_their_lines(house: House) -> None:
    for place in range(5):
        spend(house, f"spent:{place}", 100 * (10 + place), month(house, 1).first + timedelta(days=2))
    bring(house, [(2, -100 * (10 + place), f"INV-{place}") for place in range(5)])
    pages = [shown(house, "bank-matches/suggestions", limit=2, page=page) for page in (1, 2, 3)]
    lines = [row["lines"][0]["reference"] for rows in pages for row in rows]
    assert [len(rows) for rows in pages] == [2, 2, 1]
    assert sorted(lines) == [f"INV-{place}" for place in range(5)]
    [one] = shown(house, "bank-matches/suggestions", search="inv-3")
    assert one["lines"][0]["amount_minor"] == -1300
    assert [row["lines"][0]["reference"] for row in shown(house, "bank-matches/suggestions", amount_minor=1100)] == [
        "INV-1"
    ]
    filtered = house.get("/accounting/bank-matches/suggestions?accountref=1&search=inv-3").json()
    assert (filtered["total"], filtered["certain"]) == (1, 5)
    assert (
        house.post("/accounting/bank-matches/accept-certain", {"org_wallet_ref": "1"}, by="Ada").json()["matched"] == 5
    )
    assert len(shown(house, "bank-matches")) == 5
    assert [row["lines"][0]["reference"] for row in shown(house, "bank-matches", search="INV-2")] == ["INV-2"]
    assert len(shown(house, "bank-matches", amount_minor=1400)) == 1
    assert shown(house, "bank-matches", **{"from": month(house, 0).first}) == []


def test_suggestions_go_on_by_key_whatever_is_matched_meanwhile(house: House) -> None:
    for place in range(6):
        spend(house, f"spent:{place}", 100 * (10 + place), month(house, 1).first + timedelta(days=2))
    bring(house, [(2, -100 * (10 + place), f"INV-{place}") for place in range(6)])
    path = "/accounting/bank-matches/suggestions?accountref=1&limit=2"
    whole = house.get(f"{path}&limit=100").json()
    assert whole["next_after"] is None
    seen: list[str] = []
    after = ""
    while after is not None:
        answer = house.get(f"{path}&after={after}").json()
        seen += [row["lines"][0]["_id"] for row in answer["docs"]]
        # The first of the page is matched before the next one is read: by its number that would leave one out.
        first = answer["docs"][0]
        body = {
            "org_wallet_ref": "1", "line_ids": [row["_id"] for row in first["lines"]],
            "entry_seqs": [row["seq"] for row in first["entries"]], "rule": first["rule"],
        }  # fmt: skip
        assert house.post("/accounting/bank-matches", body, by="Ada").status_code == 201
        after = answer["next_after"]
    assert seen == [row["lines"][0]["_id"] for row in whole["docs"]]
    assert house.get(f"{path}&after=x").status_code == 400


def test_statements_go_on_by_key(house: House) -> None:
    for place in range(3):
        bring(house, [(1 + place, -100 - place, f"s-{place}")], sha256=str(place) * 64)
    whole = [row["_id"] for row in shown(house, "bank-statements")]
    walked, cursor = [], ""
    for _ in whole:
        answer = house.get(f"/accounting/bank-statements?limit=1{f'&cursor={cursor}' if cursor else ''}").json()
        walked += [row["_id"] for row in answer["docs"]]
        cursor = answer["next_cursor"] or ""
    assert walked == whole
    assert len(whole) == 3
    assert not cursor


def test_a_period_says_how_many_lines_are_unmatched_of_which_wallet(house: House) -> None:
    bring(house, [(1, -100, "x"), (2, -200, "y")])
    shown_period = house.get(f"/accounting/periods/{month(house, 1).name}").json()
    assert shown_period["unmatched_lines"] == 2
    assert shown_period["unmatched_by_wallet"] == [{"org_wallet_ref": "1", "count": 2}]


def test_what_was_matched_while_the_certain_ones_were_looked_for_stays_as_it_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in range(3):
        spend(house, f"spent:{place}", 100 * (10 + place), month(house, 1).first + timedelta(days=2))
    bring(house, [(2, -100 * (10 + place), f"INV-{place}") for place in range(3)])
    [first] = shown(house, "bank-matches/suggestions", amount_minor=1000)
    found = suggestions.certain_suggestions

    def meanwhile(*asked: Any) -> Any:
        pairings = found(*asked)
        taken = put(house, [first["lines"][0]["_id"]], [first["entries"][0]["seq"]])
        assert taken.status_code == 201, taken.json()
        return pairings

    monkeypatch.setattr(suggestions, "certain_suggestions", meanwhile)
    owner = wallet_by_ref(house.business, "1")
    assert len(suggestions.accept_certain(system_caller(house.business), owner)) == 2
    rules = [row["rule"] for row in shown(house, "bank-matches", search="INV-0")]
    assert rules == ["BY_HAND"]
