"""One date axis: whatever is posted when, a statement's opening plus its lines is its closing, for every range, and
cashflow's; in the business's zone, at the borders of its days."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.accounts.wallets import wallet_by_ref
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.invariants import CHECKS
from service.ledger.models import LedgerEntry
from service.ledger.post import Leg, capture_legs, hold, post, reverse, today
from service.ledger.statements import statement
from tests.service.house import House, code, rolled_back

BASE = date(2026, 3, 1)
ZONES = ("Africa/Nairobi", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC")


@dataclass(frozen=True)
class Posting:
    """Minor units on the first wallet, on a day so many days after BASE; several entries where `parts` is above one."""

    minor: int
    day: int
    parts: int = 1


# Days in any order: late ones, early ones, in order; several a day.
POSTINGS = st.lists(
    st.builds(
        Posting,
        minor=st.integers(-500, 900).filter(bool),
        day=st.one_of(st.integers(0, 3), st.integers(-40, 70)),
        parts=st.integers(1, 3),
    ),
    max_size=14,
)
DAYS = st.one_of(st.none(), st.integers(-45, 75))


def exact(value: Any) -> Decimal:
    return Decimal(str(value))


def put(house: House, ref: str, posting: Posting) -> None:
    """Posts it from or to the bank, and writes it into the book as the areas do."""
    paying = wallet_by_ref(house.business, "1")
    other = system_account(house.business, "BANK_FLOAT", paying.currency).pk
    sign = 1 if posting.minor > 0 else -1
    pieces = [posting.minor - sign * (posting.parts - 1), *[sign] * (posting.parts - 1)]
    legs = [Leg(paying.ledger_account_id, piece) for piece in pieces if piece] + [Leg(other, -sum(pieces))]
    kind = "TOPUP" if posting.minor > 0 else "EXPENSE"
    posted = post(house.business, ref, kind, legs, ref, BASE + timedelta(days=posting.day))
    journal.record_movement(
        house.business, type=kind, org_wallet_ref="1", currency=paying.currency, amount_minor=abs(posting.minor),
        direction="IN" if posting.minor > 0 else "OUT", ref=ref, ledger_transaction_id=posted.id,
    )  # fmt: skip


def whole(house: House, path: str, query: str = "", limit: int = 1000) -> dict[str, Any]:
    """All pages of a statement, as one."""
    found: dict[str, Any] = {}
    page = 1
    while True:
        answer = house.get(f"{path}?limit={limit}&page={page}{query}")
        assert answer.status_code == 200, answer.json()
        body = answer.json()
        found = body | {"docs": [*found.get("docs", []), *body["docs"]]}
        if not body["hasNextPage"]:
            return found
        page += 1


def days_query(first: int | None, last: int | None) -> str:
    named = (("from", first), ("to", last))
    return "".join(f"&{name}={BASE + timedelta(days=day)}" for name, day in named if day is not None)


def check_adds_up(found: dict[str, Any]) -> None:
    """Opening + lines = closing, each line with the balance after it, newest first by (day, order of posting)."""
    running = exact(found["opening"])
    for line in reversed(found["docs"]):
        running += exact(line["credit"]) - exact(line["debit"])
        assert exact(line["running_balance"]) == running
        assert line["running_balance_minor"] == running * 100
    assert running == exact(found["closing"])
    order = [(line["effective_on"], line["counter"]) for line in found["docs"]]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == len(order) == found["total"]


@settings(max_examples=200 if os.environ.get("FULL") else 20)
@given(postings=POSTINGS, first=DAYS, last=DAYS, limit=st.integers(1, 7))
def test_opening_and_lines_are_the_closing_for_every_range(
    funded: House, postings: Sequence[Posting], first: int | None, last: int | None, limit: int
) -> None:
    if first is not None and last is not None and first > last:
        first, last = last, first
    with rolled_back(funded):
        for number, posting in enumerate(postings):
            put(funded, f"p{number}", posting)
        own = wallet_by_ref(funded.business, "1")
        path = f"/accounts/{own.id}/transactions"
        query = days_query(first, last)
        found = whole(funded, path, query)
        check_adds_up(found)
        assert whole(funded, path, query, limit)["docs"] == found["docs"]
        expected = [
            (BASE + timedelta(days=single.day)).isoformat()
            for single in postings
            if (first is None or single.day >= first) and (last is None or single.day <= last)
        ]
        assert {line["effective_on"] for line in found["docs"]} >= set(expected)
        # What lies before the range is another statement's closing.
        if first is not None:
            assert found["opening"] == whole(funded, path, days_query(None, first - 1))["closing"]
        check_v1(funded, found, first, last)
        check_cashflow(funded, own.id)
        assert not broken_runs()


def broken_runs() -> list[Any]:
    """The check of the runs that is made each night, on all there is."""
    from django.db import connection

    found = []
    with connection.cursor() as cursor:
        for _, says, query in CHECKS:
            if "runs of an account" in says:
                cursor.execute(query)
                found += cursor.fetchall()
    return found


def check_v1(house: House, found: dict[str, Any], first: int | None, last: int | None) -> None:
    """The old statement has the same lines, in the same order, with the same balances."""
    query = days_query(first, last).replace("from=", "fromDate=").replace("to=", "toDate=")
    old = house.v1("GET", f"/wallet/all-in-one/1?limit=1000{query}").json()
    names = ("_id", "credit", "debit", "running_balance", "effective_on")
    assert [[each[name] for name in names] for each in old["docs"]] == [
        [each[name] for name in names] for each in found["docs"]
    ]
    assert all(each["business_running_balance"] == each["running_balance"] for each in old["docs"])


def check_cashflow(house: House, wallet_id: str) -> None:
    """Each month opens and closes as the statement of its days does, and its figures add up to that."""
    first, last = BASE - timedelta(days=60), BASE + timedelta(days=90)
    answer = house.get(f"/accounts/cashflow-report?accountref=1&from={first}&to={last}").json()
    for month in answer["docs"][0]["months"] if answer["docs"] else []:
        begin = date.fromisoformat(f"{month['month']}-01")
        end = (begin + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        lines = whole(house, f"/accounts/{wallet_id}/transactions", f"&from={begin}&to={end}")
        assert (month["opening"], month["closing"]) == (lines["opening"], lines["closing"])
        opening, came, went, moved = (exact(month[n]) for n in ("opening", "money_in", "money_out", "transfers"))
        assert opening + came - went + moved == exact(month["closing"])
        assert moved == 0


@pytest.fixture
def funded(house: House) -> House:
    """A business with enough on its first wallet that any order of postings goes through, long ago."""
    put(house, "start", Posting(100_000, -400))
    assert house.token  # fetched here: what an example does is taken back
    return house


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("moment", ["2026-03-31T20:59:59Z", "2026-03-31T21:00:00Z", "2026-03-31T10:00:00Z"])
def test_a_posting_belongs_to_the_day_that_it_is_at_the_business(house: House, zone: str, moment: str) -> None:
    house.business.time_zone = zone
    house.business.save()
    now = datetime.fromisoformat(moment).astimezone(UTC)
    there = now.astimezone(ZoneInfo(zone)).date()
    with patch("service.ledger.post.timezone.now", return_value=now):
        own, bank = wallet_by_ref(house.business, "1"), system_account(house.business, "BANK_FLOAT", "KES")
        post(house.business, "border", "TOPUP", [Leg(own.ledger_account_id, 500), Leg(bank.pk, -500)])
    path = f"/accounts/{own.id}/transactions"
    on_the_day = house.get(f"{path}?from={there}&to={there}").json()
    assert [line["credit"] for line in on_the_day["docs"]] == [5]
    for other in (there - timedelta(days=1), there + timedelta(days=1)):
        assert house.get(f"{path}?from={other}&to={other}").json()["total"] == 0
    v1 = house.v1("GET", f"/wallet/all-in-one/1?fromDate={there}&toDate={there}").json()
    assert v1["total"] == 1
    assert house.v1("GET", f"/wallet/topup-history/{own.accno}/1?fromDate={there}&toDate={there}").json()["total"] == 1
    month = house.get(f"/accounts/cashflow-report?accountref=1&from={there}&to={there}").json()["docs"][0]["months"][0]
    assert month["month"] == f"{there:%Y-%m}"
    assert month["closing"] == on_the_day["closing"]


def test_without_a_day_the_function_itself_takes_the_business_s(house: House) -> None:
    """Nobody who calls the ledger's function without a day gets another zone's."""
    from django.db import connection

    house.business.time_zone = "Pacific/Kiritimati"
    house.business.save()
    own, bank = wallet_by_ref(house.business, "1"), system_account(house.business, "BANK_FLOAT", "KES")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_post(%s, 'bare', 'TOPUP', %s::bigint[], ARRAY[5, -5]::bigint[])",
            [house.business.id, [own.ledger_account_id, bank.pk]],
        )
    [line] = whole(house, f"/accounts/{own.id}/transactions", "&limit=1")["docs"][:1]
    assert line["effective_on"] == today(house.business).isoformat()


def test_late_postings_of_every_kind_keep_the_runs_true(funded: House) -> None:
    """Holds and captures, batches of many legs, reversals: all write runs as single postings do."""
    own = wallet_by_ref(funded.business, "1")
    bank = system_account(funded.business, "BANK_FLOAT", "KES")
    for number, back in enumerate((3, 3, 9, 3, 0)):
        put(funded, f"x{number}", Posting(-100 - number, -back, parts=2))
    held = hold(funded.business, own.ledger_account_id, 300, "h1")
    legs = [Leg(own.ledger_account_id, -200), Leg(own.ledger_account_id, -100), Leg(bank.pk, 300)]
    capture_legs(held, legs, "c1")
    late = post(
        funded.business, "late", "EXPENSE", [Leg(own.ledger_account_id, -50), Leg(bank.pk, 50)], "", BASE - timedelta(9)
    )
    reverse(funded.business, late.id, "back")
    assert not broken_runs()
    check_adds_up(whole(funded, f"/accounts/{own.id}/transactions"))
    found = statement(own.ledger_account_id, limit=1000)
    assert found.closing == LedgerEntry.objects.filter(account=own.ledger_account_id).latest("seq").balance_after


def test_the_posting_is_told_beside_the_day(funded: House) -> None:
    put(funded, "late", Posting(-100, -90))
    own = wallet_by_ref(funded.business, "1")
    line = next(
        each for each in whole(funded, f"/accounts/{own.id}/transactions")["docs"] if each["description"] == "late"
    )
    assert line["effective_on"] == (BASE - timedelta(days=90)).isoformat()
    assert line["posted_at"] == line["createdAt"] > "2026-06"


def test_a_person_s_statement_goes_by_the_day_too(funded: House) -> None:
    body = {"employee_id": funded.person("Carla").id, "org_wallet_ref": "1", "amount": 40}
    assert funded.post("/employees/allocate-funds", body, by="Apollo").status_code == 200
    found = whole(funded, "/employees/view-statement", f"&employee_id={funded.person('Carla').id}")
    check_adds_up(found)
    assert (found["total"], found["closing"]) == (1, 40)


@pytest.mark.parametrize("path", ["/accounts/{id}/transactions", "/employees/view-statement"])
def test_days_the_wrong_way_round_are_400(house: House, path: str) -> None:
    own = wallet_by_ref(house.business, "1")
    query = f"?from=2026-03-02&to=2026-03-01&employee_id={house.person('Carla').id}"
    body = {"employee_id": house.person("Carla").id, "org_wallet_ref": "1", "amount": 40}
    house.post("/employees/allocate-funds", body, by="Apollo")
    assert code(house.get(path.format(id=own.id) + query)) == (400, "invalid_parameters")
    assert house.v1("GET", "/wallet/all-in-one/1?fromDate=2026-03-02&toDate=2026-03-01").status_code == 400


def test_the_runs_are_among_what_is_checked_each_night() -> None:
    assert any("runs of an account" in says for _, says, _ in CHECKS)
