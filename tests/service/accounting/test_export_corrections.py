"""What is filed otherwise after it was exported: the next export takes it back and says it anew, once, and only that."""

from __future__ import annotations

import threading
import time
from collections import Counter
from datetime import date
from typing import Any

import pytest
from django.db import connection, transaction

from service.accounting import export_corrections
from service.accounting.models import ExportedEntry
from service.categories.models import Subcategory
from service.expenses.models import Expense
from tests.service.accounting.conftest import month, spend
from tests.service.accounting.test_journal_exports import PATH, digest_of, export, lines_of, pending, undo
from tests.service.accounting.test_periods import bought
from tests.service.house import House, code


class Desk:
    """A purchase of the month before, filed under Fuel, in a month whose export was made."""

    def __init__(self, house: House) -> None:
        self.house, self.days = house, (month(house, 1).first, month(house, 1).last)
        rows = Subcategory.objects.filter(business=house.business)
        self.fuel, self.taxi = rows.get(name="Fuel").id, rows.get(name="Taxi").id
        self.expense = bought(house, self.days[0])
        self.file(self.fuel)
        self.first = export(house, *self.days).json()

    def file(self, subcategory_id: str, expense: Expense | None = None) -> None:
        address = f"/expenses/changeSubCategory/{(expense or self.expense).id}"
        assert self.house.post(address, {"subcategory_id": subcategory_id}).status_code == 200

    def corrections(self, limit: int = 100) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        after: str | None = ""
        while after is not None:
            first, last = self.days
            page = self.house.get(
                f"{PATH}/pending/corrections?from={first}&to={last}&after={after}&limit={limit}"
            ).json()
            rows += page["docs"]
            after = page["next_after"]
        return rows

    def export(self) -> dict[str, Any]:
        answer = export(self.house, *self.days)
        assert answer.status_code == 201, answer.json()
        return dict(answer.json())

    def net(self, *exports: dict[str, Any]) -> Counter[str | None]:
        """What the other sides of wallets come to under each subcategory over several exports."""
        sums: Counter[str | None] = Counter()
        for made in exports:
            for row in lines_of(self.house, made["_id"]):
                if row["account_kind"].endswith("_FLOAT"):
                    sums[row["subcategory_id"]] += row["amount_minor"]
        return Counter({key: minor for key, minor in sums.items() if minor})


@pytest.fixture
def desk(past: House) -> Desk:
    return Desk(past)


def test_it_is_taken_back_and_said_anew_in_the_next_export_and_only_once(desk: Desk) -> None:
    house = desk.house
    assert desk.corrections() == []
    assert pending(house, *desk.days)["correction_count"] == 0
    held = lines_of(house, desk.first["_id"])
    desk.file(desk.taxi)
    [row] = desk.corrections()
    assert (row["exported"]["subcategory_id"], row["now"]["subcategory_id"]) == (desk.fuel, desk.taxi)
    waiting = pending(house, *desk.days)
    assert (waiting["line_count"], waiting["correction_count"], waiting["posting_count"]) == (2, 1, 1)
    assert set(waiting["subcategory_ids"]) == {desk.fuel, desk.taxi}
    second = desk.export()
    back, anew = lines_of(house, second["_id"])
    assert (second["correction_count"], second["line_count"]) == (1, 2)
    assert (back["subcategory_id"], anew["subcategory_id"]) == (desk.fuel, desk.taxi)
    assert back["amount_minor"] == -anew["amount_minor"] == -row["amount_minor"]
    assert (back["correction"], anew["correction"]) == (-1, 1)
    assert back["description"].startswith("Correction: ")
    assert digest_of([back, anew]) == second["sha256"]
    # What the first one holds is as it was, and both together are what is filed now.
    assert lines_of(house, desk.first["_id"]) == held
    assert desk.net(desk.first, second)[desk.taxi] == anew["amount_minor"]
    assert desk.fuel not in desk.net(desk.first, second)
    assert desk.corrections() == []
    assert code(export(house, *desk.days)) == (409, "nothing_to_export")
    moved = {account["account_id"]: (account["debit_minor"], account["credit_minor"]) for account in second["accounts"]}
    assert moved == {back["account_id"]: (1_00, 1_00)}


def test_changed_again_only_what_the_latest_export_said_is_corrected(desk: Desk) -> None:
    desk.file(desk.taxi)
    second = desk.export()
    # Back to what the first one said: it is a change of what the second one said.
    desk.file(desk.fuel)
    third = desk.export()
    assert [row["correction"] for row in lines_of(desk.house, third["_id"])] == [-2, 2]
    assert desk.net(desk.first, second, third) == desk.net(desk.first)


def test_what_is_new_stands_before_what_is_corrected(desk: Desk) -> None:
    desk.file(desk.taxi)
    late = spend(desk.house, "late bill", 12_34, desk.days[0])
    lines = lines_of(desk.house, desk.export()["_id"])
    assert [row["number"] for row in lines] == [1, 2, 3, 4]
    assert [row["ledger_transaction_id"] == late for row in lines] == [True, True, False, False]


def test_an_export_that_is_corrected_is_undone_after_its_correction(desk: Desk) -> None:
    desk.file(desk.taxi)
    second = desk.export()
    refused = undo(desk.house, desk.first["_id"])
    assert code(refused) == (409, "invalid_state")
    assert f"Export {second['number']} corrects lines of this one" in refused.json()["detail"]
    assert undo(desk.house, second["_id"]).status_code == 200
    # Undone, it says nothing: the first one's word counts again, and is corrected anew under a number of its own.
    [row] = desk.corrections()
    assert row["exported"]["subcategory_id"] == desk.fuel
    third = desk.export()
    assert [row["correction"] for row in lines_of(desk.house, third["_id"])] == [-2, 2]
    assert undo(desk.house, third["_id"]).status_code == 200
    assert undo(desk.house, desk.first["_id"]).status_code == 200
    whole = desk.export()
    assert (whole["correction_count"], whole["line_count"]) == (0, desk.first["line_count"])
    assert desk.net(whole)[desk.taxi] > 0


def test_a_split_and_its_parts_are_taken_back_part_by_part(desk: Desk) -> None:
    house = desk.house
    [row] = [
        row for row in house.get("/transactions?limit=50").json()["docs"] if row.get("expense_id") == desk.expense.id
    ]
    address = f"/transactions/{row['_id']}"
    for shares in ((60, 40), (30, 70)):
        parts = [
            {"subcategory_id": of, "amount": minor / 100}
            for of, minor in zip((desk.fuel, desk.taxi), shares, strict=True)
        ]
        body = {"version": house.get(address).json()["version"], "parts": parts}
        answer = house.send("PUT", f"{address}/parts", body)
        assert answer.status_code == 200, answer.json()
        made = desk.export()
    back, anew = lines_of(house, made["_id"])
    assert sorted(part["amount_minor"] for part in back["parts"]) == [-60, -40]
    assert sorted(part["amount_minor"] for part in anew["parts"]) == [30, 70]
    assert digest_of([back, anew]) == made["sha256"]


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_they_are_listed_page_by_page_and_other_days_are_left_out(desk: Desk, limit: int) -> None:
    others = [bought(desk.house, date(desk.days[0].year, desk.days[0].month, day)) for day in (2, 3, 4)]
    for expense in others:
        desk.file(desk.fuel, expense)
    desk.export()
    for expense in (desk.expense, *others):
        desk.file(desk.taxi, expense)
    listed = desk.corrections(limit)
    assert len({(row["account_id"], row["seq"]) for row in listed}) == len(listed) == 4
    before = month(desk.house, 2)
    assert pending(desk.house, before.first, before.last)["correction_count"] == 0
    assert (
        desk.house.get(f"{PATH}/pending/corrections?from={before.first}&to={before.last}", by="Apollo").status_code
        == 403
    )


def test_a_correction_says_which_export_it_corrects(desk: Desk) -> None:
    desk.file(desk.taxi)
    assert [row["corrected_export"] for row in desk.corrections()] == [desk.first["number"]]
    second = desk.export()
    assert {row["corrected_export"] for row in lines_of(desk.house, second["_id"])} == {desk.first["number"]}
    assert {row["corrected_export"] for row in lines_of(desk.house, desk.first["_id"])} == {None}
    desk.file(desk.fuel)
    assert {row["corrected_export"] for row in lines_of(desk.house, desk.export()["_id"])} == {second["number"]}


def test_what_is_filed_otherwise_while_it_is_exported_is_corrected_by_the_next_export(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, claim = bought(desk.house, desk.days[0].replace(day=2)), export_corrections.claim
    desk.file(desk.fuel, late)

    def claim_after_a_change(*given: Any) -> int:
        # Between the two statements of the export, as somebody else may do it.
        Expense.objects.filter(pk=late.pk).update(subcategory_id=desk.taxi)
        return claim(*given)

    days = {"from": str(desk.days[0]), "to": str(desk.days[1]), "correctable": [desk.first["number"]]}
    with monkeypatch.context() as between:
        between.setattr(export_corrections, "claim", claim_after_a_change)
        answer = desk.house.post(PATH, days)
    assert answer.status_code == 201, answer.json()
    second = answer.json()
    assert second["correction_count"] == 0
    assert [row["corrected_export"] for row in desk.corrections()] == [second["number"]]
    assert desk.export()["correction_count"] == 1


@pytest.mark.parametrize("most", [1, 2])
def test_an_export_of_few_lines_takes_one_correction_at_least(desk: Desk, most: int) -> None:
    other = bought(desk.house, desk.days[0].replace(day=2))
    desk.file(desk.fuel, other)
    desk.export()
    for expense in (desk.expense, other):
        desk.file(desk.taxi, expense)
    days = {"from": str(desk.days[0]), "to": str(desk.days[1]), "most_lines": most}
    for left in (1, 0):
        answer = desk.house.post(PATH, days)
        assert answer.status_code == 201, answer.json()
        assert (answer.json()["correction_count"], answer.json()["line_count"]) == (1, 2)
        assert len(desk.corrections()) == left
    assert code(desk.house.post(PATH, days)) == (409, "nothing_to_export")


def test_a_correction_alone_claims_no_entry(desk: Desk) -> None:
    desk.file(desk.taxi)
    desk.export()
    # As two at once would have left it: the export that is corrected let go, its correction not.
    ExportedEntry.objects.filter(export_id=desk.first["_id"]).update(live=False)
    waiting = pending(desk.house, *desk.days)
    assert waiting["posting_count"] > 0
    assert waiting["line_count"] >= desk.first["line_count"]


def test_an_export_is_not_undone_while_another_is_made_that_may_correct_it(committed: None) -> None:
    house = House()
    desk = Desk(house)
    desk.file(desk.taxi)
    corrected, answers = threading.Event(), list[Any]()

    def slow() -> None:
        with transaction.atomic():
            desk.export()
            corrected.set()
            time.sleep(0.5)
        connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert corrected.wait(20)
    answers.append(undo(house, desk.first["_id"]))
    thread.join(20)
    assert code(answers[0]) == (409, "invalid_state")
    assert ExportedEntry.objects.filter(export_id=desk.first["_id"], live=True).exists()
