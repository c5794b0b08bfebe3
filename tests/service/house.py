"""A fresh business with its cast, and requests to the service in anybody's name: what the service's tests stand on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.test import Client as Browser

from service.auth import Caller
from service.businesses.models import Employee, Role
from service.sandbox.businesses import BusinessSpec, NewlyOpened, open_business
from tests.sandbox import sandbox_headers


class House:
    """`by` is a first name of the cast (decisions: Carla, Rita, Rex, Apollo, Ada, Sam …), or None for the bare client."""

    def __init__(
        self, order: BusinessSpec | None = None, *, opened: NewlyOpened | None = None, token: str = ""
    ) -> None:
        self.opened = opened or open_business(order or BusinessSpec())
        self.business = self.opened.business
        self.client = self.opened.client
        self.browser = Browser(raise_request_exception=False)
        self.people = {person.name.split()[0]: person for person in self.opened.employees}
        self._token = token

    def person(self, name: str) -> Employee:
        return self.people[name]

    def fetch_token(self, **form: str) -> Any:
        """The raw answer of the token endpoint, with the client's own credentials unless others are given."""
        body = {
            "grant_type": "client_credentials",
            "client_id": self.client.client_id,
            "client_secret": self.opened.client_secret,
            **form,
        }
        return self.browser.post("/oauth/token", {name: value for name, value in body.items() if value})

    @property
    def token(self) -> str:
        if not self._token:
            self._token = self.fetch_token().json()["access_token"]
        return self._token

    def send(
        self, method: str, path: str, body: Any = None, *, by: str | None = "Ada", key: str | None = "", **extra: Any
    ) -> Any:
        """A v2 request; `key=""` mints an Idempotency-Key for anything but GET, None sends none."""
        headers = {"Authorization": f"Bearer {self.token}", "business_id": self.business.id}
        if by:
            headers["X-Acting-Employee"] = self.person(by).id
        if method != "GET" and key is not None:
            headers["Idempotency-Key"] = key or uuid4().hex
        headers |= extra.pop("headers", {})
        content: dict[str, Any] = {}
        if body is not None:
            content = {"data": body, "content_type": "application/json"}
        address = path if path.startswith("/sandbox") else f"/v2{path}"
        if address == path:
            headers |= sandbox_headers()
        sent = {name: value for name, value in headers.items() if value is not None}
        return self.browser.generic(
            method, address, **_encoded(content), headers={n.replace("_", "-"): v for n, v in sent.items()}, **extra
        )

    def get(self, path: str, **options: Any) -> Any:
        return self.send("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        return self.send("POST", path, body, **options)

    def v1(
        self, method: str, path: str, body: Any = None, key: str | None = None, *, idempotency: str | None = None
    ) -> Any:
        """A request to the old interface, with the business's own key unless another is given."""
        content = {"data": body, "content_type": "application/json"} if body is not None else {}
        headers = {"x-api-key": self.opened.api_key if key is None else key}
        if idempotency:
            headers["Idempotency-Key"] = idempotency
        return self.browser.generic(method, f"/v1{path}", **_encoded(content), headers=headers)

    def caller(self, name: str | None = "Ada") -> Caller:
        """The caller that actions get when that person acts."""
        person = self.person(name) if name else None
        role = person.role if person else Role.ADMIN
        return Caller(self.client, self.business, person, role, frozenset(self.client.allowed_scopes), entitled=True)


def _encoded(content: dict[str, Any]) -> dict[str, Any]:
    from service.respond import to_json

    if isinstance(content.get("data"), (dict, list)):
        content["data"] = to_json(content["data"])
    return content


@contextmanager
def rolled_back(house: House) -> Iterator[None]:
    """What is done inside is undone at its end: for the examples of one test. The token is fetched before it, since one
    from inside would be unknown afterwards."""
    assert house.token
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def code(answer: Any) -> tuple[int, str]:
    """Status and machine code of a refusal."""
    return answer.status_code, answer.json().get("code", "")
