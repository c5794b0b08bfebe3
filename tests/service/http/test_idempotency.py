"""One effect per Idempotency-Key, the same answer to every repeat (decisions B.2)."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api import v2
from service.bills.models import BillFile
from service.businesses.models import StoredAnswer
from service.categories.models import Category
from service.idempotency import canonical
from service.json_body import read
from tests.service.bills.test_duplicates import upload
from tests.service.house import House, code
from tests.service.transactions.files import GOOD


def count(house: House) -> int:
    return Category.objects.filter(business=house.business).count()


def test_a_repeat_gets_the_first_answer_and_has_no_effect(house: House) -> None:
    before = count(house)
    first = house.post("/categories", {"name": "Wheels", "code": "W"}, key="k1")
    second = house.post("/categories", {"code": "W", "name": "Wheels"}, key="k1")
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.content == first.content
    assert second["Content-Type"] == first["Content-Type"]
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    assert count(house) == before + 1


def test_the_same_key_with_another_body_is_refused(house: House) -> None:
    house.post("/categories", {"name": "Wheels"}, key="k1")
    assert code(house.post("/categories", {"name": "Doors"}, key="k1")) == (422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("100", "100.0", True),
        # An exponent is no amount: refused at its field, and no other way to write one.
        ("100", "1e2", False),
        ("100.50", "100.5", True),
        ("0", "-0.00", True),
        ("0.1", "0.10", True),
        ("100", "100.01", False),
        ("100", "-100", False),
        ("100", "1000", False),
        ("1", "10", False),
        ("100", '"100"', False),
        ("1", "true", False),
        ("12345678901234567890123456789.1", "12345678901234567890123456789.2", False),
    ],
)
def test_a_number_is_the_same_however_it_is_written_and_no_other(first: str, second: str, same: bool) -> None:
    single, two = (canonical(read(f'{{"amount": [{text}]}}'.encode())) for text in (first, second))
    assert (single == two) is same


def test_the_same_amount_written_otherwise_is_the_same_request(house: House) -> None:
    path, by = "/employees/allocate-funds", "Apollo"
    body = '{"employee_id": "%s", "amount": %s}'
    carla, sent = house.person("Carla").id, {"by": by, "key": "k"}
    first = house.post(path, body % (carla, "100"), **sent)
    again = house.post(path, body % (carla, "100.0"), **sent)
    assert (first.status_code, again.content) == (200, first.content)
    assert again["Idempotency-Replayed"] == "true"
    assert code(house.post(path, body % (carla, "100.01"), **sent)) == (422, "idempotency_key_reused")


def test_a_number_of_a_million_digits_costs_nothing(house: House) -> None:
    body = f'{{"employee_id": "{house.person("Carla").id}", "amount": 1e999999}}'
    assert code(house.post("/employees/allocate-funds", body, by="Apollo")) == (422, "validation_failed")


def test_a_file_that_is_sent_again_is_the_one_that_is_there(house: House) -> None:
    first, again = (upload(house, key="k") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again["Idempotency-Replayed"] == "true"
    assert again.json()["_id"] == first.json()["_id"]
    assert BillFile.objects.filter(business=house.business).count() == 1


@pytest.mark.parametrize("other", [{"content": GOOD["PNG"]}, {"name": "another.pdf"}])
def test_another_file_under_the_same_key_is_refused(house: House, other: dict[str, Any]) -> None:
    upload(house, key="k")
    assert code(upload(house, key="k", **other)) == (422, "idempotency_key_reused")
    assert BillFile.objects.filter(business=house.business).count() == 1


def test_whatever_takes_a_file_takes_a_key() -> None:
    uploads = [
        operation
        for path in v2.get_openapi_schema(path_prefix="")["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict) and "multipart/form-data" in operation.get("requestBody", {}).get("content", {})
    ]
    assert len(uploads) >= 5
    assert [one["operationId"] for one in uploads if "x-idempotency-days" not in one] == []


def test_who_is_named_in_the_query_belongs_to_the_request(house: House) -> None:
    """The old interface names people there."""
    for name in ("Carla", "Cyrus"):
        path = f"/employees/addMoney?employee_id={house.person(name).id}"
        answer = house.v1("POST", path, {"amount": 5}, idempotency="k")
        assert (answer.status_code, name) in ((200, "Carla"), (400, "Cyrus"))


def test_the_same_key_by_another_person_is_another_request(house: House) -> None:
    house.post("/categories", {"name": "Wheels"}, key="k1", by="Ada")
    assert code(house.post("/categories", {"name": "Wheels"}, key="k1", by="Abel")) == (422, "idempotency_key_reused")


def test_a_key_belongs_to_one_operation(house: House) -> None:
    category = house.post("/categories", {"name": "Wheels"}, key="k1").json()
    answer = house.post(f"/categories/{category['_id']}/subcategories", {"name": "Wheels"}, key="k1")
    assert answer.status_code == 201


def test_a_refusal_by_a_business_rule_is_kept_and_given_again(house: House) -> None:
    house.post("/categories", {"name": "Wheels", "code": "W"}, key="k1")
    refused = house.post("/categories", {"name": "Wires", "code": "W"}, key="k2")
    assert code(refused) == (409, "duplicate")
    Category.objects.filter(business=house.business, code="W").delete()
    again = house.post("/categories", {"name": "Wires", "code": "W"}, key="k2")
    assert code(again) == (409, "duplicate")
    assert again["Idempotency-Replayed"] == "true"
    assert again.json()["request_id"] == refused.json()["request_id"]


def test_403_is_not_kept(house: House) -> None:
    assert code(house.post("/categories", {"name": "Wheels"}, key="k1", by="Carla"))[0] == 403
    assert house.post("/categories", {"name": "Wheels"}, key="k1", by="Ada").status_code == 201


def test_a_failure_of_ours_is_not_kept(house: House, monkeypatch: Any) -> None:
    def explode(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    before = count(house)
    with monkeypatch.context() as broken:
        broken.setattr("service.categories.services.record_audit", explode)
        assert house.post("/categories", {"name": "Wheels"}, key="k1").status_code == 500
    assert count(house) == before
    assert not StoredAnswer.objects.filter(business_id=house.business.id).exists()
    assert house.post("/categories", {"name": "Wheels"}, key="k1").status_code == 201


def test_a_key_has_1_to_255_characters(house: House) -> None:
    assert code(house.post("/categories", {"name": "A"}, key="x" * 256)) == (400, "invalid_parameters")
    assert house.post("/categories", {"name": "A"}, key="x" * 255).status_code == 201


def test_money_needs_a_key(house: House) -> None:
    body = {"employee_id": house.person("Carla").id, "name": "Fuel"}
    assert code(house.post("/cards", body, key=None)) == (400, "idempotency_key_missing")


def test_an_answer_whose_time_is_over_is_forgotten(house: House) -> None:
    house.post("/categories", {"name": "Wheels", "code": "W"}, key="k1")
    StoredAnswer.objects.filter(business_id=house.business.id).update(keep_until=timezone.now() - timedelta(seconds=1))
    assert house.post("/categories", {"name": "Doors", "code": "D"}, key="k1").status_code == 201


@settings(max_examples=15)
@given(name=st.text(min_size=1, max_size=30), key=st.text(alphabet="abcXYZ019-_:.", min_size=1, max_size=40))
def test_replaying_changes_nothing_whatever_was_sent(house: House, name: str, key: str) -> None:
    body = {"name": name.encode("utf-8", "replace").decode()}
    first = house.post("/categories", body, key=key)
    known = count(house)
    again = house.post("/categories", body, key=key)
    assert count(house) == known
    if first.status_code in (201, 409):
        assert (again.status_code, again.content) == (first.status_code, first.content)


def test_twenty_at_once_have_one_effect(committed: None) -> None:
    house = House()
    assert house.token
    before = count(house)
    gate = threading.Barrier(20)
    answers: list[Any] = []

    def send() -> None:
        gate.wait(30)
        answers.append(house.post("/categories", {"name": "Wheels"}, key="race"))
        connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    bodies = {answer.content for answer in answers if answer.status_code == 201}
    refusals = {code(answer) for answer in answers if answer.status_code != 201}
    assert len(answers) == 20
    assert len(bodies) == 1
    assert refusals <= {(409, "idempotency_in_progress")}
    assert count(house) == before + 1
