"""Down from a figure: an account's entries with the balance after each, a posting whole, and what arrived late."""

from datetime import timedelta

from service.accounting.periods import Month
from service.accounts.wallets import wallet_by_ref
from service.expenses.models import Expense
from service.journal.models import Transaction
from service.ledger.post import today
from service.periods import start_of
from service.sandbox import simulation
from tests.service.accounting.conftest import month, spend
from tests.service.house import House, code


def account_path(house: House, period: Month, account_id: object) -> str:
    return f"/accounting/periods/{period.name}/accounts/{account_id}"


def test_the_entries_lead_from_the_opening_of_the_trial_balance_to_its_closing(past: House) -> None:
    period = month(past, 1)
    for row in past.get(f"/accounting/periods/{period.name}/trial-balance").json()["accounts"]:
        ledger = past.get(account_path(past, period, row["account_id"])).json()
        assert ledger["account"] == row
        running = row["opening_minor"]
        for entry in ledger["docs"]:
            running += entry["amount_minor"]
            assert entry["balance_minor"] == running
        assert running == row["closing_minor"]
        assert ledger["total"] == len(ledger["docs"]) == 2


def test_a_later_page_goes_on_from_the_balance_before_it(house: House) -> None:
    first = month(house, 1).first
    for number in range(7):
        spend(house, f"many:{number}", 100 + number, first + timedelta(days=6 - number))
    wallet = wallet_by_ref(house.business, "1").ledger_account_id
    path = account_path(house, month(house, 1), wallet)
    whole = house.get(path).json()["docs"]
    pages, after = [], ""
    while after is not None:
        pages.append(house.get(f"{path}?limit=3&after={after}").json())
        after = pages[-1]["next_after"]
    assert [entry for page in pages for entry in page["docs"]] == whole
    assert [(page["total"], page["before"], len(page["docs"])) for page in pages] == [(7, 0, 3), (7, 3, 3), (7, 6, 1)]
    # What is posted late between two pages, before the place: the balances behind it are those with it.
    late = spend(house, "late", 1_000, first)
    after = pages[0]["next_after"]
    page = house.get(f"{path}?limit=3&after={after}").json()
    assert late not in {entry["ledger_transaction_id"] for entry in page["docs"]}
    assert (page["total"], page["before"]) == (8, 4)
    assert page["docs"][0]["balance_minor"] == pages[1]["docs"][0]["balance_minor"] - 1_000
    for wrong in ("x", "2026-13-01.1", "2026-01-01", "2026-01-01.-1"):
        assert code(house.get(f"{path}?after={wrong}"))[0] in {400, 422}, wrong
    # Behind the largest number of four bytes there is as little as behind any other that no entry has.
    for seq in (2**31 - 1, 2**31, 10**18 - 1):
        assert [row["effective_on"] for row in house.get(f"{path}?after={first}.{seq}").json()["docs"]] == [
            entry["effective_on"] for entry in whole if entry["effective_on"] > str(first)
        ]
    assert [entry["effective_on"] for entry in whole] == sorted(entry["effective_on"] for entry in whole)


def test_a_posting_has_all_its_entries_and_their_sum_is_added_up(past: House) -> None:
    posted = spend(past, "desk", 12_50, month(past, 1).first, "A desk")
    found = past.get(f"/accounting/postings/{posted}").json()
    assert (found["ref"], found["description"], found["reverses"]) == ("desk", "A desk", None)
    assert sorted(entry["amount_minor"] for entry in found["entries"]) == [-1250, 1250]
    assert [(row["currency"], row["amount_minor"]) for row in found["sums"]] == [("KES", 0)]
    assert found["transactions"] == []


def test_an_entry_of_a_posting_has_the_balance_after_it_by_the_ledger_s_days(house: House) -> None:
    first = month(house, 1).first
    later = spend(house, "later", 7_00, first + timedelta(days=3))
    earlier = spend(house, "earlier", 5_00, first)
    for posted, balance in ((earlier, -5_00), (later, -12_00)):
        entries = house.get(f"/accounting/postings/{posted}").json()["entries"]
        own = [entry for entry in entries if entry["org_wallet_ref"] == "1"]
        assert [entry["balance_minor"] for entry in own] == [balance]
        assert [entry["balance_minor"] for entry in entries if entry["org_wallet_ref"] is None] == [None]


def test_a_posting_leads_to_its_transaction_and_expense(house: House) -> None:
    [expense] = simulation.spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    row = Transaction.objects.get(expense_id=expense.id)
    found = house.get(f"/accounting/postings/{row.ledger_transaction_id}").json()
    assert {"_id": row.id, "expense_id": expense.id} == {
        name: found["transactions"][0][name] for name in ("_id", "expense_id")
    }


def test_what_is_nobodys_is_404(past: House) -> None:
    other = House()
    posted = spend(other, "theirs", 100, month(other, 1).first)
    wallet = wallet_by_ref(other.business, "1").ledger_account_id
    for text in (str(posted), "x", "٣", "9" * 19, "-1", "9" * 18):
        assert code(past.get(f"/accounting/postings/{text}")) == (404, "not_found")
    for text in (str(wallet), "x", "9" * 19):
        assert code(past.get(account_path(past, month(past, 1), text))) == (404, "not_found")
    untouched = wallet_by_ref(past.business, "1").ledger_account_id
    assert code(past.get(account_path(past, month(past, 5), untouched))) == (404, "not_found")


def test_what_happened_in_a_month_before_and_was_posted_in_this_one_is_late(house: House) -> None:
    this = Month(today(house.business).replace(day=1))
    rows = simulation.spend_some(house.business, [house.person("Carla")], 2, with_receipts=False)
    Transaction.objects.filter(business=house.business).update(effective_on=this.first)
    before = start_of(this.first, house.business) - timedelta(seconds=1)
    Transaction.objects.filter(expense_id=rows[0].id).update(occurred_at=before)
    Transaction.objects.filter(expense_id=rows[1].id).update(occurred_at=before + timedelta(seconds=1))
    Expense.objects.filter(id=rows[0].id).update(transaction_date=before)
    late = house.get(f"/accounting/periods/{this.name}/late", by="Apollo").json()
    assert [row["_id"] for row in late["docs"]] == [Transaction.objects.get(expense_id=rows[0].id).id]
    assert late["total"] == 1
    assert house.get(f"/accounting/periods/{this.before.name}/late").json()["total"] == 0


def test_who_reads_the_books(past: House) -> None:
    wallet = wallet_by_ref(past.business, "1").ledger_account_id
    posted = spend(past, "who", 100, month(past, 1).first)
    paths = (
        account_path(past, month(past, 1), wallet),
        f"/accounting/postings/{posted}",
        f"/accounting/periods/{month(past, 1).name}/late",
    )
    for path in paths:
        for who in ("Carla", "Rita"):
            assert code(past.get(path, by=who)) == (403, "insufficient_role")
        for who in ("Apollo", "Ada", "Sam"):
            assert past.get(path, by=who).status_code == 200
