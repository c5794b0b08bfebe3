"""The codes of the general ledger's entries: those that an export has, and withheld taxes to the cent of their report."""

import csv
from collections import Counter
from typing import Any

import pytest

from service.accounting import books
from service.bills import execution
from service.payments import execution as payouts
from service.payments.models import Batch
from service.sandbox import simulation
from tests.service.accounting.conftest import csv_of, month
from tests.service.accounting.test_entry_categories import paying, two_teams  # noqa: F401
from tests.service.accounting.test_journal_exports import pending_lines
from tests.service.bills.conftest import add, bill, pay, payment_in_approval, request_votes
from tests.service.house import House
from tests.service.payments.conftest import initiated, item
from tests.service.taxes.conftest import deducted, remit


def ledger(house: House, back: int = 0) -> list[dict[str, str]]:
    """The entries of a month with their codes."""
    path = f"/accounting/periods/{month(house, back).name}/general-ledger?order=posting&codes=true"
    return list(csv.DictReader(csv_of(house.get(path))))


def part_text(part: dict[str, Any]) -> str:
    numbers = f"{part['subcategory_id'] or ''}:{part['amount_minor']}:{part['team_id'] or ''}"
    return f"{numbers}:{part['account_id'] or ''}:{'+'.join(part['tag_ids'])}"


@pytest.fixture
def busy(paying: House) -> House:  # noqa: F811
    """A month with a payout of several, expenses, a bill in parts by category and team, taxes, and one of these paid over."""
    fuel, taxi = (paying.opened.subcategories[place].id for place in (0, 3))
    first, second = two_teams(paying)
    rows = [item(1000, subcategory_id=fuel), item(500, "254722000000", subcategory_id=taxi), item(300, "254733000000")]
    batch = Batch.objects.get(business=paying.business, batch_no=initiated(paying, *rows)["batch_no"])
    assert payouts.execute(batch.id) == "COMPLETED"
    simulation.spend_some(paying.business, [paying.person("Carla")], 3, with_receipts=False)
    splits = [{"team_id": first, "percent": 25}, {"team_id": second, "percent": 75}]
    lines = [
        {"description": "Fuel", "unit_price": 66_666.67, "subcategory_id": fuel, "splits": splits},
        {"description": "Rides", "unit_price": 33_333.34, "subcategory_id": taxi},
    ]
    taxes = {row["code"]: row["_id"] for row in paying.get("/taxes").json()["docs"]}
    chosen = [taxes["WHT_PROFESSIONAL"], taxes["WHT_CONTRACTUAL"]]
    assert pay(payment_in_approval(paying, line_items=lines, withholding_tax_ids=chosen)) == "SUCCEEDED"
    over = [deducted(paying, 90_000.37, "INV-A"), deducted(paying, 30_000.01, "INV-B", code="WHT_RENT")]
    assert remit(paying, *over).status_code == 201
    deducted(paying, 77_777.77, "INV-C", code="WHT_RENT")
    return paying


def test_each_entry_has_the_codes_that_an_export_gives_it(busy: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces of three, so that postings lie across them."""
    monkeypatch.setattr(books, "AT_ONCE", 3)
    period = month(busy, 0)
    exported = [
        (
            str(line["ledger_transaction_id"]), str(line["account_id"]), line["subcategory_id"] or "", line["team_id"] or "",
            ",".join(map(part_text, line["parts"])),
        )
        for line in pending_lines(busy, period.first, period.last)
    ]  # fmt: skip
    rows = [
        (row["transaction_id"], row["account_id"], row["subcategory_id"], row["team_id"], row["parts"])
        for row in ledger(busy)
    ]
    assert rows == exported
    assert {bool(row[2]) for row in rows} == {bool(row[4]) for row in rows} == {True, False}


def test_the_taxes_of_the_entries_are_those_of_the_report_to_the_cent(busy: House) -> None:
    deductions = busy.get("/taxes/transactions?limit=100").json()["docs"]
    withheld, paid_over = Counter[str](), Counter[str]()
    for row in deductions:
        withheld[row["tax_id"]] += row["tax_amount_minor"]
        paid_over[row["tax_id"]] += row["tax_amount_minor"] if row["status"] == "REMITTED" else 0
    credited, debited = Counter[str](), Counter[str]()
    for row in ledger(busy):
        if row["taxes"]:
            assert row["account_kind"] == "WHT_PAYABLE"
            of_line = [(tax_id, int(minor)) for tax_id, minor in (text.split(":") for text in row["taxes"].split(","))]
            sides = round(100 * (float(row["credit"] or 0) - float(row["debit"] or 0)))
            assert sum(minor for _, minor in of_line) == sides
            for tax_id, minor in of_line:
                (credited if minor > 0 else debited)[tax_id] += abs(minor)
        else:
            assert row["account_kind"] != "WHT_PAYABLE"
    assert len(credited) == 3
    assert credited == withheld
    assert debited == +paid_over
    assert len(debited) == 2


def test_without_being_asked_for_they_are_not_there(paying: House) -> None:  # noqa: F811
    created = bill(paying, 1000, bill_no="INV-2")
    assert execution.execute(request_votes(paying, add(paying, created).json()).json()["_id"]) == "SUCCEEDED"
    rows = csv_of(paying.get(f"/accounting/periods/{month(paying, 0).name}/general-ledger?order=posting"))
    assert list(csv.DictReader(rows).fieldnames or ()) == list(books.LEDGER_HEADER)
    assert len(rows) > 1
