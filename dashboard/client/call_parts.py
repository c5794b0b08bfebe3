"""What a call is put together from: its address with its parameters, and the bytes of its body, checked."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError

from dashboard.access.operation import Operation
from dashboard.client.json import write_json
from dashboard.client.multipart import Upload
from dashboard.errors import FieldProblem, Rejected


def call_content(
    operation: Operation, body: Mapping[str, Any] | None, upload: Upload | None
) -> tuple[bytes | None, str, bytes | None]:
    """The bytes that are sent, their media type, and what the outbox keeps in their place, where that is something else."""
    if upload is not None:
        content, content_type = upload.encode()
        return content, content_type, write_json(upload.description)
    return None if body is None else write_json(_validated_body(operation, body)), "application/json", None


def fill_path(template: str, values: Mapping[str, str]) -> str:
    """The path with its parameters, each quoted whole; a missing, empty or dotted one is a mistake of ours."""

    def value(name: re.Match[str]) -> str:
        given = str(values.get(name[1], ""))
        if not given.strip("."):
            raise ValueError(f"{template} needs {name[1]}")
        return quote(given, safe="")

    return re.sub(r"{(\w+)}", value, template)


def _validated_body(operation: Operation, body: Mapping[str, Any]) -> Any:
    if operation.request_schema is None:
        return dict(body)
    try:
        return operation.request_schema.model_validate(body).wire()
    except ValidationError as invalid:
        fields = [FieldProblem(".".join(map(str, e["loc"])), e["type"], e["msg"]) for e in invalid.errors()]
        raise Rejected("Something in the form is missing or wrong.", code="validation_failed", fields=fields) from None
