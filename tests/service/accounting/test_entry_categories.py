"""What each entry of an export is filed under, and on which account it stands in the business's own books."""

from collections import Counter
from typing import Any

import pytest

from service.accounts.wallets import wallet_by_ref
from service.approvals.models import Mandate
from service.bills import execution
from service.businesses.models import Team
from service.expenses.models import Expense
from service.journal.models import Transaction
from service.ledger.chart import system_account
from service.ledger.post import Leg, post
from service.payments import execution as payouts
from service.payments.models import Batch
from service.sandbox import simulation
from service.taxes.models import TaxTransaction
from tests.service.accounting.conftest import month
from tests.service.accounting.test_journal_exports import digest_of, export, lines_of, pending, pending_lines
from tests.service.bills.conftest import add, bill, pay, payment_in_approval, request_votes
from tests.service.house import House
from tests.service.payments.conftest import initiated, item
from tests.service.taxes.conftest import deducted, remit

FLOATS = {"BANK_FLOAT", "MOBILE_FLOAT", "CARD_FLOAT"}


@pytest.fixture
def paying(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A business in which nobody must vote, and no worker."""
    Mandate.objects.filter(business=house.business).update(active=False)
    monkeypatch.setattr("service.enqueue.send", lambda *_: None)
    return house


def two_teams(house: House) -> list[str]:
    return [Team.objects.create(business=house.business, name=name, code=name).id for name in ("North", "South")]


def exported(house: House, kind: str) -> list[dict[str, Any]]:
    """This month's lines of postings of one kind: as they wait, and then as exported."""
    this = month(house, 0)
    waiting = [row for row in pending_lines(house, this.first, this.last) if row["type"] == kind]
    made = export(house, this.first, this.last).json()
    held = lines_of(house, made["_id"])
    assert digest_of(held) == made["sha256"]
    rows = [row for row in held if row["type"] == kind]
    assert [row | {"number": 0} for row in rows] == waiting
    return rows


def across(house: House, kind: str) -> list[dict[str, Any]]:
    """Those of them that stand across a wallet."""
    return [row for row in exported(house, kind) if row["account_kind"] in FLOATS]


def parts_of(line: dict[str, Any]) -> dict[str, int]:
    assert sum(share["amount_minor"] for share in line["parts"]) == line["amount_minor"]
    return {share["subcategory_id"]: share["amount_minor"] for share in line["parts"]}


def in_own_books(rows: list[dict[str, Any]]) -> dict[tuple[int, str], tuple[int, int]]:
    """Debit and credit of each account and subcategory in the business's own books, where what a wallet gained is a debit."""
    debited: Counter[tuple[int, str]] = Counter()
    credited: Counter[tuple[int, str]] = Counter()
    for row in rows:
        whole = [{"account_id": None, "subcategory_id": row["subcategory_id"], "amount_minor": row["amount_minor"]}]
        for part in row["parts"] or whole:
            is_across = row["account_kind"] in FLOATS or part["account_id"]
            place = part["account_id"] or row["account_id"], (part["subcategory_id"] or "") if is_across else ""
            if part["amount_minor"] > 0:
                debited[place] += part["amount_minor"]
            else:
                credited[place] -= part["amount_minor"]
    return {place: (debited[place], credited[place]) for place in debited.keys() | credited.keys()}


def test_each_payment_of_a_payout_keeps_its_own_category(paying: House) -> None:
    fuel, taxi = (paying.opened.subcategories[place].id for place in (0, 3))
    items = [
        item(1000, subcategory_id=fuel), item(500, "254722000000", subcategory_id=taxi), item(300, "254733000000"),
    ]  # fmt: skip
    batch = Batch.objects.get(business=paying.business, batch_no=initiated(paying, *items)["batch_no"])
    assert payouts.execute(batch.id) == "COMPLETED"
    this = month(paying, 0)
    assert {fuel, taxi} <= set(pending(paying, this.first, this.last)["subcategory_ids"])
    rows = exported(paying, "PAYOUT")
    assert len({row["ledger_transaction_id"] for row in rows}) == 1
    filed = {row["amount_minor"]: row["subcategory_id"] for row in rows if row["account_kind"] in FLOATS}
    assert filed == {1000_00: fuel, 500_00: taxi, 300_00: None}


def test_one_entry_of_several_expenses_is_given_in_parts_by_what_each_is_filed_under(house: House) -> None:
    fuel = house.opened.subcategories[0].id
    rows = simulation.spend_some(house.business, [house.person("Carla")], 3, with_receipts=False)
    teams = two_teams(house)
    for row, team in zip(rows, (*teams, teams[0]), strict=True):
        Transaction.objects.filter(expense_id=row.id).update(team_id=team)
    assert house.post("/expenses/tags", {"name": "Trip"}).status_code == 201
    Expense.objects.filter(id__in=[row.id for row in rows[:2]]).update(subcategory=fuel)
    Expense.objects.filter(id=rows[1].id).update(tags=["Trip"])
    Expense.objects.filter(id=rows[2].id).update(subcategory=None)
    Transaction.objects.filter(expense_id=rows[2].id).update(subcategory=None)
    this = month(house, 0)
    waiting = pending(house, this.first, this.last)
    assert set(teams) <= set(waiting["team_ids"])
    [trip] = waiting["tag_ids"]
    lines = exported(house, "EXPENSE")
    [line] = [row for row in lines if row["account_kind"] in FLOATS]
    charges = [row.amount_minor + row.fees_minor for row in rows]
    assert {
        (part["subcategory_id"], part["team_id"], tuple(part["tag_ids"]), part["amount_minor"]) for part in line["parts"]
    } == {
        (fuel, teams[0], (), charges[0]), (fuel, teams[1], (trip,), charges[1]), ("", teams[0], (), charges[2]),
    }  # fmt: skip
    assert line["subcategory_id"] is None
    # What each took off the wallet has its own, too, where no other took as much.
    assert len(set(charges)) == 3
    own = {-row["amount_minor"]: (row["subcategory_id"], row["team_id"]) for row in lines if row["amount_minor"] < 0}
    assert own == {charges[0]: (fuel, teams[0]), charges[1]: (fuel, teams[1]), charges[2]: (None, teams[0])}


def test_one_that_is_not_filed_is_not_filed_as_the_others(house: House) -> None:
    """Several that took as much off the wallet: only what all of them agree on is known of each."""
    fuel = house.opened.subcategories[0].id
    rows = simulation.spend_some(house.business, [house.person("Carla")], 2, with_receipts=False)
    ids = [row.id for row in rows]
    Expense.objects.filter(id=ids[0]).update(subcategory=fuel)
    Expense.objects.filter(id=ids[1]).update(subcategory=None)
    Transaction.objects.filter(expense_id__in=ids).update(subcategory=None)
    [line] = across(house, "EXPENSE")
    assert parts_of(line) == {
        fuel: rows[0].amount_minor + rows[0].fees_minor, "": rows[1].amount_minor + rows[1].fees_minor,
    }  # fmt: skip


def test_a_bill_s_payment_is_given_in_parts_by_its_lines(paying: House) -> None:
    fuel, taxi = (paying.opened.subcategories[place].id for place in (0, 3))
    lines = [
        {"description": "Fuel", "unit_price": 1000, "subcategory_id": fuel},
        {"description": "Rides", "unit_price": 160.5, "subcategory_id": taxi},
    ]
    assert pay(payment_in_approval(paying, line_items=lines)) == "SUCCEEDED"
    [line] = across(paying, "BILL_PAYMENT")
    assert parts_of(line) == {fuel: 1000_00, taxi: 160_50}


def test_a_bill_of_one_category_is_filed_under_that_of_its_lines(paying: House) -> None:
    fuel = paying.opened.subcategories[0].id
    lines = [{"description": "Fuel", "unit_price": price, "subcategory_id": fuel} for price in (3, 4)]
    assert pay(payment_in_approval(paying, line_items=lines)) == "SUCCEEDED"
    [line] = across(paying, "BILL_PAYMENT")
    assert (line["subcategory_id"], line["parts"]) == (fuel, [])


def test_a_line_split_over_teams_is_of_each_of_them(paying: House) -> None:
    fuel = paying.opened.subcategories[0].id
    first, second = two_teams(paying)
    splits = [{"team_id": first, "percent": 25}, {"team_id": second, "percent": 75}]
    lines = [{"description": "Fuel", "unit_price": 1000, "subcategory_id": fuel, "splits": splits}]
    assert pay(payment_in_approval(paying, line_items=lines)) == "SUCCEEDED"
    [line] = across(paying, "BILL_PAYMENT")
    assert {(part["subcategory_id"], part["team_id"], part["amount_minor"]) for part in line["parts"]} == {
        (fuel, first, 250_00), (fuel, second, 750_00),
    }  # fmt: skip


def test_withheld_tax_is_bought_with_the_rest_and_owed(paying: House) -> None:
    """The expense is the whole, the bank has paid the net, and the tax is owed: in each category to the cent what its
    lines say."""
    fuel, taxi = (paying.opened.subcategories[place].id for place in (0, 3))
    lines = [
        {"description": "Fuel", "unit_price": 66_666.67, "subcategory_id": fuel},
        {"description": "Rides", "unit_price": 33_333.34, "subcategory_id": taxi},
    ]
    taxes = {row["code"]: row["_id"] for row in paying.get("/taxes").json()["docs"]}
    chosen = [taxes["WHT_PROFESSIONAL"], taxes["WHT_CONTRACTUAL"]]
    row = payment_in_approval(paying, line_items=lines, withholding_tax_ids=chosen)
    assert pay(row) == "SUCCEEDED"
    withheld = sum(
        TaxTransaction.objects.filter(bill_payment_ref=row["payment_ref"]).values_list("tax_minor", flat=True)
    )
    assert withheld > 0
    rows = exported(paying, "BILL_PAYMENT")
    wallet = wallet_by_ref(paying.business, "1").ledger_account_id
    owed = system_account(paying.business, "WHT_PAYABLE", "KES").pk
    [float_id] = {line["account_id"] for line in rows if line["account_kind"] in FLOATS}
    assert in_own_books(rows) == {
        (float_id, fuel): (66_666_67, 0), (float_id, taxi): (33_333_34, 0), (wallet, ""): (0, 100_000_01 - withheld),
        (owed, ""): (0, withheld),
    }  # fmt: skip
    # The tax code is on the line on what is owed.
    of_tax = {(line["tax_id"], line["parts"][0]["account_id"]) for line in rows if line["tax_id"]}
    assert of_tax == {(tax_id, owed) for tax_id in chosen}


def test_a_remittance_is_paid_by_the_wallets_that_the_taxes_were_withheld_from(paying: House) -> None:
    other = paying.post("/accounts", {"name": "Second", "currency": "KES", "walletType": "SUB:taxes"}).json()
    funded = wallet_by_ref(paying.business, other["org_wallet_ref"]).ledger_account_id
    bank = system_account(paying.business, "BANK_FLOAT", "KES").pk
    post(
        paying.business,
        "funding",
        "TOPUP",
        [Leg(bank, -200_000_00), Leg(funded, 200_000_00)],
        "Top-up",
        month(paying, 1).first,
    )
    first = deducted(paying)
    tax = first["tax_id"]
    created = bill(paying, 60_000, bill_no="INV-2", withholding_tax_ids=[tax])
    row = request_votes(paying, add(paying, created, org_wallet_ref=other["org_wallet_ref"]).json()).json()
    assert execution.execute(row["_id"]) == "SUCCEEDED"
    [second] = paying.get(f"/taxes/transactions?bill_payment_ref={row['payment_ref']}").json()["docs"]
    this = month(paying, 0)
    assert export(paying, this.first, this.last).status_code == 201
    assert remit(paying, first, second).status_code == 201
    waiting = {account["account_id"]: account for account in pending(paying, this.first, this.last)["accounts"]}
    wallets = [wallet_by_ref(paying.business, ref).ledger_account_id for ref in ("1", other["org_wallet_ref"])]
    owed = system_account(paying.business, "WHT_PAYABLE", "KES").pk
    # The wallets do not move in the ledger, but need an account of the accountant's.
    assert [(waiting[wallet]["debit_minor"], waiting[wallet]["line_count"]) for wallet in wallets] == [(0, 0), (0, 0)]
    rows = exported(paying, "TAX_REMITTANCE")
    assert in_own_books(rows) == {
        (owed, ""): (800_000, 0), (wallets[0], ""): (0, 500_000), (wallets[1], ""): (0, 300_000),
    }  # fmt: skip
    newest = paying.get("/accounting/journal-exports").json()["docs"][0]
    held = paying.get(f"/accounting/journal-exports/{newest['_id']}").json()["accounts"]
    assert set(wallets) <= {account["account_id"] for account in held}


def test_a_wallet_has_in_the_own_books_what_the_bank_paid(paying: House) -> None:
    """Of everything together: what the bank's float gained is what the wallet's account lost, the tax only once remitted."""
    kept = deducted(paying)
    gone = deducted(paying, 60_000, "INV-2")
    assert remit(paying, gone).status_code == 201
    this = month(paying, 0)
    made = export(paying, this.first, this.last).json()
    rows = [row for row in lines_of(paying, made["_id"]) if row["type"] in {"BILL_PAYMENT", "TAX_REMITTANCE"}]
    books = in_own_books(rows)
    wallet = wallet_by_ref(paying.business, "1").ledger_account_id
    owed = system_account(paying.business, "WHT_PAYABLE", "KES").pk
    by_bank = sum(row["amount_minor"] for row in rows if row["account_kind"] in FLOATS)
    assert books[wallet, ""] == (0, by_bank)
    assert by_bank == 160_000_00 - kept["tax_amount_minor"]
    assert books[owed, ""] == (gone["tax_amount_minor"], kept["tax_amount_minor"] + gone["tax_amount_minor"])
    bought = sum(debit for (account, _), (debit, _) in books.items() if account not in {wallet, owed})
    assert bought == 160_000_00
