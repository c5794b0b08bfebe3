"""Every kind of event that is emitted: known, and its object with _id, version and updated_at; nothing else is asked for."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from service.events.kinds import KINDS, SELECTABLE
from service.events.models import Event
from service.events.outbox import build_event, event_object, record_event
from service.events.relay import relay
from tests.service.house import House, code
from tests.service.proof.stage import Stage

SERVICE = Path(__file__).resolve().parents[3] / "service"
KIND = re.compile(r"[a-z_]+(\.[a-z_]+){1,2}")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_every_object_on_the_stage_says_what_it_is_and_how_new(house: House) -> None:
    """A business in which there is one of each thing: all that was told while it was made."""
    Stage(house)
    relay()
    rows = list(Event.objects.filter(business=house.business))
    kinds = {row.kind for row in rows}
    assert len(kinds) > 25
    assert kinds <= set(KINDS)
    for row in rows:
        subject = row.payload["object"]
        assert subject["_id"], row.kind
        assert isinstance(subject["version"], int), row.kind
        assert datetime.fromisoformat(subject["updated_at"]).tzinfo, row.kind


def literals() -> Iterator[tuple[str, str]]:
    """Texts in the service's code that are kinds of events where they stand: given to record_event, build_event, or a Move."""
    for path in SERVICE.rglob("*.py"):
        if "migrations" in path.parts or path.name == "kinds.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                place = {"record_event": 1, "build_event": 1, "Move": 2}.get(name)
                if place is not None and len(node.args) > place and isinstance(node.args[place], ast.Constant):
                    value = node.args[place].value
                    if isinstance(value, str) and KIND.fullmatch(value) and "audit" not in ast.dump(node.func):
                        yield str(path.relative_to(SERVICE)), value


def test_no_code_names_a_kind_that_there_is_not() -> None:
    found = list(literals())
    assert len({kind for _, kind in found}) > 60
    assert [each for each in found if each[1] not in KINDS] == []


def test_another_kind_cannot_be_recorded(house: House) -> None:
    for write in (record_event, build_event):
        with pytest.raises(ValueError, match="none of the kinds"):
            write(house.business, "expense.surprised", {"_id": "1"})
        with pytest.raises(ValueError, match="_id"):
            write(house.business, "expense.updated", {"name": "Lunch"})


def test_what_counts_no_versions_has_its_time_as_one() -> None:
    assert event_object({"_id": "1"}, NOW) == {"_id": "1", "version": 1_772_366_400_000_000, "updated_at": NOW}
    later = event_object({"_id": "1", "updatedAt": datetime(2026, 3, 1, 13, tzinfo=UTC)}, NOW)
    assert later["version"] > event_object({"_id": "1"}, NOW)["version"]
    assert event_object({"_id": "1", "version": 7, "updatedAt": NOW}, NOW)["version"] == 7


def endpoint(house: House, *kinds: Any) -> Any:
    return house.post("/webhook-endpoints", {"url": "http://localhost:9/hooks", "kinds": list(kinds)})


@pytest.mark.parametrize(
    "kind", ["expense.surprised", "expenses.*", "*", "expense", "", "expense approved", "EXPENSE.*", "fx.transfer.*"]
)
def test_a_webhook_for_an_unknown_kind_is_422_at_its_place(house: House, kind: str) -> None:
    refused = endpoint(house, "expense.*", kind)
    assert code(refused) == (422, "validation_failed")
    assert [each["field"] for each in refused.json()["errors"]] == ["kinds.1"]
    assert house.get("/webhook-endpoints").json()["total"] == 0


def test_every_kind_and_all_of_a_noun_can_be_asked_for(house: House) -> None:
    everything = sorted(SELECTABLE)
    for start in range(0, len(everything), 100):
        answer = endpoint(house, *everything[start : start + 100])
        assert answer.status_code == 201, answer.json()
    assert endpoint(house).json()["kinds"] == []
