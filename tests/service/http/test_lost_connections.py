"""A connection that went away between two requests: a keyed request finds out by its first statement, and begins anew."""

import os
from typing import Any

import psycopg
import pytest
from django.db import connection

from service.businesses.models import StoredAnswer
from service.expenses import posting
from service.expenses.models import Expense
from tests.service.house import House

NEW = {"amount": 12.5, "currency": "KES", "description": "Taxi"}


def lose() -> None:
    """Ends the server's side of our connection, as a restart does, at the beginning of a request."""
    with psycopg.connect(os.environ["SERVICE_DATABASE_URL"], autocommit=True) as other:
        other.execute("select pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    connection.health_check_enabled, connection.health_check_done = True, False


@pytest.fixture
def lasting(committed: None) -> House:
    house = House()
    house.v1("POST", "/expenses", NEW, idempotency="before")
    return house


def test_it_is_done_once_on_another_connection(lasting: House) -> None:
    lose()
    answer = lasting.v1("POST", "/expenses", NEW, idempotency="k")
    again = lasting.v1("POST", "/expenses", NEW, idempotency="k")
    assert (answer.status_code, again["Idempotency-Replayed"]) == (201, "true")
    assert again.content == answer.content
    assert Expense.objects.filter(business=lasting.business).count() == 2


def test_one_that_goes_away_during_the_work_is_not_begun_again(lasting: House, monkeypatch: pytest.MonkeyPatch) -> None:
    spend = posting.spend_guarded

    def interrupted(*arguments: Any) -> Any:
        shown = spend(*arguments)
        lose()
        return shown

    with monkeypatch.context() as broken:
        broken.setattr(posting, "spend_guarded", interrupted)
        assert lasting.v1("POST", "/expenses", NEW, idempotency="k").status_code == 503
    assert Expense.objects.filter(business=lasting.business).count() == 1
    assert not StoredAnswer.objects.filter(business_id=lasting.business.id, key="k").exists()
    assert lasting.v1("POST", "/expenses", NEW, idempotency="k").status_code == 201
