"""A day of 120,000 entries: its ledger is streamed without being held, and it is exported in slices that are the whole."""

import csv
import tracemalloc
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.accounting import books
from service.accounting.models import ExportedEntry, JournalExport
from service.accounts.wallets import wallet_by_ref
from service.auth import system_caller
from service.ledger.chart import system_account
from service.ledger.post import Leg, post
from tests.service.accounting.conftest import month, spend
from tests.service.accounting.test_journal_exports import digest_of, export, lines_of, undo
from tests.service.house import House, code, rolled_back

LEGS = 500


def large_day(house: House, entries: int, day: date) -> None:
    """So many entries of one day, LEGS to a posting."""
    paying, other = wallet_by_ref(house.business, "1"), system_account(house.business, "BANK_FLOAT", "KES")
    for number in range(entries // LEGS):
        legs = [*(Leg(paying.ledger_account_id, 100 + place) for place in range(LEGS - 1))]
        legs.append(Leg(other.pk, -sum(leg.amount_minor for leg in legs)))
        post(house.business, f"{day}:{number}", "TOPUP", legs, "Paid in", day)


def claim(house: House, first: date, last: date, most: int | None, **more: Any) -> Any:
    body = {"from": str(first), "to": str(last), **more, **({} if most is None else {"most_lines": most})}
    return house.post("/accounting/journal-exports", body)


def slices(house: House, first: date, last: date, most: int) -> list[list[dict[str, Any]]]:
    """The lines of as many exports as it takes, each of so many lines."""
    parts: list[list[dict[str, Any]]] = []
    is_partial: list[bool] = []
    while (answer := claim(house, first, last, most)).status_code == 201:
        lines = lines_of(house, answer.json()["_id"])
        assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
        assert answer.json()["sha256"] == digest_of(lines)
        parts.append(lines)
        is_partial.append(answer.json()["is_partial"])
    assert code(answer) == (409, "nothing_to_export")
    # Each says whether lines of its days are left to the next one.
    assert is_partial == [True] * (len(parts) - 1) + [False]
    return parts


def undo_all(house: House) -> None:
    for row in JournalExport.objects.filter(business=house.business, status="LIVE").order_by("-number"):
        assert undo(house, row.id).status_code == 200


def unnumbered(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "number"}


@settings(max_examples=15)
@given(
    days=st.lists(st.integers(0, 3), min_size=1, max_size=8),
    most=st.integers(1, 9),
)
def test_slices_of_any_length_are_the_whole_in_its_order(house: House, days: list[int], most: int) -> None:
    period = month(house, 1)
    with rolled_back(house):
        for place, day in enumerate(days):
            spend(house, f"slice:{place}", 100 + place, period.first.replace(day=1 + day))
        parts = slices(house, period.first, period.last, most)
        for lines in parts:
            # All lines of a posting together: more than `most` only where one posting alone has more.
            assert len(lines) <= most or len({line["ledger_transaction_id"] for line in lines}) == 1
            assert sum(line["amount_minor"] for line in lines) == 0
        undo_all(house)
        whole = lines_of(house, export(house, period.first, period.last).json()["_id"])
        assert [unnumbered(line) for lines in parts for line in lines] == [unnumbered(line) for line in whole]


def test_by_posting_the_ledger_has_the_same_entries_posting_by_posting(past: House) -> None:
    name = month(past, 1).name

    def rows(query: str) -> list[dict[str, str]]:
        answer = past.get(f"/accounting/periods/{name}/general-ledger{query}")
        return list(csv.DictReader(b"".join(answer.streaming_content).decode().splitlines()))

    by_posting = rows("?order=posting")
    keys = [(row["effective_on"], int(row["transaction_id"]), int(row["account_id"])) for row in by_posting]
    assert keys == sorted(keys)
    assert sorted(by_posting, key=str) == sorted(rows(""), key=str)
    assert past.get(f"/accounting/periods/{name}/general-ledger?order=amount").status_code == 400


def test_an_export_that_would_correct_what_its_caller_does_not_know_claims_nothing(past: House) -> None:
    last = month(past, 1)
    first = export(past, last.first, last.last).json()
    spend(past, "more", 7_00, last.first)
    bank = system_account(past.business, "BANK_FLOAT", "KES").pk
    with rolled_back(past):
        # As if the first export had said something else of its lines.
        ExportedEntry.objects.filter(export=first["_id"], ledger_account_id=bank).update(team_id="elsewhere")
        days = {"from": str(last.first), "to": str(last.last)}
        waiting = past.get(f"/accounting/journal-exports/pending?from={last.first}&to={last.last}").json()
        assert waiting["corrected_exports"] == [first["number"]]
        assert waiting["line_count"] > 2
        refused = past.post("/accounting/journal-exports", {**days, "correctable": []})
        assert code(refused) == (409, "corrected_unknown")
        again = past.get(f"/accounting/journal-exports/pending?from={last.first}&to={last.last}").json()
        assert again == waiting
        assert JournalExport.objects.filter(business=past.business).count() == 1
        known = past.post("/accounting/journal-exports", {**days, "correctable": [first["number"]]})
        assert known.status_code == 201


@pytest.mark.full
def test_a_day_of_120_000_entries_is_streamed_flat_and_exported_in_slices(house: House) -> None:
    day, small = month(house, 1).first, month(house, 2).first
    large_day(house, 12_000, small)
    large_day(house, 120_000, day)
    caller = system_caller(house.business)

    def peak(back: int, order: str) -> tuple[int, int]:
        tracemalloc.start()
        count = sum(1 for _ in books.general_ledger_lines(caller, month(house, back), order)) - 1
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return count, most

    for order in ("account", "posting"):
        (few, flat), (many, most) = peak(2, order), peak(1, order)
        assert (few, many) == (12_000, 120_000)
        assert most <= flat * 1.2, (flat, most)
    period = month(house, 1)
    parts = slices(house, period.first, period.last, 50_000)
    assert [len(lines) for lines in parts] == [50_000, 50_000, 20_000]
    undo_all(house)
    whole = lines_of(house, export(house, period.first, period.last).json()["_id"])
    assert [unnumbered(line) for lines in parts for line in lines] == [unnumbered(line) for line in whole]
