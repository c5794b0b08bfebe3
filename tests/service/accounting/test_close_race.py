"""A posting that was under way when its month was closed is there before the close is answered; later ones are refused."""

import threading
import time

from django.db import connection, transaction

from service.ledger.models import LedgerTransaction
from tests.service.accounting.conftest import close, month, spend
from tests.service.house import House


def test_after_the_answer_of_a_close_nothing_comes_in_any_more(committed: None) -> None:
    house = House()
    last = month(house, 1)
    posted, done = threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic():
            spend(house, "under way", 100, last.first)
            posted.set()
            time.sleep(0.4)
            done.set()
        connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert posted.wait(5)
    answer = close(house, last)
    assert answer.json()["status"] == "CLOSED"
    assert done.is_set()
    assert LedgerTransaction.objects.filter(business=house.business, external_ref="under way").exists()
    thread.join(5)
