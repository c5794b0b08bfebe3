"""What is withheld: by residence, base, threshold and day, rounded half up (a table of cases)."""

from datetime import date

import pytest

from service.taxes import withholding
from service.taxes.models import Base, Tax, TaxRate
from service.taxes.withholding import Payable
from service.vendors.models import Vendor
from tests.service.house import House

DAY = date(2026, 3, 4)


def tax(house: House, **rate: object) -> Tax:
    row = Tax.objects.create(business=house.business, code="T", name="T", currency="KES")
    first = {"base": Base.NET_OF_VAT, "resident_rate_bps": 500, "non_resident_rate_bps": 2000, **rate}
    TaxRate.objects.create(tax=row, effective_from=date(2026, 1, 1), created_by="x", **first)
    return row


@pytest.mark.parametrize(
    ("country", "rate", "payable", "expected"),
    [
        ("KE", {}, Payable(116_00, 100_00, "KES"), (100_00, 500, 5_00)),
        ("UG", {}, Payable(116_00, 100_00, "KES"), (100_00, 2000, 20_00)),
        ("KE", {"base": Base.GROSS}, Payable(116_00, 100_00, "KES"), (116_00, 500, 5_80)),
        ("KE", {}, Payable(1_10, 1_10, "KES"), (1_10, 500, 6)),  # 5.5 is rounded up
        ("KE", {}, Payable(1_09, 1_09, "KES"), (1_09, 500, 5)),
        ("KE", {"threshold_minor": 200_00}, Payable(116_00, 100_00, "KES"), (100_00, 500, 0)),
        ("KE", {"threshold_minor": 116_00}, Payable(116_00, 100_00, "KES"), (100_00, 500, 5_00)),
        ("KE", {"threshold_minor": 200_00}, Payable(116_00, 100_00, "USD"), (100_00, 500, 5_00)),
    ],
)
def test_a_table_of_cases(
    house: House, country: str, rate: dict[str, object], payable: Payable, expected: tuple[int, int, int]
) -> None:
    (found,) = withholding.of([tax(house, **rate)], Vendor(country=country), "KE", payable, DAY)
    assert (found.base_minor, found.rate_bps, found.tax_minor) == expected


def test_what_was_paid_in_the_month_counts_towards_the_threshold(house: House) -> None:
    row = tax(house, threshold_minor=200_00)
    payable = Payable(116_00, 100_00, "KES", {row.id: 84_00})
    (found,) = withholding.of([row], Vendor(country="KE"), "KE", payable, DAY)
    assert found.tax_minor == 5_00


def test_the_rate_is_that_of_the_day(house: House) -> None:
    row = tax(house)
    last = {"base": Base.GROSS, "resident_rate_bps": 700, "non_resident_rate_bps": 0, "created_by": "x"}
    TaxRate.objects.create(tax=row, effective_from=date(2026, 3, 5), **last)
    payable = Payable(100_00, 100_00, "KES")
    for day, expected in ((DAY, 500), (date(2026, 3, 5), 700)):
        (found,) = withholding.of([row], Vendor(country="KE"), "KE", payable, day)
        assert found.rate_bps == expected
    assert withholding.of([row], Vendor(country="KE"), "KE", payable, date(2025, 12, 31)) == []


@pytest.mark.parametrize(
    ("day", "due"),
    [
        (date(2026, 3, 2), date(2026, 3, 9)),
        (date(2026, 3, 6), date(2026, 3, 13)),
        (date(2026, 3, 7), date(2026, 3, 13)),
    ],
)
def test_it_is_remitted_within_five_working_days(day: date, due: date) -> None:
    assert withholding.due_on(day) == due
