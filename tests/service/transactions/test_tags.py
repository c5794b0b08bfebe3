"""Tagging: expenses and top-ups are filed under a subcategory, internal transfers and refunds never are."""

from datetime import timedelta

import pytest

from service.auth import system_caller
from service.businesses.models import Business
from service.categories.models import Subcategory
from service.events.models import Event
from service.expenses import posting
from service.expenses.models import Expense
from service.ledger.post import today
from tests.service.house import House, code
from tests.service.transactions.conftest import posted, spend


def filed(house: House, place: int = 0) -> dict[str, str]:
    return {"subcategory_id": house.opened.subcategories[place].id}


def test_tagging_is_allowed_for_expenses_and_topups(house: House) -> None:
    for kind in ("EXPENSE", "TOPUP"):
        row = posted(house, type=kind)
        answer = house.post(f"/transactions/{row['_id']}/tag", filed(house), by="Ada")
        assert answer.json()["subcategory"]["_id"] == filed(house)["subcategory_id"]
    assert Event.objects.filter(business=house.business, kind="transaction.tagged").count() == 2


def test_tagging_is_refused_for_ift_and_refund(house: House) -> None:
    house.post("/accounts", {"currency": "KES", "walletType": "SUB:payroll"})
    transfer = posted(house, type="IFT", to_org_wallet_ref="3", counterparty=None)
    refund = posted(house, type="REFUND")
    for row in (transfer, refund):
        assert code(house.post(f"/transactions/{row['_id']}/tag", filed(house))) == (409, "tag_not_allowed")
    body = {"type": "REFUND", "org_wallet_ref": "1", "amount": 5, "counterparty": "A", **filed(house)}
    assert code(house.post("/transactions/new", body)) == (409, "tag_not_allowed")


def test_an_expense_and_its_transaction_are_filed_alike(house: House) -> None:
    [mine] = spend(house, "Carla")
    expense = house.get(f"/transactions/{mine}").json()["expense_id"]
    house.post(f"/transactions/{mine}/tag", filed(house, 1), by="Carla")
    assert Expense.objects.get(id=expense).subcategory_id == filed(house, 1)["subcategory_id"]
    house.post(f"/expenses/changeSubCategory/{expense}", filed(house, 2), by="Ada")
    assert house.get(f"/transactions/{mine}").json()["subcategory"]["_id"] == filed(house, 2)["subcategory_id"]


def test_a_refunded_expense_leaves_its_refund_untagged(house: House) -> None:
    [mine] = spend(house, "Carla")
    expense = house.get(f"/transactions/{mine}").json()["expense_id"]
    posting.refund(system_caller(house.business), expense)
    [row] = house.get("/transactions?type=REFUND").json()["docs"]
    assert (row["direction"], row["expense_id"]) == ("IN", expense)
    assert code(house.post(f"/transactions/{row['_id']}/tag", filed(house))) == (409, "tag_not_allowed")


def test_an_archived_or_foreign_subcategory_is_422(house: House, other: House) -> None:
    row = posted(house)
    Subcategory.objects.filter(id=filed(house)["subcategory_id"]).update(status="ARCHIVED")
    for body in (filed(house), filed(other), {"subcategory_id": "f" * 24}, {}, {"subcategory_id": 7}):
        assert code(house.post(f"/transactions/{row['_id']}/tag", body)) == (422, "validation_failed")


def test_in_a_closed_book_nothing_is_filed_otherwise(house: House) -> None:
    row = posted(house)
    Business.objects.filter(id=house.business.id).update(books_closed_until=today(house.business))
    assert code(house.post(f"/transactions/{row['_id']}/tag", filed(house))) == (409, "invalid_state")
    Business.objects.filter(id=house.business.id).update(books_closed_until=today(house.business) - timedelta(days=1))
    assert house.post(f"/transactions/{row['_id']}/tag", filed(house)).status_code == 200


@pytest.mark.parametrize("name", ["Apollo", "Ada", "Sam"])
def test_the_office_tags_anything(house: House, name: str) -> None:
    assert house.post(f"/transactions/{posted(house)['_id']}/tag", filed(house), by=name).status_code == 200


def test_another_businesss_transaction_is_404(house: House, other: House) -> None:
    assert code(house.post(f"/transactions/{posted(other)['_id']}/tag", filed(house))) == (404, "not_found")
