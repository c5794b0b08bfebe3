"""Splitting a transaction: the parts come to the whole to the minor unit, and count wherever categories are counted."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from service import money
from service.auth import system_caller
from service.business_policies import usage
from service.business_policies.evaluation import Facts, Rule
from service.events.models import Event
from service.expenses import posting
from service.expenses.models import Expense, TransactionPart
from service.journal.models import Transaction
from service.periods import zone_of
from tests.service.house import House, code
from tests.service.transactions.conftest import posted, put, spend


def part(house: House, place: int, amount: Decimal | float | str, text: str = "") -> dict[str, Any]:
    return {"subcategory_id": house.opened.subcategories[place].id, "amount": str(amount), "description": text}


def split(house: House, row: dict[str, Any], *parts: dict[str, Any], by: str = "Ada") -> Any:
    return put(house, f"/transactions/{row['_id']}/parts", {"version": row["version"], "parts": list(parts)}, by=by)


def read(house: House, transaction_id: str) -> dict[str, Any]:
    row: dict[str, Any] = house.get(f"/transactions/{transaction_id}").json()
    return row


def other_category(house: House) -> int:
    """The place of a subcategory that is of another category than the first."""
    rows = house.opened.subcategories
    return next(place for place, row in enumerate(rows) if row.category_id != rows[0].category_id)


def halves(amount: float) -> tuple[Decimal, Decimal]:
    whole = Decimal(str(amount))
    return whole - Decimal("0.01"), Decimal("0.01")


def test_a_split_transaction_shows_its_parts_and_is_whole_again_as_before(house: House) -> None:
    row = posted(house, type="EXPENSE", amount=100.25)
    now = split(house, row, part(house, 1, "60.20", "Rooms"), part(house, 2, "40.05")).json()
    assert [(share["subcategory"]["_id"], share["amount_minor"], share["description"]) for share in now["parts"]] == [
        (house.opened.subcategories[1].id, 6020, "Rooms"), (house.opened.subcategories[2].id, 4005, ""),
    ]  # fmt: skip
    assert now["subcategory"]["_id"] == house.opened.subcategories[1].id
    assert Event.objects.filter(business=house.business, kind="transaction.tagged").count() == 1
    again = split(house, now).json()
    assert (again["parts"], again["subcategory"]) == ([], None)
    assert code(split(house, again)) == (409, "invalid_state")


def test_its_expense_is_split_with_it_and_gets_its_category_back(house: House) -> None:
    [mine] = spend(house, "Carla")
    house.post(f"/transactions/{mine}/tag", {"subcategory_id": house.opened.subcategories[0].id}, by="Carla")
    row = read(house, mine)
    first, second = halves(row["amount"])
    now = split(house, row, part(house, 1, first), part(house, 2, second), by="Carla").json()
    expense = Expense.objects.get(id=row["expense_id"])
    assert (expense.part_count, expense.subcategory_id) == (2, house.opened.subcategories[1].id)
    filed = {"subcategory_id": house.opened.subcategories[0].id}
    assert code(house.post(f"/transactions/{mine}/tag", filed)) == (409, "transaction_split")
    assert code(house.post(f"/expenses/changeSubCategory/{expense.id}", filed)) == (409, "transaction_split")
    split(house, now)
    expense.refresh_from_db()
    assert (expense.part_count, expense.subcategory_id) == (0, house.opened.subcategories[0].id)


@pytest.mark.parametrize(
    ("amounts", "field"),
    [
        (("60", "40"), "parts"),
        (("60.201", "40.049"), "parts.0.amount"),
        (("100.25",), "parts"),
        (("100.25", "0"), "parts.1.amount"),
        (("110.25", "-10"), "parts.1.amount"),
    ],
)
def test_parts_that_do_not_make_the_whole_are_refused(house: House, amounts: tuple[str, ...], field: str) -> None:
    row = posted(house, type="EXPENSE", amount=100.25)
    answer = split(house, row, *(part(house, place, amount) for place, amount in enumerate(amounts)))
    assert code(answer) == (422, "validation_failed")
    assert field in answer.content.decode()
    assert read(house, row["_id"])["parts"] == []


def test_what_cannot_be_split_says_why(house: House, other: House) -> None:
    row = posted(house, type="TOPUP", amount=10)
    parts = part(house, 0, 4), part(house, 1, 6)
    assert code(split(house, posted(house, type="REFUND", amount=10), *parts)) == (409, "tag_not_allowed")
    assert code(split(house, {**row, "version": row["version"] + 1}, *parts)) == (409, "stale")
    assert code(split(house, posted(other), *parts)) == (404, "not_found")
    foreign = {**parts[0], "subcategory_id": other.opened.subcategories[0].id}
    assert code(split(house, row, foreign, parts[1])) == (422, "validation_failed")
    house.business.books_closed_until = row["effective_on"]
    house.business.save(update_fields=["books_closed_until"])
    assert code(split(house, row, *parts)) == (409, "invalid_state")


def test_a_subcategory_that_a_part_is_filed_under_is_in_use(house: House) -> None:
    row = posted(house, type="EXPENSE", amount=10)
    split(house, row, part(house, 0, 4), part(house, 3, 6))
    filed = house.opened.subcategories[3]
    answer = house.send("DELETE", f"/categories/{filed.category_id}/subcategories/{filed.id}", by="Ada")
    assert code(answer) == (409, "in_use")


def test_a_limit_of_a_category_counts_the_parts_that_are_of_it(house: House) -> None:
    [mine] = spend(house, "Carla")
    row, far = read(house, mine), other_category(house)
    first, second = halves(row["amount"])
    split(house, row, part(house, 0, first), part(house, far, second))
    expense = Expense.objects.get(id=row["expense_id"])
    zone = zone_of(house.business)
    filed, of_far = house.opened.subcategories[0], house.opened.subcategories[far]
    for kind, target, amount in (
        ("SUBCATEGORY", filed.id, first), ("CATEGORY", filed.category_id, first),
        ("SUBCATEGORY", of_far.id, second), ("CATEGORY", of_far.category_id, second),
        ("CHANNEL", expense.payment_type, first + second),
    ):  # fmt: skip
        rule = Rule("r", kind, target, "BLOCK", limit_minor=1, currency=expense.currency, period="MONTH")
        facts = Facts(amount_minor=0, currency=expense.currency, at=expense.transaction_date, zone=zone)
        assert usage.spent(house.business, rule, facts) == int(amount * 100), kind


def test_reports_and_money_movement_count_each_part(house: House) -> None:
    [mine] = spend(house, "Carla")
    row, far = read(house, mine), other_category(house)
    first, second = halves(row["amount"])
    split(house, row, part(house, 0, first), part(house, far, second))
    lines = house.get("/expenses/reports/categories").json()["docs"]
    names = [house.opened.subcategories[place].category_id for place in (0, far)]
    sums = {line["category_id"]: Decimal(str(line["amount"])) for line in lines}
    wanted: dict[str, Decimal] = {}
    for name, amount in zip(names, (first, second), strict=True):
        wanted[name] = wanted.get(name, Decimal(0)) + amount
    assert sums == wanted
    [movement] = [
        doc for doc in house.get("/transactions/money-movement").json()["docs"] if doc["currency"] == row["currency"]
    ]
    spends = {spent["subcategory_id"]: Decimal(str(spent["amount"])) for spent in movement["top_spends"]}
    fees = Decimal(str(row["fees"]))
    assert spends == {
        house.opened.subcategories[0].id: first + fees, house.opened.subcategories[far].id: second,
    }  # fmt: skip


def test_what_takes_it_back_has_the_same_parts(house: House) -> None:
    row = posted(house, type="EXPENSE", amount=10)
    split(house, row, part(house, 0, 4), part(house, 3, 6))
    assert put(house, f"/transactions/{row['_id']}/reverse", {"reason": "Twice"}).status_code == 200
    [back] = [doc for doc in house.get("/transactions").json()["docs"] if doc["ref"].startswith("reversal:")]
    assert [share["amount_minor"] for share in back["parts"]] == [400, 600]


@settings(max_examples=25)
@given(cuts=st.lists(st.integers(1, 10**9), min_size=2, max_size=20))
def test_any_parts_that_make_the_whole_are_kept_to_the_minor_unit(house: House, cuts: list[int]) -> None:
    [mine] = spend(house, "Carla")
    Transaction.objects.filter(id=mine).update(amount_minor=sum(cuts))
    row = read(house, mine)
    places = len(house.opened.subcategories)
    parts = [
        part(house, place % places, money.to_number(minor, row["currency"])) for place, minor in enumerate(cuts)
    ]  # fmt: skip
    now = split(house, row, *parts).json()
    assert [share["amount_minor"] for share in now["parts"]] == cuts
    assert sum(share["amount_minor"] for share in now["parts"]) == now["amount_minor"]
    refused = split(house, now, *parts[:-1], part(house, 0, money.to_number(cuts[-1] + 1, row["currency"])))
    assert refused.status_code == 422
    assert [share["amount_minor"] for share in read(house, mine)["parts"]] == cuts


def test_the_database_refuses_parts_that_are_not_the_whole(house: House) -> None:
    row = posted(house, type="EXPENSE", amount=10)
    split(house, row, part(house, 0, 4), part(house, 3, 6))
    first = TransactionPart.objects.filter(transaction_id=row["_id"], position=1)
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
    with pytest.raises(IntegrityError), transaction.atomic():
        first.update(amount_minor=399)


def test_a_refund_gives_each_category_its_part_back(house: House) -> None:
    [mine] = spend(house, "Carla")
    row = read(house, mine)
    first, second = halves(row["amount"])
    split(house, row, part(house, 0, first), part(house, 3, second))
    posting.refund(system_caller(house.business), row["expense_id"])
    days = [doc["effective_on"] for doc in house.get("/transactions").json()["docs"]]
    query = f"?from={min(days)}&to={max(days)}&limit=1000"
    lines = house.get(f"/accounting/journal-exports/pending/lines{query}", by="Ada").json()["docs"]
    sums: dict[str, int] = {}
    for share in (share for line in lines for share in line["parts"]):
        sums[share["subcategory_id"]] = sums.get(share["subcategory_id"], 0) + share["amount_minor"]
    assert sums == dict.fromkeys((house.opened.subcategories[0].id, house.opened.subcategories[3].id), 0)


def test_a_budget_counts_the_parts_under_its_category_alone(house: House) -> None:
    [mine] = spend(house, "Carla")
    row = read(house, mine)
    team, far = house.person("Carla").team_id, other_category(house)
    filed = [house.opened.subcategories[place] for place in (0, far)]
    budgets = {}
    for name, more in (
        ("First", {"category_id": filed[0].category_id}), ("Second", {"category_id": filed[1].category_id}),
        ("Team, second", {"category_id": filed[1].category_id, "team_id": team}), ("Team", {"team_id": team}),
    ):  # fmt: skip
        made = house.post("/bills/budgets", {"name": name, "currency": row["currency"], "amount": 1000, **more})
        budgets[name] = made.json()["_id"]
    first, second = halves(row["amount"])
    split(house, row, part(house, 0, first), part(house, far, second))
    spent = {name: house.get(f"/bills/budgets/{key}").json()["spent_minor"] for name, key in budgets.items()}
    whole, fees = row["amount_minor"], row["fees_minor"]
    assert spent == {"First": whole - 1 + fees, "Second": 1, "Team, second": 1, "Team": whole + fees}
