"""How far a payout is, for whoever looks at a page of it: one query and a small answer, whatever its size."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from service.payments.models import Batch, Item, ItemStatus
from service.payments.progress import MOST_CHANGED, MOST_ROWS
from tests.service.house import House, code
from tests.service.payments.conftest import draft, item

MOST_BYTES = 5_000


def batch_of(house: House, count: int) -> str:
    """The number of a payout with so many payments, the first of which is drafted as any is."""
    batch_no = draft(house, item())["batch_no"]
    batch = Batch.objects.get(business=house.business, batch_no=batch_no)
    first = batch.items.get()
    rows = [
        Item(
            batch=batch, business_id=batch.business_id, position=position, receiver_name=f"Payee {position}",
            channel=first.channel, account=f"2547{position:08d}", amount_minor=10_000,
        )
        for position in range(1, count)
    ]  # fmt: skip
    Item.objects.bulk_create(rows)
    Batch.objects.filter(pk=batch.pk).update(item_count=count, status="PROCESSING")
    return str(batch_no)


def settle(house: House, batch_no: str, status: str, *positions: int, failure: str = "") -> None:
    rows = Item.objects.filter(business_id=house.business.pk, batch__batch_no=batch_no, position__in=positions)
    assert rows.update(status=status, failure_code=failure) == len(positions)


def progress(house: House, batch_no: str, positions: str = "", states: str = "", by: str = "Ada") -> Any:
    return house.get(f"/payments/{batch_no}/progress?positions={positions}&states={states}", by=by)


def test_only_rows_that_stand_otherwise_than_they_are_shown_are_told(house: House) -> None:
    batch_no = batch_of(house, 6)
    settle(house, batch_no, ItemStatus.SUCCEEDED, 2, 5)
    settle(house, batch_no, ItemStatus.FAILED, 3, failure="account_not_found")
    told = progress(house, batch_no, "1-4", "QQQQ").json()
    assert told["rows"] == [
        {"position": 2, "status": "SUCCEEDED", "failure_code": ""},
        {"position": 3, "status": "FAILED", "failure_code": "account_not_found"},
    ]
    assert (told["status"], told["item_count"], told["more"]) == ("PROCESSING", 6, False)
    assert progress(house, batch_no, "1-4", "QPFQ").json()["rows"] == []
    # In whatever order they are named; and a row that is not shown yet differs.
    assert progress(house, batch_no, "3,1-2", "FQP").json()["rows"] == []
    assert [row["position"] for row in progress(house, batch_no, "1-3", "Q").json()["rows"]] == [2, 3]
    assert progress(house, batch_no).json()["rows"] == []


def test_of_many_changes_the_rest_comes_when_it_is_asked_again(house: House) -> None:
    batch_no = batch_of(house, MOST_ROWS)
    settle(house, batch_no, ItemStatus.SUCCEEDED, *range(MOST_ROWS))
    shown, polls = ["Q"] * MOST_ROWS, 0
    while True:
        told = progress(house, batch_no, f"0-{MOST_ROWS - 1}", "".join(shown)).json()
        for row in told["rows"]:
            shown[row["position"]] = "P"
        polls += 1
        if not told["more"]:
            break
    assert set(shown) == {"P"}
    assert polls == MOST_ROWS / MOST_CHANGED


@pytest.mark.parametrize("count", [50, 5_000])
def test_it_is_one_query_of_payouts_and_a_small_answer_at_whatever_size(house: House, count: int) -> None:
    batch_no = batch_of(house, count)
    settle(house, batch_no, ItemStatus.FAILED, *range(50), failure="refused_by_provider")
    with CaptureQueriesContext(connection) as queries:
        answer = progress(house, batch_no, "0-49", "S" * 50)
    assert sum("payments_" in query["sql"] for query in queries.captured_queries) == 1
    assert len(answer.json()["rows"]) == MOST_CHANGED
    assert len(answer.content) <= MOST_BYTES


def test_too_many_rows_a_strange_list_and_a_stranger_are_refused(house: House) -> None:
    batch_no = batch_of(house, 2)
    for positions in (f"1-{MOST_ROWS + 1}", "1-60,61-101", "0-9999"):
        assert code(progress(house, batch_no, positions)) == (400, "invalid_parameters"), positions
    for positions in ("a", "1--2", "1,,2", "-1"):
        assert progress(house, batch_no, positions).status_code == 400, positions
    # The other way round there is none between them.
    assert progress(house, batch_no, "9-3", "Q").json()["rows"] == []
    assert code(progress(house, "PB-20260105-99999")) == (404, "not_found")
    assert code(progress(house, batch_no, by="Rita")) == (403, "insufficient_role")
