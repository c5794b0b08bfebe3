"""The sandbox: a fresh business in a few statements, and what can be made to happen in it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from service.businesses.models import Business
from service.events.models import Event
from service.expenses.models import Expense
from service.sandbox import demo
from service.sandbox.businesses import BusinessSpec, open_business
from tests.sandbox import sandbox_headers
from tests.service.house import House

ROOT = Path(__file__).resolve().parents[3]


def test_a_business_costs_at_most_25_statements_and_no_password_hash(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        open_business(BusinessSpec(webhook_url="http://localhost:1/"))
    assert len(queries) <= 25


@pytest.mark.parametrize(
    "said", [{"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
def test_a_page_in_a_browser_is_refused_whichever_site_it_is_of(db: None, said: dict[str, str]) -> None:
    before = Business.objects.count()
    answer = Browser().post("/sandbox/businesses", {}, "application/json", headers=said | sandbox_headers())
    assert (answer.status_code, answer.json()["code"]) == (403, "sandbox_from_page")
    assert Business.objects.count() == before


def test_another_host_is_refused(db: None) -> None:
    answer = Browser().post(
        "/sandbox/businesses", {}, "application/json", headers={"Host": "elsewhere.example", **sandbox_headers()}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "host_not_allowed")


@pytest.mark.parametrize("token", ["", "Bearer ", "Bearer another", "Bearer \u00e9"])
@pytest.mark.parametrize("path", ["businesses", "messages?business_id=b", "businesses/b/top-up"])
def test_nobody_is_answered_without_its_token(db: None, path: str, token: str) -> None:
    before = Business.objects.count()
    headers = {"Authorization": token} if token else {}
    answer = Browser().generic(
        "GET" if path[0] == "m" else "POST", f"/sandbox/{path}", "{}", "application/json", headers=headers
    )
    assert (answer.status_code, answer.json()["code"]) == (401, "sandbox_token")
    assert Business.objects.count() == before


def test_where_no_token_is_set_nobody_is_answered(db: None, settings: Any) -> None:
    settings.SANDBOX_TOKEN = ""
    answer = Browser().post("/sandbox/businesses", {}, "application/json", headers={"Authorization": "Bearer "})
    assert (answer.status_code, answer.json()["code"]) == (401, "sandbox_token")


def test_its_credentials_work(db: None) -> None:
    browser = Browser()
    created = browser.post(
        "/sandbox/businesses", {"name": "Pop-up", "country": "NL"}, "application/json", headers=sandbox_headers()
    ).json()
    token = browser.post(
        "/oauth/token",
        {
            "grant_type": "client_credentials",
            "client_id": created["client_id"],
            "client_secret": created["client_secret"],
        },
    ).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}", "business-id": created["business_id"]}
    assert browser.get("/v2/expenses", headers=headers).json()["total"] == 0
    assert browser.get("/v1/expenses", headers={"x-api-key": created["api_key"]}).json()["total"] == 0
    roles = [person["role"] for person in created["employees"]]
    assert {role: roles.count(role) for role in set(roles)} == {
        "CARD_USER": 3, "REVIEWER": 2, "APPROVER": 3, "ADMIN": 2, "SUPER_ADMIN": 2,
    }  # fmt: skip
    assert [wallet["currency"] for wallet in created["wallets"]] == ["EUR", "USD", "JPY"]


def test_expenses_top_ups_and_changes(house: House) -> None:
    base = f"/sandbox/businesses/{house.business.id}"
    created = house.post(f"{base}/expenses", {"count": 4, "org_wallet_ref": "2"}).json()["expenses"]
    assert [row["currency"] for row in created] == ["USD"] * 4
    assert all(row["receipts"] for row in created)
    before = house.post(f"{base}/top-up", {"amount": 1}).json()["balances"]["available"]
    assert house.post(f"{base}/top-up", {"amount": 1000.5}).json()["balances"]["available"] == before + 1000.5
    carla = house.person("Carla").id
    changed = house.post(f"{base}/employee", {"employee_id": carla, "role": "REVIEWER"}).json()
    assert changed["role"] == "REVIEWER"
    assert house.post(f"{base}/revoke").json()["revoked"] >= 1
    assert house.get("/categories").status_code == 401


def test_a_new_expense_is_told_as_it_is_read(house: House) -> None:
    # Told of at first without its receipt, it would change under whoever decides on it, at the same version.
    created = house.post(f"/sandbox/businesses/{house.business.id}/expenses", {"count": 2}).json()["expenses"]
    published = {
        event.payload["object"]["_id"]: event.payload["object"]
        for event in Event.objects.filter(business=house.business, kind="expense.created")
    }
    for row in created:
        assert row["receipts"]
        assert (published[row["_id"]]["version"], published[row["_id"]]["receipts"]) == (
            row["version"],
            row["receipts"],
        )


def test_strangers_are_404_and_bad_amounts_name_the_field(house: House) -> None:
    assert house.post("/sandbox/businesses/nobody/swipe", {}).status_code == 404
    base = f"/sandbox/businesses/{house.business.id}"
    assert house.post(f"{base}/swipe", {"employee_id": "nobody"}).status_code == 404
    answer = house.post(f"{base}/top-up", {"amount": 1.005})
    assert answer.json()["errors"][0]["field"] == "amount"


def test_it_is_off_unless_switched_on() -> None:
    code = "import django; django.setup(); from django.test import Client; print(Client().post('/sandbox/businesses').status_code)"
    environment = {**_environment(), "SERVICE_SANDBOX": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == "404"


def _environment() -> dict[str, str]:
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.service", "PYTHONPATH": str(ROOT)}


def test_the_demo_is_made_once_from_its_seed_and_gets_new_secrets_where_its_file_was_lost(db: None) -> None:
    first = demo.build(expenses=60, seed=987_654)
    rows = list(_facts(first))
    again = demo.build(expenses=60, seed=987_654, known=json.loads(json.dumps(first)))
    assert again == first
    assert list(_facts(again)) == rows
    kifaru, tulp = first["businesses"]
    assert {row["currency"] for row in rows} >= {"KES", "EUR"}
    assert len(kifaru["employees"]) + len(tulp["employees"]) >= 60
    assert {row["status"] for row in rows} >= {"PENDING", "APPROVED"}
    lost = demo.build(expenses=60, seed=987_654)
    for before, after in zip(first["businesses"], lost["businesses"], strict=True):
        assert before["business_id"] == after["business_id"]
        assert before["client_secret"] != after["client_secret"]
    assert list(_facts(lost)) == rows


def _facts(event: dict[str, Any]) -> Any:
    ids = [each["business_id"] for each in event["businesses"]]
    return (
        Expense.objects.filter(business_id__in=ids)
        .order_by("transaction_ref")
        .values("transaction_ref", "amount_minor", "currency", "receiver", "status", "employee__name")
    )
