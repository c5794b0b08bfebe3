"""Every v2 operation as the document tells of it, what was attempted in the database, and a request to any of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from service.api import v2
from service.auth import EVERYBODY
from tests.service.house import House

DOCUMENT = v2.get_openapi_schema()
NOBODYS = "0192f0c0ffee0123456789ab"
# Somebody of the cast in each role; none of them holds a grant.
BY_ROLE = {"CARD_USER": "Cyrus", "REVIEWER": "Rita", "APPROVER": "Apollo", "ADMIN": "Ada", "SUPER_ADMIN": "Sam"}
KEPT_ANSWERS = "businesses_storedanswer"
PROBLEM = {"type", "title", "status", "detail", "instance", "code", "errorMessage", "errors", "request_id", "retryable"}


@dataclass(frozen=True)
class Operation:
    """`path` begins below the server's /v2, with its parameters in braces."""

    method: str
    path: str
    about: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def scope(self) -> str:
        return str(self.about["security"][0]["oauth2ClientCredentials"][0])

    @property
    def roles(self) -> set[str]:
        return set(self.about["x-roles"])

    @property
    def media_type(self) -> str:
        """Of the body; "" where there is none."""
        return next(iter(self.about.get("requestBody", {}).get("content", {})), "")

    @property
    def needs_key(self) -> bool:
        return {"$ref": "#/components/parameters/IdempotencyKey"} in self.about["parameters"]

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"{([^}]*)}", self.path)

    def at(self, **ids: str) -> str:
        """Its address with those ids, or with ids that nothing has."""
        return re.sub(r"{([^}]*)}", lambda found: ids.get(found[1], NOBODYS), self.path)

    def somebody(self) -> str:
        """Somebody of the cast who may call it: an approver where one may, for they own nothing."""
        return next(BY_ROLE[role] for role in ("APPROVER", "ADMIN", "SUPER_ADMIN") if role in self.roles)

    def body(self) -> dict[str, Any]:
        """The schema of its JSON body, resolved; of one of several forms the first."""
        return resolve(self.about["requestBody"]["content"]["application/json"]["schema"])


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """What a reference points at, or the first of several forms that is not null."""
    while "$ref" in schema or "anyOf" in schema or "oneOf" in schema or "allOf" in schema:
        if "$ref" in schema:
            schema = DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        else:
            forms = schema.get("anyOf") or schema.get("oneOf") or schema["allOf"]
            schema = next(form for form in forms if form.get("type") != "null")
    return schema


def _all() -> Iterator[Operation]:
    for path, methods in DOCUMENT["paths"].items():
        for method, about in methods.items():
            if "security" in about:  # a signed address is its own permission
                yield Operation(method.upper(), path, about)


OPERATIONS = list(_all())
CHANGING = [each for each in OPERATIONS if each.method != "GET"]
WITH_JSON = [each for each in OPERATIONS if each.media_type == "application/json"]


def upload(house: House, operation: Operation, address: str, fields: dict[str, Any], **options: Any) -> Any:
    """Sends a small CSV with those fields as a form."""
    csv = SimpleUploadedFile("lines.csv", b"date,amount,description\n2026-01-02,-10.00,Paper\n")
    form = encode_multipart(BOUNDARY, {**fields, "file": csv}).decode("latin-1")
    headers = {"Content-Type": MULTIPART_CONTENT, **options.pop("headers", {})}
    return house.send(operation.method, address, form, headers=headers, CONTENT_TYPE=MULTIPART_CONTENT, **options)


def attempts() -> dict[str, int]:
    """Rows that this transaction has written so far, undone ones included, by table; kept answers are no effect."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select relname, n_tup_ins + n_tup_upd + n_tup_del from pg_stat_xact_user_tables"
            " where n_tup_ins + n_tup_upd + n_tup_del > 0 and relname <> %s",
            [KEPT_ANSWERS],
        )
        return dict(cursor.fetchall())


def is_problem(answer: Any) -> bool:
    """Whether a refusal has the whole shape, and says one status in both places."""
    if answer["Content-Type"] != "application/problem+json":
        return False
    said = answer.json()
    return set(said) == PROBLEM and said["status"] == answer.status_code and bool(said["request_id"])


def without(role_set: set[str]) -> list[str]:
    """The roles that are not in it, in a fixed order."""
    return sorted(EVERYBODY - role_set)
