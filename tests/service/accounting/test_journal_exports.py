"""The accountant's export: each entry once, unchanged afterwards, undone by two; slices are the whole."""

from collections import Counter, defaultdict
from datetime import date
from hashlib import sha256
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from service.accounting.models import ExportedEntry, JournalExport
from service.expenses.models import Expense, TransactionPart
from service.journal.models import Transaction
from tests.service.accounting.conftest import close, month, spend
from tests.service.house import House, code

PATH = "/accounting/journal-exports"


def export(house: House, first: date, last: date, **options: Any) -> Any:
    return house.post(PATH, {"from": str(first), "to": str(last)}, **options)


def lines_of(house: House, export_id: str, limit: int = 5000) -> list[dict[str, Any]]:
    """All lines, page by page."""
    rows: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        found = house.get(f"{PATH}/{export_id}/lines?after={after}&limit={limit}").json()
        rows += found["docs"]
        after = found["next_after"]
    return rows


def digest_of(lines: list[dict[str, Any]]) -> str:
    """The hash of the lines, as docs/journal-export.md says it."""
    text = ""
    for row in lines:
        parts = ",".join(
            f"{part['subcategory_id']}:{part['amount_minor']}:{part['team_id'] or ''}:{part['account_id'] or ''}:"
            + "+".join(part["tag_ids"])
            for part in row["parts"]
        )
        values = (
            row["number"], row["effective_on"], row["ledger_transaction_id"], row["account_id"], row["seq"],
            row["currency"], row["amount_minor"], row["subcategory_id"] or "", row["team_id"] or "", row["tax_id"] or "",
            ",".join(row["tag_ids"]), *([parts] if parts else []),
        )  # fmt: skip
        text += ";".join(str(value) for value in values) + "\n"
    return sha256(text.encode()).hexdigest()


def pending(house: House, first: date, last: date) -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"{PATH}/pending?from={first}&to={last}").json()
    return found


def undo(house: House, export_id: str, proposed_by: str = "Ada", by: str = "Sam", **options: Any) -> Any:
    body = {"proposed_by": house.person(proposed_by).id, "reason": "Wrong mapping"}
    return house.post(f"{PATH}/{export_id}/undo", body, by=by, **options)


def key(line: dict[str, Any]) -> tuple[int, int]:
    return line["account_id"], line["seq"]


def test_an_export_is_the_trial_balance_of_its_month(past: House) -> None:
    last = month(past, 1)
    waiting = pending(past, last.first, last.last)
    answer = export(past, last.first, last.last)
    assert answer.status_code == 201, answer.json()
    made = answer.json()
    rows = lines_of(past, made["_id"], limit=3)
    assert [row["number"] for row in rows] == list(range(1, made["line_count"] + 1))
    moved: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    sums: Counter[tuple[int, str]] = Counter()
    for row in rows:
        moved[row["account_id"]][row["amount_minor"] > 0] += abs(row["amount_minor"])
        sums[row["ledger_transaction_id"], row["currency"]] += row["amount_minor"]
        assert last.first <= date.fromisoformat(row["effective_on"]) <= last.last
    assert set(sums.values()) == {0}
    trial = past.get(f"/accounting/periods/{last.name}/trial-balance").json()["accounts"]
    assert {row["account_id"]: [row["debit_minor"], row["credit_minor"]] for row in trial
            if row["debit_minor"] or row["credit_minor"]} == dict(moved)  # fmt: skip
    assert {row["account_id"]: [row["debit_minor"], row["credit_minor"]] for row in made["accounts"]} == dict(moved)
    assert waiting["accounts"] == made["accounts"]
    assert (waiting["line_count"], waiting["posting_count"]) == (made["line_count"], made["posting_count"])


def test_the_hash_is_that_of_its_lines(past: House) -> None:
    last = month(past, 1)
    made = export(past, last.first, last.last).json()
    assert made["sha256"] == digest_of(lines_of(past, made["_id"]))


def test_what_was_exported_is_not_exported_again_and_what_comes_late_is(past: House) -> None:
    last = month(past, 1)
    first = export(past, last.first, last.last).json()
    assert pending(past, last.first, last.last)["line_count"] == 0
    assert code(export(past, last.first, last.last)) == (409, "nothing_to_export")
    late = spend(past, "late bill", 12_34, last.first)
    second = export(past, last.first, last.last).json()
    assert {row["ledger_transaction_id"] for row in lines_of(past, second["_id"])} == {late}
    assert second["number"] == first["number"] + 1
    assert late not in {row["ledger_transaction_id"] for row in lines_of(past, first["_id"])}


def test_a_closed_month_is_exported_like_any(past: House) -> None:
    assert close(past, month(past, 2)).status_code == 200
    assert export(past, month(past, 2).first, month(past, 2).last).status_code == 201


def test_the_same_request_again_is_the_same_export(past: House) -> None:
    last = month(past, 1)
    first = export(past, last.first, last.last, key="lost-answer")
    again = export(past, last.first, last.last, key="lost-answer")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["_id"] == again.json()["_id"]
    assert JournalExport.objects.filter(business=past.business).count() == 1


def test_undone_by_two_people_its_entries_are_exported_anew(past: House) -> None:
    last = month(past, 1)
    made = export(past, last.first, last.last).json()
    held = [key(row) for row in lines_of(past, made["_id"])]
    assert code(undo(past, made["_id"], proposed_by="Ada", by="Ada")) == (403, "self_approval_forbidden")
    assert undo(past, made["_id"], proposed_by="Carla").status_code == 404
    assert pending(past, last.first, last.last)["line_count"] == 0
    undone = undo(past, made["_id"])
    assert undone.status_code == 200, undone.json()
    assert undone.json()["status"] == "UNDONE"
    assert undo(past, made["_id"]).json()["version"] == undone.json()["version"]
    again = export(past, last.first, last.last).json()
    assert [key(row) for row in lines_of(past, again["_id"])] == held
    # What the first one held can still be read.
    assert [key(row) for row in lines_of(past, made["_id"])] == held
    assert past.get(f"{PATH}/{made['_id']}").json()["undo_proposed_by"] == past.person("Ada").id
    assert [row["_id"] for row in past.get(PATH).json()["docs"]] == [again["_id"], made["_id"]]


def test_the_table_takes_no_entry_into_two_live_exports_and_no_undo_of_one_person(past: House) -> None:
    last = month(past, 1)
    made = export(past, last.first, last.last).json()
    held = ExportedEntry.objects.filter(export_id=made["_id"]).first()
    assert held is not None
    other = JournalExport.objects.create(
        business=past.business, number=99, first_day=last.first, last_day=last.last, exported_by="x"
    )
    held.pk, held.export = None, other
    with pytest.raises(IntegrityError, match="ledger_entry_exported_once"), transaction.atomic():
        held.save(force_insert=True)
    with pytest.raises(IntegrityError, match="journal_export_undone_by_two"), transaction.atomic():
        JournalExport.objects.filter(pk=other.pk).update(
            status="UNDONE", undone_at=other.created_at, undone_by="x", undo_proposed_by="x"
        )


def pending_lines(house: House, first: date, last: date, limit: int = 100) -> list[dict[str, Any]]:
    """All lines that nobody has exported yet, page by page."""
    rows: list[dict[str, Any]] = []
    after: str | None = ""
    while after is not None:
        found = house.get(f"{PATH}/pending/lines?from={first}&to={last}&after={after}&limit={limit}").json()
        assert len(found["docs"]) <= limit
        rows += found["docs"]
        after = found["next_after"]
    return rows


@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_the_lines_that_wait_are_those_that_an_export_holds_in_its_order(past: House, limit: int) -> None:
    last = month(past, 1)
    waiting = pending_lines(past, last.first, last.last, limit)
    assert {row["number"] for row in waiting} == {0}
    made = export(past, last.first, last.last).json()
    held = lines_of(past, made["_id"])
    assert [row | {"number": 0} for row in held] == waiting
    assert pending_lines(past, last.first, last.last, limit) == []
    late = spend(past, "late bill", 12_34, last.first)
    assert {row["ledger_transaction_id"] for row in pending_lines(past, last.first, last.last, limit)} == {late}


def test_a_place_that_is_none_and_days_in_the_wrong_order_are_refused(past: House) -> None:
    last = month(past, 1)
    days = f"from={last.first}&to={last.last}"
    for after in ("x", "2026-13-01.1.1.1", "2026-01-01.1.1", "2026-01-01.1.1.-1", "0'"):
        assert code(past.get(f"{PATH}/pending/lines?{days}&after={after}"))[0] in {400, 422}, after
    assert code(past.get(f"{PATH}/pending/lines?from={last.last}&to={last.first}")) == (422, "validation_failed")
    assert past.get(f"{PATH}/pending/lines?{days}", by="Apollo").status_code == 403


def test_the_tags_of_an_expense_are_those_of_its_lines_as_they_were_then(past: House) -> None:
    last = month(past, 1)
    posting = spend(past, "tagged", 12_00, last.first)
    names = ["Trip", "Client, new"]
    tags = {name: past.post("/expenses/tags", {"name": name}).json()["_id"] for name in [*names, "Unused"]}
    employee = past.person("Carla")
    expense = Expense.objects.create(
        business=past.business, employee=employee, team=employee.team, transaction_ref="tagged-1", amount_minor=12_00,
        currency="KES", org_wallet_ref="1", receiver="Paper", transaction_date=timezone.now(), tags=names,
        created_at=timezone.now(), updated_at=timezone.now(),
    )  # fmt: skip
    Transaction.objects.create(
        business=past.business, type="EXPENSE", direction="OUT", org_wallet_ref="1", currency="KES", amount_minor=12_00,
        ref="tagged", occurred_at=timezone.now(), effective_on=last.first, ledger_transaction_id=posting, expense_id=expense.id,
        created_at=timezone.now(), updated_at=timezone.now(),
    )  # fmt: skip
    wanted = sorted(tags[name] for name in names)
    assert pending(past, last.first, last.last)["tag_ids"] == wanted
    waiting = pending_lines(past, last.first, last.last)
    assert {tuple(row["tag_ids"]) for row in waiting if row["ledger_transaction_id"] == posting} == {tuple(wanted)}
    assert {tuple(row["tag_ids"]) for row in waiting if row["ledger_transaction_id"] != posting} == {()}
    made = export(past, last.first, last.last).json()
    Expense.objects.filter(pk=expense.pk).update(tags=[])
    held = lines_of(past, made["_id"])
    assert {tuple(row["tag_ids"]) for row in held if row["ledger_transaction_id"] == posting} == {tuple(wanted)}


def test_the_entry_across_the_wallet_of_a_split_transaction_is_in_its_parts(past: House) -> None:
    last = month(past, 1)
    posting = spend(past, "divided", 12_00, last.first)
    moved = Transaction.objects.create(
        business=past.business, type="EXPENSE", direction="OUT", org_wallet_ref="1", currency="KES", amount_minor=11_50,
        fees_minor=50, ref="divided", occurred_at=timezone.now(), effective_on=last.first, ledger_transaction_id=posting,
        created_at=timezone.now(), updated_at=timezone.now(),
    )  # fmt: skip
    ids = [past.opened.subcategories[place].id for place in (0, 3)]
    TransactionPart.objects.bulk_create(
        TransactionPart(transaction=moved, position=place, subcategory_id=filed, amount_minor=minor)
        for place, filed, minor in ((1, ids[0], 8_00), (2, ids[1], 3_50))
    )
    assert set(ids) <= set(pending(past, last.first, last.last)["subcategory_ids"])
    waiting = [row for row in pending_lines(past, last.first, last.last) if row["parts"]]
    made = export(past, last.first, last.last).json()
    TransactionPart.objects.filter(transaction=moved).delete()
    [line] = [row for row in lines_of(past, made["_id"]) if row["parts"]]
    # As it was split when it was exported; the fee with the first part.
    shares = [(share["subcategory_id"], share["amount_minor"]) for share in line["parts"]]
    assert shares == [(ids[0], 8_50), (ids[1], 3_50)]
    assert (line["ledger_transaction_id"], line["amount_minor"], line["subcategory_id"]) == (posting, 12_00, None)
    assert [row["parts"] for row in waiting] == [line["parts"]]
    assert digest_of(lines_of(past, made["_id"])) == made["sha256"]


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_admins_alone_export(past: House, by: str) -> None:
    last = month(past, 1)
    assert code(export(past, last.first, last.last, by=by)) == (403, "insufficient_role")
    assert past.get(PATH, by=by).status_code == 403


def test_wrong_days_and_strangers_are_refused(past: House) -> None:
    last = month(past, 1)
    assert code(export(past, last.last, last.first)) == (422, "validation_failed")
    made = export(past, last.first, last.last).json()
    other = House()
    assert other.get(f"{PATH}/{made['_id']}").status_code == 404
    assert other.get(f"{PATH}/{made['_id']}/lines").status_code == 404
    assert undo(other, made["_id"]).status_code == 404
