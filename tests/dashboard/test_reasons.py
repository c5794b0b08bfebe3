"""No form takes a reason that the service would refuse: a decision would be taken, wait for its undo, and then fail."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django import forms

import dashboard.pages
from dashboard.access.operation import Operation
from dashboard.decisions.registry import SPECS
from dashboard.web.fields import REASON_LENGTH, TextBlock

DOCUMENT = json.loads(Path("docs/openapi/v2.json").read_text())
NAMES = ("reason", "proposal_reason")
# Why a red flag is laid aside is said to nobody but this dashboard's own people.
KEPT_HERE_ALONE = {"dashboard.pages.conversation.forms.DismissForm.reason"}
LONGEST = ("It was sent twice.\n\nThe second one is kept. " * 20)[: REASON_LENGTH - 1] + "."


def form_classes(of: type[forms.BaseForm] = forms.BaseForm) -> Iterator[type[forms.BaseForm]]:
    for below in of.__subclasses__():
        yield below
        yield from form_classes(below)


def reason_fields() -> dict[str, forms.CharField]:
    """Every field of a form of ours that holds a reason, by form and name."""
    for module in pkgutil.walk_packages(dashboard.pages.__path__, "dashboard.pages."):
        if ".forms" in module.name:
            importlib.import_module(module.name)
    return {
        f"{form.__module__}.{form.__name__}.{name}": form.base_fields[name]
        for form in form_classes()
        if form.__module__.startswith("dashboard.")
        for name in NAMES
        if name in form.base_fields
    }


def bodies() -> dict[str, dict[str, Any]]:
    """What the service's document says of every reason in a body that is sent to it, by operation."""
    found: dict[str, dict[str, Any]] = {}
    for path in DOCUMENT["paths"].values():
        for operation in (each for verb, each in path.items() if verb in {"post", "put", "patch", "delete"}):
            for content in operation.get("requestBody", {}).get("content", {}).values():
                name = content["schema"].get("$ref", "").rpartition("/")[2]
                properties = DOCUMENT["components"]["schemas"].get(name, {}).get("properties", {})
                found |= {f"{operation['operationId']}.{key}": properties[key] for key in NAMES if key in properties}
    return found


def test_no_form_takes_more_of_a_reason_than_the_service_does_of_any() -> None:
    assert len(reason_fields()) >= 20
    too_long = {name for name, field in reason_fields().items() if (field.max_length or 10**6) > REASON_LENGTH}
    assert too_long == KEPT_HERE_ALONE
    assert len(bodies()) >= 20
    lengths = {
        name: min(each["maxLength"] for each in body.get("anyOf", [body]) if "maxLength" in each)
        for name, body in bodies().items()
    }
    assert {name: length for name, length in lengths.items() if length < REASON_LENGTH} == {}


def test_the_reason_of_a_decision_is_of_many_lines() -> None:
    for name, field in reason_fields().items():
        if name.startswith("dashboard.pages.approvals."):
            assert isinstance(field, TextBlock), name
            assert field.clean(LONGEST) == LONGEST
    with pytest.raises(forms.ValidationError):
        next(iter(reason_fields().values())).clean(LONGEST + "x" * 10_000)


def longest_reason(operation: Operation) -> int:
    """How many characters the service's document lets the reason of an operation have; 0 where its body has none."""
    by_method = DOCUMENT["paths"][operation.path][operation.method.lower()]
    [content] = by_method["requestBody"]["content"].values()
    # A body that may be left out is one of two.
    [name] = [each["$ref"] for each in content["schema"].get("anyOf", [content["schema"]]) if "$ref" in each]
    rule = DOCUMENT["components"]["schemas"][name.rpartition("/")[2]]["properties"].get("reason", {})
    return min((each["maxLength"] for each in rule.get("anyOf", [rule]) if each.get("type") == "string"), default=0)


def test_the_service_takes_the_reason_of_every_decision_in_its_length() -> None:
    """By the operation that each decision is sent with, not by our own schema; of the lines in it, which no document says
    anything of, see tests/service/http/test_reasons.py."""
    sending = {
        operation
        for decided, spec in SPECS.items()
        if spec.accepts_reason
        for operation in (decided, spec.together)
        if operation is not None
    }
    judged = {operation.name: longest_reason(operation) for operation in sending}
    assert len(judged) == len(sending) >= 15
    assert {name: length for name, length in judged.items() if length < REASON_LENGTH} == {}
