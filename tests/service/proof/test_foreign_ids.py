"""Another business's things are not there: not by their address, not inside a body; and nothing is written."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import transaction

from tests.service.house import House
from tests.service.proof.bodies import (
    BODIES,
    BULK,
    BY,
    FILTERS,
    HEADERS,
    QUERIES,
    STATES,
    UNDONE,
    filled,
    named,
    path_parameters,
)
from tests.service.proof.operations import OPERATIONS, WITH_JSON, Operation, attempts, is_problem, resolve, upload
from tests.service.proof.stage import Stage

# What stands in the path is the same for every business, or no name of a thing.
SHARED = {
    "GET /investments/funds/{fund_id}": "the catalogue of funds is everybody's",
    "GET /vendors/recent/{channel}": "a channel is a word",
    "PUT /permissions/update/{role_id}": "a role is a word",
    **{
        f"{verb} /accounting/periods/{{period}}{more}": "a month is a word"
        for verb, more in (
            ("GET", ""), ("POST", "/close"), ("POST", "/reopen"), ("GET", "/trial-balance"),
            ("GET", "/trial-balance/export"), ("GET", "/general-ledger"), ("GET", "/late"), ("GET", "/wallets"),
        )
    },
}  # fmt: skip
# Ids of the outside world.
NAMES_OF_OTHERS = {"merchant_id", "bank_id"}
# Compared with what stands on the row, and looked up nowhere.
COMPARED = {"seen_subcategory_id"}
# The catalogue of funds is everybody's.
EVERYBODYS = {("POST /investments/opt-in", "fund_id")}
BY_PATH = [each for each in OPERATIONS if each.parameters and str(each) not in SHARED]
BY_BODY = [(each, name) for each in OPERATIONS for name in named(BODIES.get(str(each)))]


@pytest.fixture
def two(house: House) -> tuple[Stage, Stage]:
    """Two businesses with one of each thing."""
    return Stage(house), Stage(House(), payouts_before=5)


def send(stage: Stage, operation: Operation, ids: dict[str, str], body: Any) -> Any:
    """The operation, with those ids in its address."""
    address = operation.at(**{name: str(ids[row]) for name, row in path_parameters(operation.path).items()})
    if query := QUERIES.get(str(operation)):
        address = f"{address}?{urlencode(filled(query, stage.ids))}"
    by = BY.get(str(operation), operation.somebody())
    if operation.media_type.startswith("multipart"):
        return upload(stage.house, operation, address, body or {}, by=by)
    return stage.house.send(operation.method, address, body, by=by, headers=HEADERS.get(str(operation), {}))


def own(stage: Stage, operation: Operation) -> Any:
    """The same with one's own ids, undone afterwards: what is refused to another is not refused to everybody."""
    if str(operation) == "POST /fx/transfer":
        # What was tried since the stage was set may have taken longer than a quote holds.
        stage.quote()
    with transaction.atomic():
        answer = send(stage, operation, stage.ids, filled(BODIES.get(str(operation)), stage.ids))
        transaction.set_rollback(True)
    return answer


def test_it_is_known_what_stands_in_every_path_and_what_a_body_needs() -> None:
    assert len(BY_PATH) > 100
    assert [str(each) for each in BY_PATH if not set(each.parameters) <= set(path_parameters(each.path))] == []
    assert set(BODIES) <= {str(each) for each in OPERATIONS}
    assert set(SHARED) <= {str(each) for each in OPERATIONS}


def test_an_id_in_the_path_is_looked_up_within_the_business(two: tuple[Stage, Stage]) -> None:
    mine, others = two
    wrong = []
    for operation in BY_PATH:
        before = attempts()
        answer = send(mine, operation, others.ids, filled(BODIES.get(str(operation)), mine.ids))
        if answer.status_code != 404 or not is_problem(answer) or attempts() != before:
            wrong.append((str(operation), answer.status_code, answer.content[:300]))
        control = own(mine, operation)
        if control.status_code in (404, 422) or control.status_code >= 500:
            wrong.append((f"own {operation}", control.status_code, getattr(control, "content", b"")[:300]))
    assert not wrong, "\n".join(str(each) for each in wrong)


def refused(operation: Operation, name: str, answer: Any) -> bool:
    """Whether the answer says, in the way of this operation, that there is no such thing."""
    if str(operation) in BULK:
        return answer.status_code == 200 and [each["code"] for each in answer.json()["results"]] == ["not_found"]
    if (str(operation), name) in FILTERS:
        return answer.status_code == 200 and answer.json()["docs"] == []
    return answer.status_code in (404, 422) and is_problem(answer)


def test_an_id_in_a_body_is_looked_up_within_the_business(two: tuple[Stage, Stage]) -> None:
    mine, others = two
    wrong = []
    for operation, name in BY_BODY:
        body = filled(BODIES[str(operation)], {**mine.ids, name: others.ids[name]})
        list_of = UNDONE.get((str(operation), name))
        before = mine.ask("GET", list_of)["total"] if list_of else attempts()
        answer = send(mine, operation, mine.ids, body)
        after = mine.ask("GET", list_of)["total"] if list_of else attempts()
        if not refused(operation, name, answer) or after != before:
            wrong.append((f"{operation} @{name}", answer.status_code, answer.content[:300], before == after))
        control = own(mine, operation)
        if control.status_code != 409 if str(operation) in STATES else control.status_code >= 300:
            wrong.append((f"own {operation}", control.status_code, control.content[:300], True))
    assert not wrong, "\n".join(str(each) for each in wrong)


def ids_in(schema: dict[str, Any], name: str = "") -> set[str]:
    """The names of what a body's schema takes ids in."""
    schema = resolve(schema)
    if schema.get("type") == "array":
        return ids_in(schema["items"], name)
    found = {name} if re.search(r"(^|_)ids?$|^attachments$|^target$", name) else set()
    return found.union(*(ids_in(each, inner) for inner, each in schema.get("properties", {}).items()))


def keys(template: Any, name: str = "") -> set[str]:
    """The names under which a body names things."""
    if isinstance(template, dict):
        return set().union(*(keys(each, inner) for inner, each in template.items()))
    if isinstance(template, list):
        return set().union(*(keys(each, name) for each in template))
    return {name} if named(template) else set()


def test_every_id_that_a_body_takes_is_tried() -> None:
    missing = [
        (str(each), name)
        for each in WITH_JSON
        for name in ids_in(each.body()) - keys(BODIES.get(str(each), {})) - NAMES_OF_OTHERS - COMPARED
    ]
    assert set(missing) - EVERYBODYS == set()
