"""The months of the demo: each committed by itself, the same whether the making was interrupted or not, and none twice."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from config.embedded import die_with_parent
from service.businesses.models import Business
from service.events.models import Event
from service.expenses.models import Expense
from service.ids import object_id
from service.journal.models import Transaction
from service.ledger.invariants import breaches_seen_by
from service.sandbox import clock, demo, demo_months
from service.sandbox.demo_plan import PLANS
from service.sandbox.models import DemoProgress
from tests.service.house import House
from tests.service.sandbox.conftest import NOW
from tests.service.sandbox.test_demo import facts

ROOT = Path(__file__).resolve().parents[2]
_, TULP = PLANS
MANY = 240
# A process of its own that makes the months of one business until it is killed.
MAKES = """
import sys, django
django.setup()
from service.sandbox import demo_months
while (progress := demo_months.make_next(sys.argv[1])) is not None:
    print(progress.made, flush=True)
"""


def begun() -> Business:
    order = replace(demo.order_of(TULP), business_id=object_id())
    with clock.at(NOW), transaction.atomic():
        return demo.begin(TULP, order, MANY, 3, NOW)


def months_made(business: Business) -> int:
    return DemoProgress.objects.get(business=business).made


def test_what_people_do_today_is_there_before_the_months(db: None) -> None:
    tulp = begun()
    assert months_made(tulp) == 0
    assert Expense.objects.filter(business=tulp, status="PENDING").exists()
    first = (
        Expense.objects.filter(business=tulp).order_by("transaction_date").values_list("transaction_date", flat=True)
    )
    assert (NOW - first[0]).days < 31
    with clock.at(NOW):
        demo_months.make_next(tulp.id)
    assert months_made(tulp) == 1
    assert (NOW - first.all()[0]).days > 40


def test_months_move_money_and_are_told_in_no_old_event(db: None) -> None:
    tulp = begun()
    told = Event.objects.filter(business=tulp, kind__startswith="expense.").count()
    with clock.at(NOW):
        while months_made(tulp) < 12:
            demo_months.make_next(tulp.id)
    assert Event.objects.filter(business=tulp, kind__startswith="expense.").count() == told
    assert Transaction.objects.filter(business=tulp, ref__startswith="income:").count() >= 12
    with connection.cursor() as cursor:
        assert breaches_seen_by(cursor, sealed=False) == []


def test_killed_in_the_middle_it_goes_on_with_the_next_month_and_is_the_same(committed: None) -> None:
    whole, killed = begun(), begun()
    with clock.at(NOW):
        while demo_months.make_next(whole.id) is not None:
            pass
    # It has the environment of the tests, and with it their database.
    making = subprocess.Popen(
        [sys.executable, "-c", MAKES, killed.id], cwd=ROOT, stdout=subprocess.PIPE,
        preexec_fn=partial(die_with_parent, parent=os.getpid()),
    )  # fmt: skip
    assert making.stdout is not None
    for _ in range(3):
        assert making.stdout.readline()
    # In the middle of the fourth.
    time.sleep(0.05)
    making.send_signal(signal.SIGKILL)
    making.wait()
    assert 3 <= months_made(killed) < 12
    while demo_months.make_next(killed.id) is not None:
        pass
    assert facts(killed) == facts(whole)
    refs = Transaction.objects.filter(business=killed).values_list("ref", flat=True)
    assert len(set(refs.filter(type="EXPENSE"))) == refs.filter(type="EXPENSE").count()
    progress = DemoProgress.objects.get(business=killed)
    assert progress.whole_at is not None
    assert demo_months.make_next(killed.id) is None


def test_the_service_says_how_far_a_demo_is_and_of_no_other_business(db: None, settings: Any) -> None:
    house = House()
    assert house.get("/demo-progress").status_code == 404
    DemoProgress.objects.create(business=house.business, seed=1, expenses=9, until=NOW, months=12, made=5)
    assert house.get("/demo-progress").json() == {"months": 12, "made": 5, "whole": False}
    settings.SANDBOX = False
    assert house.get("/demo-progress").status_code == 404
