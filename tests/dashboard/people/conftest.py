"""Somebody of the cast as the copy has them, and a browser of somebody who has just shown that it is them."""

import re
import time
from typing import Any

import pytest
from django.test import Client

from dashboard.mirror.models import Employee
from tests.dashboard.conftest import World


def signed_in(world: World, person: str) -> Client:
    """A browser of somebody who has just shown that it is them."""
    client = world.client(person)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    return client


def employee(world: World, name: str) -> Employee:
    """Somebody of the cast as the copy has them."""
    row: Employee = Employee.objects.get(business=world.business, remote_id=world.employee(name)["employee_id"])
    return row


def address_of(world: World, name: str, rest: str = "") -> str:
    """The address of somebody's page, or of what is done there."""
    return world.address(f"people/{world.employee(name)['employee_id']}/{rest}")


def shown(answer: Any) -> str:
    """What a page says, its spaces as one."""
    return re.sub(r"\s+", " ", answer.content.decode().replace("\xa0", " "))


def wallets(world: World, name: str) -> dict[str, int]:
    """What somebody has at the service, in minor units by currency."""
    rows = world.upstream("/employees/balances", employee_id=world.employee(name)["employee_id"])["docs"]
    assert len(rows) == 1
    return {wallet["currency"]: wallet["balances"]["available_minor"] for wallet in rows[0]["wallets"]}


@pytest.fixture
def first_wallet(world: World) -> str:
    """The wallet of the business in its own currency, with money in it."""
    return next(str(row["org_wallet_ref"]) for row in world.upstream("/accounts")["docs"] if row["currency"] == "KES")
