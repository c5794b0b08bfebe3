"""Clients that are not ours get along with the running service: a generated one, two of OAuth, one of webhooks."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
import requests
import standardwebhooks
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session

from tests.contract.over_http import Business
from tests.lifecycle.processes import until

DELIVERY_GUARD_S = 60


@pytest.fixture(scope="module")
def business(service_address: str) -> Business:
    return Business(service_address)


@pytest.fixture(scope="module")
def generated(service_address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a package made from the document as it is served; a warning is a failure: an operation was left out."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_bytes(requests.get(f"{service_address}/v2/openapi.json", timeout=60).content)
    # The generator tidies up with a program that stands beside Python.
    tools = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(folder)}
    run = subprocess.run(
        [
            sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json",
            "--output-path", "finance_client", "--meta", "none", "--fail-on-warning",
        ],
        cwd=folder, env=tools, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    sys.path.insert(0, str(folder))
    yield "finance_client"
    sys.path.remove(str(folder))


class Generated:
    """Calls functions of the generated client in Ada's name."""

    def __init__(self, package: str, business: Business) -> None:
        self.package, self.business = package, business
        made = self.module("client").AuthenticatedClient
        self.client = made(base_url=f"{business.service}/v2", token=business.token, raise_on_unexpected_status=True)

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def model(self, name: str, /, **values: Any) -> Any:
        """A body, made from plain values as the generated class reads them."""
        return getattr(self.module("models"), name).from_dict(values)

    def call(self, operation: str, *, money: bool = False, **more: Any) -> Any:
        """The parsed answer of an operation, named as area.function."""
        named = {"business_id": self.business.made["business_id"], "x_acting_employee": self.business.people["Ada"]}
        key = {"idempotency_key": uuid4().hex} if money else {}
        answer = self.module(f"api.{operation}").sync_detailed(client=self.client, **named, **key, **more)
        assert answer.status_code < 300, answer.content
        return answer.parsed


@pytest.fixture(scope="module")
def client(generated: str, business: Business) -> Generated:
    return Generated(generated, business)


def test_every_operation_is_in_the_generated_client(generated: str, service_address: str) -> None:
    document = requests.get(f"{service_address}/v2/openapi.json", timeout=60).json()
    wanted = {each["operationId"] for methods in document["paths"].values() for each in methods.values()}
    folder = Path(importlib.import_module(generated).__file__ or "").parent
    made = {path.stem for path in (folder / "api").glob("*/*.py")}
    assert len(wanted) > 200
    assert wanted <= made


def test_it_makes_reads_and_lists_a_category(client: Generated) -> None:
    made = client.call("categories.create_category", body=client.model("NewCategory", name="Generated"))
    assert client.call("categories.read_category", id=made.field_id).name == "Generated"
    page = client.call("categories.list_categories", limit=1000)
    assert made.field_id in {each.field_id for each in page.docs}


def test_it_makes_reads_and_lists_a_vendor(client: Generated) -> None:
    account = {"channel": "MPESA_SEND_MONEY", "account": "254712345678"}
    body = client.model("NewVendor", name="Generated Supplies", payment_instructions=[account])
    made = client.call("vendors.create_vendor", body=body)
    assert client.call("vendors.read_vendor", id=made.field_id).payment_instructions[0].account == account["account"]
    assert made.field_id in {each.field_id for each in client.call("vendors.list_vendors").docs}


def test_it_makes_and_reads_a_payout_with_exact_amounts(client: Generated) -> None:
    made = client.call(
        "payments.create_payout", money=True, body=client.model("NewPayout", **client.business.draft(1500.5))
    )
    assert made.total_amount == 1500.5
    [found] = client.call("payments.list_payouts", batch_no=made.batch_no).docs
    assert (found.status, found.total_amount_minor) == ("DRAFT", 150_050)


def test_it_reads_wallets_people_expenses_and_transactions(client: Generated) -> None:
    client.business.sandbox("expenses", count=3)
    assert len(client.call("accounts.list_accounts").docs) == 2
    assert client.call("employees.list_employees").total == len(client.business.people)
    assert client.call("expenses.list_expenses", limit=2).total == 3
    assert client.call("transactions.list_transactions").total >= 3


def test_a_refusal_is_a_problem_to_it(client: Generated) -> None:
    module = client.module("api.vendors.read_vendor")
    answer = module.sync_detailed(client=client.client, id="0192f0c0ffee0123456789ab")
    assert answer.status_code == 404
    assert answer.parsed.code == "not_found"


def test_authlib_gets_a_token_and_calls(business: Business) -> None:
    session = AuthlibSession(business.made["client_id"], business.made["client_secret"], scope="categories:read")
    token = session.fetch_token(f"{business.service}/oauth/token", grant_type="client_credentials")
    assert (token["token_type"], token["scope"]) == ("Bearer", "categories:read")
    assert session.get(f"{business.service}/v2/categories", timeout=30).json()["total"] > 0
    assert session.get(f"{business.service}/v2/vendors", timeout=30).status_code == 403


def test_requests_oauthlib_gets_a_token_and_calls(business: Business, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")  # loopback has no TLS
    session = OAuth2Session(client=BackendApplicationClient(business.made["client_id"]))
    token = session.fetch_token(f"{business.service}/oauth/token", client_secret=business.made["client_secret"])
    assert token["token_type"] == "Bearer"
    assert session.get(f"{business.service}/v2/categories", timeout=30).json()["total"] > 0


class Received(list[tuple[dict[str, str], bytes]]):
    """What came in, and where to."""

    url = ""


@pytest.fixture
def receiver() -> Iterator[Received]:
    """Somebody who takes webhooks on this machine."""
    found = Received()

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Takes) as server:
        found.url = f"http://127.0.0.1:{server.server_port}/hook"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield found
        server.shutdown()
        thread.join()


def about(receiver: Received, named: str) -> list[tuple[dict[str, str], bytes]]:
    """The deliveries that name a thing."""
    return [each for each in receiver if named in each[1].decode()]


def test_standardwebhooks_verifies_what_we_deliver(business: Business, receiver: Received) -> None:
    made = business.ask("POST", "/webhook-endpoints", {"url": receiver.url, "kinds": ["category.created"]})
    category = business.ask("POST", "/categories", {"name": "Délivré"})
    until(lambda: about(receiver, category["_id"]), DELIVERY_GUARD_S, "nothing was delivered", lambda: len(receiver))
    headers, body = about(receiver, category["_id"])[0]
    verified = standardwebhooks.Webhook(made["secret"]).verify(body, headers)
    assert verified == json.loads(body)
    assert verified["type"] == "category.created"
    for wrong in (body.replace(b"category", b"kategory"), body + b" "):
        with pytest.raises(standardwebhooks.WebhookVerificationError):
            standardwebhooks.Webhook(made["secret"]).verify(wrong, headers)
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook("whsec_" + "A" * 32).verify(body, headers)
