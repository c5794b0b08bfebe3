"""An amount has at most the decimals of its currency, whatever operation takes it: 422 at the field, nothing written."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from tests.service.house import House
from tests.service.http.operation_fields import ALL, leaves
from tests.service.http.test_inputs import put
from tests.service.proof.bodies import BODIES, BY, HEADERS, filled, path_parameters
from tests.service.proof.operations import OPERATIONS, Operation, attempts
from tests.service.proof.stage import Stage

# Numbers of no currency: how many, how much of a hundred, how sure, units of a fund.
NO_MONEY = {"qty", "tax_rate", "min_confidence", "units"}
TOO_FINE = Decimal("1.2345")


def amounts(operation: Operation) -> list[tuple[str | int, ...]]:
    """Where an operation's body holds an amount."""
    found = []
    for method, path, each in ALL:
        if (method, path) != (operation.method, f"/v2{operation.path}"):
            continue
        for model in each.models:
            if model.__ninja_param_source__ == "body":
                for field in model.model_fields.values():
                    for annotation, _, place in leaves(field.annotation, tuple(field.metadata), ()):
                        if annotation is Decimal and place[-1] not in NO_MONEY:
                            found.append(place)
    return found


WITH_AMOUNTS = [each for each in OPERATIONS if amounts(each)]


@pytest.fixture
def stage(house: House) -> Stage:
    return Stage(house)


def test_there_is_something_to_check() -> None:
    assert len(WITH_AMOUNTS) > 25
    assert [str(each) for each in WITH_AMOUNTS if str(each) not in BODIES and str(each) not in NEW] == []


def test_too_many_decimals_are_422_at_the_field(stage: Stage) -> None:
    wrong = []
    stage.ask("POST", f"/investments/opt-in/{stage.ids['opt_in']}/approve", by="Apollo")
    for operation in WITH_AMOUNTS:
        body = filled(BODIES.get(str(operation), NEW.get(str(operation))), stage.ids)
        address = operation.at(**{name: stage.ids[row] for name, row in path_parameters(operation.path).items()})
        for place in dict.fromkeys(amounts(operation)):
            before = attempts()
            with transaction.atomic():
                answer = stage.house.send(
                    operation.method, address, put(fitting(operation, body, place), place, TOO_FINE),
                    by=BY.get(str(operation), operation.somebody()), headers=HEADERS.get(str(operation), {}),
                )  # fmt: skip
                transaction.set_rollback(True)
            named = {each["field"] for each in answer.json().get("errors", [])}
            name = ".".join(str(part) for part in place)
            if answer.status_code != 422 or name not in named or attempts() != before:
                wrong.append((str(operation), name, answer.status_code, answer.json().get("detail")))
    assert wrong == [], "\n".join(str(each) for each in wrong)


def fitting(operation: Operation, body: Any, place: tuple[str | int, ...]) -> Any:
    """Without the fields that may not stand beside this one, and with those that must."""
    stored = {name: value for name, value in (body or {}).items() if (name, place[0]) not in RIVALS}
    return stored if operation.path.startswith("/subscriptions") else stored | BESIDE.get(place, {})


RIVALS = {
    *((name, place) for name in ("line_items",) for place in ("subtotal", "tax_amount", "total")),
    ("units", "amount"), ("all", "amount"),
}  # fmt: skip
SUMS = {"subtotal": 10, "tax_amount": 0, "total": 10}
BESIDE: dict[tuple[str | int, ...], dict[str, Any]] = {
    ("limit",): {"currency": "KES", "period": "MONTH"},
    ("conditions", "min_amount"): {"conditions": {"currency": "KES"}},
    ("conditions", "max_amount"): {"conditions": {"currency": "KES"}},
    ("line_items", 0, "splits", 0, "amount"): {
        "line_items": [{"description": "Paper", "unit_price": 10, "splits": [{"team_id": "0" * 24}]}]
    },
    ("line_items", 0, "unit_price"): {"line_items": [{"description": "Paper"}]},
    **{(name,): SUMS for name in SUMS},
}
# Operations that make what names nothing else; the rest is in bodies.py.
NEW: dict[str, Any] = {
    "POST /payments/request-mpesa-payment": {"phone": "254712345678", "account_reference": "INV-7"},
    "POST /cards/single-use/requests": {"purpose": "A ticket"},
    "POST /fx/conversion-rate": {"from": "USD", "to": "KES"},
    "POST /vendors": {"name": "Acacia Supplies", "discount_days": 10},
    "POST /taxes/create": {
        "code": "WHT_NEW", "name": "New", "resident_rate_bps": 500, "non_resident_rate_bps": 1000,
    },
}  # fmt: skip
