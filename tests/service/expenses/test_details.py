"""Notes, subcategories and receipts: what the spender and the reviewer may add."""

from collections.abc import Callable

from service.sandbox.simulation import attach_receipt
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code


def test_a_note_by_the_spender_answers_a_request_for_details(house: House, spend: Spend) -> None:
    [row] = spend("Carla")
    house.post(f"/expenses/requestDetails/{row.id}", {"reason": "Who was there?"}, by="Rita")
    by_reviewer = house.post(f"/expenses/notes/{row.id}", {"notes": "Waiting"}, by="Rita").json()
    assert by_reviewer["status"] == "DETAILS_REQUESTED"
    answered = house.post(f"/expenses/notes/{row.id}", {"notes": "The whole team"}, by="Carla").json()
    assert (answered["status"], answered["notes"]) == ("PENDING", "The whole team")


def test_the_notes_that_were_there_before_are_no_answer(house: House, spend: Spend) -> None:
    [row] = spend("Carla")
    house.post(f"/expenses/notes/{row.id}", {"notes": "Lunch"}, by="Carla")
    house.post(f"/expenses/requestDetails/{row.id}", {"reason": "Who was there?"}, by="Rita")
    again = house.post(f"/expenses/notes/{row.id}", {"notes": "Lunch "}, by="Carla").json()
    assert again["status"] == "DETAILS_REQUESTED"
    assert house.post(f"/expenses/notes/{row.id}", {"notes": "Lunch for two"}, by="Carla").json()["status"] == "PENDING"


def test_a_receipt_answers_it_as_well(house: House, spend: Spend) -> None:
    [row] = spend("Carla")
    house.post(f"/expenses/requestDetails/{row.id}", {"reason": "Receipt?"}, by="Rita")
    attach_receipt(house.business, row.id)
    [shown] = house.get("/expenses").json()["docs"]
    assert shown["status"] == "PENDING"
    assert len(shown["receipts"]) == 1


def test_notes_are_the_spenders_and_the_reviewers_to_write(house: House, spend: Spend) -> None:
    [row] = spend("Carla")
    assert house.post(f"/expenses/notes/{row.id}", {"notes": ""}, by="Sam").status_code == 200
    assert code(house.post(f"/expenses/notes/{row.id}", {"notes": "x"}, by="Cyrus")) == (404, "not_found")
    too_long = house.post(f"/expenses/notes/{row.id}", {"notes": "x" * 2001}, by="Carla")
    assert too_long.json()["errors"][0]["field"] == "notes"


def test_a_subcategory_is_changed_to_one_of_the_business(
    house: House, spend: Spend, houses: Callable[..., House]
) -> None:
    [row] = spend("Carla")
    expected = house.opened.subcategories[3]
    body = house.post(f"/expenses/changeSubCategory/{row.id}", {"subcategory_id": expected.id}, by="Carla").json()
    assert body["subcategory"]["_id"] == expected.id
    foreign = houses().opened.subcategories[0]
    refused = house.post(f"/expenses/changeSubCategory/{row.id}", {"subcategory_id": foreign.id})
    assert code(refused) == (422, "validation_failed")
    assert code(house.post(f"/expenses/changeSubCategory/{'0' * 24}", {"subcategory_id": expected.id}))[0] == 404


def test_a_receipt_is_downloaded_by_who_may_see_the_expense(house: House, spend: Spend) -> None:
    [row] = spend("Carla", with_receipts=True)
    answer = house.get(f"/expenses/downloadExpenseReceipt/{row.transaction_ref}", by="Carla")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/png"
    assert answer["Content-Disposition"].startswith("attachment")
    assert b"".join(answer.streaming_content).startswith(b"\x89PNG")
    assert code(house.get(f"/expenses/downloadExpenseReceipt/{row.transaction_ref}", by="Cyrus")) == (404, "not_found")
    assert code(house.get("/expenses/downloadExpenseReceipt/nothing")) == (404, "not_found")
    [bare] = spend("Carla")
    assert code(house.get(f"/expenses/downloadExpenseReceipt/{bare.transaction_ref}")) == (404, "not_found")
