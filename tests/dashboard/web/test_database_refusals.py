"""What our own database refuses is said as what it was: a lock that somebody holds is not a database that is away."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.test import RequestFactory

from dashboard.web.errors import without_database
from tests.dashboard.access.house import House, build


@pytest.fixture
def house(committed: None) -> House:
    return build()


@contextmanager
def held_by_somebody_else(house: House) -> Iterator[None]:
    """Another connection holds the row of the business."""
    locked, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        from django.db import connections, transaction

        from dashboard.access.models import Business

        with transaction.atomic():
            Business.objects.select_for_update().get(pk=house.business.pk)
            locked.set()
            go_on.wait(30)
        connections.close_all()

    holder = threading.Thread(target=hold)
    holder.start()
    locked.wait(10)
    try:
        yield
    finally:
        go_on.set()
        holder.join()


def said(error: OperationalError, *, began: bool) -> str:
    request = RequestFactory().post("/x/")
    request.view_began = began  # type: ignore[attr-defined]
    answer = without_database(request, error)
    assert answer.status_code == 503
    return answer.content.decode()


@pytest.mark.parametrize("began", [False, True])
def test_a_lock_that_somebody_holds_is_said_as_that(house: House, began: bool) -> None:
    with held_by_somebody_else(house), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        with pytest.raises(OperationalError) as caught:
            cursor.execute("SELECT 1 FROM access_business WHERE id = %s FOR UPDATE", [house.business.pk])
        cursor.execute("RESET lock_timeout")
    text = said(caught.value, began=began)
    assert "Somebody else is changing this right now." in text
    assert "does not answer" not in text
    assert ("Nothing was changed." in text) is not began
    assert ("not known yet whether what you sent was done" in text) is began


def test_a_statement_that_took_too_long_is_said_as_that(db: None) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '20ms'")
        with pytest.raises(OperationalError) as caught, transaction.atomic():
            cursor.execute("SELECT pg_sleep(5)")
    assert "This took too long." in said(caught.value, began=False)


def test_a_database_that_is_away_is_said_as_that() -> None:
    error = OperationalError("connection refused")
    error.__cause__ = psycopg.OperationalError("connection refused")
    assert "Our own database does not answer. Nothing was changed." in said(error, began=False)
    assert "Nothing was changed" not in said(error, began=True)
