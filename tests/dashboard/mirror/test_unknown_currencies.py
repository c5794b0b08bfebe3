"""An amount in a currency that is not known gets no digits that nobody said: the row is left out, and that is seen."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import RequestFactory

from dashboard.mirror.apply import UpsertResult, upsert
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.models import Card, Drift, Expense, InboxEvent, InboxState, Origin, Vendor
from dashboard.mirror.webhook_inbox import apply_received
from dashboard.mirror.window_sync import DayRead, apply_day
from dashboard.money import UnknownCurrencyError, text
from dashboard.web.errors import FinanceErrors
from tests.dashboard.access.house import House, build

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
def house(db: None) -> House:
    return build()


def expense(number: int, currency: str, **changes: Any) -> dict[str, Any]:
    return {
        "_id": f"{number:024x}", "currency": currency, "amount": "12.50", "amount_minor": 1250, "org_wallet_ref": "1",
        "transaction_date": AT.isoformat(), "status": "PENDING", "version": 1,
    } | changes  # fmt: skip


def currencies(house: House) -> list[str]:
    return sorted(Expense.objects.filter(business=house.business).values_list("currency", flat=True))


@pytest.mark.parametrize("amount", [{}, {"amount_minor": None}])
@pytest.mark.parametrize("source", [Origin.POLL, Origin.WRITE])
def test_one_such_row_keeps_no_other_out(house: House, source: Origin, amount: dict[str, None]) -> None:
    rows = [expense(1, "KES"), expense(2, "XYZ", **amount), expense(3, "KWD")]
    assert upsert("expense", house.business, rows, source) == UpsertResult(changed=2, refused=1)
    assert currencies(house) == ["KES", "KWD"]


@pytest.mark.parametrize("source", [Origin.WEBHOOK, Origin.FEED])
def test_an_event_of_such_a_row_is_not_applied(house: House, source: Origin) -> None:
    with pytest.raises(UnknownCurrencyError, match="XYZ is not a known currency"):
        upsert("expense", house.business, [expense(1, "XYZ")], source)


def test_a_delivery_of_such_a_row_stands_among_those_that_failed(house: House) -> None:
    body = {"type": "expense.created", "data": {"object": expense(1, "XYZ")}}
    InboxEvent.objects.create(business=house.business, webhook_id="msg_1", kind="expense.created", body=body)
    assert apply_received() == 1
    failed = InboxEvent.objects.get(business=house.business)
    assert (failed.state, failed.error) == (InboxState.FAILED, "XYZ is not a known currency.")
    assert currencies(house) == []


@pytest.mark.parametrize("amount", [{}, {"amount_minor": None}])
def test_a_day_with_such_a_row_is_a_drift(house: House, amount: dict[str, None]) -> None:
    read = DayRead("1", date(2026, 11, 20), [expense(1, "KES"), expense(2, "XYZ", **amount)], AT)
    apply_day(house.business, read)
    assert currencies(house) == ["KES"]
    drift = Drift.objects.get(business=house.business, closed_at=None)
    assert drift.found["service"] == {"rows": 2, "totals": {"KES": "1250", "XYZ": "0"}}
    assert drift.found["mirror"] == {"rows": 1, "totals": {"KES": "1250"}}


def test_what_has_no_amount_is_read_whatever_its_currency(house: House) -> None:
    rows = [{"_id": "v" * 24, "name": "Uchumi", "currency": "XYZ", "version": 1}]
    assert upsert("vendor", house.business, rows, Origin.POLL).changed == 1
    assert Vendor.objects.get(business=house.business).currency == "XYZ"


@pytest.mark.parametrize("figures", [{}, {"spend": {"month": "5"}}, {"allocation": {"available": "5"}}])
def test_a_card_is_left_out_whichever_figures_it_has(house: House, figures: dict[str, Any]) -> None:
    rows = [{"_id": "c" * 24, "currency": "XYZ", "version": 1, **figures}]
    assert upsert("card", house.business, rows, Origin.POLL).refused == 1
    assert not Card.objects.filter(business=house.business).exists()


def test_kinds_with_amounts_and_a_currency_are_known_as_such() -> None:
    with_amounts = {kind for kind, mapper in MAPPERS.items() if mapper.has_amounts}
    assert {"expense", "approval", "transaction", "bill", "card", "wallet", "subscription", "policy"} <= with_amounts
    assert not {"vendor", "employee", "team", "workflow"} & with_amounts


def test_a_page_that_meets_one_refuses_in_words(house: House) -> None:
    middleware = FinanceErrors(lambda _: pytest.fail("the view ran already"))
    answer = middleware.process_exception(RequestFactory().get("/"), UnknownCurrencyError("XYZ"))
    assert answer is not None
    assert answer.status_code == 502
    assert "XYZ is not a known currency" in answer.content.decode()


def test_a_line_of_text_says_so_without_an_amount() -> None:
    assert text(1250, "XYZ") == "XYZ\xa0(unknown currency)"
    assert text(1250, "") == "unknown currency"
