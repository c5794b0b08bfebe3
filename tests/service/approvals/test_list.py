"""The list of payment requests and its digest: filters, whose turn it is, and a cost that does not grow."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from service.approvals.models import Approval
from service.ids import object_id
from service.payments.models import Batch, Item
from tests.service.approvals.conftest import request_approval, vote
from tests.service.house import House, code

LARGE = 150_000


@pytest.mark.parametrize("path", ["/approvals/all", "/approvals/all/digest"])
def test_the_office_reads_and_nobody_else(house: House, path: str) -> None:
    for name, status in {"Apollo": 200, "Ada": 200, "Sam": 200, "Rita": 403, "Carla": 403}.items():
        assert house.get(path, by=name).status_code == status
    for bad in ("page=0", "limit=0", "limit=1001", "status=OPEN", "from=yesterday", "requested_by=me"):
        assert code(house.get(f"{path}?{bad}")) == (400, "invalid_parameters")


def test_a_request_is_shown_whole(house: House) -> None:
    row = request_approval(house, LARGE)
    (shown,) = house.get("/approvals/all").json()["docs"]
    assert (shown["_id"], shown["kind"], shown["action_type"], shown["ref"]) == (row.id, "BULK_PAYOUT", 1, row.ref)
    assert (shown["amount"], shown["amount_minor"], shown["currency"]) == (150_000, 15_000_000, "KES")
    assert shown["requested_by"] == {"employee_id": house.person("Ada").id, "name": "Ada Achieng"}
    assert shown["makers"] == [house.person("Ada").id]
    approvers = {house.person(name).id for name in ("Apollo", "Zawadi", "Juma")}
    assert {seat["employee_id"] for seat in shown["eligible"]} == approvers
    assert [step["status"] for step in shown["steps"]] == ["WAITING"] * 3
    assert shown["risk"]["level"] in {"LOW", "MEDIUM", "HIGH"}
    assert shown["version"] == 1


def test_filters(house: House) -> None:
    first, second = request_approval(house), request_approval(house, LARGE, name="Large")
    vote(house, first, "Apollo")
    expected = {
        "status=PENDING": [second.id],
        "status=APPROVED": [first.id],
        f"ref={first.ref}": [first.id],
        f"requested_by={house.person('Ada').id}": [second.id, first.id],
        f"requested_by={house.person('Abel').id}": [],
        "currency=USD": [],
        "kind=BANK_TRANSFER": [],
        "org_wallet_ref=1": [second.id, first.id],
        "to=2020-01-01T00:00:00Z": [],
        "limit=1&page=2": [first.id],
    }
    for query, ids in expected.items():
        assert [row["_id"] for row in house.get(f"/approvals/all?{query}").json()["docs"]] == ids, query


def test_whose_turn_it_is(house: House) -> None:
    row = request_approval(house, LARGE, by="Apollo")
    vote(house, row, "Juma")

    def turn(name: str) -> bool:
        return bool(house.get("/approvals/all/digest", by=name).json()["docs"][0]["my_turn"])

    assert [turn(name) for name in ("Zawadi", "Juma", "Apollo", "Ada")] == [True, False, False, False]
    assert house.get("/approvals/all?my_turn=true", by="Zawadi").json()["total"] == 1
    assert house.get("/approvals/all?my_turn=true", by="Juma").json()["total"] == 0


def copies(house: House, row: Approval, count: int) -> None:
    """So many requests more, each with a payout of its own."""
    batch = Batch.objects.get(id=row.subject_id)
    item = batch.items.get()
    batches, items, rows = [], [], []
    for n in range(count):
        batches.append(Batch(**{**_plain(batch), "id": object_id(), "batch_no": f"PB-20200101-{n:05d}"}))
        items.append(Item(**{**_plain(item), "id": object_id(), "batch_id": batches[-1].id}))
        changed = {"id": object_id(), "subject_id": batches[-1].id, "ref": batches[-1].batch_no}
        rows.append(Approval(**{**_plain(row), **changed}))
    Batch.objects.bulk_create(batches)
    Item.objects.bulk_create(items)
    Approval.objects.bulk_create(rows)


def _plain(row: Batch | Item | Approval) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_thousand_requests_cost_at_most_twelve_queries(house: House) -> None:
    copies(house, request_approval(house), 999)
    house.get("/approvals/all/digest?limit=1", by="Apollo")
    with CaptureQueriesContext(connection) as queries:
        page = house.get("/approvals/all/digest?limit=1000", by="Apollo").json()
    assert (len(page["docs"]), page["total"]) == (1000, 1000)
    assert all(row["my_turn"] and row["risk"]["signals"] for row in page["docs"])
    assert len(queries) <= 12, [query["sql"][:90] for query in queries]
