"""The OpenAPI documents of v2 and v1: served, checked in, valid, whole, and true to what is published."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator
from ninja import NinjaAPI
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import BaseModel, ValidationError

from service import json_body
from service.api import v1, v2
from service.events.kinds import KINDS
from service.events.models import Event
from service.events.relay import relay
from service.openapi import dictionary
from tests.service.house import House
from tests.service.proof.stage import Stage

FOLDER = Path(__file__).resolve().parents[3]
PUBLISHED = FOLDER / "tests" / "dashboard" / "data" / "operations.csv"


def document(api: NinjaAPI) -> dict[str, Any]:
    """As it is served."""
    read: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    return read


DOCUMENTS = {"v2": document(v2), "v1": document(v1)}
APIS = {"v2": v2, "v1": v1}
OPERATIONS = [
    (version, method, path, operation)
    for version, each in DOCUMENTS.items()
    for path, methods in each["paths"].items()
    for method, operation in methods.items()
]
NAMES = [f"{method} /{version}{path}" for version, method, path, _ in OPERATIONS]
versions = pytest.mark.parametrize("version", DOCUMENTS)


def contents(version: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every body and every answer of success that is JSON, with its name."""
    event = DOCUMENTS[version]
    for path, methods in [*event["paths"].items(), *event.get("webhooks", {}).items()]:
        for method, operation in methods.items():
            captured = {status: each for status, each in operation["responses"].items() if status.startswith("2")}
            for name, part in {"body": operation.get("requestBody", {}), **captured}.items():
                for media_type, content in part.get("content", {}).items():
                    if "json" in media_type:
                        yield f"{method} {path} {name}", content


def checked(version: str, schema: dict[str, Any], value: Any) -> list[str]:
    """What of a value is not as the schema says."""
    whole = {**schema, "components": DOCUMENTS[version]["components"]}
    validator = Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{'.'.join(map(str, each.absolute_path))}: {each.message[:120]}" for each in validator.iter_errors(value)]


def test_the_checked_in_documents_are_what_the_code_says() -> None:
    call_command("export_openapi", check=True)
    for version, served in DOCUMENTS.items():
        assert json.loads((FOLDER / "docs" / "openapi" / f"{version}.json").read_text(encoding="utf-8")) == served


def test_one_operation_stands_on_each_line_of_the_files() -> None:
    text = (FOLDER / "docs" / "openapi" / "v2.json").read_text(encoding="utf-8")
    assert all(line.count('"operationId"') <= 1 for line in text.splitlines())


@versions
def test_they_are_valid_under_openapi_3_1(version: str) -> None:
    assert DOCUMENTS[version]["openapi"].startswith("3.1")
    assert [str(each)[:300] for each in OpenAPIV31SpecValidator(DOCUMENTS[version]).iter_errors()] == []


@versions
def test_they_are_served(house: House, version: str) -> None:
    assert house.browser.get(f"/{version}/openapi.json").json() == DOCUMENTS[version]
    assert DOCUMENTS[version]["info"]["version"] == {"v2": "2.0.0", "v1": "1.0.0"}[version]


def test_there_is_a_docs_page_of_our_own_files(house: House) -> None:
    page = house.browser.get("/v2/docs").content.decode()
    assert "/static/ninja/swagger-ui" in page
    assert "https://" not in page
    assert house.browser.get("/static/ninja/swagger-ui-bundle.js").status_code == 200


@versions
def test_the_server_that_is_named_answers(house: House, version: str) -> None:
    """A path of the document, put behind the server's address."""
    [server] = DOCUMENTS[version]["servers"]
    assert server["description"]
    answer = house.browser.get(f"{server['url']}/teams")
    assert answer.status_code == 401


@pytest.mark.parametrize(("version", "method", "path", "operation"), OPERATIONS, ids=NAMES)
def test_each_operation_says_what_it_does_needs_and_may_answer(
    version: str, method: str, path: str, operation: dict[str, Any]
) -> None:
    assert operation["summary"]
    assert operation["description"].strip()
    assert operation["tags"]
    for each in operation.get("parameters", []):
        assert "$ref" in each or each["description"], each
    assert any(status.startswith("2") for status in operation["responses"])
    if path.endswith("/export-receipts/download/{token}"):
        return  # its signed address is its permission
    assert {"400", "401", "403" if version == "v2" else "404", "429"} <= set(operation["responses"])
    if version == "v2":
        assert operation["security"][0]["oauth2ClientCredentials"]
        assert set(operation["x-roles"]) <= {"CARD_USER", "REVIEWER", "APPROVER", "ADMIN", "SUPER_ADMIN"}
    else:
        assert operation["security"] == [{"apiKey": []}]


@versions
def test_every_field_is_described(version: str) -> None:
    missing = [
        f"{owner}.{name}"
        for owner, schema in DOCUMENTS[version]["components"]["schemas"].items()
        for name, field in schema.get("properties", {}).items()
        if not field.get("description")
    ]
    assert missing == []


def test_nothing_is_described_that_is_not_there() -> None:
    """Of a field that was renamed the old name would stay in fields.toml for good."""
    there = {
        (owner, name)
        for event in DOCUMENTS.values()
        for owner, schema in event["components"]["schemas"].items()
        for name in schema.get("properties", {})
    }
    requested = {
        each["name"] for _, _, _, operation in OPERATIONS for each in operation.get("parameters", []) if "name" in each
    }
    assert sorted(dictionary.names() - {name for _, name in there} - requested) == []
    assert sorted(dictionary.overrides() - there) == []
    assert sorted(set(dictionary.PATHS) - requested) == []


@versions
def test_each_body_and_each_answer_has_one_whole_example_that_fits_its_schema(version: str) -> None:
    found = list(contents(version))
    assert len(found) > {"v2": 500, "v1": 30}[version]
    assert [name for name, content in found if "example" not in content] == []
    wrong = {name: checked(version, content["schema"], content["example"]) for name, content in found}
    assert {name: each[:3] for name, each in wrong.items() if each} == {}


def hidden(version: str, schema: dict[str, Any], value: Any, place: str, owner: str = "") -> list[str]:
    """The fields that a value does not show, in itself and in all that it holds; of several forms, of the nearest."""
    if "$ref" in schema:
        owner = schema["$ref"].rpartition("/")[2]
        return hidden(version, DOCUMENTS[version]["components"]["schemas"][owner], value, place, owner)
    forms = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if forms:
        fitting = [form for form in forms if not checked(version, form, value)]
        return min((hidden(version, form, value, place, owner) for form in fitting), key=len, default=[])
    if isinstance(value, list):
        return [one for each in value for one in hidden(version, schema.get("items", {}), each, f"{place}[]", owner)]
    fields = schema.get("properties", {}) if isinstance(value, dict) else {}
    missing = [f"{place}.{name}" for name in fields if name not in {*value, *dictionary.left_out(owner)}]
    deeper = [
        one
        for name, field in fields.items()
        if name in value
        for one in hidden(version, field, value[name], f"{place}.{name}")
    ]
    return missing + deeper


@versions
def test_an_example_shows_every_field_that_there_is(version: str) -> None:
    """What is left out of an example is found by nobody who works from it."""
    found = [one for name, each in contents(version) for one in hidden(version, each["schema"], each["example"], name)]
    assert found == []


def test_what_an_example_leaves_out_is_there_and_can_be_said_otherwise() -> None:
    """A name that no schema has, or that a body needs, would hide nothing, or too much."""
    schemas = {
        name: schema for document in DOCUMENTS.values() for name, schema in document["components"]["schemas"].items()
    }
    for owner, fields in dictionary.all_left_out().items():
        assert fields <= schemas[owner]["properties"].keys(), owner
        assert not fields & set(schemas[owner].get("required", [])), owner


@versions
def test_the_service_reads_the_examples_of_its_bodies(version: str) -> None:
    read, wrong = 0, []
    for prefix, router in APIS[version]._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                event = DOCUMENTS[version]["paths"][f"{prefix}{path}"][operation.methods[0].lower()]
                content = event.get("requestBody", {}).get("content", {}).get("application/json")
                for model in operation.models if content else ():
                    if model.__ninja_param_source__ == "body":
                        assert issubclass(model, BaseModel)
                        [(name, field)] = model.model_fields.items()
                        body = json_body.read(json.dumps(content["example"]).encode())
                        try:
                            model.model_validate({field.alias or name: body})
                        except ValidationError as error:
                            wrong += [(operation.methods[0], path, each["loc"], each["msg"]) for each in error.errors()]
                        read += 1
    assert wrong == []
    assert read > {"v2": 90, "v1": 5}[version]


def test_the_webhooks_are_the_kinds_that_there_are() -> None:
    webhooks = DOCUMENTS["v2"]["webhooks"]
    assert list(webhooks) == list(KINDS)
    for kind, methods in webhooks.items():
        content = methods["post"]["requestBody"]["content"]["application/json"]
        assert content["example"]["type"] == kind
        assert {"_id", "version", "updated_at"} <= set(content["example"]["data"]["object"])


def test_what_is_sent_is_what_the_document_says_of_its_webhook(house: House) -> None:
    """A business in which there is one of each thing: every event that was told of it."""
    Stage(house)
    relay()
    rows = list(Event.objects.filter(business=house.business))
    wrong = {}
    for row in rows:
        schema = DOCUMENTS["v2"]["webhooks"][row.kind]["post"]["requestBody"]["content"]["application/json"]["schema"]
        [about] = [part for part in schema["allOf"] if "properties" in part]
        problems = checked("v2", about["properties"]["data"]["properties"]["object"], row.payload["object"])
        if problems:
            wrong[row.kind] = problems[:3]
    assert len({row.kind for row in rows}) > 25
    assert wrong == {}


def test_path_parameters_are_named_as_published() -> None:
    with PUBLISHED.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    served = {(version, method.upper(), path) for version, method, path, _ in OPERATIONS}
    assert [row for row in rows if (row["version"], row["method"], row["path"]) not in served] == []


@versions
def test_names_are_unique(version: str) -> None:
    names = [operation["operationId"] for each, _, _, operation in OPERATIONS if each == version]
    assert len(names) == len(set(names))
