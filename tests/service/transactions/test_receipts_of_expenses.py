"""A document of a purchase is its expense's receipt: shown there at once, kept once, and an answer where one was asked for."""

from pathlib import Path
from typing import Any

import pytest

from service.events.models import Event
from service.expenses.models import Expense, Receipt
from service.sandbox.simulation import spend_some
from tests.service.cards.conftest import allocate, use
from tests.service.house import House, code
from tests.service.transactions.conftest import spend, upload
from tests.service.transactions.files import CSV, GOOD, PDF


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    """Files of a test lie in a folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def expense_of(house: House, transaction_id: str) -> dict[str, Any]:
    """The expense of a transaction, as lists show it."""
    expense_id = house.get(f"/transactions/{transaction_id}").json()["expense_id"]
    found: dict[str, Any] = next(row for row in house.get("/expenses").json()["docs"] if row["_id"] == expense_id)
    return found


def test_a_document_of_a_purchase_is_a_receipt_of_its_expense(house: House) -> None:
    [mine] = spend(house, "Carla")
    answer = upload(house, f"/transactions/{mine}/supporting-document", GOOD["PNG"], "lunch.png", by="Carla")
    assert answer.status_code == 201
    expense = expense_of(house, mine)
    assert [row["file_name"] for row in expense["receipts"]] == ["lunch.png"]
    assert answer.json()["expense"]["receipts"] == expense["receipts"]
    shown = house.get(expense["receipts"][0]["url"].removeprefix("/v2"), by="Carla")
    assert b"".join(shown.streaming_content) == GOOD["PNG"]
    assert Event.objects.filter(business=house.business, kind="expense.updated").count() == 1


def test_it_answers_the_question_of_the_reviewer_when_the_spender_adds_it(house: House) -> None:
    [mine] = spend(house, "Carla")
    expense = expense_of(house, mine)
    house.post(f"/expenses/requestDetails/{expense['_id']}", {"reason": "Receipt?"}, by="Rita")
    path = f"/transactions/{mine}/supporting-document"
    assert upload(house, path, GOOD["PNG"], by="Rita").json()["expense"]["status"] == "DETAILS_REQUESTED"
    assert upload(house, path, PDF, by="Carla").json()["expense"]["status"] == "PENDING"
    assert [row["mime"] for row in expense_of(house, mine)["receipts"]] == ["image/png", "application/pdf"]


def test_a_posted_purchase_is_named_by_its_expense_too(house: House, other: House) -> None:
    """Whoever saw it on hold names the expense; it may have been posted since."""
    [mine] = spend(house, "Carla")
    expense = expense_of(house, mine)
    path = f"/transactions/{expense['_id']}/supporting-document"
    assert upload(house, path, PDF, "taxi.pdf", by="Carla").status_code == 201
    assert [row["file_name"] for row in expense_of(house, mine)["receipts"]] == ["taxi.pdf"]
    documents = house.get(f"/transactions/{mine}").json()["documents"]
    assert [row["file_name"] for row in documents] == ["taxi.pdf"]
    assert upload(house, f"/transactions/{mine}/supporting-document", PDF, by="Carla").status_code == 200
    assert code(upload(other, path, PDF)) == (404, "not_found")


def test_the_same_file_again_is_no_second_receipt_and_no_news(house: House) -> None:
    [mine] = spend(house, "Carla")
    path = f"/transactions/{mine}/supporting-document"
    first = upload(house, path, PDF, by="Carla").json()
    again = upload(house, path, PDF, "other.pdf", by="Carla")
    assert (again.status_code, again.json()["_id"]) == (200, first["_id"])
    assert again.json()["expense"]["version"] == first["expense"]["version"]
    assert len(expense_of(house, mine)["receipts"]) == 1


def test_what_is_no_receipt_stays_a_document_alone(house: House) -> None:
    [mine] = spend(house, "Carla")
    answer = upload(house, f"/transactions/{mine}/supporting-document", CSV, "rows.csv", by="Carla")
    assert answer.status_code == 201
    assert answer.json()["expense"]["receipts"] == []
    assert len(house.get(f"/transactions/{mine}").json()["documents"]) == 1


def test_a_document_taken_off_is_no_receipt_any_more(
    house: House, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    [mine] = spend(house, "Carla")
    created = upload(house, f"/transactions/{mine}/supporting-document", PDF, by="Carla").json()
    with django_capture_on_commit_callbacks(execute=True):
        house.post(f"/transactions/{mine}/remove-document", {"document_id": created["_id"]}, by="Carla")
    assert expense_of(house, mine)["receipts"] == []
    assert list(media.rglob("*.pdf")) == []


def test_a_purchase_on_hold_is_named_by_its_expense(house: House, other: House) -> None:
    """Before the merchant collects there is no transaction yet; the receipt is in the spender's hand."""
    assert allocate(house).status_code == 200
    card = house.post("/cards", {"employee_id": house.person("Carla").id, "name": "Fuel"}, by="Ada").json()
    use(house, card)
    expense = Expense.objects.get(business=house.business)
    assert house.get("/transactions?type=EXPENSE", by="Carla").json()["docs"] == []
    path = f"/transactions/{expense.id}/supporting-document"
    answer = upload(house, path, PDF, "taxi.pdf", by="Carla")
    assert answer.status_code == 201, answer.json()
    assert [row["file_name"] for row in answer.json()["expense"]["receipts"]] == ["taxi.pdf"]
    assert upload(house, path, PDF, by="Carla").status_code == 200
    assert Receipt.objects.filter(expense=expense).count() == 1
    assert code(upload(house, path, CSV, by="Carla")) == (415, "unsupported_media_type")
    stranger = next(name for name, each in house.people.items() if each.role == "CARD_USER" and name != "Carla")
    assert code(upload(house, path, PDF, by=stranger)) == (404, "not_found")
    assert code(upload(other, path, PDF)) == (404, "not_found")


def test_an_expense_has_at_most_20_receipts(house: House) -> None:
    [expense] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    mine = next(row["_id"] for row in house.get("/transactions").json()["docs"] if row["expense_id"] == expense.id)
    for number in range(20):
        assert upload(house, f"/transactions/{mine}/supporting-document", PDF + b"%" * number).status_code == 201
    assert code(upload(house, f"/transactions/{mine}/supporting-document", PDF + b"\n\n")) == (422, "limit_exceeded")
