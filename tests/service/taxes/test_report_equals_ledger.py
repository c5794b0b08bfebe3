"""The report of taxes equals the ledger: whatever is withheld and paid over, each posting owes what its rows say, what is
deducted is what is owed, the slices of a report are the whole, and the trial balance says the same."""

from collections import Counter
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.models import LedgerEntry
from service.ledger.post import Leg, post
from service.taxes.models import TaxTransaction
from service.taxes.withholding import write
from tests.service.house import House
from tests.service.taxes.conftest import day, deducted, remit

CODES = ("WHT_RENT", "WHT_PROFESSIONAL")
PAYMENTS = st.lists(
    st.tuples(st.integers(24_000, 900_000), st.sampled_from(CODES), st.booleans()), min_size=1, max_size=5
)


def report(house: House, first: str, last: str) -> list[dict[str, Any]]:
    """All that was deducted in these days, page by page."""
    rows: list[dict[str, Any]] = []
    for number in range(1, 100):
        found = house.get(f"/taxes/transactions?from={first}&to={last}&limit=2&page={number}").json()
        rows += found["docs"]
        if len(rows) >= found["total"]:
            return rows
    raise AssertionError("the report does not end")


def owed(house: House) -> list[LedgerEntry]:
    account = system_account(house.business, "WHT_PAYABLE", "KES")
    return list(LedgerEntry.objects.filter(account_id=account.pk).order_by("seq"))


@settings(max_examples=6)
@given(payments=PAYMENTS)
def test_the_report_equals_the_ledger(paying: House, payments: list[tuple[int, str, bool]]) -> None:
    begun = TaxTransaction.objects.filter(business=paying.business).count()
    made = [
        deducted(paying, amount, f"BILL-{begun}-{place}", code=code) for place, (amount, code, _) in enumerate(payments)
    ]
    if over := [row for row, (_, _, is_remitted) in zip(made, payments, strict=True) if is_remitted]:
        assert remit(paying, *over).status_code == 201
    today = date.fromisoformat(day(paying))
    rows = report(paying, str(today), str(today))
    entries = owed(paying)

    by_posting = Counter({entry.transaction_id: 0 for entry in entries})
    for entry in entries:
        by_posting[entry.transaction_id] += entry.amount
    reported: Counter[int] = Counter()
    for posting, minor in TaxTransaction.objects.filter(business=paying.business).values_list(
        "ledger_transaction_id", "tax_minor"
    ):
        reported[posting] += minor
    # Each posting that withholds owes exactly what its rows say; all others pay what is owed over.
    assert {posting: minor for posting, minor in by_posting.items() if minor > 0} == dict(reported)
    assert sum(row["tax_amount_minor"] for row in rows) == sum(reported.values())
    remitted = sum(row["tax_amount_minor"] for row in rows if row["status"] == "REMITTED")
    assert -sum(minor for minor in by_posting.values() if minor < 0) == remitted
    open_minor = sum(row["tax_amount_minor"] for row in rows if row["status"] == "DEDUCTED")
    assert balance(system_account(paying.business, "WHT_PAYABLE", "KES")).posted == open_minor

    # Cut anywhere, the slices hold what the whole holds, and nothing twice.
    first = today - timedelta(days=3)
    slices = [report(paying, str(first + timedelta(days=at)), str(first + timedelta(days=at))) for at in range(5)]
    assert sorted(row["_id"] for some in slices for row in some) == sorted(row["_id"] for row in rows)
    by_tax = Counter[str]()
    for row in rows:
        by_tax[row["tax_id"]] += row["tax_amount_minor"]
    for tax_id, minor in by_tax.items():
        found = paying.get(f"/taxes/transactions?tax_id={tax_id}&limit=100").json()["docs"]
        assert sum(row["tax_amount_minor"] for row in found) == minor

    trial = paying.get(f"/accounting/periods/{today:%Y-%m}/trial-balance").json()["accounts"]
    [account] = [row for row in trial if row["kind"] == "WHT_PAYABLE" and row["currency"] == "KES"]
    assert (account["credit_minor"], account["debit_minor"]) == (sum(reported.values()), remitted)
    assert account["closing_minor"] == open_minor


@settings(max_examples=6)
@given(
    made=st.lists(
        st.tuples(
            st.integers(-2, 1), st.sampled_from([0, 1, 86_399]), st.sampled_from(["KES", "USD"]), st.integers(1, 90_000)
        ),
        min_size=1,
        max_size=12,
    )
)
def test_each_month_s_report_equals_its_books_in_each_currency(
    paying: House, made: list[tuple[int, int, str, int]]
) -> None:
    """At the borders of two months that are over: from the first second of a day to its last, in two currencies."""
    business = paying.business
    seed = TaxTransaction.objects.filter(business=business).first()
    if seed is None:
        deducted(paying, 100_000, "SEED")
        seed = TaxTransaction.objects.get(business=business)
    this_month = date.fromisoformat(day(paying)).replace(day=1)
    border = (this_month - timedelta(days=1)).replace(day=1)
    begun = TaxTransaction.objects.filter(business=business).count()
    for place, (days, second, currency, minor) in enumerate(made):
        at_day = border + timedelta(days=days)
        at = datetime.combine(at_day, time(), ZoneInfo(business.time_zone)) + timedelta(seconds=second)
        bank, payable = (system_account(business, kind, currency).pk for kind in ("BANK_FLOAT", "WHT_PAYABLE"))
        legs = [Leg(bank, -minor), Leg(payable, minor)]
        posted = post(business, f"wht:{begun}:{place}", "WHT", legs, "Withheld", at_day)
        withheld: Any = {
            "tax_id": seed.tax_id, "rate_id": seed.rate_id, "base_minor": 20 * minor, "rate_bps": 500, "tax_minor": minor,
        }  # fmt: skip
        write(business, seed.vendor, f"BORDER-{begun}-{place}", currency, [withheld], posted.id, at)
    for first in ((border - timedelta(days=1)).replace(day=1), border):
        last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        reported = Counter[str]()
        for row in report(paying, str(first), str(last)):
            reported[row["currency"]] += row["tax_amount_minor"]
        trial = paying.get(f"/accounting/periods/{first:%Y-%m}/trial-balance").json()["accounts"]
        credited = {row["currency"]: row["credit_minor"] for row in trial if row["kind"] == "WHT_PAYABLE"}
        assert dict(reported) == {currency: minor for currency, minor in credited.items() if minor}
