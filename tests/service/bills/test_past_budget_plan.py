"""A past period of a category's budget reads what was open or moved since it ended, and no bill that was settled before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from service.bills.models import Bill, BillPayment
from service.budgets import figures
from service.categories.models import Subcategory
from service.ids import object_id
from tests.service.bills.conftest import add, bill, pay, request_votes
from tests.service.bills.test_budgets import budget
from tests.service.bills.test_past_budgets import at, entered, month_before, noon
from tests.service.house import House

MANY, FEW = 400, 40


def paid_again(house: House, made: dict[str, Any], day: date) -> None:
    """So many bills like that one, each entered and paid on that day."""
    moment, seed = noon(house, day), Bill.objects.get(pk=made["_id"])
    payment = BillPayment.objects.get(bill=seed)
    bills, payments = [], []
    for number in range(MANY):
        seed.pk, seed.bill_no, seed.bill_no_key = object_id(), f"OLD-{number}", f"old{number}"
        payment.pk, payment.ref = object_id(), f"OLD-{number}"
        payment.bill_id, payment.settled_at, payment.ledger_hold_id = seed.pk, moment, None
        bills.append(Bill(**{field.attname: getattr(seed, field.attname) for field in Bill._meta.concrete_fields}))
        columns = BillPayment._meta.concrete_fields
        payments.append(BillPayment(**{field.attname: getattr(payment, field.attname) for field in columns}))
    Bill.objects.bulk_create(bills)
    BillPayment.objects.bulk_create(payments)
    Bill.objects.filter(pk__in=[row.pk for row in bills]).update(created_at=moment)


def rows_read(node: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """How many rows each scan of a plan has read, with those that it left out."""
    if "Relation Name" in node:
        left_out = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
        yield node["Relation Name"], round((node["Actual Rows"] + left_out) * node["Actual Loops"])
    for child in node.get("Plans", []):
        yield from rows_read(child)


def read_for(house: House, budget_id: str, day: date) -> Counter[str]:
    """How many rows of each table the figures of the period of that day take, by indexes."""
    with CaptureQueriesContext(connection) as queries:
        figures.of(house.business, [budget_id], day)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set local enable_seqscan = off")
        cursor.execute("set local enable_bitmapscan = off")
        cursor.execute("explain (analyze, format json) " + queries[-1]["sql"])
        [plans] = cursor.fetchone() or [[]]
        whole = (json.loads(plans) if isinstance(plans, str) else plans)[0]["Plan"]
        transaction.set_rollback(True)
    read: Counter[str] = Counter()
    for table, count in rows_read(whole):
        read[table] += count
    return read


def test_of_bills_that_were_settled_before_none_is_read(unmandated: House) -> None:
    house, last, earlier = unmandated, month_before(unmandated), month_before(unmandated, 2)
    filed = Subcategory.objects.filter(business=house.business).first()
    assert filed is not None
    created = budget(house, category_id=filed.category_id)
    first = bill(house, 4000, subcategory_id=filed.id)
    pay(request_votes(house, add(house, first, 4000).json()).json())
    BillPayment.objects.update(settled_at=noon(house, last))
    entered(first, noon(house, earlier))
    still_open = bill(house, 700, subcategory_id=filed.id, bill_no="INV-2")
    entered(still_open, noon(house, earlier))
    expected = {day: at(house, created, day) for day in (earlier, last)}
    assert [row[:2] for row in expected.values()] == [(4700, 0), (700, 4000)]
    paid_again(house, first, month_before(house, 4))
    with connection.cursor() as cursor:
        cursor.execute("analyze bills_bill, bills_billpayment, bills_billline")
    for day, shown in expected.items():
        assert at(house, created, day) == shown
        read = read_for(house, created["_id"], day)
        assert read["bills_bill"] < FEW, read
        assert read["bills_billpayment"] < FEW, read
    assert at(house, created, month_before(house, 4))[:2] == (0, 4000 * MANY)
