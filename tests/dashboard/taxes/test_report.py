"""The report as its page groups it: each tax has lines of its own at each rate and in each currency, which come to the whole."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.money import to_minor
from dashboard.pages.taxes.presenters.withheld import by_rate, totals
from dashboard.schemas.taxes import Tax, TaxTransaction

# Two of one name, as only the code is a tax's own.
NAMES = {"a": ("WHT_A", "Withholding"), "b": ("WHT_B", "Withholding"), "c": ("WHT_C", "Rent")}
TAXES = [
    Tax.model_validate({"_id": key, "code": code, "name": name, "currency": "KES"})
    for key, (code, name) in NAMES.items()
]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(sorted(NAMES)), st.sampled_from([500, 1000]), st.sampled_from(["KES", "USD"]),
        st.sampled_from(["DEDUCTED", "REMITTED", "REVERSED"]), st.integers(1, 10**9),
    ),
    max_size=30,
)  # fmt: skip


def deduction(number: int, row: tuple[str, int, str, str, int]) -> TaxTransaction:
    tax, rate, currency, status, minor = row
    return TaxTransaction.model_validate({
        "_id": str(number), "tax_id": tax, "tax_code": NAMES[tax][0], "base_amount_minor": minor * 20, "rate_bps": rate,
        "tax_amount_minor": minor, "currency": currency, "status": status,
    })  # fmt: skip


def minor_of(text: str, currency: str) -> int:
    return to_minor(Decimal(text.replace(",", "")), currency)


@settings(max_examples=40)
@given(drawn=ROWS)
def test_the_lines_come_to_the_whole_and_each_is_of_one_tax(drawn: list[tuple[str, int, str, str, int]]) -> None:
    rows = [deduction(number, row) for number, row in enumerate(drawn)]
    lines = by_rate(rows, TAXES, "en")
    assert len(lines) == len({(row.tax_id, row.rate_bps, row.currency) for row in rows})
    expected: Counter[tuple[str, str]] = Counter()
    for row in rows:
        code, name = NAMES[row.tax_id]
        standing = row.tax_amount_minor if row.status != "REVERSED" else 0
        expected[f"{name} · {code}", row.currency] += standing
    reported: Counter[tuple[str, str]] = Counter()
    for line in lines:
        reported[line.title, line.currency] += minor_of(line.tax, line.currency)
    assert reported == expected
    sums = {line.currency: minor_of(line.tax, line.currency) for line in totals(rows, "en")}
    assert all(sums[currency] == sum(n for (_, of), n in expected.items() if of == currency) for currency in sums)


def test_a_tax_that_is_not_known_is_called_by_its_code() -> None:
    [line] = by_rate([deduction(1, ("a", 500, "KES", "DEDUCTED", 100))], [], "en")
    assert line.title == "WHT_A"
